//! Whatever arrives over a wire is read or refused: relay messages, first lines, HTTP requests, questions to house bots.

use std::{io::Cursor, sync::OnceLock};

use agon_all::GAMES;
use agon_originals::{HouseCall, HttpRequest, HttpServer, Server, relay::MessageReader};
use agon_wire::RandomBrain;

/// What is to hold for any input.
pub(crate) fn holds(data: &[u8]) {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let game = GAMES[usize::from(choice) % GAMES.len()];
    messages(bytes);
    match game.server() {
        Some(Server::Relay(relay)) => {
            let Ok(text) = std::str::from_utf8(bytes) else { return };
            if let Ok(line) = relay.read_first_line(text) {
                assert_eq!(relay.read_first_line(&relay.first_line(&line)), Ok(line));
            }
        }
        Some(Server::Http(start)) => {
            let begin = || start(&["0".to_owned(), "small".to_owned()]).unwrap_or_else(|e| panic!("{e}"));
            let service = &SERVER.get_or_init(begin).service;
            for (method, path) in REQUESTS {
                let status = service.answer(&HttpRequest { method, path, body: bytes }).status;
                assert!((200..=500).contains(&status));
            }
        }
        None if game.protocols().first().is_some_and(|usual| usual.name == "oneshot") => {
            let mut brain = |_: &agon_wire::GameSetup| Box::new(RandomBrain::new(1)) as Box<dyn agon_wire::Brain>;
            let (mut input, mut output) = (Cursor::new(bytes), Vec::new());
            // A question that cannot be understood is an error with a sentence.
            let Some(player) = game.player() else { return };
            let _ = player(HouseCall {
                name: "random",
                arguments: &[],
                brain: &mut brain,
                input: &mut input,
                output: &mut output,
            });
        }
        None => {}
    }
}

/// One for all inputs: it has a thread of its own, and must survive everything anyway.
static SERVER: OnceLock<HttpServer> = OnceLock::new();

const REQUESTS: [(&str, &str); 6] = [
    ("POST", "/bot/connect/circle"),
    ("POST", "/bot/connect/square"),
    ("GET", "/bot/game_state/circle"),
    ("POST", "/bot/move/circle"),
    ("POST", "/api/create_game"),
    ("POST", "/bot/disconnect/square"),
];

/// A reader gives the same messages however they are cut.
fn messages(bytes: &[u8]) {
    let read = |size: usize| {
        let mut reader = MessageReader::default();
        let mut found = Vec::new();
        for piece in bytes.chunks(size.max(1)) {
            reader.add(piece);
            loop {
                match reader.next_message() {
                    Ok(Some(received)) => found.push(received.message),
                    Ok(None) => break,
                    Err(_) => return found,
                }
            }
        }
        found
    };
    assert_eq!(read(bytes.len()), read(3));
}
