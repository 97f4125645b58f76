//! Several people at one arena: rematches, the engine, lists, and what happens when the disk is full.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Answer, Arena, PATIENCE, Program, agent, serve};

/// A match that the asker began by link and `guest` joined; its name.
fn against(arena: &Arena, guest: &ureq::Agent, more: &Value) -> String {
    let mut wanted =
        json!({ "game": "connectx", "first": { "kind": "me", "name": "Ada" }, "second": { "kind": "open" } });
    wanted.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let id = arena.post("/api/matches", &wanted).json()["id"].as_str().expect("a name").to_owned();
    let joined = arena.post_as(guest, &format!("/api/matches/{id}/join"), &json!({ "name": "Blaise" }));
    assert_eq!(joined.status, 200, "{}", joined.body);
    id
}

fn first_turn(view: &Value) -> Value {
    view["legal"][0]["turn"].clone()
}

/// The first message of a stream of events.
fn first_event(arena: &Arena, path: &str) -> Value {
    let mut stream = TcpStream::connect(("127.0.0.1", arena.program.port)).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("sent");
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let found = lines.find_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok());
    found.expect("an event")
}

#[test]
fn who_looks_later_sees_the_clock_as_it_is_now() {
    let arena = Arena::open();
    let wanted = json!({ "game": "yinsh", "time": "600",
        "first": { "kind": "me" }, "second": { "kind": "bot", "spec": "random" } });
    let id = arena.post("/api/matches", &wanted).json()["id"].as_str().expect("a name").to_owned();
    let left = |view: &Value| view["clocks"]["left"][0].as_u64().expect("a clock");
    let deadline = Instant::now() + PATIENCE;
    let seen = loop {
        let seen = left(&arena.after(&id, 0));
        if seen < 600_000 || Instant::now() > deadline {
            break seen;
        }
    };
    assert!(seen < 600_000, "the clock runs");
    for path in [format!("/api/matches/{id}/events"), format!("/api/stream?match={id}")] {
        let later = first_event(&arena, &path);
        assert!(left(&later) <= seen, "{path}: {later}");
        assert_eq!(later["clocks"]["running"], 1, "{path}: {later}");
    }
}

