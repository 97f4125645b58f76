//! Tournaments on pages, asked for as a browser does but without a network.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use agon_entrants::{Containment, Workshop};
use agon_store::{Live, Store};
use agon_tournament::{Entered, Event, News, Plan, Resources, Secret, StoredTournament, prepare, read, run};
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode},
};
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::{Options, api, arena::Arena, live_match::now_ms};

/// What a team must not be able to do with its name.
const HOSTILE: &str = "<script>alert(1)</script>";
/// A name that no address can carry as it is.
const NAME: &str = "cup 2026/é?";
const ADDRESS: &str = "cup%202026%2F%C3%A9%3F";
const SECRET: &str = "nobody knows this";

/// An arena with a tournament in its database.
struct Stage {
    folder: TempDir,
    arena: Arc<Arena>,
}

/// A tournament that ends after so many matches, or when it is over.
fn hold(folder: &TempDir, most: usize) -> StoredTournament {
    let game = agon_all::GAMES[0];
    let format = format!(
        "title = \"Cup & Sons\"\ngame = \"{}\"\nmax_turns = 30\n[[part]]\nvariant = \"{}\"\nclock = \"nodes=10\"\n\
         [[stage]]\nname = \"Groups\"\nkind = \"groups\"\ngroups = 2\nadvance = 2\nties = [\"points\", \"coin\"]\n\
         [[stage]]\nname = \"Finals\"\nkind = \"knockout\"\nties = [\"points\", \"coin\"]\n",
        game.name(),
        game.variants()[0]
    );
    let workshop = Workshop::plain(folder.path());
    let entered = |name: &str| Entered { name: name.to_owned(), bot: "random".to_owned(), ..Entered::default() };
    let names = ["Anna", HOSTILE, "Clara", "Dora", "Emil"];
    let (teams, contestants): (Vec<_>, Vec<_>) =
        names.iter().map(|name| prepare(&entered(name), game, &workshop).expect("a house bot")).unzip();
    let plan =
        Plan { format: read(&format).expect("a format").format, teams, seed: 3, secret: Secret(SECRET.to_owned()) };
    let mut held =
        StoredTournament::create(&folder.path().join("arena.db"), NAME, plan, None).expect("a new tournament");
    let (launcher, stop) = (Containment::none().launcher(None), AtomicBool::new(most == 0));
    let renew = |held: &StoredTournament, team: usize| held.contestant(team, game, &workshop);
    let means = Resources { contestants: &contestants, renew: &renew, launcher: &launcher, slots: 1, stop: &stop };
    let mut played = 0;
    run(&mut held, &means, &mut |_, news| {
        played += usize::from(matches!(news, News::Finished(_)));
        if played >= most {
            stop.store(true, Ordering::Relaxed);
        }
    })
    .expect("the host works");
    held
}

impl Stage {
    fn open(folder: TempDir) -> Stage {
        let db = folder.path().join("arena.db");
        let options =
            Options { db: Some(db.clone()), containment: Arc::new(Containment::none()), ..Options::default() };
        let arena = Arena::open(Store::open(&db).expect("a database"), options).expect("an arena");
        Stage { folder, arena }
    }

    /// Somebody plays a match at this moment.
    fn live(&self, held: &mut StoredTournament, turns: usize) {
        let record = held.store().matches_of(NAME).expect("matches").remove(0).record;
        let mut record = agon_referee::Record::parse(&record).expect("a record");
        record.turns.truncate(turns);
        record.tags.iter_mut().filter(|(name, _)| name == "Result").for_each(|(_, value)| *value = "*".to_owned());
        let live = Live {
            id: format!("{NAME}/1.2.r4.b1.1"),
            kind: "terminal".to_owned(),
            game: agon_all::GAMES[0].name().to_owned(),
            variant: record.tag("Variant").unwrap_or_default().to_owned(),
            rules: record.tag("Rules").unwrap_or_default().to_owned(),
            first: "Anna".to_owned(),
            second: HOSTILE.to_owned(),
            turns: turns as u32,
            updated_ms: now_ms(),
            setting: "{}".to_owned(),
            record: record.text(),
        };
        let db = self.folder.path().join("arena.db");
        Store::open(db).expect("a database").save_live(&live).expect("it can be written");
    }

    async fn get(&self, path: &str) -> (StatusCode, String) {
        let router: Router = api::router(Arc::clone(&self.arena));
        let request = Request::get(path).header("host", "localhost").body(Body::empty()).expect("a request");
        let response = router.oneshot(request).await.expect("an answer");
        let status = response.status();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        (status, String::from_utf8(bytes.to_vec()).expect("text"))
    }

