//! Battles, and what became of them.

use std::{collections::BTreeMap, fmt};

use agon_referee::TimeControl;
use agon_rules::{Side, Verdict};

/// What became of a match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// Who won, or that nobody did.
    pub verdict: Verdict,
    /// The points of the first and the second side.
    pub points: [f64; 2],
    /// Their margin scores, if the game's text defines any; else the difference of the points is what counts.
    pub margins: Option<[f64; 2]>,
    /// Turns that were made.
    pub turns: u32,
    /// Whether it was not played, because a team is out.
    pub forfeit: bool,
}

/// The results that are known, by the number of the battle and the match of the pair. They are asked for in this order, which a
/// sorted map answers faster than one that scatters them.
pub type Results = BTreeMap<(u32, u8), Outcome>;

/// Where in a tournament a battle has its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The tournament of the series.
    pub part: usize,
    /// The stage of it.
    pub stage: usize,
    /// Where in the stage.
    pub spot: Spot,
    /// How many battles came before it to decide the same.
    pub rematch: usize,
}

/// Where in a stage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spot {
    /// In a group, or in a gauntlet as group 0.
    Group {
        /// Which.
        group: usize,
        /// Which battle of it.
        battle: usize,
    },
    /// In a round of a knockout.
    Bracket {
        /// Places that are left in the bracket.
        of: usize,
        /// Which battle of it.
        battle: usize,
    },
    /// For the third place.
    ThirdPlace,
    /// In a round of a swiss stage or a ladder.
    Round {
        /// Which.
        round: usize,
        /// Which battle of it.
        battle: usize,
    },
}

impl Place {
    /// Whether a battle with this place was paired by what became of an `earlier` one.
    pub(crate) fn rests_on(&self, earlier: &Place) -> bool {
        if (self.part, self.stage) != (earlier.part, earlier.stage) {
            return (self.part, self.stage) > (earlier.part, earlier.stage);
        }
        match (self.spot, earlier.spot) {
            (Spot::Group { group, .. }, Spot::Group { group: same, .. }) => {
                group == same && self.rematch > earlier.rematch
            }
            (Spot::Round { round, .. }, Spot::Round { round: before, .. }) => round > before,
            (Spot::Bracket { of, battle }, Spot::Bracket { of: wider, battle: below }) if of < wider => {
                below / (wider / of) == battle
            }
            (Spot::ThirdPlace, Spot::Bracket { of, .. }) => of > 2,
            (one, other) => one == other && self.rematch > earlier.rematch,
        }
    }

    /// Grows from a team's earlier battles to those that were paired later; battles that were paired together have the same.
    pub(crate) fn order(&self) -> (usize, usize, usize, usize) {
        let round = match self.spot {
            Spot::Group { .. } => 0,
            Spot::Round { round, .. } => round,
            Spot::Bracket { of, .. } => usize::MAX - of,
            Spot::ThirdPlace => usize::MAX - 2,
        };
        (self.part, self.stage, round, self.rematch)
    }
}

/// The short form, for records and programs: `1.2.r16.b3`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.", self.part + 1, self.stage + 1)?;
        match self.spot {
            Spot::Group { group, battle } => write!(f, "g{}.b{}", group + 1, battle + 1)?,
            Spot::Bracket { of, battle } => write!(f, "r{of}.b{}", battle + 1)?,
            Spot::ThirdPlace => f.write_str("third")?,
            Spot::Round { round, battle } => write!(f, "round{}.b{}", round + 1, battle + 1)?,
        }
        if self.rematch > 0 {
            write!(f, ".rematch{}", self.rematch)?;
        }
        Ok(())
    }
}

/// One match of a battle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Half {
    /// The number under which it is stored.
    pub number: u32,
    /// 0, or 1 with the sides swapped.
    pub half: u8,
    /// How often it was declared void before.
    pub attempt: u32,
    /// What became of it.
    pub outcome: Option<Outcome>,
}