#[test]
fn a_rematch_between_people_is_an_offer() {
    let (arena, guest) = (Arena::open(), agent());
    let id = against(&arena, &guest, &json!({ "time": "60" }));
    let rematch = format!("/api/matches/{id}/rematch");
    assert_eq!(arena.post(&rematch, &json!({})).status, 409, "it is not over");
    arena.post(&format!("/api/matches/{id}/resign"), &json!({}));
    assert_eq!(arena.post_as(&agent(), &rematch, &json!({})).status, 403, "somebody who did not play");
    let offered = arena.post(&rematch, &json!({})).json();
    assert_eq!((&offered["rematch_offer"], &offered["rematch"]), (&json!(1), &Value::Null), "{offered}");
    let again = arena.post(&rematch, &json!({})).json();
    assert_eq!(again["rematch"], Value::Null, "nobody accepts an own offer: {again}");
    let begun = arena.post_as(&guest, &rematch, &json!({})).json();
    let next = begun["id"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned();
    let view = arena.after(&next, 0);
    assert_eq!((&view["seats"][0]["name"], &view["seats"][1]["name"]), (&json!("Blaise"), &json!("Ada")), "{view}");
    assert_eq!(arena.after(&id, 0)["rematch"], json!(next), "whoever offered it finds it there");
    assert_eq!(arena.post(&rematch, &json!({})).json()["id"], json!(next));
}

#[test]
fn the_engine_is_silent_while_people_play_in_earnest() {
    let (arena, guest) = (Arena::open(), agent());
    let asked = |turns: &[Value], who: &ureq::Agent| {
        let line = json!({ "game": "connectx", "turns": turns, "nodes": 200 });
        ["/api/analyse", "/api/threats"].map(|path| arena.post_as(who, path, &line).status)
    };
    for (more, engine, status) in [(json!({}), false, 409), (json!({ "casual": true }), true, 200)] {
        let id = against(&arena, &guest, &more);
        let turn = first_turn(&arena.after(&id, 0));
        let made = arena.post(&format!("/api/matches/{id}/turns"), &json!({ "turn": turn })).json();
        assert_eq!(made["engine"], json!(engine), "{made}");
        for who in [&arena.agent, &guest, &agent()] {
            assert_eq!(asked(std::slice::from_ref(&turn), who), [status; 2], "{more}");
        }
        assert_eq!(asked(&[], &guest), [200; 2], "the start is everybody's");
        let over = arena.post(&format!("/api/matches/{id}/resign"), &json!({})).json();
        assert_eq!(over["engine"], json!(true), "{over}");
        assert_eq!(asked(&[turn], &guest), [200; 2], "the match is over");
    }
}

/// However a position is written, it is the same position.
#[test]
fn the_engine_is_silent_about_a_position_however_it_is_written() {
    let (arena, guest) = (Arena::open(), agent());
    let id = against(&arena, &guest, &json!({ "game": "cannon" }));
    let start = arena.after(&id, 0);
    let turn = first_turn(&start);
    let made = arena.post(&format!("/api/matches/{id}/turns"), &json!({ "turn": turn })).json();
    let spaced = turn.as_str().expect("a turn").replace(' ', "  ");
    let next = made["legal"].as_array().expect("turns").last().expect("a turn")["turn"].clone();
    let asked = |position: Value, turns: Value| {
        let line = json!({ "game": "cannon", "position": position, "turns": turns, "nodes": 200 });
        arena.post_as(&agent(), "/api/analyse", &line)
    };
    let after = |turns: Value| {
        let line = json!({ "game": "cannon", "turns": turns });
        arena.post("/api/positions", &line).json()["position"].clone()
    };
    for (position, turns) in [
        (Value::Null, json!([turn])),
        (Value::Null, json!([spaced])),
        (made["position"].clone(), json!([])),
        (start["position"].clone(), json!([turn])),
        (Value::Null, json!([turn, next])),
        (after(json!([turn, next])), json!([])),
    ] {
        let answer = asked(position.clone(), turns.clone());
        // A spelling that the game refuses says nothing either.
        assert!(answer.status == 409 || answer.status == 422, "{position} {turns}: {} {}", answer.status, answer.body);
        assert!(turns == json!([spaced]) || answer.status == 409, "{position} {turns}: {}", answer.body);
    }
    assert_eq!(asked(Value::Null, json!([])).status, 200, "the start is everybody's");
    assert_eq!(asked(start["position"].clone(), json!([])).status, 200, "also when it is written out");
    let other = start["legal"].as_array().expect("turns").last().expect("a turn")["turn"].clone();
    assert_ne!(other, turn);
    assert_eq!(asked(Value::Null, json!([other])).status, 200, "another position");
}

#[test]
fn a_clock_waits_until_its_player_has_seen_the_match() {
    let (arena, guest) = (Arena::open(), agent());
    let id = against(&arena, &guest, &json!({ "time": "60" }));
    let seen_by = |agent: &ureq::Agent, id: &str| answer_of(agent, &arena, &format!("/api/matches/{id}")).json();
    // The host is away when the guest comes.
    let waiting = seen_by(&guest, &id);
    assert_eq!((&waiting["turn"], &waiting["clocks"]["running"]), (&json!(1), &Value::Null), "{waiting}");
    assert_eq!(waiting["clocks"]["left"], json!([60_000, 60_000]), "{waiting}");
    let page = arena.get(&format!("/match/{id}"));
    assert_eq!(page.status, 200);
    assert_eq!(seen_by(&guest, &id)["clocks"]["running"], 1, "the host has come back");
    // A host with an open page sees the guest come.
    let watched = json!({ "game": "connectx", "time": "60", "first": { "kind": "me" }, "second": { "kind": "open" } });
    let watched = arena.post("/api/matches", &watched).json()["id"].as_str().expect("a name").to_owned();
    let cookie = page_cookie(&arena);
    let mut tab = TcpStream::connect(("127.0.0.1", arena.program.port)).expect("a connection");
    tab.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    write!(tab, "GET /api/stream?match={watched} HTTP/1.1\r\nhost: localhost\r\ncookie: {cookie}\r\n\r\n")
        .expect("sent");
    let mut lines = BufReader::new(&tab).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("data: ")), "it is open");
    arena.post_as(&guest, &format!("/api/matches/{watched}/join"), &json!({}));
    assert_eq!(seen_by(&guest, &watched)["clocks"]["running"], 1);
    // Whoever offered another match is away when it begins.
    assert_eq!(arena.post(&format!("/api/matches/{id}/resign"), &json!({})).status, 200);
    let rematch = format!("/api/matches/{id}/rematch");
    assert_eq!(arena.post_as(&guest, &rematch, &json!({})).status, 200);
    let next = arena.post(&rematch, &json!({})).json()["id"].as_str().expect("a name").to_owned();
    let waiting = arena.get(&format!("/api/matches/{next}")).json();
    assert_eq!(waiting["clocks"]["running"], Value::Null, "the guest moves first, and does not know: {waiting}");
    seen_by(&guest, &next);
    assert_eq!(arena.get(&format!("/api/matches/{next}")).json()["clocks"]["running"], 1);
}

