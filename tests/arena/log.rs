//! What the arena writes to its log, for people and for programs.

use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Answer, Arena, agent, answer, serve};

/// An arena with a token that somebody chose.
fn arena(more: &[&str]) -> Arena {
    let folder = TempDir::new().expect("a folder");
    let options = [&["--token", "sesame"], more].concat();
    Arena { program: serve(folder.path(), &options), folder, agent: agent() }
}

fn id_of(answer: &Answer) -> String {
    answer.headers["x-request-id"].to_str().expect("text").to_owned()
}

/// Asks for what is refused, in ways that carry secrets; gives the names of the requests, all but the first refused.
fn refused_requests(arena: &Arena) -> [String; 4] {
    let page = arena.get("/");
    let missing = arena.get("/nowhere");
    let wrong = answer(arena.agent.get(arena.at("/enter?token=swordfish")).call());
    let begin = arena.agent.post(arena.at("/api/matches/nothing/resign")).header("authorization", "Bearer sesame");
    let begun = answer(begin.header("content-type", "application/json").send("{}"));
    assert_eq!([&page, &missing, &wrong, &begun].map(|answer| answer.status), [200, 404, 403, 404]);
    [&page, &missing, &wrong, &begun].map(id_of)
}

#[test]
fn a_refused_request_is_a_line_in_words() {
    let arena = arena(&[]);
    let [page, missing, wrong, begun] = refused_requests(&arena);
    for (id, asked, reason) in [
        (&missing, "method=GET path=/nowhere", "404 reason=\"there is no such page\""),
        (&wrong, "method=GET path=/enter", "403 reason=\"this is not the arena's token"),
        (&begun, "method=POST path=/api/matches/nothing/resign", "404 reason=\"there is no such match in progress\""),
    ] {
        let lines = arena.program.logged(&format!("id={id} "), 1);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(&format!("{asked}}}: refused status={reason}")), "{lines:?}");
    }
    let all = arena.program.logged("", 3);
    assert_eq!(all.len(), 3, "what was answered is not there: {all:?}");
    let secrets = ["sesame", "swordfish", &page];
    assert!(!all.iter().any(|line| secrets.iter().any(|secret| line.contains(secret))), "{all:?}");
}

#[test]
fn a_refused_request_is_a_json_object_for_programs() {
    let arena = arena(&["--log-format", "json"]);
    let [_, missing, wrong, begun] = refused_requests(&arena);
    let lines = arena.program.logged("", 3);
    let lines: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    let expected = [
        (&missing, "GET", "/nowhere", 404),
        (&wrong, "GET", "/enter", 403),
        (&begun, "POST", "/api/matches/nothing/resign", 404),
    ];
    assert_eq!(lines.len(), expected.len(), "{lines:?}");
    for (line, (id, method, path, status)) in lines.iter().zip(expected) {
        assert_eq!((&line["level"], &line["message"]), (&json!("INFO"), &json!("refused")), "{line}");
        assert_eq!((&line["status"], &line["reason"].is_string()), (&json!(status), &true), "{line}");
        let request = json!({ "name": "request", "id": id, "method": method, "path": path });
        assert_eq!(line["span"], request, "{line}");
        let secrets = ["sesame", "swordfish"].map(|secret| line.to_string().contains(secret));
        assert_eq!(secrets, [false, false], "{line}");
    }
}

/// Somebody in front of the arena may have named a request already.
#[test]
fn a_request_keeps_the_name_that_it_comes_with() {
    let arena = arena(&[]);
    let ask = |id: &str| id_of(&answer(arena.agent.get(arena.at("/nowhere")).header("x-request-id", id).call()));
    assert_eq!(ask("proxy-7.a_1"), "proxy-7.a_1");
    assert_eq!(arena.program.logged("id=proxy-7.a_1 ", 1).len(), 1);
    for forged in ["", "a b", "x\" status=200", &"x".repeat(65)] {
        let id = ask(forged);
        assert!(id != forged && id.len() == 12, "{forged:?} became {id:?}");
    }
}

#[test]
fn an_unknown_format_is_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    let refused = command.args(["serve", "--port", "0", "--log-format", "xml"]).output().expect("agon");
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("expected 'text' or 'json', found 'xml'"), "{said}");
}
