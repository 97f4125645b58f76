//! Bots that cannot play.

use serde_json::{Value, json};

use super::{Arena, PATIENCE};

/// A match of two bots when it is over.
fn played(arena: &Arena, first: &str, second: &str) -> Value {
    let seat = |spec: &str| json!({ "kind": "bot", "spec": spec });
    let wanted = json!({ "game": "connectx", "first": seat(first), "second": seat(second) });
    let created = arena.post("/api/matches", &wanted);
    assert_eq!(created.status, 200, "{}", created.body);
    let id = created.json()["id"].as_str().expect("a name").to_owned();
    let deadline = std::time::Instant::now() + PATIENCE;
    loop {
        let view = arena.after(&id, usize::MAX);
        if view["over"] == true {
            return view;
        }
        assert!(std::time::Instant::now() < deadline, "{view}");
    }
}

#[test]
fn two_bots_that_cannot_start_both_lose() {
    let arena = Arena::of_the_organiser();
    for bot in ["cmd:false", "cmd:false;proto=oneshot"] {
        let outcome = played(&arena, bot, bot)["outcome"].clone();
        assert_eq!((&outcome["reason"], &outcome["winner"]), (&json!("double fault"), &json!(0)), "{outcome}");
        assert_eq!(outcome["points"], json!([0.0, 0.0]), "{outcome}");
        let outcome = played(&arena, bot, "random")["outcome"].clone();
        assert_eq!((&outcome["winner"], &outcome["points"]), (&json!(2), &json!([0.0, 1.0])), "{outcome}");
    }
    // One that answers wrongly does not lose to one that gives no answer.
    let outcome = played(&arena, "cmd:echo 9 9;proto=oneshot", "cmd:false;proto=oneshot")["outcome"].clone();
    assert_eq!(outcome["reason"], "double fault", "{outcome}");
    // People can always play.
    let id = arena.begin("connectx", "cmd:false");
    let turn = arena.after(&id, 0)["legal"][0]["turn"].clone();
    arena.post(&format!("/api/matches/{id}/turns"), &json!({ "turn": turn }));
    assert_eq!(arena.after(&id, usize::MAX)["outcome"]["winner"], 1);
}
