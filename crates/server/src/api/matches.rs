//! Matches: begun, played, looked at.

use std::{convert::Infallible, pin::Pin, sync::Arc, time::Duration};

use agon_referee::{TimeControl, TurnMade};
use agon_rules::{Clock, Side};
use agon_wire::GameSetup;
use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use serde::{Deserialize, Serialize};
use tokio_stream::{
    Stream, StreamExt,
    wrappers::{BroadcastStream, WatchStream},
};
use utoipa::ToSchema;

use super::{
    ApiError, Body, HEARTBEAT, Named,
    positions::{Line, Reached},
    refusals,
};
use crate::{
    arena::Arena,
    elsewhere,
    guard::Client,
    invite,
    live_match::{LiveMatch, Refusal, Setting},
    seat::{self, Seat},
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
}

/// Letters of a match's name.
const ID_LETTERS: usize = 10;
/// What bots have for a turn where there is no clock, unless the game has times for each language.
const AT_LEISURE: TimeControl = TimeControl::PerTurn(Duration::from_secs(1));
/// Names are no longer than this.
const MOST_NAME: usize = 40;

/// A name that can be shown anywhere.
pub(crate) fn tidy_name(name: Option<&str>, otherwise: &str) -> String {
    let tidy: String = name.unwrap_or_default().chars().filter(|c| !c.is_control()).take(MOST_NAME).collect();
    if tidy.trim().is_empty() { otherwise.to_owned() } else { tidy.trim().to_owned() }
}

fn seat(request: &SeatRequest, client: &str, arena: &Arena, line: &Line) -> Result<Seat, ApiError> {
    match request {
        SeatRequest::Me { name } => {
            Ok(Seat::Person { name: tidy_name(name.as_deref(), "Guest"), owner: Some(client.to_owned()) })
        }
        SeatRequest::Open => Ok(Seat::Person { name: "Guest".to_owned(), owner: None }),
        SeatRequest::Bot { spec } => {
            if !seat::is_house(spec) && !arena.options.bind.is_loopback() {
                let sentence = "other bots than the house's may only be seated where the arena is not open to others";
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
    let seats =
        [seat(&wanted.first, &client.0, arena, &wanted.line)?, seat(&wanted.second, &client.0, arena, &wanted.line)?];
    let time: Option<TimeControl> =
        wanted.time.as_deref().filter(|text| !text.is_empty()).map(str::parse).transpose().map_err(ApiError::bad)?;
    let no_entropy = || ApiError::host("the system has no randomness to give");
    let setting = Setting {
        timed: [0, 1].map(|side: usize| time.is_some() || seats[side].is_bot()),
        seats,
        time: time.unwrap_or_else(|| at_leisure(&start)).to_string(),
        seed: invite::seed().ok_or_else(no_entropy)? >> 12,
        rematch: None,
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
    let live = LiveMatch::new(id.clone(), start.game, setup, setting, turns, Arc::clone(&arena.options.containment))
        .map_err(|e| ApiError::host(e.0))?;
    if !arena.add(Arc::new(live)) {
        return Err(ApiError::host("too many matches are being played: try again later"));
    }
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
    fn new(id: String) -> Created {
        Created { page: format!("/match/{id}"), id }
    }
}

/// Begins a match.
#[utoipa::path(post, path = "/api/matches", request_body = CreateMatch, responses(
    (status = 200, description = "the match that was begun", body = Created),
    refusals::Anything, refusals::Changes, refusals::Json, refusals::Unacceptable,
))]
pub(crate) async fn create_match(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Body(wanted): Body<CreateMatch>,
) -> Result<Json<Created>, ApiError> {
    // Building a bot takes its time.
    let created = tokio::task::spawn_blocking(move || create(&arena, &client, &wanted)).await;
    created.map_err(ApiError::host)?.map(|id| Json(Created::new(id)))
}

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

/// Matches in progress, then those that ended last.
#[utoipa::path(get, path = "/api/matches", responses(
    (status = 200, description = "the matches", body = Vec<MatchRow>),
    refusals::Anything,
))]
pub(crate) async fn list(State(arena): State<Arc<Arena>>) -> Result<Json<Vec<MatchRow>>, ApiError> {
    let store = arena.store();
    let live = store.live_since(0, RECENT).map_err(ApiError::host)?.into_iter().map(|live| MatchRow {
        id: live.id,
        game: live.game,
        variant: live.variant,
        first: live.first,
        second: live.second,
        turns: live.turns,
        result: "*".to_owned(),
        termination: String::new(),
    });
    let finished = store.recent_matches(RECENT).map_err(ApiError::host)?.into_iter().map(|played| MatchRow {
        id: played.id,
        game: played.game,
        variant: played.variant,
        first: played.first.name,
        second: played.second.name,
        turns: played.turns,
        result: played.result,
        termination: played.termination,
    });
    Ok(Json(live.chain(finished).collect()))
}

