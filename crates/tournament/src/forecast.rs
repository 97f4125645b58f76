//! What a tournament will take, before its first match.
//!
//! Battles are counted without rematches, which depend on results. *At most* means that every match uses all of its time: both
//! clocks, with the increments of as many turns as a match may have, or the limit of every turn (the slowest language's where
//! limits go by language). *Likely* goes by the matches that were measured, if there are any; otherwise a match takes 40 % of its
//! two clocks, or 60 turns of 90 % of their limit. Limits of nodes or depth, and none at all, say nothing about time.
//!
//! Matches that do not need each other's results are played at once, as many as there are slots; a round of a knockout waits for
//! the one before.

use std::{fmt, time::Duration};

use agon_referee::TimeControl;

use crate::{number::MOST_NUMBERS, plan::Plan};

/// Of a clock, what a match usually takes.
const SHARE_OF_CLOCKS: f64 = 0.4;

/// Of the limit of a turn, what a bot usually takes.
const SHARE_OF_TURNS: f64 = 0.9;

/// Turns that a match usually has.
const USUAL_TURNS: usize = 60;

/// Battles that can be played: every one of them is looked at after every result.
const MOST_BATTLES: u32 = 1_000_000;

/// What a tournament will take.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    /// Matches at once.
    pub slots: usize,
    /// Whether the likely time was measured rather than assumed.
    pub measured: bool,
    /// The tournaments of the series.
    pub parts: Vec<PartForecast>,
    /// Pairs of matches of a battle.
    pairs: u32,
}

/// What a tournament of a series will take.
#[derive(Clone, PartialEq, Debug)]
pub struct PartForecast {
    /// What people call it.
    pub name: String,
    /// Its stages.
    pub stages: Vec<StageForecast>,
}

/// What a stage will take.
#[derive(Clone, PartialEq, Debug)]
pub struct StageForecast {
    /// What people call it.
    pub name: String,
    /// Who plays.
    pub teams: usize,
    /// Its battles, without rematches.
    pub battles: usize,
    /// Their matches.
    pub matches: usize,
    /// If every match uses all of its time. Unknown without a clock.
    pub most: Option<Duration>,
    /// If matches are as they usually are. Unknown without a clock, unless matches were measured.
    pub likely: Option<Duration>,
}

/// Battles that can be played at once, as often as such a wave comes.
pub(crate) struct Wave {
    pub(crate) battles: usize,
    pub(crate) times: usize,
}

/// How a stage goes, as far as that does not depend on results.
pub(crate) struct Extent {
    pub(crate) waves: Vec<Wave>,
    /// How many go on of each group, or are left.
    pub(crate) advancing: Vec<usize>,
    /// How many share the first place if it is the last stage.
    pub(crate) winners: usize,
}

impl Extent {
    /// Of a stage in which all teams stand in one table.
    pub(crate) fn of_one_table(waves: Vec<Wave>, teams: usize, advance: usize) -> Extent {
        Extent { waves, advancing: vec![teams.min(advance)], winners: teams.min(1) }
    }
}

/// What a plan will take with so many matches at once. `measured` is how long a match took on average so far.
pub fn forecast(plan: &Plan, slots: usize, measured: Option<Duration>) -> Forecast {
    let format = &plan.format;
    let mut teams = plan.teams.len();
    let mut parts = Vec::new();
    for part in &format.parts {
        let pace = Pace {
            slots: slots.max(1),
            matches: format.matches as usize,
            most: longest(part.clock, format.max_turns),
            likely: measured.map(|time| time.as_secs_f64()).or_else(|| usual(part.clock, format.max_turns)),
        };
        let (mut entrants, mut groups, mut winners, mut stages) = (teams, vec![teams], 0, Vec::new());
        for stage in &format.stages {
            let extent = stage.kind.system().extent(entrants, &groups, stage.advance.unwrap_or(usize::MAX));
            stages.push(pace.stage(&stage.name, entrants, &extent.waves));
            winners = extent.winners;
            entrants = extent.advancing.iter().sum();
            groups = extent.advancing;
        }
        parts.push(PartForecast { name: part.name.clone(), stages });
        if format.winner_leaves.is_some() {
            teams -= winners.min(teams);
        }
    }
    Forecast { slots: slots.max(1), measured: measured.is_some(), parts, pairs: format.matches.div_ceil(2) }
}

impl Forecast {
    fn stages(&self) -> impl Iterator<Item = &StageForecast> {
        self.parts.iter().flat_map(|part| &part.stages)
    }

    /// All battles, without rematches.
    pub fn battles(&self) -> usize {
        self.stages().map(|stage| stage.battles).sum()
    }

    /// All matches.
    pub fn matches(&self) -> usize {
        self.stages().map(|stage| stage.matches).sum()
    }

    /// If every match uses all of its time.
    pub fn most(&self) -> Option<Duration> {
        self.stages().map(|stage| stage.most).try_fold(Duration::ZERO, |sum, time| Some(sum.saturating_add(time?)))
    }

