//! Matches: begun, played, looked at.

use std::{sync::Arc, time::Duration};

use agon_referee::{TimeControl, TurnMade};
use agon_rules::{Clock, Side};
use agon_wire::GameSetup;
use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    ApiError, ApiJson, ApiPath,
    positions::{Line, Reached},
    refusals,
};
use crate::{
    arena::Arena,
    blocking::blocking,
    curtain,
    guard::Client,
    invite,
    live_match::{LiveMatch, Refusal},
    news::MatchJson,
    seat::{self, Seat},
    state::{self, Setting},
    view::MatchView,
};

/// Who is to sit somewhere.
#[derive(Deserialize, ToSchema, Clone, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum SeatRequest {
    /// Whoever asks.
    Me {
        /// What they are called.
        name: Option<String>,
    },
    /// Whoever comes first.
    Open,
    /// A bot.
    Bot {
        /// A house bot, a folder, a command or an address.
        spec: String,
    },
}

/// A match to begin.
#[derive(Deserialize, ToSchema, Clone, Debug)]
pub(crate) struct CreateMatch {
    #[serde(flatten)]
    pub(crate) line: Line,
    pub(crate) first: SeatRequest,
    pub(crate) second: SeatRequest,
    /// The time control for everybody; if absent people may take their time.
    pub(crate) time: Option<String>,
    /// Whether the engine may be asked while two people play; whoever sits down agrees to it.
    #[serde(default)]
    pub(crate) casual: bool,
    /// Where two bots play: how long each turn stays on the board at least, in seconds, up to 60.
    pub(crate) pace: Option<f64>,
}

/// Longer than this nobody waits for a turn.
const MOST_PACE: f64 = 60.0;
pub(super) const NO_ENTROPY: &str = "the system has no randomness to give";

pub(super) fn no_entropy() -> ApiError {
    ApiError::host(NO_ENTROPY)
}

/// What somebody has to do who would seat a bot of their own.
pub(crate) fn how_to_enter(arena: &Arena) -> &'static str {
    match arena.access.made_token() {
        Some(_) => "open the link that the arena printed when it was started (the one with a token)",
        None => "give the arena's token at /enter",
    }
}

/// Letters of a match's name.
pub(super) const ID_LETTERS: usize = 10;
/// What bots have for a turn where there is no clock, unless the game has times for each language.
const AT_LEISURE: TimeControl = TimeControl::PerTurn(Duration::from_secs(1));
/// Names are no longer than this.
const MOST_NAME: usize = 40;

/// A name that can be shown anywhere.
pub(crate) fn tidy_name(name: Option<&str>, otherwise: &str) -> String {
    let tidy: String = name.unwrap_or_default().chars().filter(|c| !c.is_control()).take(MOST_NAME).collect();
    if tidy.trim().is_empty() { otherwise.to_owned() } else { tidy.trim().to_owned() }
}

fn seat(request: &SeatRequest, client: &Client, arena: &Arena, line: &Line) -> Result<Seat, ApiError> {
    match request {
        SeatRequest::Me { name } => {
            Ok(Seat::Person { name: tidy_name(name.as_deref(), "Guest"), owner: Some(client.id.clone()) })
        }
        SeatRequest::Open => Ok(Seat::Person { name: "Guest".to_owned(), owner: None }),
        SeatRequest::Bot { spec } => {
            if !seat::is_house(spec) && !arena.options.bind.is_loopback() {
                let sentence = "other bots than the house's may only be seated where the arena is not open to others";
                return Err(ApiError::new(StatusCode::FORBIDDEN, sentence));
            }
            if !seat::is_house(spec) && !client.has_token {
                // Others on this machine reach the arena too, and a bot may do whatever its owner may.
                let how = how_to_enter(arena);
                let sentence =
                    format!("to seat a bot that is not the house's, first {how}, or send that token as a bearer token");
                return Err(ApiError::new(StatusCode::FORBIDDEN, sentence));
            }
            let game = agon_all::find(&line.game).map_err(ApiError::bad)?;
            let entrant = seat::entrant(spec, game, &arena.options.containment).map_err(ApiError::bad)?;
            Ok(Seat::Bot {
                name: tidy_name(Some(&entrant.name), "bot"),
                spec: spec.clone(),
                language: Some(entrant.language.name().to_owned()),
            })
        }
    }
}

