//! The clocks, on a clock that the tests turn.

use std::time::{Duration, Instant};

use agon_originals::HttpRequest;
use serde_json::{Value, json};

use super::{Hall, Journal, routes};

/// A server, and what time it is there.
struct Scene {
    hall: Hall,
    begun: Instant,
    now: Instant,
}

impl Scene {
    /// A game with so many seconds for each, both bots there.
    fn active(seconds: u64) -> Scene {
        let time = Some(Duration::from_secs(seconds));
        let journal = Journal::silent();
        let begun = Instant::now();
        let mut scene = Scene { hall: Hall { time, journal, game: None, last_id: 0 }, begun, now: begun };
        scene.post("/bot/connect/circle", &json!({}));
        scene.post("/bot/connect/square", &json!({}));
        scene
    }

    /// It is so many seconds after the beginning.
    fn at(&mut self, seconds: f64) -> &mut Scene {
        self.now = self.begun + Duration::from_secs_f64(seconds);
        self
    }

    fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
        let answer = routes::answer(&mut self.hall, &HttpRequest { method, path, body }, self.now);
        (answer.status, serde_json::from_str(&answer.body).expect("JSON"))
    }

    fn post(&mut self, path: &str, body: &Value) -> Value {
        self.ask("POST", path, body.to_string().as_bytes()).1
    }

    fn get(&mut self, path: &str) -> Value {
        self.ask("GET", path, b"").1
    }

    /// `player` turns the stone on d9 or d3 over.
    fn flip(&mut self, player: &str) -> Value {
        let row = if player == "circle" { 9 } else { 3 };
        let flip = json!({"action": "flip", "from": [3, row], "orientation": "vertical"});
        self.post(&format!("/bot/move/{player}"), &json!({"move": flip, "thinking_time": -1000.0}))
    }

    fn time_left(&mut self, player: &str) -> f64 {
        self.get("/api/game_state")["players"][player]["time_left"].as_f64().expect("seconds")
    }

    #[track_caller]
    fn assert_time(&mut self, player: &str, expected: f64) {
        let left = self.time_left(player);
        assert!((left - expected).abs() < 1e-6, "{player} has {left} s, not {expected} s");
    }
}

#[test]
fn thinking_begins_when_the_bot_is_told() {
    let mut scene = Scene::active(100);
    assert_eq!(scene.at(1.0).get("/bot/game_state/circle")["your_turn"], true);
    scene.at(4.0).assert_time("circle", 97.0);
    assert_eq!(scene.get("/bot/game_state/circle")["time_left"], 97.0);
    assert_eq!(scene.get("/bot/game_state/square")["opponent_time"], 97.0);
    assert_eq!(scene.at(5.0).flip("circle")["message"], "flipped to river");
    scene.at(6.0).assert_time("circle", 96.0);
    scene.assert_time("square", 100.0);
}

#[test]
fn a_bot_that_never_asks_does_not_think_for_free() {
    let mut scene = Scene::active(100);
    scene.at(12.5).assert_time("circle", 90.0);
    scene.flip("circle");
    scene.assert_time("circle", 90.0);
    scene.at(15.0).assert_time("square", 100.0);
    scene.at(20.0).assert_time("square", 95.0);
    scene.flip("square");
    scene.at(100.0).assert_time("square", 95.0);
}

#[test]
fn looking_at_the_board_of_others_starts_no_clock() {
    let mut scene = Scene::active(100);
    scene.at(0.5).get("/bot/game_state/square");
    scene.get("/api/game_state");
    scene.at(2.5).assert_time("circle", 100.0);
}

#[test]
fn a_fallen_clock_ends_the_game_and_a_late_move_hears_of_it() {
    let mut scene = Scene::active(10);
    scene.get("/bot/game_state/circle");
    let before = scene.at(9.9).get("/api/game_state");
    assert_eq!((&before["game_status"], &before["final_scores"]), (&json!("active"), &Value::Null));
    let after = scene.at(10.0).get("/api/game_state");
    assert_eq!((&after["game_status"], &after["winner"]), (&json!("finished"), &json!("square")));
    assert_eq!(after["final_scores"], json!({"circle": 0.0, "square": 100.0}));
    assert_eq!(after["players"]["circle"]["time_left"], 0.0);
    assert_eq!(scene.flip("square"), json!({"success": false, "error": "Game not active"}));
    let late =
        json!({"success": true, "timeout": true, "winner": "square", "circle_score": 0.0, "square_score": 100.0});
    assert_eq!(scene.at(11.0).flip("circle"), late);
    assert_eq!(scene.flip("circle"), json!({"success": false, "error": "Game not active"}));
    assert_eq!(scene.get("/api/game_state")["board"], before["board"], "the late move is not on the board");
}