fn find(arena: &Arena, id: &str) -> Result<Arc<LiveMatch>, ApiError> {
    arena.find(id).ok_or_else(|| ApiError::missing("match in progress"))
}

fn view(live: &LiveMatch) -> Json<MatchView> {
    Json(MatchView::of(live, &live.state()))
}

/// A match, in progress or finished.
#[utoipa::path(get, path = "/api/matches/{id}", params(("id" = String, Path)), responses(
    (status = 200, description = "the match as it stands", body = MatchView),
    refusals::Anything, refusals::Missing,
))]
pub(crate) async fn get_match(State(arena): State<Arc<Arena>>, Named(id): Named) -> Result<Json<MatchView>, ApiError> {
    if let Some(live) = arena.find(&id) {
        return Ok(view(&live));
    }
    not_played_here(&arena, &id).map(Json)
}

/// A match that is finished, or played by another program.
pub(crate) fn not_played_here(arena: &Arena, id: &str) -> Result<MatchView, ApiError> {
    if let Some(live) = arena.played_elsewhere(id) {
        return MatchView::elsewhere(&live).map_err(ApiError::host);
    }
    let played = arena.finished(id).map_err(ApiError::host)?.ok_or_else(|| ApiError::missing("match"))?;
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
))]
pub(crate) async fn play_turn(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Named(id): Named,
    Body(turn): Body<Turn>,
) -> Result<Json<MatchView>, ApiError> {
    let live = find(&arena, &id)?;
    live.play(&client.0, &turn.turn, turn.after)?;
    arena.changed(&live);
    Ok(view(&live))
}

/// Gives up.
#[utoipa::path(post, path = "/api/matches/{id}/resign", params(("id" = String, Path)), responses(
    (status = 200, description = "the match as it stands", body = MatchView),
    refusals::Anything, refusals::Changes, refusals::Missing, refusals::Untimely,
))]
pub(crate) async fn resign(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Named(id): Named,
) -> Result<Json<MatchView>, ApiError> {
    let live = find(&arena, &id)?;
    live.change(|state| {
        state.refuse_if_over()?;
        let side = state.seat_of(&client.0).ok_or(Refusal::NotYours)?;
        state.ended = Some(agon_referee::Termination::Resigned(side));
        Ok(())
    })?;
    arena.changed(&live);
    Ok(view(&live))
}

/// Takes back one's last turn and what followed. Only against bots, or alone at the board.
#[utoipa::path(post, path = "/api/matches/{id}/takeback", params(("id" = String, Path)), responses(
    (status = 200, description = "the match as it stands", body = MatchView),
    refusals::Anything, refusals::Changes, refusals::Missing, refusals::Untimely,
))]
pub(crate) async fn take_back(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Named(id): Named,
) -> Result<Json<MatchView>, ApiError> {
    let live = find(&arena, &id)?;
    live.change(|state| {
        state.refuse_if_over()?;
        let side = state.seat_of(&client.0).ok_or(Refusal::NotYours)?;
        let others = &state.setting.seats[side.other().index()];
        if !others.is_bot() && !others.belongs_to(&client.0) {
            return Err(Refusal::Stale("turns cannot be taken back against another person".to_owned()));
        }
        let own = |mover: &Side| state.setting.seats[mover.index()].belongs_to(&client.0);
        let last = state.open.movers().iter().rposition(own);
        let last = last.ok_or_else(|| Refusal::Stale("there is no turn to take back".to_owned()))?;
        state.open.take_back(last)?;
        state.begin_turn();
        Ok(())
    })?;
    arena.changed(&live);
    Ok(view(&live))
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
))]
pub(crate) async fn join(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Named(id): Named,
    Body(join): Body<Join>,
) -> Result<Json<MatchView>, ApiError> {
    let live = find(&arena, &id)?;
    live.change(|state| {
        state.refuse_if_over()?;
        if state.seat_of(&client.0).is_some() {
            return Err(Refusal::Stale("you have a seat already".to_owned()));
        }
        let free = state.setting.seats.iter().position(Seat::is_open);
        let free = free.ok_or_else(|| Refusal::Stale("both seats are taken".to_owned()))?;
        if join.both && !state.setting.seats.iter().all(Seat::is_open) {
            return Err(Refusal::Stale("one of the seats is taken".to_owned()));
        }
        let person = Seat::Person { name: tidy_name(join.name.as_deref(), "Guest"), owner: Some(client.0.clone()) };
        for seat in &mut state.setting.seats[free..if join.both { 2 } else { free + 1 }] {
            *seat = person.clone();
        }
        state.turn_began = std::time::Instant::now();
        Ok(())
    })?;
    arena.changed(&live);
    Ok(view(&live))
}