/// The cookie by which the arena knows its asker.
fn page_cookie(arena: &Arena) -> String {
    let jar = arena.agent.cookie_jar_lock();
    let cookie = jar.iter().next().expect("a cookie");
    format!("{}={}", cookie.name(), cookie.value())
}

#[test]
fn an_offer_can_be_withdrawn_and_declined() {
    let (arena, guest) = (Arena::open(), agent());
    let id = against(&arena, &guest, &json!({}));
    arena.post(&format!("/api/matches/{id}/resign"), &json!({}));
    let rematch = format!("/api/matches/{id}/rematch");
    let without = |who: &ureq::Agent| super::answer(who.delete(arena.at(&rematch)).call());
    assert_eq!(without(&arena.agent).status, 409, "nothing is offered");
    for who in [&arena.agent, &guest] {
        assert_eq!(arena.post(&rematch, &json!({})).json()["rematch_offer"], 1);
        assert_eq!(without(&agent()).status, 403);
        assert_eq!(without(who).json()["rematch_offer"], Value::Null);
    }
    let offered = arena.post_as(&guest, &rematch, &json!({})).json();
    assert_eq!(
        (&offered["rematch_offer"], &offered["rematch"]),
        (&json!(2), &Value::Null),
        "no match was begun: {offered}"
    );
}

#[test]
fn a_match_that_is_only_a_record_offers_no_other() {
    let arena = Arena::open();
    let id = arena.begin("cannon", "random");
    assert_eq!(arena.after(&id, 0)["again"], false);
    let over = arena.post(&format!("/api/matches/{id}/resign"), &json!({})).json();
    assert_eq!(over["again"], true, "{over}");
    let Arena { program, folder, agent } = arena;
    drop(program);
    let arena = Arena { program: serve(folder.path(), &[]), folder, agent };
    let recorded = arena.after(&id, 0);
    assert_eq!((&recorded["over"], &recorded["again"]), (&json!(true), &json!(false)), "{recorded}");
}

#[test]
fn lists_keep_what_is_private_and_can_be_narrowed() {
    let (arena, guest) = (Arena::open(), agent());
    let open = json!({ "game": "cannon", "first": { "kind": "me", "name": "Emil" }, "second": { "kind": "open" } });
    let open = arena.post("/api/matches", &open).json()["id"].clone();
    let private = against(&arena, &guest, &json!({}));
    let ended = against(&arena, &guest, &json!({}));
    arena.post(&format!("/api/matches/{ended}/resign"), &json!({}));
    let named = |name: &str, game: &str| {
        let wanted = json!({ "game": game,
            "first": { "kind": "me", "name": name }, "second": { "kind": "bot", "spec": "random" } });
        arena.post("/api/matches", &wanted).json()["id"].as_str().expect("a name").to_owned()
    };
    let (ada, bob, over) = (named("Ada", "yinsh"), named("Bob", "cannon"), named("Bob", "yinsh"));
    arena.post(&format!("/api/matches/{over}/resign"), &json!({}));
    let listed = |query: &str| -> Vec<String> {
        let rows = arena.get(&format!("/api/matches{query}")).json();
        let id = |row: &Value| row["id"].as_str().expect("a name").to_owned();
        rows.as_array().unwrap_or_else(|| panic!("{rows}")).iter().map(id).collect()
    };
    assert_eq!(listed(""), [&*bob, &ada, &over]);
    assert_eq!(listed("?game=yinsh"), [&*ada, &over]);
    assert_eq!(listed("?player=Bob"), [&*bob, &over]);
    assert_eq!(listed("?game=cannon&player=Bob"), [&*bob]);
    assert!(listed("?player=Nobody").is_empty());
    assert_eq!(arena.get("/api/matches?game=chess").status, 422);
    let others = answer_of(&agent(), &arena, "/watch").body;
    for hidden in [open.as_str().expect("a name"), &private, &ended] {
        assert!(!others.contains(hidden), "{hidden}");
        assert_eq!(arena.get(&format!("/match/{hidden}")).status, 200, "by its link it is found");
    }
    // Those who have a seat find their matches again.
    for page in ["/", "/watch"] {
        let mine = arena.get(page).body;
        assert!([&private, &ada, &bob].iter().all(|id| mine.contains(&format!("/match/{id}"))), "{page}");
        assert!(answer_of(&guest, &arena, page).body.contains(&format!("/match/{private}")), "{page}");
    }
}

fn answer_of(agent: &ureq::Agent, arena: &Arena, path: &str) -> Answer {
    super::answer(agent.get(arena.at(path)).call())
}

