//! `agon server rivers`: dialogues over HTTP, byte by byte, and whole games.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use agon_rules::RuleSet;
use serde_json::{Value, json};

use super::{AGON, BOTS, FOR_EVER, Workshop, rivers};

/// A running server, ended with the test.
struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
    port: u16,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut command = Command::new(AGON);
        command.args(["server", "rivers", "0"]).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("agon runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Server { child, output, port: 0 };
        let address = server.line_with("http://127.0.0.1:");
        server.port = address.trim().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        server
    }

    /// The next line of its output that holds `text`.
    fn line_with(&mut self, text: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(
                self.output.read_line(&mut line).expect("a line"),
                0,
                "the server ended before it said '{text}'"
            );
            if line.contains(text) {
                return line;
            }
        }
    }

    fn socket(&self) -> TcpStream {
        let socket = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        socket.set_read_timeout(Some(FOR_EVER)).expect("a time limit");
        socket
    }

    /// Sends bytes and gives everything that comes back.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut socket = self.socket();
        // A server that has seen enough may close before everything is written.
        let _ = socket.write_all(bytes);
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        String::from_utf8(answer).expect("UTF-8")
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let length = body.len();
        let head = "Host: localhost\r\nConnection: close\r\nContent-Type: application/json";
        let request = format!("{method} {path} HTTP/1.1\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}");
        let answer = self.raw(request.as_bytes());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, body.to_owned())
    }

    fn json(&self, method: &str, path: &str, body: &Value) -> Value {
        let (_, text) = self.ask(method, path, &body.to_string());
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {text}: {e}"))
    }

    fn state(&self) -> Value {
        self.json("GET", "/api/game_state", &Value::Null)
    }

    fn connect_both(&self) {
        for player in ["circle", "square"] {
            assert_eq!(self.json("POST", &format!("/bot/connect/{player}"), &json!({}))["success"], true);
        }
    }

    fn wait_for_status(&self, status: &str) -> Value {
        let patience = Instant::now() + FOR_EVER;
        loop {
            let state = self.state();
            if state["game_status"] == status {
                return state;
            }
            assert!(Instant::now() < patience, "the game never became {status}: {state}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const NO_GAME: &str = "{\"error\":\"No active game\"}\n";

#[test]
fn answers_are_the_originals() {
    let server = Server::start(&[]);
    for (method, path, body, status, expected) in [
        ("GET", "/api/game_state", "", 404, NO_GAME),
        ("GET", "/bot/game_state/circle", "", 404, NO_GAME),
        ("POST", "/bot/move/circle", r#"{"move":{}}"#, 200, "{\"error\":\"No active game\",\"success\":false}\n"),
        ("POST", "/bot/disconnect/circle", "", 404, "{\"error\":\"Bot not found\"}\n"),
        ("POST", "/api/create_game", r#"{"board_size":"huge"}"#, 400, "{\"error\":\"Invalid board size\"}\n"),
        ("POST", "/bot/connect/triangle", "{}", 400, "{\"error\":\"Failed to connect bot\"}\n"),
        ("GET", "/api/game_state", "", 404, NO_GAME),
        ("POST", "/bot/connect/circle", "{}", 200, "{\"message\":\"Bot connected as circle\",\"success\":true}\n"),
        ("POST", "/bot/move/circle", r#"{"move":{}}"#, 200, "{\"error\":\"Game not active\",\"success\":false}\n"),
        ("POST", "/bot/connect/square", "", 200, "{\"message\":\"Bot connected as square\",\"success\":true}\n"),
        ("POST", "/bot/move/square", r#"{"move":{}}"#, 200, "{\"error\":\"Not your turn\",\"success\":false}\n"),
        ("POST", "/bot/move/triangle", r#"{"move":{}}"#, 200, "{\"error\":\"Not your turn\",\"success\":false}\n"),
        ("POST", "/bot/move/circle", "", 400, "{\"error\":\"No move provided\"}\n"),
        ("POST", "/bot/move/circle", r#"{"moves":1}"#, 400, "{\"error\":\"No move provided\"}\n"),
        (
            "POST",
            "/bot/move/circle",
            r#"{"move":{"action":"move","from":["3",8.9],"to":[3,7]},"thinking_time":-5}"#,
            200,
            "{\"message\":\"moved\",\"success\":true,\"winner\":null}\n",
        ),
        ("POST", "/bot/disconnect/square", "", 200, "{\"message\":\"Bot disconnected\",\"success\":true}\n"),
        ("POST", "/bot/disconnect/square", "", 404, "{\"error\":\"Bot not found\"}\n"),
    ] {
        assert_eq!(server.ask(method, path, body), (status, expected.to_owned()), "{method} {path} {body}");
    }
    let state = server.state();
    assert_eq!(state["game_status"], "paused");
    assert_eq!(state["board"][7][3], json!({"owner": "circle", "side": "stone", "orientation": "horizontal"}));
    assert!(server.ask("GET", "/bot/game_state/triangle", "").0 == 500);
}

#[test]
fn states_have_the_fields_of_the_original() {
    let server = Server::start(&["medium", "--time", "1.5"]);
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let hello = json!({"name": "me", "strategy": "student", "version": "2"});
    server.json("POST", "/bot/connect/circle", &hello);
    let state = server.state();
    let expected = [
        "board",
        "board_size",
        "cols",
        "current_player",
        "final_scores",
        "game_status",
        "id",
        "players",
        "rows",
        "score_cols",
        "turn_count",
        "win_count",
        "winner",
    ];
    assert_eq!(keys(&state), expected);
    assert_eq!(state["players"]["square"], json!({"connected": false, "port": 8182, "time_left": 90.0}));
    assert_eq!(state["players"]["circle"]["bot_info"], hello);
    assert_eq!((&state["board_size"], &state["win_count"]), (&json!("medium"), &json!(5)));
    let seen = server.json("GET", "/bot/game_state/square", &Value::Null);
    let expected = [
        "board",
        "cols",
        "current_player",
        "game_status",
        "opponent_time",
        "rows",
        "score_cols",
        "time_left",
        "timestamp",
        "turn_count",
        "your_turn",
    ];
    assert_eq!(keys(&seen), expected);
    assert_eq!((&seen["rows"], &seen["cols"]), (&json!(15), &json!(14)));
    assert_eq!(seen["score_cols"], json!([4, 5, 6, 7, 8]));
    assert_eq!((&seen["your_turn"], &seen["game_status"]), (&json!(false), &json!("waiting")));
    assert!(seen["timestamp"].as_f64().is_some_and(|time| time > 1.7e9), "{}", seen["timestamp"]);
    let made = server.json("POST", "/api/create_game", &json!({"board_size": "large"}));
    assert_eq!(keys(&made), ["board_size", "cols", "game_id", "ports", "rows", "success"]);
    assert_eq!(made["ports"], json!({"circle": 8181, "square": 8182}));
}

#[test]
fn an_illegal_move_loses_at_once_with_the_originals_words() {
    let mut server = Server::start(&[]);
    for (found, error) in [
        (r#""d8-d7""#, "move must be dict"),
        ("null", "move must be dict"),
        (r#"{"action":"fly"}"#, "unknown action"),
        (r#"{"action":"move","from":[3,8]}"#, "move needs from & to"),
        (r#"{"action":"move","from":[3,8],"to":[3,99]}"#, "oob"),
        (r#"{"action":"move","from":[3,8],"to":[4,10]}"#, "can't go into opponent score"),
        (r#"{"action":"move","from":[3,4],"to":[3,5]}"#, "invalid piece"),
        (r#"{"action":"move","from":[3,8],"to":[3,9]}"#, "invalid move"),
        (r#"{"action":"move","from":[3,8],"to":[3,6]}"#, "invalid move location"),
        (r#"{"action":"push","from":[3,8],"to":[3,7],"pushed_to":[3,6]}"#, "to must be occupied"),
        (r#"{"action":"flip","from":[3,8]}"#, "stone->river needs orientation"),
        (r#"{"action":"rotate","from":[3,8]}"#, "rotate only on river"),
    ] {
        server.json("POST", "/api/create_game", &json!({}));
        server.connect_both();
        let (status, answer) = server.ask("POST", "/bot/move/circle", &format!("{{\"move\":{found}}}"));
        let expected = format!(
            "{{\"circle_score\":0.0,\"error\":\"{error}\",\"invalid_move\":true,\"square_score\":100.0,\
             \"success\":false,\"winner\":\"square\"}}\n"
        );
        assert_eq!((status, answer), (200, expected), "{found}");
        let state = server.state();
        assert_eq!((&state["game_status"], &state["winner"]), (&json!("finished"), &json!("square")));
        assert_eq!(state["final_scores"], json!({"circle": 0.0, "square": 100.0}));
        server.line_with("Final Scores - Circle: 0.00, Square: 100.00");
    }
}

#[test]
fn nonsense_is_refused_and_the_game_goes_on() {
    let server = Server::start(&["small"]);
    server.connect_both();
    for (found, status) in [
        (r#"{"move":{"action":"move","from":[3],"to":[3,7]}}"#, 400),
        (r#"{"move":{"action":"move","from":3,"to":[3,7]}}"#, 400),
        (r#"{"move":{"action":"flip","from":["x","y"]}}"#, 400),
        ("{\"move\":", 400),
        ("[[[[", 400),
        ("42", 400),
        ("\u{0}\u{1}\u{2}", 400),
        (&"[".repeat(100_000), 400),
    ] {
        let (found_status, answer) = server.ask("POST", "/bot/move/circle", found);
        assert_eq!(found_status, status, "{answer}");
        assert!(answer.starts_with("{\"error\":"), "{answer}");
    }
    for (method, path, status) in [
        ("GET", "/nowhere", 404),
        ("GET", "/bot/game_state/circle/more", 404),
        ("GET", "/bot/move/circle", 405),
        ("DELETE", "/api/game_state", 405),
        ("POST", "/bot/game_state/circle", 405),
    ] {
        assert_eq!(server.ask(method, path, "").0, status, "{method} {path}");
    }
    assert_eq!(server.state()["game_status"], "active");
}

#[test]
fn whatever_comes_over_the_wire_the_server_lives_on() {
    let server = Server::start(&["small"]);
    server.connect_both();
    let post = "POST /bot/move/circle HTTP/1.1\r\nHost: x\r\n";
    let huge = format!("{post}Content-Length: 99999999999\r\n\r\n");
    assert!(server.raw(huge.as_bytes()).contains(" 413 "));
    let chunk = "x".repeat(1 << 16);
    let chunked = format!("{:x}\r\n{chunk}\r\n", chunk.len()).repeat(20);
    let endless = format!("{post}Transfer-Encoding: chunked\r\n\r\n{chunked}");
    let answer = server.raw(endless.as_bytes());
    assert!(answer.is_empty() || answer.contains(" 413 "), "{answer}");
    server.raw(b"\x16\x03\x01\x02\x00\x01 this is no HTTP\r\n\r\n");
    server.raw(&[b'A'; 1 << 20]);
    // Connections that say nothing, half of something, or go in the middle of it.
    let silent = server.socket();
    let mut halting = server.socket();
    halting.write_all(format!("{post}Content-Length: 50\r\n\r\n{{\"move\"").as_bytes()).expect("sent");
    let mut gone = server.socket();
    gone.write_all(format!("{post}Content-Length: 50\r\n\r\n{{\"move\"").as_bytes()).expect("sent");
    gone.shutdown(Shutdown::Both).expect("closed");
    drop(gone);
    let state = server.state();
    assert_eq!((&state["game_status"], &state["turn_count"]), (&json!("active"), &json!(0)));
    let step = json!({"move": {"action": "move", "from": [3, 8], "to": [3, 7]}});
    assert_eq!(server.json("POST", "/bot/move/circle", &step)["message"], "moved");
    drop((silent, halting));
}

#[test]
fn clocks_fall_when_nobody_asks() {
    let mut server = Server::start(&["small", "--time", "0.005"]);
    server.connect_both();
    server.line_with("TIMEOUT - circle");
    server.line_with("Final Scores - Circle: 0.00, Square: 100.00");
    let state = server.wait_for_status("finished");
    assert_eq!(state["winner"], "square");
    assert_eq!(state["final_scores"], json!({"circle": 0.0, "square": 100.0}));
    server.connect_both();
    assert_eq!(server.state()["game_status"], "finished", "nobody revives a finished game");
}

// ---- whole games ----

/// A game of the original's vectors that circle wins with 90 to 10 points.
const WON: &str = "g8-g7 i4-i5 e9*e8-e7 f4-f5 g7-g6 f3-f4 g9-g8 f4*f5-f6 d9*d8-d7 e3*e4-e5 h8h e5-e6 f9-g9 h4v e7-f7 \
h3-h7 g8-g7 e6-e7 h8*h7-l7 d4-d5 i9*i8-i7 d3-e3 i8-h8 d5-d6 g6-g5 g4-h5 g9-f9 e7*e8-e9 h8*h7-h6 e4-e5 d7-e7 l7-k7 g7-g6 \
e8*e7-e6 g5-g4 e3-e4 g4-h2 k7-j7 d8-d7 i3-h3 i7*h7-g7 f5*e5-d5 h9-h8 i5-i6 h6*i6-j6 j6*j7-j8 g7*g6-g5 j8-i8 g5-g4 i8-i9 \
i6-i5 d6*d7-d8 h8*h7-h6 e4h h7-g7 j7-i7 g7*g6-g5 d5-d6 f8-e8 i7-i8 e9*f9-g9 e4-f4 g9*f9-e9 i8*i9-i10 f7*f6-f5 i10-h10 \
i5h e5v e6-e2 e7-e6 i5-i4 g3-f3 e9*e8-e7 i9-h9 g4-g3 h4-g4 g3-g2 h3-g3 e8-f8 f5h g5-e3 h9h d8-e8 f3-g5 e7-f7 f4-e4 f6-f4 \
g4*f4-f2";

/// The objects of the game's moves, for each side.
fn scripts() -> [Vec<Value>; 2] {
    let mut game = rivers().open("small", RuleSet::Server).expect("a variant");
    let mut scripts = [Vec::new(), Vec::new()];
    for turn in WON.split_whitespace() {
        let legal = game.legal_turns(10_000).expect("not so many");
        let found = legal.into_iter().find(|legal| legal.spellings[0] == turn).expect("a legal turn");
        let object = serde_json::from_str(&found.object.expect("an object")).expect("JSON");
        scripts[game.turn().index()].push(object);
        game.play(turn).expect("legal");
    }
    scripts
}

/// A process that is ended with the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn clients_in_the_originals_manner_play_a_game() {
    let workshop = Workshop::new();
    // An hour each: no machine is so busy.
    let mut server = Server::start(&["small", "--time", "60"]);
    let port = server.port.to_string();
    let play = |player: &str, script: &Vec<Value>| {
        let file = workshop.home.path().join(player);
        fs::write(&file, json!(script).to_string()).expect("a script");
        let mut command = Command::new("python3");
        command.arg(Path::new(BOTS).join("client.py")).args([player, &port]).arg(file).stdout(Stdio::piped());
        Program(command.spawn().expect("python3"))
    };
    let [circle, square] = scripts();
    let mut clients = [play("circle", &circle), play("square", &square)];
    for client in &mut clients {
        let mut text = String::new();
        client.0.stdout.take().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
        assert!(client.0.wait().expect("an end").success());
        assert_eq!(text.lines().count(), 44);
        let times = text.lines().map(|line| line.parse::<f64>().expect("seconds"));
        assert!(times.into_iter().all(|time| time <= 3600.0), "no time is given for a lie: {text}");
    }
    let state = server.state();
    assert_eq!((&state["winner"], &state["game_status"]), (&json!("circle"), &json!("finished")));
    assert_eq!(state["final_scores"], json!({"circle": 90.0, "square": 10.0}));
    server.line_with("Final Scores - Circle: 90.00, Square: 10.00");
}

#[test]
fn house_bots_play_at_the_server() {
    let server = Server::start(&["small", "--time", "60"]);
    let port = server.port.to_string();
    let play = |player: &str, seed: &str| {
        let mut command = Command::new(AGON);
        command.args(["bot", "rivers", "--seed", seed, player, &port, "--server", "127.0.0.1"]);
        Program(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("agon runs"))
    };
    let mut bots = [play("circle", "1"), play("square", "2")];
    let ends = bots.each_mut().map(|bot| {
        let mut text = String::new();
        bot.0.stdout.take().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
        assert!(bot.0.wait().expect("an end").success(), "{text}");
        text
    });
    assert_eq!(ends[0], ends[1]);
    let state = server.state();
    assert_eq!(state["game_status"], "finished");
    let score = |player: &str| format!("{player} {:.2}", state["final_scores"][player].as_f64().expect("points"));
    assert!(ends[0].contains(&score("circle")) && ends[0].contains(&score("square")), "{}: {state}", ends[0]);
    assert_eq!(state["players"]["circle"]["connected"], false);
}

#[test]
fn a_house_bot_registers_under_the_name_of_its_level() {
    let server = Server::start(&["small"]);
    let port = server.port.to_string();
    for (player, more, strategy) in [("circle", &["--level", "6"][..], "level6"), ("square", &[], "random")] {
        let mut command = Command::new(AGON);
        command.args(["bot", "rivers", player, &port, "--server", "127.0.0.1"]).args(more);
        let _bot = Program(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("agon runs"));
        let patience = Instant::now() + FOR_EVER;
        let info = loop {
            // There is no game before the first bot has come.
            let (_, state) = server.ask("GET", "/api/game_state", "");
            let state: Value = serde_json::from_str(&state).expect("JSON");
            match &state["players"][player]["bot_info"] {
                info @ Value::Object(_) => break info.clone(),
                _ => assert!(Instant::now() < patience, "{player} never came: {state}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let name = format!("{strategy}_{player}");
        assert_eq!(info, json!({"name": name, "strategy": strategy, "version": "1.0"}));
    }
}

#[test]
fn a_bot_without_a_server_says_so() {
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
    let mut command = Command::new(AGON);
    command.args(["bot", "rivers", "circle", &port.to_string(), "--server", "127.0.0.1"]).stdin(Stdio::null());
    let output = command.output().expect("agon runs");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&port.to_string()));
}

#[test]
fn the_server_explains_its_options_and_keeps_a_log() {
    let help = Command::new(AGON).args(["server", "rivers", "--help"]).output().expect("agon runs");
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("--host ADDRESS"));
    for wrong in [["0", "huge"], ["seventy", "small"], ["0", "--time"], ["0", "--loud"]] {
        let output = Command::new(AGON).args(["server", "rivers"]).args(wrong).output().expect("agon runs");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
    let workshop = Workshop::new();
    let log = workshop.home.path().join("server.log");
    let mut server = Server::start(&["small", "--log", log.to_str().expect("a path")]);
    server.connect_both();
    server.json("POST", "/bot/move/circle", &json!({"move": {"action": "move", "from": [3, 8], "to": [3, 7]}}));
    server.json("POST", "/bot/move/square", &json!({"move": {"action": "fly"}}));
    server.line_with("Final Scores");
    let text = fs::read_to_string(&log).expect("a log");
    assert!(text.contains("circle d8-d7") && text.contains("INVALID MOVE by square: unknown action"), "{text}");
}
