//! What the engine thinks.

use std::sync::Arc;

use agon_picture::Click;
use agon_search::{AnyEngine, Limits};
use axum::{Json, extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ApiError, ApiJson, positions::Line, refusals};
use crate::{analysts::Task, arena::Arena, blocking::blocking};

/// What the engine is asked.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Question {
    #[serde(flatten)]
    line: Line,
    /// How many lines, from 1 to 5; 1 if absent.
    lines: Option<usize>,
    /// How many positions it may look at, up to 5 million; 200,000 if absent.
    nodes: Option<u64>,
}

const USUAL_NODES: u64 = 200_000;
const MOST_NODES: u64 = 5_000_000;
const MOST_LINES: usize = 5;

/// A line of play.
#[derive(Serialize, ToSchema)]
pub(crate) struct LineView {
    /// The chance of the side to move to win, from 0 to 1.
    chance: f64,
    /// The score in the game's own units, for the side to move.
    score: i32,
    /// Who wins for certain, if that is known.
    winner: Option<u8>,
    /// In how many moves.
    moves_to_end: Option<usize>,
    /// The turns of both sides; the last one may be incomplete.
    turns: Vec<String>,
}

/// What the engine thinks.
#[derive(Serialize, ToSchema)]
pub(crate) struct ThoughtView {
    /// The turn that it would make.
    turn: String,
    depth: i32,
    nodes: u64,
    lines: Vec<LineView>,
}

/// Hands a position to the engine as soon as it has time.
async fn ask<T: Send + 'static>(
    arena: &Arc<Arena>,
    line: Line,
    work: impl FnOnce(&mut dyn AnyEngine) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let asked = Arc::clone(arena);
    let task = blocking(move || {
        let reached = line.reach()?;
        if asked.is_protected(reached.game.name(), &*reached.position) {
            let sentence =
                "two people are playing in this position: the engine says nothing about it until their match is over";
            return Err(ApiError::new(StatusCode::CONFLICT, sentence));
        }
        Ok(Task {
            game: reached.game.name(),
            variant: reached.variant,
            rules: reached.rules,
            start: line.position.filter(|text| !text.trim().is_empty()),
            turns: line.turns,
        })
    });
    let task = task.await?;
    let answer = arena.analysts.ask(task, work).await;
    let answer = answer.ok_or_else(|| ApiError::host("the engine is busy with others' questions: try again"))?;
    answer.map_err(ApiError::bad)
}

/// What the side to move should beware of.
#[derive(Serialize, ToSchema)]
pub(crate) struct Threats {
    /// The spots of each move by which the other side would win in its next turn, whatever most answers do.
    threats: Vec<Vec<usize>>,
}

/// The threats in a position: how the other side would win at once if nothing is done about it.
#[utoipa::path(post, path = "/api/threats", request_body = Line, responses(
    (status = 200, description = "the threats", body = Threats),
    refusals::Anything, refusals::Changes, refusals::Json, refusals::Unacceptable, refusals::FairPlay,
))]
pub(crate) async fn threats(
    State(arena): State<Arc<Arena>>,
    ApiJson(line): ApiJson<Line>,
) -> Result<Json<Threats>, ApiError> {
    let found = ask(&arena, line, |engine| engine.threats()).await?;
    let spots = |clicks: Vec<Click>| {
        let spot = |click| match click {
            Click::Spot(spot) => Some(spot),
            Click::Choice(_) => None,
        };
        clicks.into_iter().filter_map(spot).collect()
    };
    Ok(Json(Threats { threats: found.into_iter().map(spots).collect() }))
}

/// Asks the engine about a position. `204` if the game is over there.
#[utoipa::path(post, path = "/api/analyse", request_body = Question, responses(
    (status = 200, description = "the thoughts", body = ThoughtView),
    (status = 204, description = "the game is over"),
    refusals::Anything, refusals::Changes, refusals::Json, refusals::Unacceptable, refusals::FairPlay,
))]
pub(crate) async fn analyse(
    State(arena): State<Arc<Arena>>,
    ApiJson(question): ApiJson<Question>,
) -> Result<Result<Json<ThoughtView>, StatusCode>, ApiError> {
    let lines = question.lines.unwrap_or(1).clamp(1, MOST_LINES);
    let nodes = Some(question.nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES));
    let limits = Limits { nodes, ..Limits::default() };
    let answer = ask(&arena, question.line, move |engine| engine.think(lines, &limits, &mut |_| {})).await?;
    let Some(thought) = answer else { return Ok(Err(StatusCode::NO_CONTENT)) };
    let lines = thought.lines.into_iter().map(|line| LineView {
        chance: line.chance,
        score: line.score,
        winner: line.end.map(|end| end.winner.number()),
        moves_to_end: line.end.map(|end| end.moves),
        turns: line.turns,
    });
    Ok(Ok(Json(ThoughtView { turn: thought.turn, depth: thought.depth, nodes: thought.nodes, lines: lines.collect() })))
}
