//! How much of a tournament is luck: it is played many times with results drawn from a model.
//!
//! A match is won, drawn or lost by Davidson's model: with strengths in Elo that differ by *d*, the first move's worth *h* included,
//! wins, draws and losses of the first side are as 10^(*d*/800) : *ν* : 10^(−*d*/800), and *ν* is such that equals draw as often as
//! the options say. Points are those of a fault at the start for winner and loser, the middle between them for both sides of a
//! draw, with a little noise towards the middle, as real margins differ: otherwise ties would be more common than they are.
//! House bots are as strong as the options say.

mod model;
mod plot;
mod runs;
mod strengths;
mod subject;

use std::{fmt::Write, time::Duration};

use agon_rating::Interval;
use serde_json::{Value, json};

use crate::{
    battle::Tally,
    derive::State,
    forecast::{forecast, spoken},
    plan::Plan,
    ratings,
};

pub use model::assumed_strengths;
pub use strengths::{NumberError, StrengthsError, finite_number};
pub use subject::{Subject, SubjectError, SubjectOptions};

use runs::Finish;

/// How a tournament is simulated.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulateOptions {
    /// How often it is played.
    pub runs: usize,
    /// Where random choices begin: the same seed gives the same numbers.
    pub seed: u64,
    /// What the first move is worth, in Elo.
    pub first_move: f64,
    /// How often equals draw, from 0 to less than 1.
    pub draws: f64,
    /// How much points of equal results differ, as a share of what a win brings.
    pub noise: f64,
    /// The house bots' strength.
    pub house: f64,
    /// Numbers of matches in a battle to compare.
    pub matches: Vec<u32>,
    /// Matches at once, for the hours.
    pub slots: usize,
    /// How long a match took on average, if that was measured.
    pub measured: Option<Duration>,
    /// Threads that compute.
    pub threads: usize,
}