#[test]
fn even_an_illegal_move_is_too_late_after_the_clock_has_fallen() {
    let mut scene = Scene::active(10);
    let answer = scene.at(13.0).post("/bot/move/circle", &json!({"move": {"action": "fly"}}));
    assert_eq!((&answer["timeout"], &answer["winner"]), (&json!(true), &json!("square")));
}

#[test]
fn nobody_gains_time_by_going_away() {
    let mut scene = Scene::active(100);
    scene.get("/bot/game_state/circle");
    scene.at(3.0).post("/bot/disconnect/circle", &json!({}));
    assert_eq!(scene.get("/api/game_state")["game_status"], "paused");
    assert_eq!(scene.flip("circle"), json!({"success": false, "error": "Game not active"}));
    scene.at(10.0).assert_time("circle", 90.0);
    scene.post("/bot/connect/circle", &json!({}));
    assert_eq!(scene.get("/api/game_state")["game_status"], "active");
    // No second grace.
    scene.at(12.0).assert_time("circle", 88.0);
    scene.assert_time("square", 100.0);
}

#[test]
fn whoever_is_left_alone_does_not_pay() {
    let mut scene = Scene::active(100);
    scene.get("/bot/game_state/circle");
    scene.at(3.0).post("/bot/disconnect/square", &json!({}));
    scene.at(50.0).assert_time("circle", 97.0);
    scene.assert_time("square", 53.0);
    let over = scene.at(103.0).get("/api/game_state");
    assert_eq!((&over["game_status"], &over["winner"]), (&json!("finished"), &json!("circle")));
}

#[test]
fn of_two_who_are_away_the_first_to_run_out_loses() {
    let mut scene = Scene::active(100);
    scene.at(2.0).post("/bot/disconnect/square", &json!({}));
    scene.at(4.0).post("/bot/disconnect/circle", &json!({}));
    let over = scene.at(500.0).get("/api/game_state");
    assert_eq!((&over["game_status"], &over["winner"]), (&json!("finished"), &json!("circle")));
}

#[test]
fn a_finished_game_stays_finished() {
    let mut scene = Scene::active(10);
    scene.post("/bot/move/circle", &json!({"move": null}));
    scene.post("/bot/disconnect/circle", &json!({}));
    assert_eq!(scene.post("/bot/connect/circle", &json!({}))["success"], true);
    assert_eq!(scene.get("/api/game_state")["game_status"], "finished");
    let made = scene.post("/api/create_game", &json!({"board_size": "large"}));
    assert_eq!((&made["rows"], &made["cols"]), (&json!(17), &json!(16)));
    let state = scene.get("/api/game_state");
    assert_eq!((&state["game_status"], &state["turn_count"]), (&json!("waiting"), &json!(0)));
}

#[test]
fn no_clock_runs_before_both_are_there() {
    let mut scene = Scene::active(10);
    scene.post("/api/create_game", &json!({}));
    scene.post("/bot/connect/circle", &json!({}));
    assert_eq!(scene.get("/bot/game_state/circle")["your_turn"], true);
    scene.at(60.0).assert_time("circle", 10.0);
    assert_eq!(scene.flip("circle"), json!({"success": false, "error": "Game not active"}));
}

#[test]
fn repetition_is_a_draw() {
    let mut scene = Scene::active(100);
    let mut last = Value::Null;
    for turn in 0..12 {
        let (player, row) = if turn % 2 == 0 { ("circle", 8) } else { ("square", 4) };
        let (from, to) = if turn % 4 < 2 { ([3, row], [2, row]) } else { ([2, row], [3, row]) };
        let step = json!({"action": "move", "from": from, "to": to});
        last = scene.post(&format!("/bot/move/{player}"), &json!({"move": step}));
    }
    let expected = json!({
        "success": true, "message": "Repetition detected - draw", "winner": null,
        "circle_score": 39.75, "square_score": 39.75,
    });
    assert_eq!(last, expected);
    assert_eq!(scene.get("/api/game_state")["turn_count"], 11);
}

#[test]
fn names_of_games_differ() {
    let mut scene = Scene::active(10);
    let first = scene.post("/api/create_game", &json!({}));
    let second = scene.post("/api/create_game", &json!({}));
    assert_ne!(first["game_id"], second["game_id"]);
    assert!(first["game_id"].as_str().is_some_and(|id| id.starts_with("game_")));
}
