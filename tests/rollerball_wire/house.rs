//! `agon bot rollerball -p PORT`, spoken to byte by byte and by our own referee.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpStream},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use super::{AGON, Elsewhere, FOR_EVER};

/// The key of the example in the websocket standard, and the answer to it.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

fn house_bot() -> Elsewhere {
    Elsewhere::start(Command::new(AGON).args(["bot", "rollerball", "-p", "0"]))
}

fn knock(bot: &Elsewhere) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", bot.port)).expect("a connection");
    stream.set_read_timeout(Some(FOR_EVER)).expect("a timeout");
    stream.set_nodelay(true).expect("no delay");
    stream
}

fn request() -> String {
    format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n"
    )
}

/// A client's frame with a short payload, masked with a mask that changes nothing.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match u8::try_from(payload.len()) {
        Ok(length @ 0..126) => bytes.push(0x80 | length),
        _ => {
            bytes.push(0x80 | 126);
            bytes.extend(u16::try_from(payload.len()).expect("not too long").to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

fn text(message: &str) -> Vec<u8> {
    frame(0x81, message.as_bytes())
}

/// A websocket client that sees every byte.
struct Client(TcpStream);

impl Client {
    fn new(bot: &Elsewhere) -> Client {
        let mut stream = knock(bot);
        // The request comes in pieces too.
        for byte in request().bytes() {
            stream.write_all(&[byte]).expect("sent");
        }
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("an answer");
            answer.push(byte[0]);
        }
        let answer = String::from_utf8(answer).expect("text");
        assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
        assert!(answer.contains(ACCEPT), "{answer}");
        Client(stream)
    }

    fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).expect("sent");
    }

    fn say(&mut self, message: &str) {
        self.send(&text(message));
    }

    /// The next frame: its first byte and its payload.
    fn frame(&mut self) -> (u8, Vec<u8>) {
        let mut head = [0; 2];
        self.0.read_exact(&mut head).expect("a frame");
        assert!(head[1] < 126, "a short frame that is not masked");
        let mut payload = vec![0; usize::from(head[1])];
        self.0.read_exact(&mut payload).expect("a payload");
        (head[0], payload)
    }

    fn hear(&mut self) -> String {
        let (first, payload) = self.frame();
        assert_eq!(first, 0x81, "a text frame that is whole");
        String::from_utf8(payload).expect("UTF-8")
    }

    /// The move of the next message.
    fn move_heard(&mut self) -> String {
        let heard = self.hear();
        heard.strip_prefix("bestmove ").unwrap_or_else(|| panic!("no move: {heard}")).to_owned()
    }

    /// Says something that has an answer: whatever else there was to be said has been said before that.
    fn assert_silence(&mut self) {
        self.say("isready");
        assert_eq!(self.hear(), "readyok");
    }
}

/// The legal moves after `moves`, by the rules of the original.
fn legal(variant: &str, moves: &[String]) -> Vec<String> {
    let game = agon_all::find("rollerball").expect("a game");
    let mut position = game.open(variant, agon_rules::RuleSet::Server).expect("a board");
    for turn in moves {
        position.play(turn).expect("a legal move");
    }
    let turns = position.legal_turns(1000).expect("not too many");
    turns.into_iter().map(|turn| turn.spellings[0].clone()).collect()
}

/// Waits for the end of the other end; what it says before does not matter.
fn wait_for_end(mut stream: TcpStream) {
    let mut rest = Vec::new();
    // A connection may also be reset.
    let _ = stream.read_to_end(&mut rest);
}

// ---- both dialects ----

