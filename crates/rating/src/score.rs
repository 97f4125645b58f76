//! What happened: counts of matches and of battles.

use std::{fmt, ops};

use crate::sample::Sample;

/// How a match ended for the bot that is measured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatchResult {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost.
    Loss,
}

impl MatchResult {
    /// 1 for a win, ½ for a draw, 0 for a loss.
    pub const fn score(self) -> f64 {
        match self {
            MatchResult::Win => 1.0,
            MatchResult::Draw => 0.5,
            MatchResult::Loss => 0.0,
        }
    }

    /// The same match seen by the opponent.
    pub const fn swapped(self) -> MatchResult {
        match self {
            MatchResult::Win => MatchResult::Loss,
            MatchResult::Draw => MatchResult::Draw,
            MatchResult::Loss => MatchResult::Win,
        }
    }

    const fn half_points(self) -> usize {
        match self {
            MatchResult::Win => 2,
            MatchResult::Draw => 1,
            MatchResult::Loss => 0,
        }
    }
}

/// Matches by result (the trinomial counts), seen by the first bot.
///
/// ```
/// use agon_rating::Score;
///
/// let score = Score { wins: 136, draws: 111, losses: 96 };
/// assert_eq!(score.matches(), 343);
/// assert_eq!(score.to_string(), "136 - 96 - 111 [0.558] 343");
/// assert_eq!(score.elo().to_string(), "+40.7 ± 30.4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Score {
    /// Matches that the first bot won.
    pub wins: u64,
    /// Matches that nobody won.
    pub draws: u64,
    /// Matches that the first bot lost.
    pub losses: u64,
}

impl Score {
    /// Counts one more match.
    pub fn record(&mut self, result: MatchResult) {
        match result {
            MatchResult::Win => self.wins += 1,
            MatchResult::Draw => self.draws += 1,
            MatchResult::Loss => self.losses += 1,
        }
    }

    /// How many matches were counted.
    pub const fn matches(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// The share of the possible score, `(wins + draws / 2) / matches`; `None` without matches.
    pub fn fraction(&self) -> Option<f64> {
        self.sample().map(|sample| sample.mean())
    }

    /// The share of drawn matches; `None` without matches.
    pub fn draw_ratio(&self) -> Option<f64> {
        self.sample().map(|sample| sample.fractions[1])
    }

    /// The same matches seen by the opponent.
    pub const fn swapped(&self) -> Score {
        Score { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The counts by what a match is worth: 0, ½, 1.
    pub const fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    pub(crate) fn sample(&self) -> Option<Sample<3>> {
        Sample::new(self.counts())
    }
}

impl ops::AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// `wins - losses - draws [fraction] matches`, in the order that match runners for chess engines print.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} - {} - {}", self.wins, self.losses, self.draws)?;
        match self.fraction() {
            Some(fraction) => write!(f, " [{fraction:.3}] {}", self.matches()),
            None => Ok(()),
        }
    }
}

/// Battles by the first bot's score in both matches together: 0, ½, 1, 1½, 2.
///
/// The middle count holds two kinds of battle, a win with a loss and two draws: both are worth 1, and the distinction
/// says nothing about strength. It is therefore not kept, and a [`Score`] can only be recovered by
/// [`Pentanomial::to_score`], which is told how many were two draws.
///
/// ```
/// use agon_rating::{MatchResult, Pentanomial};
///
/// let mut battles = Pentanomial::default();
/// battles.record(MatchResult::Win, MatchResult::Draw);
/// battles.record(MatchResult::Win, MatchResult::Loss);
/// battles.record(MatchResult::Draw, MatchResult::Draw);
/// assert_eq!(battles, Pentanomial([0, 0, 2, 1, 0]));
/// assert_eq!(battles.matches(), 6);
/// assert_eq!(battles.elo().to_string(), "+58.5 ± 98.1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more battle, by the first bot's results in its two matches (in any order).
    pub fn record(&mut self, one: MatchResult, other: MatchResult) {
        self.0[one.half_points() + other.half_points()] += 1;
    }

    /// How many battles were counted.
    pub fn battles(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// How many matches were counted: two in each battle.
    pub fn matches(&self) -> u64 {
        self.battles().saturating_mul(2)
    }

    /// The share of the possible score; `None` without battles.
    pub fn fraction(&self) -> Option<f64> {
        self.sample().map(|sample| sample.mean())
    }

    /// The share of battles that ended level, 1 to 1; `None` without battles.
    ///
    /// This is not the share of drawn matches: see [`Score::draw_ratio`].
    pub fn draw_ratio(&self) -> Option<f64> {
        self.sample().map(|sample| sample.fractions[2])
    }

    /// The same battles seen by the opponent.
    pub const fn swapped(&self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    /// The matches of these battles, of which `two_draws` were two draws; `None` when fewer battles ended level.
    ///
    /// ```
    /// use agon_rating::{Pentanomial, Score};
    ///
    /// let battles = Pentanomial([1, 2, 5, 3, 4]);
    /// assert_eq!(battles.to_score(2), Some(Score { wins: 14, draws: 9, losses: 7 }));
    /// assert_eq!(battles.to_score(6), None);
    /// ```
    pub fn to_score(&self, two_draws: u64) -> Option<Score> {
        let [both_lost, drawn_and_lost, level, won_and_drawn, both_won] = self.0;
        let split = level.checked_sub(two_draws)?;
        Some(Score {
            wins: 2 * both_won + won_and_drawn + split,
            draws: won_and_drawn + drawn_and_lost + 2 * two_draws,
            losses: 2 * both_lost + drawn_and_lost + split,
        })
    }

    pub(crate) fn sample(&self) -> Option<Sample<5>> {
        Sample::new(self.0)
    }
}

impl ops::AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

/// `[a, b, c, d, e]`, from battles lost twice to battles won twice.
impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e] = self.0;
        write!(f, "[{a}, {b}, {c}, {d}, {e}]")
    }
}
