//! How often a match is drawn.

use std::sync::Arc;

use axum::{
    Router,
    body::{Body, BodyDataStream, to_bytes},
    http::{Request, header},
};
use serde_json::{Value, json};
use tokio_stream::StreamExt;
use tower::ServiceExt;

use super::{arena, first_turns, line};
use crate::{
    api::{CreateMatch, SeatRequest, create, router},
    guard::Client,
    invite::digest,
    view::drawn,
};

/// What a browser is known by.
const SECRET: &str = "abcdefghjkmnpqrstuvwxyz023";

async fn ask(router: &Router, request: Request<Body>) -> Body {
    let response = router.clone().oneshot(request).await.expect("an answer");
    assert_eq!(response.status(), 200);
    response.into_body()
}

fn get(path: &str) -> Request<Body> {
    Request::get(path).header(header::COOKIE, format!("agon={SECRET}")).body(Body::empty()).expect("a request")
}

async fn view(router: &Router, request: Request<Body>) -> Value {
    let bytes = to_bytes(ask(router, request).await, usize::MAX).await.expect("bytes");
    serde_json::from_slice(&bytes).expect("JSON")
}

/// The next match in a stream of events.
async fn heard(events: &mut BodyDataStream) -> Value {
    let bytes = events.next().await.expect("it goes on").expect("bytes");
    let text = String::from_utf8_lossy(&bytes);
    serde_json::from_str(text.trim().strip_prefix("data: ").expect("an event")).expect("JSON")
}

#[tokio::test]
async fn a_turn_is_drawn_once_however_many_look_on() {
    let arena = arena();
    let ada = Client { id: digest(SECRET), has_token: false, address: None };
    let game = agon_all::GAMES[0].name();
    let me = || SeatRequest::Me { name: None };
    let wanted = CreateMatch { line: line(game), first: me(), second: me(), time: None, casual: false, pace: None };
    let id = create(&arena, &ada, &wanted).map_err(|refusal| refusal.error).expect("a match");
    let router = router(Arc::clone(&arena));
    let path = |what: &str| format!("/api/matches/{id}{what}");
    let mut streams = Vec::new();
    for _ in 0..3 {
        streams.push(ask(&router, get(&path("/events"))).await.into_data_stream());
    }
    for stream in &mut streams {
        assert_eq!(heard(stream).await["turns"], json!([]));
    }
    let turn = json!({ "turn": first_turns(game, 1)[0], "after": 0 });
    let post = Request::post(path("/turns"))
        .header(header::COOKIE, format!("agon={SECRET}"))
        .header(header::CONTENT_TYPE, "application/json");
    let answered = view(&router, post.body(Body::from(turn.to_string())).expect("a request")).await;
    assert_eq!(answered["turns"].as_array().map(Vec::len), Some(1));
    for stream in &mut streams {
        assert_eq!(heard(stream).await, answered, "everybody sees the same");
    }
    assert_eq!(view(&router, get(&path(""))).await, answered);
    for page in [format!("/match/{id}"), "/watch".to_owned(), "/".to_owned()] {
        drop(ask(&router, get(&page)).await);
    }
    assert_eq!(drawn::times(&id), 2, "once at its beginning, and once for the turn");
}