    async fn page(&self, path: &str) -> String {
        let (status, text) = self.get(path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        text
    }

    async fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.page(path).await).expect("JSON")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_shown_when_it_is_over() {
    let folder = TempDir::new().expect("a folder");
    let held = hold(&folder, usize::MAX);
    let winner = held.state().standings.expect("it is over")[0].team;
    let stage = Stage::open(folder);
    let list = stage.page("/tournaments").await;
    assert!(list.contains(&format!("href=\"/tournaments/{ADDRESS}\"")) && list.contains("Cup &amp; Sons"));
    assert!(list.contains("5 teams, over"));
    assert!(stage.page("/").await.contains("href=\"/tournaments\""));

    let page = stage.page(&format!("/tournaments/{ADDRESS}")).await;
    for text in [
        "<h1>Cup &amp; Sons</h1>",
        "Final standings",
        "Group 2",
        "bracket-tree",
        "Audit log",
        "Everything is played.",
        SECRET,
    ] {
        assert!(page.contains(text), "'{text}' is missing");
    }
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert(1)"));
    assert!(!page.contains("style="), "the arena's policy forbids styles within pages");

    // Every match that is linked can be replayed.
    let links: Vec<&str> = page.split("href=\"").skip(1).filter_map(|text| text.split('"').next()).collect();
    let links: Vec<&str> = links.into_iter().filter(|link| link.starts_with("/match/")).collect();
    assert_eq!(links.len(), held.briefs.len());
    for link in [links[0], links[links.len() - 1]] {
        assert!(stage.page(link).await.contains("data-turns"));
    }

    let view = stage.json(&format!("/api/tournaments/{ADDRESS}")).await;
    assert_eq!((view["state"].as_str(), view["name"].as_str()), (Some("over"), Some(NAME)));
    assert_eq!(view["standings"][0]["team"], held.plan.name(winner));
    assert_eq!(view["played"], held.briefs.len());
    assert_eq!(stage.json("/api/tournaments").await[0]["title"], "Cup & Sons");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_in_progress_keeps_its_secret_and_shows_its_boards() {
    let folder = TempDir::new().expect("a folder");
    let mut held = hold(&folder, 3);
    assert!(!held.state().is_over());
    let stage = Stage::open(folder);
    let address = format!("/tournaments/{ADDRESS}");
    let page = stage.page(&address).await;
    assert!(page.contains("Standings so far") && page.contains("<progress"));
    assert!(page.contains(&held.plan.secret.digest()) && !page.contains(SECRET));
    assert!(!page.contains("data-id="), "nothing is played at this moment");
    let api = stage.page(&format!("/api{address}")).await;
    assert!(api.contains(&held.plan.secret.digest()) && !api.contains(SECRET));

    stage.live(&mut held, 2);
    let page = stage.page(&address).await;
    assert!(page.contains("<strong>Running</strong>") && page.contains("data-id=") && page.contains("ag-picture"));
    assert!(page.contains(&format!("/match/{ADDRESS}%2F1.2.r4.b1.1")), "and the board leads to its match");

    // What happens to it is seen at once.
    held.add(Event::Paused { reason: String::new() }).expect("the log can be written");
    assert!(stage.page(&address).await.contains("<strong>Paused</strong>"));
    held.take_out("Emil", "ill & tired", false).expect("a team");
    let page = stage.page(&address).await;
    assert!(page.contains("withdrew: ill &amp; tired"));
    assert_eq!(stage.json("/api/tournaments").await[0]["state"], "paused");
}

#[tokio::test(flavor = "multi_thread")]
async fn news_come_by_themselves() {
    use tokio_stream::StreamExt;
    let folder = TempDir::new().expect("a folder");
    let mut held = hold(&folder, 2);
    let stage = Stage::open(folder);
    let router: Router = api::router(Arc::clone(&stage.arena));
    let path = format!("/api/tournaments/{ADDRESS}/events");
    let request = Request::get(path).header("host", "localhost").body(Body::empty()).expect("a request");
    let mut events = router.oneshot(request).await.expect("an answer").into_body().into_data_stream();
    let mut next = async || -> Value {
        loop {
            let bytes = events.next().await.expect("more").expect("bytes");
            let text = String::from_utf8(bytes.to_vec()).expect("text");
            if let Some(news) = text.strip_prefix("data:") {
                return serde_json::from_str(news.trim()).expect("JSON");
            }
        }
    };
    let first = next().await;
    assert_eq!(first["boards"].as_array().map(Vec::len), Some(0));
    stage.live(&mut held, 2);
    let second = next().await;
    assert_eq!((&second["revision"], &second["boards"][0]["turns"]), (&first["revision"], &Value::from(2)));
    held.add(Event::Paused { reason: String::new() }).expect("the log can be written");
    let third = next().await;
    assert_ne!(third["revision"], first["revision"]);
    assert_eq!(third["state"], "paused");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_said_so() {
    let folder = TempDir::new().expect("a folder");
    let stage = Stage::open(folder);
    assert!(stage.page("/tournaments").await.contains("None yet."));
    for path in ["/tournaments/nothing", "/api/tournaments/nothing", "/api/tournaments/nothing/events"] {
        let (status, text) = stage.get(path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(text.to_lowercase().contains("there is no such tournament"), "{text}");
    }
    // An arena without a file has none.
    let options = Options { containment: Arc::new(Containment::none()), ..Options::default() };
    let arena = Arena::open(Store::in_memory().expect("memory"), options).expect("an arena");
    let stage = Stage { folder: TempDir::new().expect("a folder"), arena };
    assert!(stage.page("/tournaments").await.contains("None yet."));
    assert_eq!(stage.get("/tournaments/x").await.0, StatusCode::NOT_FOUND);
}
