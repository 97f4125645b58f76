//! Positions that belong to no match.

use agon_originals::Original;
use agon_picture::svg;
use agon_rules::AnyPosition;
use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ApiError, ApiJson, refusals};
use crate::{blocking::blocking, view::PositionView};

/// A position: a game, and how it came about.
#[derive(Deserialize, ToSchema, Clone, Debug)]
pub(crate) struct Line {
    /// The game's short name.
    #[schema(schema_with = refusals::game)]
    pub(crate) game: String,
    /// The usual one if absent.
    pub(crate) variant: Option<String>,
    /// The usual ones if absent.
    pub(crate) rules: Option<String>,
    /// Where it begins, as text; the start position if absent.
    pub(crate) position: Option<String>,
    /// Turns from there.
    #[serde(default)]
    pub(crate) turns: Vec<String>,
}

/// More turns than any game has.
const MOST_TURNS: usize = 5000;

/// A line that was played.
pub(crate) struct Reached {
    pub(crate) game: &'static dyn Original,
    pub(crate) variant: String,
    pub(crate) rules: agon_rules::RuleSet,
    pub(crate) position: Box<dyn AnyPosition>,
}

impl Line {
    /// Plays the turns.
    pub(crate) fn reach(&self) -> Result<Reached, ApiError> {
        let game = agon_all::find(&self.game).map_err(ApiError::bad)?;
        let variant = self.variant.clone().unwrap_or_else(|| game.variants()[0].to_owned());
        let rules = match &self.rules {
            Some(text) => text.parse().map_err(ApiError::bad)?,
            None => game.rule_sets()[0],
        };
        let mut position = game.open(&variant, rules).map_err(ApiError::bad)?;
        if let Some(text) = self.position.as_deref().filter(|text| !text.trim().is_empty()) {
            position.set_up(text).map_err(|e| ApiError::bad(format!("position: {e}")))?;
        }
        if self.turns.len() > MOST_TURNS {
            return Err(ApiError::bad(format!("{} turns: at most {MOST_TURNS} are played", self.turns.len())));
        }
        for (index, turn) in self.turns.iter().enumerate() {
            let wrong = |e| ApiError::bad(format!("turn {} ({}): {e}", index + 1, agon_rules::quote(turn)));
            position.play(turn).map_err(wrong)?;
        }
        Ok(Reached { game, variant, rules, position })
    }
}

/// Looks at a position.
#[utoipa::path(post, path = "/api/positions", request_body = Line, responses(
    (status = 200, description = "the position", body = PositionView),
    refusals::Anything, refusals::Changes, refusals::Json, refusals::Unacceptable,
))]
pub(crate) async fn position(ApiJson(line): ApiJson<Line>) -> Result<Json<PositionView>, ApiError> {
    let look = move || {
        let reached = line.reach()?;
        Ok(Json(PositionView::of(reached.game, &reached.variant, &reached.rules.to_string(), &*reached.position)))
    };
    blocking(look).await
}

/// A turn that is being entered.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Entering {
    #[serde(flatten)]
    line: Line,
    /// A complete turn that begins with what was entered.
    turn: String,
    /// How many of its moves were entered.
    moves: usize,
}

/// The board while a turn is being entered.
#[derive(Serialize, ToSchema)]
pub(crate) struct PreviewView {
    board: String,
    caption: String,
}

/// Looks at a board in the middle of a turn.
#[utoipa::path(post, path = "/api/preview", request_body = Entering, responses(
    (status = 200, description = "the board", body = PreviewView),
    refusals::Anything, refusals::Changes, refusals::Json, refusals::Unacceptable,
))]
pub(crate) async fn preview(ApiJson(entering): ApiJson<Entering>) -> Result<Json<PreviewView>, ApiError> {
    let look = move || {
        let reached = entering.line.reach()?;
        let picture = reached.position.picture_within(&entering.turn, entering.moves).map_err(ApiError::bad)?;
        Ok(Json(PreviewView { board: svg::render_bare(&picture), caption: picture.caption }))
    };
    blocking(look).await
}
