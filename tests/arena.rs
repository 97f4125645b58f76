//! The arena as programs meet it: the JSON interface, and everything that somebody might send it.

mod faults;
mod log;
mod people;
mod safety;
mod tokens;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::site::{alone, program};
use program::{PATIENCE, Program};
use serde_json::{Value, json};
use tempfile::TempDir;

/// An arena with a database of its own, and somebody who asks.
struct Arena {
    program: Program,
    folder: TempDir,
    agent: ureq::Agent,
}

struct Answer {
    status: u16,
    body: String,
    headers: ureq::http::HeaderMap,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }

    fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }
}

fn serve(folder: &Path, more: &[&str]) -> Program {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["serve", "--port", "0", "--db"]).arg(folder.join("arena.db")).args(more);
    Program::start(&mut command, "http://127.0.0.1:")
}

/// Somebody with a browser's memory for cookies.
fn agent() -> ureq::Agent {
    let agent = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false);
    agent.build().into()
}

impl Arena {
    fn open() -> Arena {
        let folder = TempDir::new().expect("a folder");
        Arena { program: serve(folder.path(), &[]), folder, agent: agent() }
    }

    /// The same for somebody who opened the link with the token and may seat programs.
    fn of_the_organiser() -> Arena {
        let arena = Arena::open();
        arena.enter();
        arena
    }

    /// Opens the link with the token.
    fn enter(&self) {
        let entered = answer(self.agent.get(self.program.entrance()).call());
        assert_eq!(entered.status, 200, "{}", entered.body);
    }

    fn at(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.program.port)
    }

    fn get(&self, path: &str) -> Answer {
        answer(self.agent.get(self.at(path)).call())
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_as(&self.agent, path, body)
    }

    fn post_as(&self, agent: &ureq::Agent, path: &str, body: &Value) -> Answer {
        answer(agent.post(self.at(path)).header("content-type", "application/json").send(body.to_string()))
    }

    /// A match of the asker against a bot; its name.
    fn begin(&self, game: &str, bot: &str) -> String {
        let wanted = json!({ "game": game, "first": { "kind": "me" }, "second": { "kind": "bot", "spec": bot } });
        let created = self.post("/api/matches", &wanted);
        assert_eq!(created.status, 200, "{}", created.body);
        created.json()["id"].as_str().expect("a name").to_owned()
    }

    /// The match when so many turns have been made.
    fn after(&self, id: &str, turns: usize) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let view = self.get(&format!("/api/matches/{id}")).json();
            if view["turns"].as_array().expect("turns").len() >= turns || view["over"] == true {
                return view;
            }
            assert!(Instant::now() < deadline, "{view}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn answer(result: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut response = result.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = response.body_mut().with_config().limit(1 << 26).read_to_string().expect("text");
    Answer { status, body, headers }
}

/// Sends bytes as they are, and gives the first line of the answer.
fn raw(port: u16, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    // The arena may have heard enough before everything is sent.
    let _ = stream.write_all(bytes);
    let mut line = String::new();
    let _ = BufReader::new(stream).read_line(&mut line);
    line.trim().to_owned()
}