#[test]
fn the_earlier_dialect() {
    let mut bot = house_bot();
    let mut client = Client::new(&bot);
    client.say("uci");
    assert_eq!(client.hear(), "uciok");
    client.say("isready");
    assert_eq!(client.hear(), "readyok");
    let mut moves = Vec::new();
    for _ in 0..5 {
        client.say(&format!("position startpos moves {}", moves.join(" ")));
        client.say("go");
        client.assert_silence();
        client.say("stop");
        let turn = client.move_heard();
        assert!(legal("7-3", &moves).contains(&turn), "{turn} after {moves:?}");
        moves.push(turn);
        moves.extend(legal("7-3", &moves).first().cloned());
    }
    client.say("stop");
    client.assert_silence();
    client.say("quit");
    assert!(bot.child.wait().expect("an end").success(), "in this dialect a bot goes when it is told to");
}

#[test]
fn the_later_dialect_on_every_board() {
    let mut bot = house_bot();
    let mut client = Client::new(&bot);
    for variant in ["7-3", "8-4", "8-2", "7-3"] {
        client.say("uci");
        assert_eq!(client.hear(), "uciok");
        client.say(&format!("ucinewgame board-{variant} 60"));
        assert_eq!(client.hear(), "newgameok");
        let mut moves = vec![legal(variant, &[])[0].clone()];
        for _ in 0..5 {
            client.say(&format!("position startpos moves {}", moves.join(" ")));
            client.say("go 60000");
            let turn = client.move_heard();
            assert!(legal(variant, &moves).contains(&turn), "{turn} after {moves:?}");
            moves.push(turn);
            moves.extend(legal(variant, &moves).first().cloned());
        }
        client.say("quit");
        client.assert_silence();
    }
    assert!(!bot.has_ended(), "in this dialect a bot stays");
}

#[test]
fn a_list_is_followed_wherever_it_leads() {
    let bot = house_bot();
    let mut client = Client::new(&bot);
    client.say("ucinewgame board-7-3 60");
    assert_eq!(client.hear(), "newgameok");
    let after = |moves: &[&str]| legal("7-3", &moves.iter().map(|turn| (*turn).to_owned()).collect::<Vec<_>>());
    let ask = |client: &mut Client, list: &str, moves: &[&str]| {
        client.say(&format!("position startpos moves {list}"));
        client.say("go 1000");
        let turn = client.move_heard();
        assert!(after(moves).contains(&turn), "{turn} after {moves:?}");
        turn
    };
    let reply = ask(&mut client, "c2b3", &["c2b3"]);
    // Only the last move, as one of the originals' conductors sent it.
    let next = after(&["c2b3", &reply])[0].clone();
    let second = ask(&mut client, &next, &["c2b3", &reply, &next]);
    // Another game from the start.
    let (one, two) = (after(&["c1b1"])[0].clone(), after(&["c1b1", &after(&["c1b1"])[0]])[0].clone());
    ask(&mut client, &format!("c1b1 {one} {two}"), &["c1b1", &one, &two]);
    // And back again.
    ask(&mut client, &format!("c2b3 {reply} {next} {second}"), &["c2b3", &reply, &next, &second]);
    // Nonsense is ignored.
    client.say("position startpos moves a1a1");
    client.say("position startpos moves");
    client.say("position");
    client.assert_silence();
}

#[test]
fn a_bot_without_moves_says_the_null_move() {
    let game = agon_all::find("rollerball").expect("a game");
    let mut random = agon_rules::Random::new(1);
    // A game that ends by checkmate or stalemate, with the loser to move.
    let moves = loop {
        let mut position = game.open("8-2", agon_rules::RuleSet::Server).expect("a board");
        let mut moves = Vec::new();
        while let Some(turn) = position.random_turn(&mut random).filter(|_| moves.len() < 1000) {
            moves.push(position.play(&turn).expect("a legal move"));
        }
        if position.outcome().is_some() {
            break moves;
        }
    };
    let bot = house_bot();
    let mut client = Client::new(&bot);
    client.say("ucinewgame board-8-2 60");
    assert_eq!(client.hear(), "newgameok");
    client.say(&format!("position startpos moves {}", moves.join(" ")));
    client.say("go 1000");
    assert_eq!(client.hear(), "bestmove 0000");
    client.say("go");
    client.say("stop");
    assert_eq!(client.hear(), "bestmove 0000");
}

