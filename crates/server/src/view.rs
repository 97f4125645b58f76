//! What pages and programs are shown of positions and matches.

use agon_picture::{Click, svg};
use agon_referee::{Record, Termination};
use agon_rules::{AnyGame, AnyPosition, Reason, Side, Verdict};
use agon_store::{Live, Match};
use agon_wire::Budget;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{seat::Seat, state::State};

/// More legal turns than this are not listed: they can still be typed.
const MOST_LISTED: usize = 4000;

/// One step of entering a turn: the number of a spot of the board, or the text on a button.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub(crate) enum ClickView {
    Spot(usize),
    Choice(String),
}

/// A legal turn.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
pub(crate) struct LegalView {
    /// The turn as text.
    turn: String,
    /// The clicks that enter it.
    clicks: Vec<ClickView>,
    /// How many clicks each of its moves takes.
    steps: Vec<usize>,
}

/// How a game ended.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
pub(crate) struct OutcomeView {
    /// The side that won, 0 for a draw.
    winner: u8,
    /// Why, in a word.
    reason: String,
    /// The same as a sentence.
    pub(crate) sentence: String,
    /// Points by the rule set.
    points: [f64; 2],
    /// What was seen, where somebody is to blame.
    evidence: Option<String>,
}

/// A position.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
pub(crate) struct PositionView {
    /// The game's short name.
    pub(crate) game: String,
    pub(crate) variant: String,
    pub(crate) rules: String,
    /// As text.
    pub(crate) position: String,
    /// The side to move.
    pub(crate) turn: u8,
    /// The picture, as SVG without a style sheet of its own.
    pub(crate) board: String,
    /// The position in a sentence or two.
    pub(crate) caption: String,
    /// Legal turns; none when the game is over.
    pub(crate) legal: Vec<LegalView>,
    /// Whether there are too many legal turns to list.
    pub(crate) too_many: bool,
    /// How it ended, if it did.
    pub(crate) outcome: Option<OutcomeView>,
}

impl PositionView {
    pub(crate) fn of(game: &dyn AnyGame, variant: &str, rules: &str, position: &dyn AnyPosition) -> PositionView {
        let picture = position.picture();
        let (legal, too_many) = legal(position);
        let outcome = position.outcome().map(Termination::Over);
        PositionView {
            game: game.name().to_owned(),
            variant: variant.to_owned(),
            rules: rules.to_owned(),
            position: position.text(),
            turn: position.turn().number(),
            board: svg::render_bare(&picture),
            caption: picture.caption,
            legal,
            too_many,
            outcome: outcome.map(|ended| outcome_view(&ended, game, position)),
        }
    }
}

fn legal(position: &dyn AnyPosition) -> (Vec<LegalView>, bool) {
    let Ok(turns) = position.legal_turns(MOST_LISTED) else { return (Vec::new(), true) };
    let view = |turn: agon_rules::LegalTurn| LegalView {
        turn: turn.spellings.into_iter().next().unwrap_or_default(),
        clicks: turn.clicks.into_iter().map(click).collect(),
        steps: turn.steps,
    };
    (turns.into_iter().map(view).collect(), false)
}

fn click(click: Click) -> ClickView {
    match click {
        Click::Spot(spot) => ClickView::Spot(spot),
        Click::Choice(text) => ClickView::Choice(text.to_owned()),
    }
}

fn outcome_view(ended: &Termination, game: &dyn AnyGame, position: &dyn AnyPosition) -> OutcomeView {
    let points = ended.points(position);
    let at_fault = matches!(ended, Termination::Fault { .. } | Termination::Resigned(_));
    OutcomeView {
        evidence: ended.evidence(),
        ..outcome(ended.verdict(), ended.name(), at_fault, [points.first, points.second], game)
    }
}

/// How a match ended, in the game's own words: who won, why, and what that counts.
fn outcome(verdict: Verdict, reason: &str, at_fault: bool, points: [f64; 2], game: &dyn AnyGame) -> OutcomeView {
    let [first, second] = game.sides();
    let who = match verdict {
        Verdict::Drawn => format!("A draw: {reason}."),
        Verdict::BothLost => format!("Nobody wins: {reason}."),
        // The word for having done what the game is about says no more than that.
        Verdict::Won(side) if reason == Reason::GOAL.name() => {
            format!("{} wins.", capitalised(game.sides()[side.index()]))
        }
        Verdict::Won(side) => {
            let blame = if at_fault { format!(" of {}", game.sides()[side.other().index()]) } else { String::new() };
            format!("{} wins: {reason}{blame}.", capitalised(game.sides()[side.index()]))
        }
    };
    let round = |points: f64| (points * 100.0).round() / 100.0;
    OutcomeView {
        winner: verdict.winner().map_or(0, Side::number),
        reason: reason.to_owned(),
        sentence: format!("{who} Points: {first} {}, {second} {}.", round(points[0]), round(points[1])),
        points,
        evidence: None,
    }
}