/// What bots have for a turn of a match without a clock: a slow language is given no less than its course gave it.
fn at_leisure(start: &Reached) -> TimeControl {
    match start.game.clock(&start.variant) {
        by_language @ Clock::PerMoveByLanguage { .. } => by_language.into(),
        Clock::Total(_) | Clock::PerMove(_) => AT_LEISURE,
    }
}

/// Begins a match and gives its name.
pub(crate) fn create(arena: &Arena, client: &Client, wanted: &CreateMatch) -> Result<String, ApiError> {
    let start = Line { turns: Vec::new(), ..wanted.line.clone() }.reach()?;
    // Wrong turns are refused here, with the rule that they break.
    wanted.line.reach()?;
    let seats = [seat(&wanted.first, client, arena, &wanted.line)?, seat(&wanted.second, client, arena, &wanted.line)?];
    let time: Option<TimeControl> =
        wanted.time.as_deref().filter(|text| !text.is_empty()).map(str::parse).transpose().map_err(ApiError::bad)?;
    let people = seats.iter().any(|seat| !seat.is_bot());
    let pace = wanted.pace.filter(|_| !people).unwrap_or(0.0);
    if !(0.0..=MOST_PACE).contains(&pace) {
        return Err(ApiError::bad(format!("a pace of {pace} s: expected 0 to {MOST_PACE} seconds a turn")));
    }
    let setting = Setting {
        timed: [0, 1].map(|side: usize| time.is_some() || seats[side].is_bot()),
        pace_ms: (pace * 1000.0) as u64,
        casual: wanted.casual,
        private: [&wanted.first, &wanted.second].iter().any(|seat| matches!(seat, SeatRequest::Open)),
        seats,
        time: time.unwrap_or_else(|| at_leisure(&start)).to_string(),
        seed: invite::seed().ok_or_else(no_entropy)? >> 12,
        rematch: None,
        rematch_offer: None,
    };
    let setup = GameSetup {
        game: start.game,
        variant: start.variant,
        rules: start.rules,
        position: start.position.start_text(),
        swapped: false,
    };
    let turns = wanted.line.turns.iter().map(|turn| TurnMade { text: turn.clone(), ..TurnMade::default() }).collect();
    let id = invite::word(ID_LETTERS).ok_or_else(no_entropy)?;
    if setting.waits_for_players()
        && let Some(address) = client.address
    {
        arena.invite(address, &id)?;
    }
    let live = LiveMatch::new(id.clone(), start.game, setup, setting, turns, Arc::clone(&arena.options.containment))
        .map_err(ApiError::host)?;
    arena.add(Arc::new(live))?;
    Ok(id)
}

/// The name of a match.
#[derive(Serialize, ToSchema)]
pub(crate) struct Created {
    id: String,
    /// Its page.
    page: String,
}

impl Created {
    pub(super) fn new(id: String) -> Created {
        Created { page: format!("/match/{id}"), id }
    }
}

/// Begins a match.
#[utoipa::path(post, path = "/api/matches", request_body = CreateMatch, responses(
    (status = 200, description = "the match that was begun", body = Created),
    refusals::Anything, refusals::Changes, refusals::Json, refusals::Unacceptable, refusals::Unstorable,
))]
pub(crate) async fn create_match(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiJson(wanted): ApiJson<CreateMatch>,
) -> Result<Json<Created>, ApiError> {
    // Building a bot takes its time.
    blocking(move || create(&arena, &client, &wanted).map(|id| Json(Created::new(id)))).await
}