#[test]
fn bots_play_each_other_at_a_pace() {
    let arena = Arena::of_the_organiser();
    let wanted = |pace: u32| {
        json!({ "game": "connectx", "pace": pace, "first": { "kind": "bot", "spec": "random" },
            "second": { "kind": "bot", "spec": "greedy" } })
    };
    let begin = |pace| arena.post("/api/matches", &wanted(pace)).json()["id"].as_str().expect("a name").to_owned();
    let (slow, fast) = (begin(60), begin(0));
    let over = arena.after(&fast, 500);
    assert_eq!((&over["over"], &over["seats"][1]["name"]), (&json!(true), &json!("greedy")), "{over}");
    assert_eq!(arena.after(&slow, 0)["turns"], json!([]), "the first turn comes after a minute");
    assert_eq!(arena.post("/api/matches", &wanted(1000)).status, 422);
    // The form says the same, and what is wrong with it loses nothing of what was entered.
    let form = |fields: &str| {
        let request = arena.agent.post(arena.at("/play/connectx"));
        super::answer(request.header("content-type", "application/x-www-form-urlencoded").send(fields))
    };
    let page = form("side=watch&opponent=house&house=level3&second=adept&pace=5").body;
    assert!(page.contains("level3") && page.contains("adept"), "both bots are on the page: {page}");
    let wrong = form("side=second&opponent=bot&bot=no%2Fsuch%2Ffolder&clock=180%2B2&name=Ada");
    assert_eq!(wrong.status, 422);
    for kept in ["no/such/folder", "value=\"Ada\"", "value=\"180+2\" selected", "role=\"alert\""] {
        assert!(wrong.body.contains(kept), "{kept}: {}", wrong.body);
    }
}

#[test]
fn a_restart_begins_another_epoch() {
    let arena = Arena::open();
    let id = arena.begin("cannon", "random");
    let turn = first_turn(&arena.after(&id, 0));
    arena.post(&format!("/api/matches/{id}/turns"), &json!({ "turn": turn }));
    let before = arena.after(&id, 2);
    let Arena { program, folder, agent } = arena;
    drop(program);
    let arena = Arena { program: serve(folder.path(), &[]), folder, agent };
    let after = arena.after(&id, 2);
    assert_ne!(after["epoch"], before["epoch"], "{after}");
    assert_eq!(after["turns"].as_array().map(Vec::len), Some(2));
}

/// An arena on a disk of its own of a few megabytes, and where that disk is seen from here.
pub(super) fn on_a_small_disk() -> (Arena, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).expect("a folder");
    let script = format!(
        "mount -t tmpfs -o size=4m tmpfs {disk} && exec {} serve --port 0 --db {disk}/arena.db",
        env!("CARGO_BIN_EXE_agon"),
        disk = disk.display()
    );
    let mut command = Command::new("unshare");
    if !rustix::process::getuid().is_root() {
        command.arg("--map-root-user");
    }
    command.args(["--mount", "sh", "-c", &script]);
    let program = Program::start(&mut command, "http://127.0.0.1:");
    let seen =
        Path::new("/proc").join(program.pid().to_string()).join("root").join(disk.strip_prefix("/").unwrap_or(&disk));
    (Arena { program, folder, agent: agent() }, seen)
}

#[test]
fn what_cannot_be_written_down_is_not_played() {
    let (arena, disk) = on_a_small_disk();
    let id = arena.begin("cannon", "random");
    let play = |made: usize| {
        let turn = first_turn(&arena.after(&id, made));
        arena.post(&format!("/api/matches/{id}/turns"), &json!({ "turn": turn, "after": made }))
    };
    assert_eq!(play(0).status, 200);
    arena.after(&id, 2);
    let filler = disk.join("filler");
    let mut file = fs::File::create(&filler).expect("a file");
    while file.write_all(&[0; 4096]).is_ok() {}
    drop(file);
    let mut made = 2;
    // Room that the database already has may take a few turns more.
    let refused = loop {
        let answer = play(made);
        if answer.status != 200 || made > 100 {
            break answer;
        }
        made += 2;
        arena.after(&id, made);
    };
    assert_eq!(refused.status, 507, "{}", refused.body);
    assert!(refused.error().contains("make room on the disk"), "{}", refused.body);
    assert_eq!(arena.after(&id, made)["turns"].as_array().map(Vec::len), Some(made), "it was not played");
    assert_eq!(
        arena
            .post(
                "/api/matches",
                &json!({ "game": "yinsh", "first": { "kind": "me" },
        "second": { "kind": "bot", "spec": "random" } })
            )
            .status,
        507
    );
    fs::remove_file(&filler).expect("it is gone");
    assert_eq!(play(made).status, 200, "the match goes on");
    assert!(arena.after(&id, made + 2)["turns"].as_array().is_some_and(|turns| turns.len() >= made + 2));
}
