//! Who may seat programs, and who may change anything: the arena's token.

use std::{fs, process::Command};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    Answer, Arena, Program, agent,
    alone::{ADDRESS, was_run_alone},
    answer, serve,
};

fn against(spec: &str) -> Value {
    json!({ "game": "yinsh", "first": { "kind": "me" }, "second": { "kind": "bot", "spec": spec } })
}

fn with_token(arena: &Arena, token: &str, body: &Value) -> Answer {
    let request = agent().post(arena.at("/api/matches")).header("content-type", "application/json");
    answer(request.header("authorization", format!("Bearer {token}")).send(body.to_string()))
}

#[test]
fn programs_are_seated_by_who_opened_the_link() {
    let arena = Arena::open();
    let port = arena.program.port;
    let [.., link, address] = &arena.program.said[..] else { panic!("two lines: {:?}", arena.program.said) };
    assert_eq!(*address, format!("http://127.0.0.1:{port}/"));
    let token = link.strip_prefix(&format!("http://127.0.0.1:{port}/enter?token=")).expect("a link").to_owned();
    assert!(token.len() >= 20 && token.chars().all(|letter| letter.is_ascii_alphanumeric()), "{token}");

    for foreign in ["cmd:true", "ws://127.0.0.1:1", "/etc"] {
        let refused = arena.post("/api/matches", &against(foreign));
        assert_eq!(refused.status, 403, "{foreign}: {}", refused.body);
        assert!(refused.error().contains("open the link"), "{}", refused.body);
    }
    assert_eq!(arena.post("/api/matches", &against("random")).status, 200, "everything else needs no token");
    let form = "side=first&opponent=bot&bot=cmd%3Atrue";
    let posted = |arena: &Arena| {
        let request = arena.agent.post(arena.at("/play/yinsh"));
        answer(request.header("content-type", "application/x-www-form-urlencoded").send(form))
    };
    assert_eq!(posted(&arena).status, 403, "by the form neither");
    assert!(!arena.get("/play/yinsh").body.contains("value=\"bot\""), "it is not even offered");

    let wrong = answer(arena.agent.get(arena.at("/enter?token=sesame")).call());
    assert_eq!(wrong.status, 403, "{}", wrong.body);
    assert_eq!(arena.post("/api/matches", &against("cmd:true")).status, 403);
    assert_eq!(with_token(&arena, "sesame", &against("cmd:true")).status, 403);
    assert_eq!(with_token(&arena, "", &against("cmd:true")).status, 403);
    assert_eq!(with_token(&arena, &token, &against("cmd:true")).status, 200);

    arena.enter();
    assert!(arena.get("/play/yinsh").body.contains("value=\"bot\""));
    assert_eq!(arena.post("/api/matches", &against("cmd:true")).status, 200);
    assert_eq!(posted(&arena).status, 200);
    assert_eq!(arena.post_as(&agent(), "/api/matches", &against("cmd:true")).status, 403, "it is that browser");

    let Arena { program, folder, agent: entered } = arena;
    drop(program);
    for file in fs::read_dir(folder.path()).expect("a folder").flatten() {
        let bytes = fs::read(file.path()).expect("a file");
        let found = bytes.windows(token.len()).any(|window| window == token.as_bytes());
        assert!(!found, "{} has the token", file.path().display());
    }
    let arena = Arena { program: serve(folder.path(), &[]), folder, agent: entered };
    assert_eq!(arena.post("/api/matches", &against("cmd:true")).status, 200, "the browser stays known");
    assert_eq!(with_token(&arena, &token, &against("cmd:true")).status, 403, "the link is a new one");
}

#[test]
fn an_empty_token_is_none() {
    for token in ["", " "] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        let refused = command.args(["serve", "--port", "0", "--token", token]).output().expect("agon");
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("anybody could give it"), "{refused:?}");
    }
}

#[test]
fn an_open_address_needs_a_token() {
    if was_run_alone("arena::tokens::an_open_address_needs_a_token") {
        return;
    }
    let open = ["serve", "--port", "0", "--bind", ADDRESS];
    let refused = Command::new(env!("CARGO_BIN_EXE_agon")).args(open).env_remove("AGON_TOKEN").output().expect("agon");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--token"));

    let folder = TempDir::new().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(open).arg("--db").arg(folder.path().join("arena.db")).env("AGON_TOKEN", "sesame");
    let program = Program::start(&mut command, &format!("http://{ADDRESS}:"));
    assert!(program.said.iter().all(|line| !line.contains("sesame")), "{:?}", program.said);
    let at = |path: &str| format!("http://{ADDRESS}:{}{path}", program.port);
    let post = |who: &ureq::Agent, path: &str, kind: &str, body: &str| {
        answer(who.post(at(path)).header("content-type", kind).send(body))
    };
    let begin =
        |who: &ureq::Agent, spec: &str| post(who, "/api/matches", "application/json", &against(spec).to_string());
    let give = |who: &ureq::Agent, token: &str| {
        post(who, "/enter", "application/x-www-form-urlencoded", &format!("token={token}"))
    };
    let (guest, other) = (agent(), agent());
    assert_eq!(begin(&guest, "random").status, 401, "nothing is changed without the token");
    for page in ["/", "/watch", "/enter", "/play/yinsh"] {
        assert_eq!(answer(guest.get(at(page)).call()).status, 200, "{page} is for everybody");
    }
    assert!(answer(guest.get(at("/enter")).call()).body.contains("name=\"token\""));
    for wrong in ["", "Sesame", "sesame+street"] {
        assert_eq!(give(&guest, wrong).status, 403, "{wrong:?}");
    }
    assert_eq!(begin(&guest, "random").status, 401);
    assert_eq!(give(&guest, "sesame").status, 200);
    assert_eq!(begin(&guest, "random").status, 200);
    assert_eq!(begin(&other, "random").status, 401, "others still need it");
    let bearer = other.post(at("/api/matches")).header("content-type", "application/json");
    let bearer = answer(bearer.header("authorization", "Bearer sesame").send(against("random").to_string()));
    assert_eq!(bearer.status, 200);
    // Programs are not started for those who come from elsewhere.
    assert_eq!(begin(&guest, "cmd:true").status, 403);
}