pub(super) fn find(arena: &Arena, id: &str) -> Result<Arc<LiveMatch>, ApiError> {
    arena.find(id)?.ok_or_else(|| ApiError::missing("match in progress"))
}

/// A match that is played here, as everybody sees it.
fn shown(live: &LiveMatch) -> MatchJson {
    MatchJson(live.news().json())
}

/// A match, in progress or finished.
#[utoipa::path(get, path = "/api/matches/{id}", params(("id" = String, Path)), responses(
    (status = 200, description = "the match as it stands", body = MatchView),
    refusals::Anything, refusals::Missing,
))]
pub(crate) async fn get_match(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(id): ApiPath,
) -> Result<MatchJson, ApiError> {
    let look = move || match arena.find(&id)? {
        Some(live) => {
            live.seen_by(&client.id);
            Ok(shown(&live))
        }
        None => {
            let view = not_played_here(&arena, &id, client.has_token)?;
            serde_json::to_string(&view).map(MatchJson).map_err(ApiError::host)
        }
    };
    blocking(look).await
}

/// A match that is finished, or played by another program. What its bots wrote is for those who have the token.
pub(crate) fn not_played_here(arena: &Arena, id: &str, has_token: bool) -> Result<MatchView, ApiError> {
    if let Some(mut live) = arena.external_match(id)? {
        live.record = curtain::in_progress(arena, live.record, id, has_token)?;
        return MatchView::external(&live).map_err(ApiError::host);
    }
    let mut played = arena.finished(id)?.ok_or_else(|| ApiError::missing("match"))?;
    played.record = curtain::finished(arena, played.record, &played.run, has_token)?;
    MatchView::finished(&played).map_err(ApiError::host)
}

/// A turn.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Turn {
    /// As text.
    turn: String,
    /// How many turns were made before it, so that a late one is not taken for another.
    after: Option<usize>,
}

/// Makes a turn.
#[utoipa::path(post, path = "/api/matches/{id}/turns", params(("id" = String, Path)), request_body = Turn, responses(
    (status = 200, description = "the match as it stands", body = MatchView),
    refusals::Anything, refusals::Changes, refusals::Json, refusals::Missing, refusals::Untimely, refusals::Unacceptable,
    refusals::Unstorable,
))]
pub(crate) async fn play_turn(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(id): ApiPath,
    ApiJson(turn): ApiJson<Turn>,
) -> Result<MatchJson, ApiError> {
    let play = move || {
        let live = find(&arena, &id)?;
        arena.play(&live, &client.id, &turn.turn, turn.after)?;
        Ok(shown(&live))
    };
    blocking(play).await
}

/// Changes a match in progress and shows it.
pub(super) async fn changed(
    arena: Arc<Arena>,
    id: String,
    change: impl FnOnce(&LiveMatch, &mut state::State) -> Result<(), Refusal> + Send + 'static,
) -> Result<MatchJson, ApiError> {
    let change = move || {
        let live = find(&arena, &id)?;
        arena.change(&live, |state| change(&live, state))?;
        Ok(shown(&live))
    };
    blocking(change).await
}

/// Gives up.
#[utoipa::path(post, path = "/api/matches/{id}/resign", params(("id" = String, Path)), responses(
    (status = 200, description = "the match as it stands", body = MatchView),
    refusals::Anything, refusals::Changes, refusals::Missing, refusals::Untimely, refusals::Unstorable,
))]
pub(crate) async fn resign(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(id): ApiPath,
) -> Result<MatchJson, ApiError> {
    changed(arena, id, move |_, state| {
        state.refuse_if_over()?;
        let side = state.seat_of(&client.id).ok_or(Refusal::NotYours)?;
        state.ended = Some(agon_referee::Termination::Resigned(side));
        Ok(())
    })
    .await
}