impl Default for SimulateOptions {
    fn default() -> SimulateOptions {
        SimulateOptions {
            runs: 500,
            seed: 1,
            first_move: 30.0,
            draws: 0.1,
            noise: 0.1,
            house: 0.0,
            matches: vec![1, 2, 4, 8],
            slots: 1,
            measured: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Simulation {
    /// The tournament's title.
    pub title: String,
    /// How often it was played.
    pub runs: usize,
    /// Matches of a battle, as the format has it.
    pub matches: u32,
    /// What the first four of the last stage are called: whether it is a knockout.
    pub knockout: bool,
    /// Teams, the strongest first.
    pub teams: Vec<TeamChances>,
    /// What more or fewer matches in a battle would bring, by their number.
    pub luck: Vec<Luck>,
}

/// What a team may hope for.
#[derive(Clone, PartialEq, Debug)]
pub struct TeamChances {
    /// The team.
    pub team: usize,
    /// Its name.
    pub name: String,
    /// Its strength in Elo.
    pub strength: f64,
    /// The chance to be first.
    pub wins: f64,
    /// The chance to be among the first two, of one part at least: to reach the final.
    pub final_: f64,
    /// The chance to be among the first four, of one part at least: to reach the semi-finals.
    pub semi_final: f64,
    /// The chance to reach the last stage, if there are several.
    pub last_stage: Option<f64>,
    /// Its mean place.
    pub place: f64,
    /// Its mean marks, if the format knows any.
    pub marks: Option<f64>,
}

/// How the best team fares with a number of matches in a battle.
#[derive(Clone, PartialEq, Debug)]
pub struct Luck {
    /// Matches of a battle.
    pub matches: u32,
    /// The chance that the best team wins, with bounds at 95 %.
    pub wins: Interval,
    /// The chance that it is among the first four.
    pub semi_final: Interval,
    /// The share of pairs of teams that end in the order of their strengths; a shared place counts half.
    pub in_order: f64,
    /// The hours that it is likely to take.
    pub likely: Option<Duration>,
}

/// The ratings of the teams after the matches that were played, as strengths. Who did not play is taken for average.
pub fn measured_strengths(plan: &Plan, state: &State) -> Vec<f64> {
    let known = ratings::values(plan, &state.battles);
    let values: Vec<f64> = (0..plan.teams.len()).filter_map(|team| known.get(&team).copied()).collect();
    let mean = if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 };
    (0..plan.teams.len()).map(|team| known.get(&team).copied().unwrap_or(mean)).collect()
}

/// The plan as measured: teams that lost without ever making a turn are taken for teams whose bots cannot play.
pub fn measured_plan(plan: &Plan, state: &State) -> Plan {
    let mut tallies = vec![Tally::default(); plan.teams.len()];
    for (battle, seat) in state.battles.iter().flat_map(|battle| [(battle, 0), (battle, 1)]) {
        if let Some(tally) = tallies.get_mut(battle.players[seat]) {
            tally.add(&battle.tally(seat));
        }
    }
    let mut measured = plan.clone();
    for (team, tally) in measured.teams.iter_mut().zip(&tallies) {
        if tally.played == 0 && tally.absent > 0 {
            team.broken.get_or_insert_with(|| "it never made a turn".to_owned());
        }
    }
    measured
}

/// Plays a plan many times. `strengths` are Elo by team; missing ones are 0.
pub fn simulate(plan: &Plan, strengths: &[f64], options: &SimulateOptions) -> Simulation {
    let of = |team: usize| strengths.get(team).copied().filter(|elo| elo.is_finite()).unwrap_or(0.0);
    let strengths: Vec<f64> = (0..plan.teams.len()).map(of).collect();
    let mut numbers = options.matches.clone();
    numbers.retain(|number| *number == 1 || number.is_multiple_of(2) && (2..=100).contains(number));
    numbers.push(plan.format.matches);
    numbers.sort_unstable();
    numbers.dedup();
    let (mut luck, mut teams) = (Vec::new(), Vec::new());
    for matches in numbers {
        let mut other = plan.clone();
        other.format.matches = matches;
        let finishes = runs::play_all(&other, &strengths, options);
        luck.push(luck_of(&other, &strengths, &finishes, options));
        if matches == plan.format.matches {
            teams = chances(plan, &strengths, &finishes);
        }
    }
    let last = plan.format.stages.last();
    Simulation {
        title: plan.format.title.clone(),
        runs: options.runs,
        matches: plan.format.matches,
        knockout: last.is_some_and(|stage| stage.kind.system().knocks_out()),
        teams,
        luck,
    }
}

/// Teams by strength, the best first; equals in the order in which they were entered.
fn by_strength(strengths: &[f64]) -> Vec<usize> {
    let mut teams: Vec<usize> = (0..strengths.len()).collect();
    teams.sort_by(|&a, &b| strengths[b].total_cmp(&strengths[a]));
    teams
}

fn share(finishes: &[Vec<Finish>], holds: impl Fn(&[Finish]) -> bool) -> f64 {
    finishes.iter().filter(|run| holds(run)).count() as f64 / finishes.len().max(1) as f64
}

fn chances(plan: &Plan, strengths: &[f64], finishes: &[Vec<Finish>]) -> Vec<TeamChances> {
    let several = plan.format.stages.len() > 1;
    let mean = |value: &dyn Fn(&[Finish]) -> f64| {
        finishes.iter().map(|run| value(run)).sum::<f64>() / finishes.len().max(1) as f64
    };
    by_strength(strengths)
        .into_iter()
        .map(|team| TeamChances {
            team,
            name: plan.name(team).to_owned(),
            strength: strengths[team],
            wins: share(finishes, |run| run[team].place == 1),
            final_: share(finishes, |run| run[team].best <= 2),
            semi_final: share(finishes, |run| run[team].best <= 4),
            last_stage: several.then(|| share(finishes, |run| run[team].last_stage)),
            place: mean(&|run| run[team].place as f64),
            marks: plan.format.marks.as_ref().map(|_| mean(&|run| run[team].marks)),
        })
        .collect()
}

fn luck_of(plan: &Plan, strengths: &[f64], finishes: &[Vec<Finish>], options: &SimulateOptions) -> Luck {
    let best = by_strength(strengths).first().copied();
    let chance = |holds: &dyn Fn(&Finish) -> bool| {
        let share = best.map_or(0.0, |best| share(finishes, |run| holds(&run[best])));
        wilson(share, finishes.len())
    };
    Luck {
        matches: plan.format.matches,
        wins: chance(&|finish| finish.place == 1),
        semi_final: chance(&|finish| finish.best <= 4),
        in_order: finishes.iter().map(|run| in_order(strengths, run)).sum::<f64>() / finishes.len().max(1) as f64,
        likely: forecast(plan, options.slots, options.measured).likely(),
    }
}

/// The bounds of a share at 95 %, by Wilson's formula.
fn wilson(share: f64, runs: usize) -> Interval {
    let (z, runs) = (1.96_f64, runs.max(1) as f64);
    let middle = (share + z * z / (2.0 * runs)) / (1.0 + z * z / runs);
    let half = z * (share * (1.0 - share) / runs + z * z / (4.0 * runs * runs)).sqrt() / (1.0 + z * z / runs);
    Interval { low: (middle - half).clamp(0.0, share), value: share, high: (middle + half).clamp(share, 1.0) }
}

/// The share of pairs of different strengths that end in their order.
fn in_order(strengths: &[f64], finishes: &[Finish]) -> f64 {
    let teams = by_strength(strengths);
    let (mut right, mut all) = (0.0, 0.0);
    for (i, &better) in teams.iter().enumerate() {
        for &worse in teams[i + 1..].iter().filter(|&&worse| strengths[worse] < strengths[better]) {
            all += 1.0;
            right += match finishes[better].place.cmp(&finishes[worse].place) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
        }
    }
    if all == 0.0 { 1.0 } else { right / all }
}

impl Simulation {
    /// Both tables as text.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let (two, four) = if self.knockout { ("final", "semi-final") } else { ("top 2", "top 4") };
        let names = self.teams.iter().map(|team| team.name.chars().count()).max().unwrap_or(0).max(4);
        let stages = self.teams.iter().any(|team| team.last_stage.is_some());
        let marks = self.teams.iter().any(|team| team.marks.is_some());
        let _ = write!(text, "{:names$}  strength    first  {two:>7}  {four:>10}", "team");
        let _ = write!(text, "{}", if stages { "  last stage" } else { "" });
        let _ = writeln!(text, "  place{}", if marks { "   marks" } else { "" });
        for team in &self.teams {
            let _ = write!(
                text,
                "{:names$}  {:>8.0}  {:>7}  {:>7}  {:>10}",
                team.name,
                team.strength,
                percent(team.wins),
                percent(team.final_),
                percent(team.semi_final)
            );
            let _ =
                write!(text, "{}", team.last_stage.map_or(String::new(), |share| format!("  {:>10}", percent(share))));
            let _ = write!(text, "  {:>5.1}", team.place);
            let _ = writeln!(text, "{}", team.marks.map_or(String::new(), |marks| format!("  {marks:>6.2}")));
        }
        let _ = writeln!(text, "\nWhat more matches in a battle would buy ({} runs, ± at 95 %):\n", self.runs);
        let _ = writeln!(text, "matches  best is first  best in {four:<10}  pairs in order  likely to take");
        for luck in &self.luck {
            let _ = writeln!(
                text,
                "{:>6}{} {:>14} {:>19} {:>15}  {:>14}",
                luck.matches,
                if luck.matches == self.matches { '*' } else { ' ' },
                bounds(&luck.wins),
                bounds(&luck.semi_final),
                percent(luck.in_order),
                luck.likely.map_or("unknown".to_owned(), spoken)
            );
        }
        text.push_str("* as the format has it. The likely time is without rematches.\n");
        text
    }

    /// Both tables as JSON.
    pub fn json(&self) -> Value {
        let teams = self.teams.iter().map(|team| {
            json!({
                "team": team.name, "strength": team.strength, "first": team.wins, "first_two": team.final_,
                "first_four": team.semi_final, "last_stage": team.last_stage, "place": team.place, "marks": team.marks,
            })
        });
        let luck = self.luck.iter().map(|luck| {
            json!({
                "matches": luck.matches,
                "best_is_first": [luck.wins.low, luck.wins.value, luck.wins.high],
                "best_in_first_four": [luck.semi_final.low, luck.semi_final.value, luck.semi_final.high],
                "pairs_in_order": luck.in_order,
                "likely_hours": luck.likely.map(|time| time.as_secs_f64() / 3600.0),
            })
        });
        json!({
            "title": self.title, "runs": self.runs, "matches": self.matches,
            "teams": teams.collect::<Vec<_>>(), "luck": luck.collect::<Vec<_>>(),
        })
    }

    /// The chance that the best team wins, against the matches of a battle: an SVG document.
    pub fn plot(&self) -> String {
        plot::plot(self)
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn bounds(interval: &Interval) -> String {
    format!("{:.1} ± {:.1} %", 100.0 * interval.value, 50.0 * (interval.high - interval.low))
}