/// A match's name as part of an address: those of the terminal have slashes in them.
pub(crate) fn in_address(id: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    id.bytes().map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A place at the board.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
pub(crate) struct SeatView {
    /// Who sits there.
    pub(crate) name: String,
    /// `person` or `bot`.
    pub(crate) kind: &'static str,
    /// Whether somebody may still sit down.
    pub(crate) open: bool,
    /// How long a house bot takes for a turn, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pace: Option<String>,
}

/// A turn that was made.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
pub(crate) struct TurnView {
    /// Whose it was.
    pub(crate) side: u8,
    /// As text.
    pub(crate) text: String,
    /// How long it took, in seconds.
    pub(crate) seconds: Option<f64>,
    /// What the bot wrote to stderr.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) stderr: String,
    /// What the bot said of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) info: Option<String>,
    /// The chance of the first side, from 0 to 1, by what the bot said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) believed: Option<f64>,
}

/// What is left on the clocks.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
pub(crate) struct ClockView {
    /// Milliseconds for each side; absent where no clock runs.
    pub(crate) left: [Option<u64>; 2],
    /// Whose clock runs now.
    pub(crate) running: Option<u8>,
}

/// A match, as everybody sees it.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
pub(crate) struct MatchView {
    pub(crate) id: String,
    /// Another one means that `revision` has begun anew, after a restart for example.
    pub(crate) epoch: u64,
    /// Counts the changes.
    pub(crate) revision: u64,
    /// The game's title.
    pub(crate) title: String,
    /// What the sides are called.
    pub(crate) sides: [String; 2],
    pub(crate) seats: Vec<SeatView>,
    /// The time control.
    pub(crate) time: String,
    /// Where it began, if not at the start position.
    pub(crate) start: Option<String>,
    #[serde(flatten)]
    pub(crate) position: PositionView,
    pub(crate) turns: Vec<TurnView>,
    /// Whether it is over.
    pub(crate) over: bool,
    /// The match that follows this one with sides swapped.
    pub(crate) rematch: Option<String>,
    /// The side that would like to play again and waits for the other one.
    pub(crate) rematch_offer: Option<u8>,
    /// Whether those who played it may ask for another match: it is over, and not so long ago that only its record is left.
    pub(crate) again: bool,
    /// Whether it could not be stored: no clock runs, and it goes on as soon as it can be.
    pub(crate) halted: bool,
    /// Whether two people agreed that the engine may be asked.
    pub(crate) casual: bool,
    /// Whether the engine may be asked about it now: not while two people play each other in earnest.
    pub(crate) engine: bool,
    /// Comes last: it is written again whenever the match is sent.
    pub(crate) clocks: ClockView,
}

impl MatchView {
    /// A match that is played here. Draws its board: [`News`](crate::news::News) keeps the view for everybody who looks.
    pub(crate) fn of(id: &str, epoch: u64, state: &State) -> MatchView {
        #[cfg(test)]
        drawn::count(id);
        let setup = &state.open.spec().setup;
        let game = setup.game;
        let budget = state.open.spec().time.first_budget();
        let position = state.open.position();
        let mut view = PositionView::of(game, &setup.variant, &setup.rules.to_string(), position);
        if let Some(ended) = &state.ended {
            let outcome = outcome_view(ended, game, position);
            view.legal.clear();
            view.caption = outcome.sentence.clone();
            view.outcome = Some(outcome);
        }
        MatchView {
            id: id.to_owned(),
            epoch,
            revision: state.revision,
            title: game.title().to_owned(),
            sides: game.sides().map(str::to_owned),
            seats: state.setting.seats.iter().map(|seat| seat_view(seat, budget)).collect(),
            time: state.setting.time.clone(),
            start: setup.position.clone(),
            position: view,
            turns: turns(state),
            over: state.ended.is_some(),
            rematch: state.setting.rematch.clone(),
            rematch_offer: state.setting.rematch_offer,
            again: state.ended.is_some(),
            halted: state.halted.is_some(),
            casual: state.setting.casual,
            engine: !state.is_competitive(),
            clocks: state.clocks().view(),
        }
    }

    /// A match that another program plays.
    pub(crate) fn external(live: &Live) -> Result<MatchView, String> {
        let record = Record::parse(&live.record).map_err(|e| e.to_string())?;
        MatchView::recorded(&live.id, &record)
    }

    /// A match that the store has.
    pub(crate) fn finished(played: &Match) -> Result<MatchView, String> {
        let record = Record::parse(&played.record).map_err(|e| e.to_string())?;
        MatchView::recorded(&played.id, &record)
    }

    /// A match as its record tells it.
    pub(crate) fn recorded(id: &str, record: &Record) -> Result<MatchView, String> {
        let positions = record.replay(agon_all::rules).map_err(|e| e.to_string())?;
        let (game, _) = record.start(agon_all::rules).map_err(|e| e.to_string())?;
        let tag = |name: &str| record.tag(name).unwrap_or_default().to_owned();
        let last = positions.last().ok_or("no position")?;
        let mut position = PositionView::of(game, &tag("Variant"), &tag("Rules"), &**last);
        position.legal.clear();
        let outcome = recorded_outcome(record, game);
        position.caption = outcome.as_ref().map_or(position.caption, |outcome| outcome.sentence.clone());
        position.outcome = outcome;
        let movers: Vec<Side> = positions.iter().map(|position| position.turn()).collect();
        let seat = |name: &str| SeatView { name: tag(name), kind: "bot", open: false, pace: None };
        Ok(MatchView {
            id: id.to_owned(),
            epoch: 0,
            revision: record.turns.len() as u64,
            title: game.title().to_owned(),
            sides: game.sides().map(str::to_owned),
            seats: vec![seat("First"), seat("Second")],
            time: tag("TimeControl"),
            start: record.tag("Position").map(str::to_owned),
            over: position.outcome.is_some(),
            position,
            turns: record.turns.iter().zip(&movers).map(turn_view).collect(),
            rematch: None,
            rematch_offer: None,
            again: false,
            halted: false,
            casual: false,
            engine: true,
            clocks: ClockView { left: [None, None], running: None },
        })
    }
}

/// How a record says that its match ended.
fn recorded_outcome(record: &Record, game: &dyn AnyGame) -> Option<OutcomeView> {
    let verdict: Verdict = record.tag("Result")?.parse().ok()?;
    let points = record.tag("Points").unwrap_or_default();
    let mut points = points.split_whitespace().map(|text| text.parse().unwrap_or(0.0));
    let points = [points.next().unwrap_or(0.0), points.next().unwrap_or(0.0)];
    let reason = record.tag("Termination").unwrap_or_default();
    let at_fault = record.tag("FaultBy").is_some();
    Some(OutcomeView {
        evidence: record.tag("Evidence").map(str::to_owned),
        ..outcome(verdict, reason, at_fault, points, game)
    })
}

fn seat_view(seat: &Seat, budget: Budget) -> SeatView {
    SeatView {
        name: seat.name().to_owned(),
        kind: if seat.is_bot() { "bot" } else { "person" },
        open: seat.is_open(),
        pace: seat.house_bot().and_then(|name| agon_house::pace(name, budget)),
    }
}

fn turns(state: &State) -> Vec<TurnView> {
    state.open.turns().iter().zip(state.open.movers()).map(turn_view).collect()
}

fn turn_view((turn, side): (&agon_referee::TurnMade, &Side)) -> TurnView {
    TurnView {
        side: side.number(),
        text: turn.text.clone(),
        seconds: turn.wall.map(|wall| (wall.as_secs_f64() * 1000.0).round() / 1000.0),
        stderr: turn.stderr.clone(),
        info: turn.info.clone(),
        believed: turn.first_chance(*side).map(|chance| (chance * 1e4).round() / 1e4),
    }
}

/// How often each match was drawn, for tests.
#[cfg(test)]
pub(crate) mod drawn {
    use std::{
        collections::HashMap,
        sync::{Mutex, PoisonError},
    };

    static DRAWN: Mutex<Option<HashMap<String, usize>>> = Mutex::new(None);

    pub(super) fn count(id: &str) {
        let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
        *drawn.get_or_insert_default().entry(id.to_owned()).or_default() += 1;
    }

    pub(crate) fn times(id: &str) -> usize {
        let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.get_or_insert_default().get(id).copied().unwrap_or_default()
    }
}