/// Takes back one's last turn and what followed. Only against bots, or alone at the board.
#[utoipa::path(post, path = "/api/matches/{id}/takeback", params(("id" = String, Path)), responses(
    (status = 200, description = "the match as it stands", body = MatchView),
    refusals::Anything, refusals::Changes, refusals::Missing, refusals::Untimely, refusals::Unstorable,
))]
pub(crate) async fn take_back(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(id): ApiPath,
) -> Result<MatchJson, ApiError> {
    changed(arena, id, move |_, state| {
        state.refuse_if_over()?;
        let side = state.seat_of(&client.id).ok_or(Refusal::NotYours)?;
        let others = &state.setting.seats[side.other().index()];
        if !others.is_bot() && !others.belongs_to(&client.id) {
            return Err(Refusal::Stale("turns cannot be taken back against another person".to_owned()));
        }
        let own = |mover: &Side| state.setting.seats[mover.index()].belongs_to(&client.id);
        let last = state.open.movers().iter().rposition(own);
        let last = last.ok_or_else(|| Refusal::Stale("there is no turn to take back".to_owned()))?;
        state.open.take_back(last)?;
        state.begin_turn();
        Ok(())
    })
    .await
}

/// Somebody who sits down.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Join {
    /// What they are called.
    name: Option<String>,
    /// Take both seats, where both are empty: two people at one screen.
    #[serde(default)]
    both: bool,
}

/// Takes the empty seat.
#[utoipa::path(post, path = "/api/matches/{id}/join", params(("id" = String, Path)), request_body = Join, responses(
    (status = 200, description = "the match as it stands", body = MatchView),
    refusals::Anything, refusals::Changes, refusals::Json, refusals::Missing, refusals::Untimely, refusals::Unacceptable,
    refusals::Unstorable,
))]
pub(crate) async fn join(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(id): ApiPath,
    ApiJson(join): ApiJson<Join>,
) -> Result<MatchJson, ApiError> {
    changed(arena, id, move |live, state| {
        state.refuse_if_over()?;
        if state.seat_of(&client.id).is_some() {
            return Err(Refusal::Stale("you have a seat already".to_owned()));
        }
        let free = state.setting.seats.iter().position(Seat::is_open);
        let free = free.ok_or_else(|| Refusal::Stale("both seats are taken".to_owned()))?;
        if join.both && !state.setting.seats.iter().all(Seat::is_open) {
            return Err(Refusal::Stale("one of the seats is taken".to_owned()));
        }
        let person = Seat::Person { name: tidy_name(join.name.as_deref(), "Guest"), owner: Some(client.id.clone()) };
        for seat in &mut state.setting.seats[free..if join.both { 2 } else { free + 1 }] {
            *seat = person.clone();
        }
        let mover = &state.setting.seats[state.open.position().turn().index()];
        if mover.belongs_to(&client.id) || live.is_watched_by_mover(state) {
            state.start_clock();
        } else {
            state.start_clock_when_seen();
        }
        Ok(())
    })
    .await
}

/// The match written down.
#[utoipa::path(get, path = "/api/matches/{id}/record", params(("id" = String, Path)), responses(
    (status = 200, description = "the record", body = String, content_type = "text/plain"),
    refusals::Anything, refusals::Missing,
))]
pub(crate) async fn record(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(id): ApiPath,
) -> Result<Response, ApiError> {
    let kept = format!("attachment; filename=\"{}.txt\"", plain_name(&id));
    let text = blocking(move || record_text(&arena, &id, client.has_token)).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, kept)], text)
        .into_response())
}

/// A name that is safe for a file.
pub(crate) fn plain_name(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' }).collect()
}

/// The record of a match, in progress or finished. What its bots wrote is for those who have the token, if it was not played here.
pub(crate) fn record_text(arena: &Arena, id: &str, has_token: bool) -> Result<String, ApiError> {
    if let Some(live) = arena.find(id)? {
        return Ok(live.state().record(id).text());
    }
    if let Some(live) = arena.external_match(id)? {
        return curtain::in_progress(arena, live.record, id, has_token);
    }
    let played = arena.finished(id)?.ok_or_else(|| ApiError::missing("match"))?;
    curtain::finished(arena, played.record, &played.run, has_token)
}