    /// If matches are as they usually are.
    pub fn likely(&self) -> Option<Duration> {
        self.stages().map(|stage| stage.likely).try_fold(Duration::ZERO, |sum, time| Some(sum.saturating_add(time?)))
    }

    /// Why so many battles cannot be played, if they cannot.
    pub fn too_large(&self) -> Option<String> {
        let most = (MOST_NUMBERS / self.pairs.max(1)).min(MOST_BATTLES) as usize;
        let battles = self.battles();
        (battles > most)
            .then(|| format!("expected at most {most} battles, found {battles}; make groups or rounds smaller"))
    }
}

/// How fast matches are played.
struct Pace {
    slots: usize,
    /// Matches of a battle.
    matches: usize,
    most: Option<f64>,
    likely: Option<f64>,
}

impl Pace {
    fn stage(&self, name: &str, teams: usize, waves: &[Wave]) -> StageForecast {
        let battles: usize = waves.iter().map(|wave| wave.battles.saturating_mul(wave.times)).sum();
        // Whatever the slots, the last matches of a wave are played beside empty ones.
        let turns =
            waves.iter().map(|wave| (wave.battles * self.matches).div_ceil(self.slots) as f64 * wave.times as f64);
        let turns: f64 = turns.sum();
        let time = |each: f64| Duration::try_from_secs_f64(turns * each).unwrap_or(Duration::MAX);
        StageForecast {
            name: name.to_owned(),
            teams,
            battles,
            matches: battles.saturating_mul(self.matches),
            most: self.most.map(time),
            likely: self.likely.map(time),
        }
    }
}

fn limit(clock: TimeControl) -> Option<f64> {
    match clock {
        TimeControl::PerTurn(limit) => Some(limit.as_secs_f64()),
        TimeControl::PerTurnByLanguage { native, java, python } => Some(native.max(java).max(python).as_secs_f64()),
        TimeControl::Total { .. } | TimeControl::Nodes(_) | TimeControl::Depth(_) | TimeControl::Unlimited => None,
    }
}

/// Seconds that a match can take.
fn longest(clock: TimeControl, max_turns: usize) -> Option<f64> {
    match clock {
        TimeControl::Total { time, increment } => {
            Some(2.0 * time.as_secs_f64() + max_turns as f64 * increment.as_secs_f64())
        }
        _ => limit(clock).map(|limit| limit * max_turns as f64),
    }
}

/// Seconds that a match usually takes.
fn usual(clock: TimeControl, max_turns: usize) -> Option<f64> {
    let turns = max_turns.min(USUAL_TURNS) as f64;
    match clock {
        TimeControl::Total { time, increment } => {
            Some(SHARE_OF_CLOCKS * (2.0 * time.as_secs_f64() + turns * increment.as_secs_f64()))
        }
        _ => limit(clock).map(|limit| SHARE_OF_TURNS * limit * turns),
    }
}

/// As an organiser reads it.
impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.stages().map(|stage| stage.name.chars().count() + 2);
        let names = names.chain(self.parts.iter().map(|part| part.name.chars().count())).max().unwrap_or(0).max(5);
        writeln!(f, "{:names$}  teams  battles  matches      at most       likely", "")?;
        for part in &self.parts {
            if self.parts.len() > 1 {
                writeln!(f, "{}", part.name)?;
            }
            for stage in &part.stages {
                row(f, names, &format!("  {}", stage.name), Some(stage.teams), stage)?;
            }
        }
        let all = StageForecast {
            name: String::new(),
            teams: 0,
            battles: self.battles(),
            matches: self.matches(),
            most: self.most(),
            likely: self.likely(),
        };
        row(f, names, "All", None, &all)?;
        let at_once =
            if self.slots == 1 { "One match at once".to_owned() } else { format!("{} matches at once", self.slots) };
        let likely = if self.measured {
            "likely: as long as the matches so far"
        } else {
            "likely: 40 % of the clocks, or 60 turns of 90 % of their limit"
        };
        writeln!(f, "{at_once}. At most: every match uses all its time; {likely}. Rematches come on top.")
    }
}

fn row(
    f: &mut fmt::Formatter<'_>,
    names: usize,
    name: &str,
    teams: Option<usize>,
    stage: &StageForecast,
) -> fmt::Result {
    let teams = teams.map_or(String::new(), |teams| teams.to_string());
    let time = |time: Option<Duration>| time.map_or("unknown".to_owned(), spoken);
    let (most, likely) = (time(stage.most), time(stage.likely));
    writeln!(f, "{name:names$}  {teams:>5}  {:>7}  {:>7}  {most:>11}  {likely:>11}", stage.battles, stage.matches)
}

/// A time as people say it: `45 s`, `12 min`, `3 h 20 min`, `2 d 5 h`.
pub fn spoken(time: Duration) -> String {
    let minutes = (time.as_secs_f64() / 60.0).round() as u64;
    match minutes {
        _ if time.as_secs() < 100 => format!("{} s", time.as_secs_f64().round()),
        0..100 => format!("{minutes} min"),
        100..2880 => format!("{} h {:02} min", minutes / 60, minutes % 60),
        _ => format!("{} d {:02} h", minutes / 1440, minutes / 60 % 24),
    }
}
