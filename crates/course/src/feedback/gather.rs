//! What is known of a team's matches.

use std::{collections::HashMap, time::Duration};

use agon_analysis::{LosingTurn, losing_turn};
use agon_picture::svg;
use agon_referee::{Record, words};
use agon_rules::{AnyPosition, Side, Verdict};
use agon_tournament::Published;

use super::{Board, FeedbackOptions, MatchFeedback, PhaseFeedback};
use crate::{folder::CourseFolder, grade::tournament_of, marks::MarksError};

/// A phase, and how every team fared in it.
pub(super) struct Field {
    name: String,
    published: Published,
    records: Vec<Record>,
    /// By name.
    habits: HashMap<String, Habits>,
}

/// What is known of everybody who played.
#[derive(Clone, Copy)]
struct Habits {
    /// Mean seconds a turn; `None` for whoever had none.
    seconds: Option<f64>,
    /// Matches with a fault of its own.
    faults: usize,
}

/// The name of who sits on a side.
fn seated(record: &Record, side: Side) -> &str {
    record.tag(if side == Side::First { "First" } else { "Second" }).unwrap_or_default()
}

impl Field {
    /// All phases that have begun.
    pub(super) fn all(folder: &CourseFolder) -> Result<Vec<Field>, MarksError> {
        let mut fields = Vec::new();
        for phase in &folder.course.phase {
            if let Some(mut held) = tournament_of(folder, phase)? {
                let published = Published::of(&mut held, true)?;
                let records: Vec<Record> =
                    published.records.values().filter_map(|played| Record::parse(&played.record).ok()).collect();
                let habits = habits(&records);
                fields.push(Field { name: phase.name.clone(), published, records, habits });
            }
        }
        Ok(fields)
    }

    /// The share of the field that a team is better than, by what is better when it is smaller.
    fn rank(&self, name: &str, of: impl Fn(&Habits) -> Option<f64>) -> Option<f64> {
        let own = of(self.habits.get(name)?)?;
        let teams = self.published.plan.teams.iter().filter(|team| team.name != name);
        let others: Vec<f64> = teams.filter_map(|team| of(self.habits.get(&team.name)?)).collect();
        let worse = others.iter().filter(|other| **other > own).count();
        (!others.is_empty()).then(|| worse as f64 / others.len() as f64)
    }
}

fn habits(records: &[Record]) -> HashMap<String, Habits> {
    let mut sums: HashMap<String, (Duration, u32, usize)> = HashMap::new();
    for record in records {
        for side in Side::BOTH {
            let sum = sums.entry(seated(record, side).to_owned()).or_default();
            for wall in own_turns(record, side).filter_map(|(_, turn)| turn.wall) {
                sum.0 += wall;
                sum.1 += 1;
            }
            let failed = record.tag("FaultBy").is_some_and(|by| by == "both" || by == side.number().to_string());
            sum.2 += usize::from(failed);
        }
    }
    let mean = |(name, (wall, turns, faults)): (String, (Duration, u32, usize))| {
        let seconds = (turns > 0).then(|| wall.as_secs_f64() / f64::from(turns));
        (name, Habits { seconds, faults })
    };
    sums.into_iter().map(mean).collect()
}

/// The turns of a side with their numbers, from 0. Who moves is the position's to say; nobody skips a turn in a record.
fn own_turns(record: &Record, side: Side) -> impl Iterator<Item = (usize, &agon_referee::RecordedTurn)> {
    let movers: Vec<Side> =
        record.replay(agon_all::rules).map_or_else(|_| Vec::new(), |all| all.iter().map(|at| at.turn()).collect());
    record.turns.iter().enumerate().filter(move |(number, _)| movers.get(*number) == Some(&side))
}

pub(super) fn phases_of(
    folder: &CourseFolder,
    team: &str,
    fields: &[Field],
    options: FeedbackOptions,
) -> Vec<PhaseFeedback> {
    let members = || folder.roster.students.iter().filter(|student| student.team_in("") == team);
    let of_phase = |field: &Field| {
        // The team may have been another one then.
        let then = members().next().map_or(team, |student| student.team_in(&field.name));
        let name = folder.ledger.pseudonym(then)?;
        let place = field.published.plan.team(name)?;
        let mut phase = phase(field, name, place, options);
        // A team is told of its own files, not of where its organiser keeps them.
        let home = format!("{}/", folder.path.display());
        phase.broken = phase.broken.map(|broken| broken.replace(&home, ""));
        Some(phase)
    };
    fields.iter().filter_map(of_phase).collect()
}

