//! Which request means what.

use std::time::Instant;

use agon_originals::{HttpRequest, HttpResponse};
use agon_rules::quote;
use serde_json::{Map, Value, json};

use super::{
    Hall,
    game::{Verdict, side_of},
    options,
};

/// The longest name that a bot may give itself; what is longer is cut.
const LONGEST_NAME: usize = 200;

const WELCOME: &str = "\
Rivers and Stones: the server of the original, spoken by Agon.

POST /api/create_game           {\"board_size\": \"small\"}
GET  /api/game_state
POST /bot/connect/<player>      {\"name\", \"strategy\", \"version\", \"board_size\"}
GET  /bot/game_state/<player>
POST /bot/move/<player>         {\"move\": {…}}
POST /bot/disconnect/<player>

<player> is circle or square.
";

/// Answers a request that came at `now`.
pub(super) fn answer(hall: &mut Hall, request: &HttpRequest<'_>, now: Instant) -> HttpResponse {
    if let Some(game) = &mut hall.game {
        game.look_at_clocks(now, &mut hall.journal);
    }
    let (method, rest) = (request.method, request.path.trim_start_matches('/'));
    let parts: Vec<&str> = rest.split('/').collect();
    let reads = matches!(method, "GET" | "HEAD");
    match (parts.as_slice(), reads, method == "POST") {
        ([""], true, _) => welcome(),
        (["api", "create_game"], _, true) => create_game(hall, request.body),
        (["api", "game_state"], true, _) => match &hall.game {
            Some(game) => reply(200, game.seen_by_all(now)),
            None => no_game(404),
        },
        (["bot", "connect", player], _, true) => connect(hall, player, request.body, now),
        (["bot", "game_state", player], true, _) => game_state(hall, player, now),
        (["bot", "move", player], _, true) => make_move(hall, player, request.body, now),
        (["bot", "disconnect", player], _, true) => disconnect(hall, player, now),
        ([""] | ["api", "create_game" | "game_state"], ..)
        | (["bot", "connect" | "game_state" | "move" | "disconnect", _], ..) => wrong(405, "Method not allowed"),
        _ => wrong(404, "Not found"),
    }
}

fn create_game(hall: &mut Hall, body: &[u8]) -> HttpResponse {
    let told = match read_object(body) {
        Ok(told) => told,
        Err(problem) => return wrong(400, &problem),
    };
    match board_size(&told) {
        Some(size) => reply(200, hall.create(size).introduction()),
        None => wrong(400, "Invalid board size"),
    }
}

fn connect(hall: &mut Hall, player: &str, body: &[u8], now: Instant) -> HttpResponse {
    let told = match read_object(body) {
        Ok(told) => told,
        Err(problem) => return wrong(400, &problem),
    };
    let Some(side) = side_of(player) else { return wrong(400, "Failed to connect bot") };
    if hall.game.is_none() {
        let Some(size) = board_size(&told) else { return wrong(400, "Invalid board size") };
        hall.create(size);
    }
    let said = |name: &str, default: String| match told.get(name) {
        Some(Value::String(text)) => text.chars().take(LONGEST_NAME).collect(),
        _ => default,
    };
    let bot = json!({
        "name": said("name", format!("{player}_bot")),
        "strategy": said("strategy", "random".to_owned()),
        "version": said("version", "1.0".to_owned()),
    });
    if let Some(game) = &mut hall.game {
        game.connect(side, bot, now, &mut hall.journal);
    }
    reply(200, json!({"success": true, "message": format!("Bot connected as {player}")}))
}

fn game_state(hall: &mut Hall, player: &str, now: Instant) -> HttpResponse {
    match (&mut hall.game, side_of(player)) {
        (None, _) => no_game(404),
        // The original's status for this; it had no words.
        (Some(_), None) => wrong(500, &format!("unknown player {}, expected circle or square", quote(player))),
        (Some(game), Some(side)) => reply(200, game.seen_by(side, now)),
    }
}

fn make_move(hall: &mut Hall, player: &str, body: &[u8], now: Instant) -> HttpResponse {
    let told = match read_object(body) {
        Ok(told) => told,
        Err(problem) => return wrong(400, &problem),
    };
    // How long the bot says it has thought is nothing that we believe.
    let Some(found) = told.get("move") else { return wrong(400, "No move provided") };
    let Some(game) = &mut hall.game else {
        return reply(200, json!({"success": false, "error": "No active game"}));
    };
    match game.make_move(player, found, now, &mut hall.journal) {
        Verdict::Answer(answer) => reply(200, answer),
        Verdict::Malformed(problem) => wrong(400, &problem),
    }
}

fn disconnect(hall: &mut Hall, player: &str, now: Instant) -> HttpResponse {
    let game = hall.game.as_mut().zip(side_of(player));
    match game.is_some_and(|(game, side)| game.disconnect(side, now, &mut hall.journal)) {
        true => reply(200, json!({"success": true, "message": "Bot disconnected"})),
        false => wrong(404, "Bot not found"),
    }
}

/// The object in a body; an empty body, or what counts as nothing in Python, is an empty one.
fn read_object(body: &[u8]) -> Result<Map<String, Value>, String> {
    if body.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err("expected a JSON object".to_owned()),
        Err(error) => Err(format!("expected a JSON object: {error}")),
    }
}

fn board_size(told: &Map<String, Value>) -> Option<&'static str> {
    match told.get("board_size") {
        None => Some("small"),
        Some(Value::String(text)) => options::size(text).ok(),
        Some(_) => None,
    }
}

/// As the original wrote its answers: keys in alphabetical order, no blanks, a line end.
fn reply(status: u16, mut answer: Value) -> HttpResponse {
    answer.sort_all_objects();
    HttpResponse { status, content_type: "application/json", body: format!("{answer}\n") }
}

fn wrong(status: u16, error: &str) -> HttpResponse {
    reply(status, json!({"error": error}))
}

fn no_game(status: u16) -> HttpResponse {
    wrong(status, "No active game")
}

fn welcome() -> HttpResponse {
    HttpResponse { status: 200, content_type: "text/plain; charset=utf-8", body: WELCOME.to_owned() }
}
