//! Tournaments, as programs see them.

use std::{convert::Infallible, sync::Arc};

use agon_tournament::{Battle, Standing, match_id};
use axum::{
    Json,
    extract::State,
    response::sse::{Event, KeepAlive, Sse},
};
use serde::Serialize;
use tokio_stream::{Stream, StreamExt, wrappers::WatchStream};
use utoipa::ToSchema;

use super::{ApiError, HEARTBEAT, Named, refusals};
use crate::{
    arena::Arena,
    tournaments::{self, BoardView, MOST_BATTLES, Phase, Seen},
};

/// A tournament in brief.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentBrief {
    /// Its name; its page is `/tournaments/` and the name.
    name: String,
    title: String,
    /// The game's short name.
    game: String,
    /// `waiting`, `running`, `paused` or `over`.
    state: &'static str,
    teams: usize,
    /// Matches that are played or forfeited.
    played: usize,
    /// Matches that are known so far.
    known: usize,
    /// Differs as soon as anything else does.
    revision: String,
}

/// A tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentView {
    #[serde(flatten)]
    brief: TournamentBrief,
    /// The digest of what coins are tossed with.
    digest: String,
    /// Teams that are tied until the organiser decides.
    undecided: Vec<Vec<String>>,
    /// Places and marks; none until everything is played.
    standings: Vec<StandingView>,
    /// Battles that were, are or can now be played; the first of them if there are very many.
    battles: Vec<BattleView>,
    /// How many battles there are.
    battles_in_all: usize,
    /// Matches in progress.
    live: Vec<BoardView>,
}

/// What a team has in the end.
#[derive(Serialize, ToSchema)]
pub(crate) struct StandingView {
    team: String,
    place: usize,
    marks: Option<f64>,
    points: f64,
    wins: u32,
    draws: u32,
    losses: u32,
}

/// A battle.
#[derive(Serialize, ToSchema)]
pub(crate) struct BattleView {
    /// Where in the tournament, in short: `1.2.r16.b3`.
    place: String,
    teams: [String; 2],
    clock: String,
    /// Points so far.
    points: [f64; 2],
    /// The names of its matches that were played.
    matches: Vec<String>,
    over: bool,
}

fn brief(seen: &Seen, phase: Phase) -> TournamentBrief {
    let (played, known) = seen.matches();
    TournamentBrief {
        name: seen.name.clone(),
        title: seen.plan.format.title.clone(),
        game: seen.plan.format.game.clone(),
        state: phase.word(),
        teams: seen.plan.teams.len(),
        played,
        known,
        revision: seen.revision(),
    }
}

fn standing(seen: &Seen, standing: &Standing) -> StandingView {
    StandingView {
        team: seen.plan.name(standing.team).to_owned(),
        place: standing.place,
        marks: standing.marks,
        points: standing.points,
        wins: standing.tally.wins,
        draws: standing.tally.draws,
        losses: standing.tally.losses(),
    }
}

fn battle(seen: &Seen, battle: &Battle) -> BattleView {
    let played = |index: &usize| battle.halves[*index].outcome.is_some_and(|outcome| !outcome.forfeit);
    BattleView {
        place: battle.place.to_string(),
        teams: battle.players.map(|player| seen.plan.name(player).to_owned()),
        clock: battle.clock.to_string(),
        points: [battle.tally(0).points, battle.tally(1).points],
        matches: (0..battle.halves.len()).filter(played).map(|index| match_id(&seen.name, battle, index)).collect(),
        over: battle.is_over(),
    }
}

/// The tournaments, the newest first.
#[utoipa::path(get, path = "/api/tournaments", responses(
    (status = 200, description = "the tournaments", body = Vec<TournamentBrief>),
    refusals::Anything,
))]
pub(crate) async fn list(State(arena): State<Arc<Arena>>) -> Result<Json<Vec<TournamentBrief>>, ApiError> {
    let all = tournaments::all(&arena).await?;
    Ok(Json(all.iter().map(|(seen, phase)| brief(seen, *phase)).collect()))
}

/// A tournament.
#[utoipa::path(get, path = "/api/tournaments/{name}", params(("name" = String, Path)), responses(
    (status = 200, description = "the tournament", body = TournamentView),
    refusals::Anything, refusals::NoTournament,
))]
pub(crate) async fn get_tournament(
    State(arena): State<Arc<Arena>>,
    Named(name): Named,
) -> Result<Json<TournamentView>, ApiError> {
    let (seen, live) = tournaments::one(&arena, &name).await?;
    let (plan, state) = (&seen.plan, &seen.state);
    let names = |tie: &Vec<usize>| tie.iter().map(|&team| plan.name(team).to_owned()).collect();
    Ok(Json(TournamentView {
        brief: brief(&seen, seen.phase(live.len())),
        digest: plan.secret.digest(),
        undecided: state.undecided.iter().map(names).collect(),
        standings: state.standings.iter().flatten().map(|each| standing(&seen, each)).collect(),
        battles: state.battles.iter().take(MOST_BATTLES).map(|each| battle(&seen, each)).collect(),
        battles_in_all: state.battles.len(),
        live: live.iter().filter_map(BoardView::of).collect(),
    }))
}

/// What is new about a tournament, as server-sent events: its revision, its state and its matches in progress.
#[utoipa::path(get, path = "/api/tournaments/{name}/events", params(("name" = String, Path)), responses(
    (status = 200, description = "events without end", body = String, content_type = "text/event-stream"),
    refusals::Anything, refusals::NoTournament,
))]
pub(crate) async fn events(
    State(arena): State<Arc<Arena>>,
    Named(name): Named,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    tournaments::one(&arena, &name).await?;
    let news = WatchStream::new(tournaments::look(&arena, &name)).filter(|news| !news.is_empty());
    let news = news.map(|news| Some(Event::default().data(&*news)));
    let end = WatchStream::from_changes(arena.closed()).map(|_| None);
    let stream = news.merge(end).take_while(Option::is_some).filter_map(|event| event.map(Ok));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}
