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

use super::{ApiError, ApiPath, HEARTBEAT, refusals};
use crate::{
    arena::Arena,
    blocking::blocking,
    external::BoardView,
    tournaments::{self, MOST_BATTLES, Phase, Shown, Snapshot},
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

fn brief(snapshot: &Snapshot, phase: Phase) -> TournamentBrief {
    let (played, known) = snapshot.matches();
    TournamentBrief {
        name: snapshot.name.clone(),
        title: snapshot.plan.format.title.clone(),
        game: snapshot.plan.format.game.clone(),
        state: phase.word(),
        teams: snapshot.plan.teams.len(),
        played,
        known,
        revision: snapshot.revision(),
    }
}

fn standing(snapshot: &Snapshot, standing: &Standing) -> StandingView {
    StandingView {
        team: snapshot.plan.name(standing.team).to_owned(),
        place: standing.place,
        marks: standing.marks,
        points: standing.points,
        wins: standing.tally.wins,
        draws: standing.tally.draws,
        losses: standing.tally.losses(),
    }
}

fn battle(snapshot: &Snapshot, battle: &Battle) -> BattleView {
    let played = |index: &usize| battle.halves[*index].outcome.is_some_and(|outcome| !outcome.forfeit);
    BattleView {
        place: battle.place.to_string(),
        teams: battle.players.map(|player| snapshot.plan.name(player).to_owned()),
        clock: battle.clock.to_string(),
        points: [battle.tally(0).points, battle.tally(1).points],
        matches: (0..battle.halves.len()).filter(played).map(|index| match_id(&snapshot.name, battle, index)).collect(),
        over: battle.is_over(),
    }
}

/// The tournaments, the newest first.
#[utoipa::path(get, path = "/api/tournaments", responses(
    (status = 200, description = "the tournaments", body = Vec<TournamentBrief>),
    refusals::Anything,
))]
pub(crate) async fn list(State(arena): State<Arc<Arena>>) -> Result<Json<Vec<TournamentBrief>>, ApiError> {
    let list = move || {
        let all = tournaments::all(&arena)?;
        Ok(Json(all.iter().map(|(snapshot, phase)| brief(snapshot, *phase)).collect()))
    };
    blocking(list).await
}

/// A tournament.
#[utoipa::path(get, path = "/api/tournaments/{name}", params(("name" = String, Path)), responses(
    (status = 200, description = "the tournament", body = TournamentView),
    refusals::Anything, refusals::NoTournament,
))]
pub(crate) async fn get_tournament(
    State(arena): State<Arc<Arena>>,
    ApiPath(name): ApiPath,
) -> Result<Json<TournamentView>, ApiError> {
    blocking(move || tournaments::one(&arena, &name).map(|shown| Json(view(&shown)))).await
}

fn view(Shown { snapshot, phase, boards }: &Shown) -> TournamentView {
    let (plan, state) = (&snapshot.plan, &snapshot.state);
    let names = |tie: &Vec<usize>| tie.iter().map(|&team| plan.name(team).to_owned()).collect();
    TournamentView {
        brief: brief(snapshot, *phase),
        digest: plan.secret.digest(),
        undecided: state.undecided.iter().map(names).collect(),
        standings: state.standings.iter().flatten().map(|each| standing(snapshot, each)).collect(),
        battles: state.battles.iter().take(MOST_BATTLES).map(|each| battle(snapshot, each)).collect(),
        battles_in_all: state.battles.len(),
        live: boards.iter().map(|board| BoardView::clone(board)).collect(),
    }
}

/// What is new about a tournament, as server-sent events: its revision, its state and its matches in progress.
#[utoipa::path(get, path = "/api/tournaments/{name}/events", params(("name" = String, Path)), responses(
    (status = 200, description = "events without end", body = String, content_type = "text/event-stream"),
    refusals::Anything, refusals::NoTournament,
))]
pub(crate) async fn events(
    State(arena): State<Arc<Arena>>,
    ApiPath(name): ApiPath,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let news = tournaments::messages(&arena, &name).await?.map(|message| Some(Event::default().data(message)));
    let end = WatchStream::from_changes(arena.closed()).map(|_| None);
    let stream = news.merge(end).take_while(Option::is_some).filter_map(|event| event.map(Ok));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}
