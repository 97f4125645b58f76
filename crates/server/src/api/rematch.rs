//! Playing again.

use std::sync::Arc;

use agon_wire::HostError;
use axum::{Json, extract::State};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    ApiError, ApiPath,
    matches::{Created, ID_LETTERS, NO_ENTROPY, changed, find, no_entropy},
    refusals,
};
use crate::{
    arena::Arena,
    blocking::blocking,
    guard::Client,
    invite,
    live_match::{LiveMatch, Refusal},
    news::MatchJson,
    state::{self, Setting},
    view::MatchView,
};

/// What comes of asking for another match.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Rematch {
    /// It has begun.
    Begun(Created),
    /// The other player is asked; the match says so in `rematch_offer`.
    Offered(Box<MatchView>),
}

/// Plays again with sides swapped. Against another person this is an offer: the match begins when the other one asks for it too.
#[utoipa::path(post, path = "/api/matches/{id}/rematch", params(("id" = String, Path)), responses(
    (status = 200, description = "the match that was begun, or this one with the offer in it", body = Rematch),
    refusals::Anything, refusals::Changes, refusals::Missing, refusals::Untimely, refusals::Unstorable,
))]
pub(crate) async fn rematch(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(id): ApiPath,
) -> Result<Json<Rematch>, ApiError> {
    blocking(move || offer_or_begin(&arena, &client, &id).map(Json)).await
}

fn offer_or_begin(arena: &Arena, client: &Client, id: &str) -> Result<Rematch, ApiError> {
    let live = find(arena, id)?;
    let again = invite::word(ID_LETTERS).ok_or_else(no_entropy)?;
    // Whoever asks second gets the match that was begun for the first one.
    let begun = arena.change(&live, |state| {
        if state.setting.rematch.is_some() {
            return Ok(state.setting.rematch.clone());
        }
        if state.ended.is_none() {
            return Err(Refusal::Stale("the match is not over".to_owned()));
        }
        let side = state.seat_of(&client.id).ok_or(Refusal::NotYours)?;
        let other = &state.setting.seats[side.other().index()];
        let agreed = other.is_bot() || other.belongs_to(&client.id);
        if agreed || state.setting.rematch_offer == Some(side.other().number()) {
            let next = rematch_of(arena, &live, state, again.clone())?;
            next.wait_to_be_seen();
            arena.add(Arc::new(next))?;
            (state.setting.rematch, state.setting.rematch_offer) = (Some(again.clone()), None);
        } else {
            state.setting.rematch_offer = Some(side.number());
        }
        Ok(state.setting.rematch.clone())
    })?;
    Ok(match begun {
        Some(begun) => Rematch::Begun(Created::new(begun)),
        None => Rematch::Offered(Box::new(live.news().view_now())),
    })
}

/// Withdraws one's own offer of another match, or declines the other player's.
#[utoipa::path(delete, path = "/api/matches/{id}/rematch", params(("id" = String, Path)), responses(
    (status = 200, description = "the match without the offer", body = MatchView),
    refusals::Anything, refusals::Changes, refusals::Missing, refusals::Untimely, refusals::Unstorable,
))]
pub(crate) async fn no_rematch(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(id): ApiPath,
) -> Result<MatchJson, ApiError> {
    changed(arena, id, move |_, state| {
        state.seat_of(&client.id).ok_or(Refusal::NotYours)?;
        let offered = state.setting.rematch_offer.take();
        offered.map(|_| ()).ok_or_else(|| Refusal::Stale("no other match is offered".to_owned()))
    })
    .await
}

/// The same players once more, with sides swapped.
fn rematch_of(arena: &Arena, live: &LiveMatch, state: &state::State, id: String) -> Result<LiveMatch, HostError> {
    let setting = state.setting.clone();
    let [first, second] = setting.seats;
    let [first_timed, second_timed] = setting.timed;
    let setting = Setting {
        seats: [second, first],
        timed: [second_timed, first_timed],
        seed: invite::seed().ok_or_else(|| HostError(NO_ENTROPY.to_owned()))? >> 12,
        rematch: None,
        rematch_offer: None,
        ..setting
    };
    let (setup, containment) = (state.open.spec().setup.clone(), Arc::clone(&arena.options.containment));
    LiveMatch::new(id, live.game, setup, setting, Vec::new(), containment)
}
