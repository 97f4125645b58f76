//! What the description of the interface promises, and what pages weigh. `tests/interface/run` tries the description as a whole.

use std::{
    io::{BufRead, BufReader},
    process::Command,
};

use crate::site::{program, weight};
use program::{PATIENCE, Program};
use serde_json::{Value, json};
use tempfile::TempDir;

/// An arena, and a browser without a screen.
struct Arena {
    site: String,
    agent: ureq::Agent,
    _program: Program,
    _folder: TempDir,
}

impl Arena {
    fn open() -> Arena {
        let folder = TempDir::new().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["serve", "--port", "0", "--db"]).arg(folder.path().join("arena.db"));
        let program = Program::start(&mut command, "http://127.0.0.1:");
        let agent = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false);
        let site = format!("http://127.0.0.1:{}", program.port);
        Arena { site, agent: agent.build().into(), _program: program, _folder: folder }
    }

    fn post(&self, path: &str, kind: &str, body: &str) -> (u16, Value) {
        let request = self.agent.post(format!("{}{path}", self.site)).header("content-type", kind);
        let mut response = request.send(body).expect("an answer");
        let text = response.body_mut().read_to_string().expect("text");
        (response.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    fn begin(&self, game: &str) -> String {
        let wanted = json!({ "game": game, "first": { "kind": "me" }, "second": { "kind": "bot", "spec": "random" } });
        let (status, created) = self.post("/api/matches", "application/json", &wanted.to_string());
        assert_eq!(status, 200, "{created}");
        created["id"].as_str().expect("a name").to_owned()
    }
}

/// Bytes of a page with a board, everything included.
const MOST_BYTES: usize = 80_000;

#[test]
fn a_page_with_a_board_is_light() {
    let arena = Arena::open();
    for game in agon_all::GAMES {
        let page = format!("/match/{}", arena.begin(game.name()));
        let bytes = weight::transferred(&arena.agent, &arena.site, &page);
        assert!(bytes <= MOST_BYTES, "{}: {bytes} bytes", game.name());
    }
}

#[test]
fn refusals_are_described() {
    let arena = Arena::open();
    let mut document = arena.agent.get(format!("{}/api/openapi.json", arena.site)).call().expect("an answer");
    let document: Value = serde_json::from_str(&document.body_mut().read_to_string().expect("text")).expect("JSON");
    let id = arena.begin("cannon");
    let (turn, line) = ("/api/matches/{id}/turns", "/api/positions");
    for (path, kind, body, expected) in [
        (turn, "application/json", "{", 400),
        (turn, "text/plain", "{}", 415),
        (turn, "application/json", "{\"turn\":\"nonsense\"}", 422),
        (turn, "application/json", "{\"turn\":\"nonsense\",\"after\":7}", 409),
        ("/api/matches/{id}/rematch", "application/json", "", 409),
        (line, "application/json", "{\"game\":\"\"}", 422),
        ("/api/analyse", "application/json", "[]", 422),
    ] {
        let (status, said) = arena.post(&path.replace("{id}", &id), kind, body);
        assert_eq!(status, expected, "{path} {body}: {said}");
        assert!(said["error"].is_string(), "{path} {body}: {said}");
        assert_described(&document, path, status);
    }
    let (status, _) = arena.post("/api/matches/nothing/turns", "application/json", "{\"turn\":\"\"}");
    assert_described(&document, turn, status);
    // Whoever changes something may be told to wait, or to give the token.
    let paths = document["paths"].as_object().expect("paths");
    for (path, _) in paths.iter().filter(|(_, operations)| operations["post"].is_object()) {
        for status in [401, 403, 408, 413, 421, 429, 503] {
            assert_described(&document, path, status);
        }
    }
}

fn assert_described(document: &Value, path: &str, status: u16) {
    let answer = &document["paths"][path]["post"]["responses"][status.to_string()];
    let schema = &answer["content"]["application/json"]["schema"]["$ref"];
    assert_eq!(schema, "#/components/schemas/ApiError", "{path} {status}: {answer}");
}

/// Streams do not end, so that only their beginning can be tried.
#[test]
fn a_stream_begins_with_the_match_as_it_stands() {
    let arena = Arena::open();
    let id = arena.begin("connectx");
    let response = arena.agent.get(format!("{}/api/matches/{id}/events", arena.site)).call().expect("an answer");
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut line = String::new();
    BufReader::new(response.into_body().into_reader()).read_line(&mut line).expect("a line");
    let event = line.strip_prefix("data: ").unwrap_or_else(|| panic!("no event: {line}"));
    let view: Value = serde_json::from_str(event).expect("JSON");
    assert_eq!((&view["id"], &view["over"]), (&json!(id), &json!(false)));
    let missing = arena.agent.get(format!("{}/api/matches/nothing/events", arena.site)).call().expect("an answer");
    assert_eq!(missing.status(), 404);
}
