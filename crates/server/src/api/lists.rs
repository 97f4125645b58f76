//! Lists of matches.

use std::sync::Arc;

use agon_store::{Live, Match, Wanted};
use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{ApiError, ApiQuery, refusals};
use crate::{
    arena::{Arena, PAGE, PRIVATE},
    blocking::blocking,
    curtain,
    state::Setting,
};

/// A match in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchRow {
    id: String,
    game: String,
    variant: String,
    first: String,
    second: String,
    turns: u32,
    /// `*` while it goes on.
    result: String,
    termination: String,
}

/// How many finished matches are listed.
const RECENT: u32 = 50;

/// Which matches are wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Sought {
    /// Those of this game only, by its short name.
    #[param(value_type = Option<refusals::GameName>, inline)]
    game: Option<String>,
    /// Those only in which somebody of this name plays.
    player: Option<String>,
}

/// Matches in progress, then those that ended last. Those that are found by their link alone are not listed.
#[utoipa::path(get, path = "/api/matches", params(Sought), responses(
    (status = 200, description = "the matches", body = Vec<MatchRow>),
    refusals::Anything, refusals::Unacceptable,
))]
pub(crate) async fn list(
    State(arena): State<Arc<Arena>>,
    ApiQuery(sought): ApiQuery<Sought>,
) -> Result<Json<Vec<MatchRow>>, ApiError> {
    if let Some(game) = &sought.game {
        agon_all::find(game).map_err(ApiError::bad)?;
    }
    blocking(move || rows(&arena, &sought).map(Json)).await
}

fn rows(arena: &Arena, sought: &Sought) -> Result<Vec<MatchRow>, ApiError> {
    let wanted = |live: &Live| {
        let is_private = serde_json::from_str::<Setting>(&live.setting).is_ok_and(|setting| setting.private);
        let of_game = sought.game.as_ref().is_none_or(|game| live.game == *game);
        let of_player = sought.player.as_ref().is_none_or(|name| live.first == *name || live.second == *name);
        !is_private && of_game && of_player
    };
    let live = arena.stored_in_progress()?.into_iter().filter(wanted);
    let live = live.take(RECENT as usize).map(|live| MatchRow {
        id: live.id,
        game: live.game,
        variant: live.variant,
        first: curtain::name(&live.first),
        second: curtain::name(&live.second),
        turns: live.turns,
        result: "*".to_owned(),
        termination: String::new(),
    });
    let ended = Wanted { game: sought.game.clone(), player: sought.player.clone(), ..listed() };
    let finished = arena.all_finished(&ended, RECENT)?.into_iter().map(|played| MatchRow {
        id: played.id,
        game: played.game,
        variant: played.variant,
        first: curtain::name(&played.first.name),
        second: curtain::name(&played.second.name),
        turns: played.turns,
        result: played.result,
        termination: played.termination,
    });
    Ok(live.chain(finished).collect())
}

/// The matches that anybody may find.
fn listed() -> Wanted {
    Wanted { except_runs: Some((PAGE.to_owned(), format!("{PRIVATE}-"))), ..Wanted::default() }
}

/// The matches that ended last, of those that anybody may find.
pub(crate) fn finished(arena: &Arena, most: u32) -> Result<Vec<Match>, ApiError> {
    Ok(arena.all_finished(&listed(), most)?)
}