#[test]
fn a_match_is_played_through_the_interface() {
    let arena = Arena::open();
    let id = arena.begin("connectx", "random");
    let mut made = 0;
    loop {
        let view = arena.after(&id, made);
        if view["over"] == true {
            assert!(view["outcome"]["sentence"].as_str().expect("a sentence").ends_with('.'), "{view}");
            break;
        }
        assert_eq!(view["turn"], 1, "{view}");
        let turn = &view["legal"][0]["turn"];
        let played = arena.post(&format!("/api/matches/{id}/turns"), &json!({ "turn": turn, "after": made }));
        assert_eq!(played.status, 200, "{}", played.body);
        made += 2;
    }
    let record = arena.get(&format!("/api/matches/{id}/record"));
    assert!(record.body.contains("[Game \"connectx\"]") && !record.body.contains("[Result \"*\"]"), "{}", record.body);
    let page = arena.get(&format!("/api/matches/{id}/replay")).body;
    assert!(page.contains("<figure") && !page.contains("src="), "a replay needs nothing else");
    let again = arena.post(&format!("/api/matches/{id}/rematch"), &json!({})).json()["id"].clone();
    let again = arena.after(again.as_str().expect("a name"), 1);
    assert_eq!((&again["seats"][0]["kind"], &again["seats"][1]["kind"]), (&json!("bot"), &json!("person")));
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let arena = Arena::open();
    let id = arena.begin("cannon", "random");
    let path = format!("/api/matches/{id}/turns");
    let before = arena.after(&id, 0);
    let turn = before["legal"][0]["turn"].as_str().expect("a turn").to_owned();
    let good = json!({ "turn": turn, "after": 0 });
    let stranger = arena.post_as(&agent(), &path, &good);
    assert_eq!((stranger.status, stranger.error().as_str()), (403, "you have no seat in this match"));
    assert_eq!(arena.post(&path, &json!({ "turn": turn, "after": 7 })).status, 409);
    let illegal = arena.post(&path, &json!({ "turn": "S 0 0 M 9 9" }));
    assert_eq!(illegal.status, 422);
    assert!(!illegal.error().is_empty());
    assert_eq!(arena.post("/api/matches/nothing/turns", &good).status, 404);
    assert_eq!(arena.post(&format!("/api/matches/{id}/rematch"), &json!({})).status, 409);
    for (body, kind, status) in [
        ("{", "application/json", 400),
        ("{\"turn\": 7}", "application/json", 422),
        ("turn=x", "application/x-www-form-urlencoded", 415),
    ] {
        let refused = answer(arena.agent.post(arena.at(&path)).header("content-type", kind).send(body));
        assert_eq!(refused.status, status, "{body}: {}", refused.body);
        assert!(!refused.error().is_empty(), "{body}");
    }
    // Refused by its length alone: nobody waits for three megabytes.
    let huge = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{{",
        3 << 20
    );
    assert!(raw(arena.program.port, huge.as_bytes()).contains(" 413 "));
    let long: Vec<&str> = vec![turn.as_str(); 10_000];
    let many = arena.post("/api/positions", &json!({ "game": "cannon", "turns": long }));
    assert_eq!(many.status, 422, "{}", many.body);
    let foreign = arena.agent.post(arena.at(&path)).header("content-type", "application/json");
    let foreign = answer(foreign.header("origin", "https://example.org").send(good.to_string()));
    assert_eq!(foreign.status, 403);
    assert_eq!(arena.after(&id, 0)["revision"], before["revision"]);
    assert_eq!(arena.post(&path, &good).status, 200);
    // Each refusal was logged, once.
    let log = arena.program.logged(&format!("method=POST path={path}}}"), 8);
    let statuses = log.iter().filter_map(|line| line.split_once("refused status=")?.1.split(' ').next());
    assert_eq!(statuses.collect::<Vec<_>>(), ["403", "409", "422", "400", "422", "415", "413", "403"], "{log:?}");
    assert!(log[0].ends_with(" reason=\"you have no seat in this match\""), "{log:?}");
}

#[test]
fn pages_contain_nothing_that_somebody_else_wrote_as_markup() {
    let arena = Arena::open();
    let name = "<script>alert(1)</script>";
    let wanted = json!({ "game": "yinsh", "first": { "kind": "me", "name": name }, "second": { "kind": "open" } });
    let id = arena.post("/api/matches", &wanted).json()["id"].as_str().expect("a name").to_owned();
    for path in [format!("/match/{id}"), "/watch".to_owned()] {
        let page = arena.get(&path);
        assert_eq!(page.status, 200);
        assert!(!page.body.contains("<script>alert"), "{path}");
        let policy = page.headers["content-security-policy"].to_str().expect("text");
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    }
    let first_visit = answer(agent().get(arena.at("/")).call());
    let cookie = first_visit.headers["set-cookie"].to_str().expect("text");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
}

#[test]
fn every_page_is_there_without_scripts_and_wrong_addresses_are_not() {
    let arena = Arena::open();
    let home = arena.get("/").body;
    for game in agon_all::GAMES {
        assert!(home.contains(game.title()) && home.contains(&format!("/play/{}", game.name())), "{}", game.name());
        for folder in ["play", "learn", "analyse"] {
            let page = arena.get(&format!("/{folder}/{}", game.name()));
            assert_eq!(page.status, 200, "{folder} {}", game.name());
            assert!(page.body.contains("<svg"), "{folder} {}", game.name());
        }
        let kit = arena.agent.get(arena.at(&format!("/kits/{}/python.zip", game.name()))).call().expect("a kit");
        let mut bytes = Vec::new();
        kit.into_body().into_reader().read_to_end(&mut bytes).expect("bytes");
        assert!(bytes.starts_with(b"PK"), "{}", game.name());
    }
    for path in ["/watch", "/replay", "/learn", "/analyse"] {
        assert_eq!(arena.get(path).status, 200, "{path}");
    }
    for path in ["/play/chess", "/match/nothing", "/kits/yinsh/cobol.zip", "/assets/x/../../Cargo.toml", "/nowhere"] {
        assert_eq!(arena.get(path).status, 404, "{path}");
    }
    let document = arena.get("/api/openapi.json").json();
    assert!(document["paths"]["/api/matches/{id}/turns"]["post"].is_object(), "{document}");
}

#[test]
fn other_sites_names_and_broken_requests_get_nowhere() {
    let arena = Arena::open();
    let port = arena.program.port;
    let elsewhere = format!("GET / HTTP/1.1\r\nhost: evil.example:{port}\r\nconnection: close\r\n\r\n");
    assert!(raw(port, elsewhere.as_bytes()).contains("421"));
    assert!(raw(port, b"nonsense\r\n\r\n").contains("400"));
    let endless = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(1 << 20));
    let refused = raw(port, endless.as_bytes());
    assert!(refused.is_empty() || refused.contains(" 4"), "{refused}");
    let escaped = raw(port, b"GET /%0aforged HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert!(escaped.contains("404"), "{escaped}");
    assert_eq!(arena.program.logged("forged", 1).len(), 1);
}

/// Half a request, held open, disturbs nobody and is not kept for ever, whichever half it is.
#[test]
fn who_does_not_finish_a_request_is_sent_away() {
    let arena = Arena::open();
    let half = |bytes: &[u8]| {
        let mut stream = TcpStream::connect(("127.0.0.1", arena.program.port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.write_all(bytes).expect("sent");
        stream
    };
    let head = half(b"GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ");
    let body = half(
        b"POST /api/matches HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
    );
    let silent = half(b"");
    assert_eq!(arena.get("/").status, 200);
    for (mut stream, answer) in [(head, ""), (body, "HTTP/1.1 408 "), (silent, "")] {
        let mut heard = String::new();
        stream.read_to_string(&mut heard).expect("the connection ends");
        assert!(heard.starts_with(answer), "{heard}");
    }
}

#[test]
fn a_taken_port_is_said() {
    let arena = Arena::open();
    let port = arena.program.port.to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["serve", "--port", &port, "--db"])
        .arg(arena.folder.path().join("other.db"))
        .output()
        .expect("agon");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("choose another port"));
}

#[test]
fn a_match_in_the_terminal_is_seen_in_the_arena() {
    let arena = Arena::open();
    // Each turn takes a while, so the match is there for long enough to be found.
    let mut terminal = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["match", "yinsh", "master", "master", "--battles", "1", "--tc", "0.4/turn", "--db"])
        .arg(arena.folder.path().join("arena.db"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("agon");
    let deadline = Instant::now() + PATIENCE;
    let id = loop {
        let rows = arena.get("/api/matches").json();
        let live = rows.as_array().expect("rows").iter().find(|row| row["result"] == "*");
        if let Some(row) = live {
            break row["id"].as_str().expect("a name").to_owned();
        }
        assert!(Instant::now() < deadline, "{rows}");
        std::thread::sleep(Duration::from_millis(50));
    };
    // Names of matches in the terminal have slashes in them.
    let id = id.replace('/', "%2F");
    assert!(arena.get("/watch").body.contains(&format!("/match/{id}")));
    assert_eq!(arena.get(&format!("/match/{id}")).status, 200);
    let seen = arena.after(&id, 3);
    assert_eq!((&seen["game"], &seen["over"]), (&json!("yinsh"), &json!(false)));
    // Those who look on hear of every change.
    let mut stream = TcpStream::connect(("127.0.0.1", arena.program.port)).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    write!(stream, "GET /api/matches/{id}/events HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("sent");
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let views = lines.filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok());
    let turns: Vec<usize> = views.take(3).map(|view| view["turns"].as_array().map_or(0, Vec::len)).collect();
    assert!(turns.is_sorted_by(|earlier, later| earlier < later), "{turns:?}");
    terminal.kill().expect("it can be killed");
    terminal.wait().expect("it ended");
}

/// As the text of the websocket bots' course has it: a friend's bot runs somewhere, and one plays against its address.
#[test]
fn a_bot_at_an_address_is_an_opponent() {
    let arena = Arena::of_the_organiser();
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    let friend = Program::start(command.args(["bot", "rollerball", "-p", "0"]), "ws://127.0.0.1:");
    let id = arena.begin("rollerball", &format!("ws://127.0.0.1:{}", friend.port));
    let turn = arena.after(&id, 0)["legal"][0]["turn"].clone();
    assert_eq!(arena.post(&format!("/api/matches/{id}/turns"), &json!({ "turn": turn })).status, 200);
    let answered = arena.after(&id, 2);
    assert_eq!((&answered["over"], &answered["turn"]), (&json!(false), &json!(1)), "{answered}");
}

#[test]
fn turns_are_taken_back_and_matches_given_up() {
    let arena = Arena::open();
    let id = arena.begin("cannon", "random");
    let path = |what: &str| format!("/api/matches/{id}/{what}");
    let first = arena.after(&id, 0)["legal"][0]["turn"].clone();
    assert_eq!(arena.post(&path("turns"), &json!({ "turn": first })).status, 200);
    arena.after(&id, 2);
    let back = arena.post(&path("takeback"), &json!({})).json();
    assert_eq!((back["turns"].as_array().map(Vec::len), &back["turn"]), (Some(0), &json!(1)), "{back}");
    assert_eq!(arena.post_as(&agent(), &path("resign"), &json!({})).status, 403);
    let over = arena.post(&path("resign"), &json!({})).json();
    assert_eq!((&over["over"], &over["outcome"]["winner"]), (&json!(true), &json!(2)), "{over}");
    let sentence = over["caption"].as_str().expect("a sentence");
    assert!(sentence.starts_with("White wins: resignation of black. Points: black "), "{sentence}");
    assert_eq!(arena.post(&path("turns"), &json!({ "turn": first })).status, 409);
}

#[test]
fn whoever_plays_a_house_bot_is_told_how_long_it_takes() {
    let arena = Arena::open();
    for (bot, time, pace) in [
        ("level10", "inf", "takes up to 1 s a turn"),
        ("master", "60", "takes a share of its 60 s for each turn"),
        ("level1", "60", "answers at once"),
    ] {
        let wanted = json!({ "game": "cannon", "time": time,
            "first": { "kind": "me" }, "second": { "kind": "bot", "spec": bot } });
        let id = arena.post("/api/matches", &wanted).json()["id"].as_str().expect("a name").to_owned();
        let view = arena.after(&id, 0);
        assert_eq!((&view["seats"][0]["pace"], &view["seats"][1]["pace"]), (&Value::Null, &json!(pace)), "{view}");
        let page = arena.get(&format!("/match/{id}")).body;
        let (_, rest) = page.split_once(&format!(">{bot}<")).expect("its name");
        assert!(rest.contains(&format!(">{pace}<")), "{page}");
    }
}

#[test]
fn a_clock_that_falls_ends_the_match() {
    let arena = Arena::open();
    let wanted = json!({ "game": "yinsh", "time": "0.05/turn",
        "first": { "kind": "me" }, "second": { "kind": "bot", "spec": "random" } });
    let id = arena.post("/api/matches", &wanted).json()["id"].as_str().expect("a name").to_owned();
    let view = arena.after(&id, 1);
    assert_eq!((&view["over"], &view["outcome"]["reason"]), (&json!(true), &json!("timeout")), "{view}");
    assert_eq!(view["outcome"]["winner"], 2, "{view}");
}

/// Times by language are those of `agon match`, for bots of a match that was stored as well.
#[test]
fn a_bot_has_the_time_of_its_language() {
    let folder = TempDir::new().expect("a folder");
    let trusting = ["--sandbox", "none"];
    let arena = Arena { program: serve(folder.path(), &trusting), folder, agent: agent() };
    arena.enter();
    let heard = arena.folder.path().join("heard");
    let bot = format!("cmd:tee {} | {} bot connectx;lang=python", heard.display(), env!("CARGO_BIN_EXE_agon"));
    let wanted = |time: Option<&str>| {
        json!({ "game": "connectx", "time": time,
            "first": { "kind": "me" }, "second": { "kind": "bot", "spec": bot } })
    };
    let begin = |time| arena.post("/api/matches", &wanted(time)).json()["id"].as_str().expect("a name").to_owned();
    let (timed, at_leisure) = (begin(Some("100,200,300/turn")), begin(None));
    let clock = |view: &Value| view["clocks"]["left"][1].clone();
    assert_eq!(clock(&arena.after(&timed, 0)), 300_000);
    assert_eq!(clock(&arena.after(&at_leisure, 0)), 3000, "the game's own time for this language");
    let turn = arena.after(&timed, 0)["legal"][0]["turn"].clone();
    assert_eq!(arena.post(&format!("/api/matches/{timed}/turns"), &json!({ "turn": turn })).status, 200);
    arena.after(&timed, 2);
    let heard = std::fs::read_to_string(heard).expect("what the bot was told");
    assert!(heard.contains("go movetime 300000"), "{heard}");

    let Arena { program, folder, agent } = arena;
    drop(program);
    let arena = Arena { program: serve(folder.path(), &trusting), folder, agent };
    assert_eq!(clock(&arena.after(&timed, 2)), 300_000, "after a restart");
}

#[test]
fn what_a_bot_writes_is_shown_and_harmless() {
    let arena = Arena::of_the_organiser();
    let agon = env!("CARGO_BIN_EXE_agon");
    let noisy = format!("cmd:sh -c 'echo \"<script>alert(1)</script>\" >&2 && exec {agon} bot connectx';proto=ugi");
    let wanted = json!({ "game": "connectx",
        "first": { "kind": "bot", "spec": noisy }, "second": { "kind": "me" } });
    let created = arena.post("/api/matches", &wanted);
    assert_eq!(created.status, 200, "{}", created.body);
    let id = created.json()["id"].as_str().expect("a name").to_owned();
    let view = arena.after(&id, 1);
    assert_eq!(view["turns"][0]["stderr"], "<script>alert(1)</script>\n", "{view}");
    let page = arena.get(&format!("/match/{id}")).body;
    assert!(!page.contains("<script>alert"), "the page");
    let replay = arena.get(&format!("/api/matches/{id}/replay")).body;
    assert!(!replay.contains("<script>alert"), "the replay");
}

/// A request whose body nobody needs leaves the connection as usable as any other.
#[test]
fn connections_are_kept_for_the_next_request() {
    let arena = Arena::open();
    let mut stream = TcpStream::connect(("127.0.0.1", arena.program.port)).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let mut answers = BufReader::new(stream.try_clone().expect("the same connection"));
    for _ in 0..20 {
        let head = "POST /api/matches/nothing/rematch HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("the connection is there");
        // The body comes when the head may have been answered already.
        std::thread::sleep(Duration::from_millis(2));
        stream.write_all(b"{}").expect("the connection is there");
        let mut line = String::new();
        answers.read_line(&mut line).expect("an answer");
        assert!(line.contains(" 404 "), "{line}");
        let mut length = 0;
        while line.trim() != "" {
            line.clear();
            answers.read_line(&mut line).expect("a header");
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().expect("a length");
            }
        }
        answers.read_exact(&mut vec![0; length]).expect("a body");
    }
}