/// A game after which the side to move can mate at once, with one of its mates.
fn before_mate() -> (Vec<String>, String) {
    let game = agon_all::find("rollerball").expect("a game");
    let ends = |moves: &[String], turn: &str, reason: &str| {
        let mut position = game.open("7-3", agon_rules::RuleSet::Server).expect("a board");
        moves.iter().for_each(|turn| drop(position.play(turn).expect("a legal move")));
        position.play(turn).expect("a legal move");
        position.outcome().is_some_and(|outcome| outcome.reason.name() == reason)
    };
    for seed in 1.. {
        let mut position = game.open("7-3", agon_rules::RuleSet::Server).expect("a board");
        let mut random = agon_rules::Random::new(seed);
        let mut moves = Vec::new();
        while let Some(turn) = position.random_turn(&mut random).filter(|_| moves.len() < 100) {
            moves.push(position.play(&turn).expect("a legal move"));
        }
        if let Some((last, before)) = moves.split_last()
            && ends(before, last, "checkmate")
        {
            return (before.to_vec(), last.clone());
        }
    }
    unreachable!("some random game ends in mate");
}

#[test]
fn a_mate_is_marked_for_the_page_of_the_earlier_dialect() {
    let (moves, mate) = before_mate();
    let told = format!("position startpos moves {}", moves.join(" "));
    let bot = Elsewhere::start(Command::new(AGON).args(["bot", "rollerball", "--level", "greedy", "-p", "0"]));
    let mut client = Client::new(&bot);
    client.say(&told);
    client.say("go");
    client.say("stop");
    let answer = client.move_heard();
    let bare = answer.strip_suffix('#').unwrap_or_else(|| panic!("{answer} instead of a mate like {mate}#"));
    assert!(legal("7-3", &moves).contains(&bare.to_owned()));
    // Only a mate is marked, and a marked move is understood.
    client.say(&format!("position startpos moves {} {answer}", moves.join(" ")));
    client.say("go");
    client.say("stop");
    assert_eq!(client.hear(), "bestmove 0000");
    // The later dialect has no such marks.
    client.say("ucinewgame board-7-3 60");
    assert_eq!(client.hear(), "newgameok");
    client.say(&told);
    client.say("go 60000");
    assert!(!client.move_heard().ends_with('#'));
}

// ---- connections ----

#[test]
fn everybody_hears_every_answer() {
    let bot = house_bot();
    let mut first = Client::new(&bot);
    let mut second = Client::new(&bot);
    // Both are known to be inside only when both have been heard.
    for client in [&mut first, &mut second] {
        client.send(&frame(0x89, b"ping"));
        assert_eq!(client.frame(), (0x8a, b"ping".to_vec()));
    }
    first.say("uci");
    assert_eq!(first.hear(), "uciok");
    assert_eq!(second.hear(), "uciok");
    second.say("go 1000");
    assert_eq!(first.hear(), second.hear());
}

#[test]
fn messages_come_in_pieces_and_together() {
    let bot = house_bot();
    let mut client = Client::new(&bot);
    client.send(&[text("uci"), text("isready")].concat());
    assert_eq!(client.hear(), "uciok");
    assert_eq!(client.hear(), "readyok");
    // A message in three frames with a ping between them, byte by byte.
    let parts = [frame(0x01, b"uci"), frame(0x89, b"?"), frame(0x00, b"newgame boa"), frame(0x80, b"rd-8-4 60")];
    for byte in parts.concat() {
        client.send(&[byte]);
    }
    assert_eq!(client.frame(), (0x8a, b"?".to_vec()));
    assert_eq!(client.hear(), "newgameok");
}