fn phase(field: &Field, name: &str, team: usize, options: FeedbackOptions) -> PhaseFeedback {
    let plan = &field.published.plan;
    let standing = field.published.state.standings.iter().flatten().find(|standing| standing.team == team);
    let teams = plan.teams.len();
    let mut ranks = Vec::new();
    if let Some(standing) = standing.filter(|_| teams > 1) {
        ranks.push(("strength", (teams - standing.place) as f64 / (teams - 1) as f64));
    }
    ranks.extend(field.rank(name, |habits| habits.seconds).map(|share| ("speed", share)));
    ranks.extend(field.rank(name, |habits| Some(habits.faults as f64)).map(|share| ("freedom from faults", share)));
    let (mut budget, mut unlooked, mut matches) = (options.budget, 0, Vec::new());
    for record in &field.records {
        for side in Side::BOTH {
            if seated(record, side) == name {
                matches.extend(one(record, side, options, &mut budget, &mut unlooked));
            }
        }
    }
    PhaseFeedback {
        name: field.name.clone(),
        broken: plan.teams[team].broken.clone(),
        place: standing.map(|standing| (standing.place, teams)),
        ranks,
        matches,
        unlooked,
    }
}

fn one(
    record: &Record,
    side: Side,
    options: FeedbackOptions,
    budget: &mut u64,
    unlooked: &mut usize,
) -> Option<MatchFeedback> {
    let (game, _) = record.start(agon_all::rules).ok()?;
    let positions = record.replay(agon_all::rules).ok()?;
    let tag = |name: &str| record.tag(name).unwrap_or_default();
    let result = match tag("Result").parse() {
        Ok(Verdict::Won(winner)) if winner == side => "won",
        Ok(Verdict::Drawn) => "drawn",
        _ => "lost",
    };
    let fault = record.tag("FaultBy").is_some();
    let mut losing = None;
    if result == "lost" && !fault && !record.turns.is_empty() {
        losing = losing_turn(record, side, options.nodes, budget).ok().flatten();
        // Where the nodes gave out nothing is known.
        *unlooked += usize::from(losing.is_none() && *budget < agon_analysis::least_budget(options.nodes));
    }
    let losing = losing.map(|turn| {
        let boards = boards(&positions, &turn);
        (turn, boards)
    });
    let points: Vec<f64> = tag("Points").split(' ').filter_map(|number| number.parse().ok()).collect();
    let own = side.index();
    let turns = own_turns(record, side).map(|(number, turn)| {
        let seconds = turn.wall.map_or(0.0, |wall| wall.as_secs_f64());
        (number + 1, turn.text.clone(), seconds, turn.stderr.clone())
    });
    Some(MatchFeedback {
        round: tag("Round").to_owned(),
        opponent: seated(record, side.other()).to_owned(),
        side: game.sides()[own],
        variant: tag("Variant").to_owned(),
        result,
        ended: words::reason(tag("Termination")).to_owned(),
        // What a fault is proven with is its own team's to read.
        evidence: if result == "lost" { tag("Evidence").to_owned() } else { String::new() },
        points: [points.get(own).copied().unwrap_or(0.0), points.get(1 - own).copied().unwrap_or(0.0)],
        clock: tag("TimeControl").to_owned(),
        turns: turns.collect(),
        board: positions.last().map_or_else(String::new, |last| svg::render_still(&last.picture())),
        losing,
    })
}

/// How much of a refutation is shown.
const MOST_BOARDS: usize = 6;

/// The position before the turn, the one after it, and how it is answered.
fn boards(positions: &[Box<dyn AnyPosition>], losing: &LosingTurn) -> Vec<Board> {
    let board = |caption: String, position: &dyn AnyPosition| Board {
        caption,
        picture: svg::render_still(&position.picture()),
    };
    let mut boards = vec![
        board("before".to_owned(), &*positions[losing.number]),
        board(format!("after {}", losing.turn), &*positions[losing.number + 1]),
    ];
    let mut position = positions[losing.number + 1].boxed();
    for turn in losing.refutation.iter().take(MOST_BOARDS) {
        if position.play(turn).is_err() {
            break;
        }
        boards.push(board(turn.clone(), &*position));
    }
    boards
}