impl Half {
    /// Which of the battle's two players has a side.
    pub fn seat(&self, side: Side) -> usize {
        usize::from(side == Side::Second) ^ usize::from(self.half)
    }
}

/// A battle, as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub struct Battle {
    /// Its place.
    pub place: Place,
    /// The two players; the first has the first side in the first match.
    pub players: [usize; 2],
    /// How long bots may think.
    pub clock: TimeControl,
    /// Its matches.
    pub halves: Vec<Half>,
}

impl Outcome {
    /// Whether a side lost without a turn of its own: its bot would not start or failed before its first turn, or its team was out.
    pub fn is_absent(&self, side: Side) -> bool {
        self.verdict.lost_by(side) && !self.is_played_by(side)
    }

    /// Whether a side made a turn of its own.
    pub fn is_played_by(&self, side: Side) -> bool {
        // The first side begins, so it has the odd turn.
        let own = (self.turns + u32::from(side == Side::First)) / 2;
        !self.forfeit && own > 0
    }
}

impl Battle {
    /// Whether all of it is known.
    pub fn is_over(&self) -> bool {
        self.halves.iter().all(|half| half.outcome.is_some())
    }

    /// What it brought one of its players so far.
    pub fn tally(&self, seat: usize) -> Tally {
        let mut tally = Tally::default();
        for half in &self.halves {
            let Some(outcome) = half.outcome else { continue };
            let side = if half.seat(Side::First) == seat { Side::First } else { Side::Second };
            let own = usize::from(side == Side::Second);
            tally.matches += 1;
            tally.points += outcome.points[own];
            tally.against += outcome.points[1 - own];
            tally.absent += u32::from(outcome.is_absent(side));
            tally.played += u32::from(outcome.is_played_by(side));
            tally.margin += match outcome.margins {
                Some(margins) => margins[own],
                None => outcome.points[own] - outcome.points[1 - own],
            };
            match outcome.verdict {
                Verdict::Drawn => tally.draws += 1,
                Verdict::Won(winner) if winner == side => {
                    tally.wins += 1;
                    tally.wins_played += u32::from(!outcome.forfeit);
                    tally.turns_won += u64::from(outcome.turns);
                }
                Verdict::Won(_) | Verdict::BothLost => {}
            }
        }
        tally.battles = u32::from(self.is_over());
        tally
    }
}

/// What matches brought a player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Battles that are over.
    pub battles: u32,
    /// Won battles count 1, drawn ones ½.
    pub battle_score: f64,
    /// Matches.
    pub matches: u32,
    /// Won ones.
    pub wins: u32,
    /// Drawn ones.
    pub draws: u32,
    /// Points.
    pub points: f64,
    /// The opponents' points.
    pub against: f64,
    /// Matches in which it made a turn of its own.
    pub played: u32,
    /// Matches that it lost without a turn of its own.
    pub absent: u32,
    /// Margin scores, or what the points are more than the opponents'.
    pub margin: f64,
    /// Won ones that were played.
    pub wins_played: u32,
    /// Turns of those.
    pub turns_won: u64,
}

impl Tally {
    /// Lost matches.
    pub fn losses(&self) -> u32 {
        self.matches - self.wins - self.draws
    }

    /// Won matches count 1, drawn ones ½.
    pub fn score(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// An average over all matches.
    pub(crate) fn average(&self, sum: f64) -> f64 {
        if self.matches == 0 { 0.0 } else { sum / f64::from(self.matches) }
    }

    pub(crate) fn add(&mut self, other: &Tally) {
        self.battles += other.battles;
        self.battle_score += other.battle_score;
        self.matches += other.matches;
        self.wins += other.wins;
        self.draws += other.draws;
        self.points += other.points;
        self.against += other.against;
        self.played += other.played;
        self.absent += other.absent;
        self.margin += other.margin;
        self.wins_played += other.wins_played;
        self.turns_won += other.turns_won;
    }
}