#[test]
fn nothing_that_guests_do_ends_the_bot() {
    let mut bot = house_bot();
    let mut good = Client::new(&bot);
    good.assert_silence();
    // Somebody who never says a word, and somebody who stops in the middle of a request.
    let half_open = knock(&bot);
    let mut half_asked = knock(&bot);
    half_asked.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("sent");
    for nonsense in
        [&b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"[..], b"\x16\x03\x01 let us speak TLS\r\n\r\n", b"\r\n\r\n"]
    {
        let mut stream = knock(&bot);
        let _ = stream.write_all(nonsense);
        let _ = stream.shutdown(Shutdown::Write);
        wait_for_end(stream);
    }
    let huge = [&[0x81, 0xff][..], &(1_u64 << 40).to_be_bytes(), &[0; 4]].concat();
    for garbage in [&[0xff; 64][..], b"\x81\x02hi", &huge, &frame(0x81, b"\xff\xfe"), &frame(0x88, b"")] {
        let mut client = Client::new(&bot);
        let _ = client.0.write_all(garbage);
        let _ = client.0.shutdown(Shutdown::Write);
        wait_for_end(client.0);
    }
    for message in
        ["", "   ", "hello", "ucinewgame board-9-9 60", "go away", "stop", "stop", "position fen x", "\u{1f3b2}"]
    {
        good.say(message);
    }
    good.send(&frame(0x82, b"bytes"));
    // `go away` is a `go`, so a `stop` was answered.
    assert!(good.hear().starts_with("bestmove "));
    good.assert_silence();
    // More than can be let in at once: those who only stand in the door make room.
    let crowd: Vec<TcpStream> = (0..100).map(|_| knock(&bot)).collect();
    let mut late = Client::new(&bot);
    late.assert_silence();
    assert_eq!(good.hear(), "readyok");
    drop((crowd, half_open, half_asked));
    good.assert_silence();
    assert!(!bot.has_ended());
}

// ---- the command line ----

fn agon(arguments: &[&str]) -> Output {
    Command::new(AGON).args(arguments).stdin(Stdio::null()).output().expect("agon runs")
}

#[test]
fn the_port_is_compulsory() {
    for (arguments, problem) in [
        (&["bot", "rollerball", "--host", "127.0.0.1"][..], "ERROR: port is a compulsory argument"),
        (&["bot", "rollerball", "-p", "high"], "port 'high': expected a number between 0 and 65535"),
        (&["bot", "rollerball", "8181"], "unexpected argument '8181': expected -p PORT"),
        (&["bot", "rollerball", "-p", "0", "--host", "no such host"], "cannot listen on no such host:0: "),
    ] {
        let output = agon(arguments);
        assert!(!output.status.success());
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(stderr.contains(problem), "'{stderr}' does not say '{problem}'");
    }
}

/// The result of `agon match`, which must have gone without a fault.
fn battle(bot: &str, arguments: &[&str]) -> Value {
    let battle = ["match", "rollerball", bot, "random", "--battles", "1", "--json"];
    let output = agon(&[&battle[..], arguments].concat());
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{stderr}");
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    let result: Value = serde_json::from_str(stdout.lines().last().expect("a line")).expect("JSON");
    assert_eq!(result["matches"], 2, "{result}");
    let terminations = result["terminations"].as_object().expect("an object");
    let natural = ["checkmate", "stalemate", "threefold", "move limit", "broken off"];
    assert!(terminations.keys().all(|name| natural.contains(&name.as_str())), "{result}");
    result
}

#[test]
fn our_referee_and_our_bot_understand_each_other() {
    let bot = format!("cmd:{AGON} bot rollerball;proto=websocket;name=neighbour");
    for variant in ["7-3", "8-4", "8-2"] {
        battle(&bot, &["--variant", variant, "--tc", "inf"]);
    }
}

#[test]
fn a_friends_bot_is_played_at_its_address() {
    let bot = house_bot();
    let address = format!("ws://127.0.0.1:{}", bot.port);
    for variant in ["7-3", "8-2"] {
        battle(&address, &["--variant", variant, "--tc", "inf"]);
    }
}
