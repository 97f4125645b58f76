//! The pages of games that are played outside the arena: clients and servers of the originals, and `agon play`.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::mpsc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// However slow the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program and the lines that it writes to stderr.
struct Running {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Running {
    fn start(arguments: &[&str]) -> Running {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(arguments)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("BROWSER")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agon starts");
        let errors = child.stderr.take().expect("its errors");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            BufReader::new(errors).lines().map_while(Result::ok).try_for_each(|line| sender.send(line).ok())
        });
        Running { child, lines }
    }

    /// What follows `before` in the first line that has it.
    fn says(&self, before: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("it never said {before}"));
            if let Some((_, rest)) = line.split_once(before) {
                return rest.to_owned();
            }
        }
    }

    /// Its page, and the address by which programs see the same.
    fn page(&self) -> (String, String) {
        let page = self.says("the board is at ");
        let state = page.replacen("/match/", "/api/matches/", 1);
        (page, state)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn get(address: &str) -> String {
    let mut answer = ureq::get(address).call().unwrap_or_else(|e| panic!("{address}: {e}"));
    answer.body_mut().read_to_string().expect("text")
}

/// The match when so many turns have been made.
fn after(state: &str, turns: usize) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let view: Value = serde_json::from_str(&get(state)).expect("JSON");
        if view["turns"].as_array().expect("turns").len() >= turns {
            return view;
        }
        assert!(Instant::now() < deadline, "{view}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn servers_and_clients_of_the_originals_show_their_game_on_a_page() {
    let server = Running::start(&["server", "cannon", "0", "--gui"]);
    let port = server.says("listening on port ");
    let client = ["client", "cannon", "127.0.0.1", &port, "-mode", "GUI"];
    let clients = [Running::start(&client), Running::start(&client)];
    let first = agon_all::find("cannon").expect("a game").sides()[0];
    // Whoever connects first moves first.
    let mut clients = clients.map(|client| (client.says("you are ").starts_with(first), client));
    clients.sort_by_key(|(moves_first, _)| !moves_first);
    let [(_, mut person), _other] = clients;
    let (page, state) = server.page();
    assert!(get(&page).contains("<svg"), "the server's page");
    let (own_page, own_state) = person.page();
    assert!(get(&own_page).contains("<svg"), "the client's page");
    let view = after(&own_state, 0);
    assert_eq!((&view["game"], &view["over"]), (&json!("cannon"), &json!(false)));
    writeln!(person.child.stdin.as_mut().expect("its input"), "S 0 5 M 0 4").expect("typed");
    assert_eq!(after(&state, 1)["turns"][0]["text"], "S 0 5 M 0 4");
}

#[test]
fn the_launcher_opens_a_page_unless_told_otherwise() {
    let game = Running::start(&["play", "rivers", "--mode", "hvai", "--square", "random"]);
    let (page, state) = game.page();
    assert!(get(&page).contains("waiting for a player"), "a seat is free");
    let agent = ureq::Agent::new_with_defaults();
    let join = agent.post(format!("{state}/join")).header("content-type", "application/json").send("{}");
    let seats = join.expect("a seat").body_mut().read_to_string().expect("text");
    let seats: Value = serde_json::from_str(&seats).expect("JSON");
    assert_eq!((&seats["seats"][0]["open"], &seats["seats"][1]["kind"]), (&json!(false), &json!("bot")));
    let turn = json!({ "turn": seats["legal"][0]["turn"] }).to_string();
    let made = agent.post(format!("{state}/turns")).header("content-type", "application/json").send(turn);
    assert_eq!(made.expect("a turn").status(), 200);
    assert_eq!(after(&state, 2)["turn"], 1, "the bot has answered");
}

#[test]
fn two_bots_on_a_page_play_to_the_end() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let file = folder.path().join("game.txt");
    let file = file.to_str().expect("a name");
    let mut game =
        Running::start(&["play", "connectx", "--first", "random", "--second", "random", "--page", "--save", file]);
    game.page();
    let mut said = String::new();
    let output = game.child.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut said).expect("text");
    assert!(said.trim_end().ends_with('.'), "{said}");
    assert!(game.child.wait().expect("it ends").success());
    assert!(std::fs::read_to_string(file).expect("a record").contains("[Game \"connectx\"]"));
}