/// Plays again with sides swapped. Whoever asks second gets the match that the first one began.
#[utoipa::path(post, path = "/api/matches/{id}/rematch", params(("id" = String, Path)), responses(
    (status = 200, description = "the match that was begun", body = Created),
    refusals::Anything, refusals::Changes, refusals::Missing, refusals::Untimely,
))]
pub(crate) async fn rematch(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Named(id): Named,
) -> Result<Json<Created>, ApiError> {
    let live = find(&arena, &id)?;
    let (setting, setup) = {
        let state = live.state();
        if let Some(again) = &state.setting.rematch {
            return Ok(Json(Created::new(again.clone())));
        }
        if state.ended.is_none() {
            return Err(ApiError::new(StatusCode::CONFLICT, "the match is not over"));
        }
        state.seat_of(&client.0).ok_or(Refusal::NotYours)?;
        (state.setting.clone(), state.open.spec().setup.clone())
    };
    let [first, second] = setting.seats;
    let [first_timed, second_timed] = setting.timed;
    let no_entropy = || ApiError::host("the system has no randomness to give");
    let setting = Setting {
        seats: [second, first],
        timed: [second_timed, first_timed],
        seed: invite::seed().ok_or_else(no_entropy)? >> 12,
        rematch: None,
        ..setting
    };
    let again = invite::word(ID_LETTERS).ok_or_else(no_entropy)?;
    let next =
        LiveMatch::new(again.clone(), live.game, setup, setting, Vec::new(), Arc::clone(&arena.options.containment))
            .map_err(|e| ApiError::host(e.0))?;
    if !arena.add(Arc::new(next)) {
        return Err(ApiError::host("too many matches are being played: try again later"));
    }
    live.change(|state| {
        state.setting.rematch = Some(again.clone());
        Ok(())
    })?;
    Ok(Json(Created::new(again)))
}

/// The match written down.
#[utoipa::path(get, path = "/api/matches/{id}/record", params(("id" = String, Path)), responses(
    (status = 200, description = "the record", body = String, content_type = "text/plain"),
    refusals::Anything, refusals::Missing,
))]
pub(crate) async fn record(State(arena): State<Arc<Arena>>, Named(id): Named) -> Result<Response, ApiError> {
    let text = record_text(&arena, &id)?;
    let kept = format!("attachment; filename=\"{}.txt\"", plain_name(&id));
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, kept)], text)
        .into_response())
}

/// A name that is safe for a file.
pub(crate) fn plain_name(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' }).collect()
}

/// The record of a match, in progress or finished.
pub(crate) fn record_text(arena: &Arena, id: &str) -> Result<String, ApiError> {
    if let Some(live) = arena.find(id) {
        return Ok(live.state().record(id).text());
    }
    if let Some(live) = arena.played_elsewhere(id) {
        return Ok(live.record);
    }
    let played = arena.finished(id).map_err(ApiError::host)?;
    Ok(played.ok_or_else(|| ApiError::missing("match"))?.record)
}

/// Every match whenever it changes, as server-sent events.
#[utoipa::path(get, path = "/api/events", responses(
    (status = 200, description = "events without end", body = String, content_type = "text/event-stream"),
    refusals::Anything,
))]
pub(crate) async fn all_events(State(arena): State<Arc<Arena>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    // Whoever is too slow misses what came meanwhile and goes on with the next change.
    let news = BroadcastStream::new(arena.news()).filter_map(Result::ok);
    let news = news.map(|view| Some(Event::default().data(&*view)));
    let end = WatchStream::from_changes(arena.closed()).map(|_| None);
    let stream = news.merge(end).take_while(Option::is_some).filter_map(|event| event.map(Ok));
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

/// The match whenever it changes, as server-sent events.
#[utoipa::path(get, path = "/api/matches/{id}/events", params(("id" = String, Path)), responses(
    (status = 200, description = "events without end", body = String, content_type = "text/event-stream"),
    refusals::Anything, refusals::Missing,
))]
pub(crate) async fn events(
    State(arena): State<Arc<Arena>>,
    Named(id): Named,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let end = WatchStream::from_changes(arena.closed()).map(|_| None);
    let news: Pin<Box<dyn Stream<Item = Option<Event>> + Send>> = match arena.find(&id) {
        Some(live) => Box::pin(WatchStream::new(live.subscribe()).map(|view| Some(Event::default().data(&*view)))),
        None => {
            not_played_here(&arena, &id)?;
            let news = WatchStream::new(elsewhere::look(&arena, &id)).filter(|view| !view.is_empty());
            Box::pin(news.map(|view| Some(Event::default().data(&*view))).chain(tokio_stream::once(None)))
        }
    };
    let stream = news.merge(end).take_while(Option::is_some).filter_map(|event| event.map(Ok));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}
