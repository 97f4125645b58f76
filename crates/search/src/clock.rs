//! How long to think about a turn.

use std::time::Duration;

use crate::Limits;

/// A side's own total clock, as the referee says it is, and what turns cost on it besides the thinking: the referee sees a question
/// leave and an answer arrive, the bot only what is between.
#[derive(Clone, Copy, Debug, Default)]
pub struct TotalClock {
    /// What was left when the first turn began.
    first: Option<Duration>,
    left: Duration,
    /// What the turn adds when it is made.
    increment: Duration,
    /// What should be left when the next turn begins.
    expected: Option<Duration>,
    /// What was lost in how many turns.
    lost: Duration,
    turns: u32,
}

/// What a turn is taken to cost before anything is known, and as how many observed turns that counts.
const USUAL_COST: Duration = Duration::from_millis(2);
const USUAL_COST_TURNS: u32 = 8;

impl TotalClock {
    /// A turn begins with `left` on the clock, and adds `increment` once it is made. More than expected (somebody set the clock) teaches nothing.
    pub fn turn_begins(&mut self, left: Duration, increment: Duration) {
        if let Some(expected) = self.expected.take().filter(|&expected| expected >= left) {
            self.lost += expected - left;
            self.turns += 1;
        }
        (self.left, self.increment) = (left, increment);
        self.first.get_or_insert(left);
    }

    /// The answer is ready after `used`. What was used beyond the limit is no thinking but a cost, too.
    pub fn turn_ends(&mut self, used: Duration, limits: &Limits) {
        let used = limits.hard.map_or(used, |hard| used.min(hard));
        self.expected = Some(self.left.saturating_sub(used) + self.increment);
    }

    /// What a turn costs on average.
    fn cost(&self) -> Duration {
        (USUAL_COST * USUAL_COST_TURNS + self.lost) / (USUAL_COST_TURNS + self.turns)
    }

    /// What must not be thought away: the cost of every turn of the longest game, a little more because costs vary, and a cushion for one
    /// bad moment. Only so much of the whole clock: where turns cost more than that the longest game cannot be played, and a usual one
    /// should at least be played well.
    fn reserve(&self, progress: Progress) -> Duration {
        let whole = self.first.unwrap_or(self.left);
        let turns = progress.longest.saturating_sub(progress.made).max(LEAST_TURNS_RESERVED);
        let most = whole.mul_f64(MOST_RESERVED) / progress.longest.max(1);
        let each = self.least_each().saturating_sub(self.increment);
        each.min(most) * turns + (whole / 20).min(CUSHION)
    }

    /// What a turn takes of the clock when there is no thinking.
    fn least_each(&self) -> Duration {
        (self.cost() + LEAST_THOUGHT) * 5 / 4
    }
}

/// How far a game has come, in turns of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Turns made.
    pub made: u32,
    /// Turns of a usual game.
    pub usual: u32,
    /// Turns of the longest game that must not be lost on time.
    pub longest: u32,
}

/// The part of a limit for each turn that is used: the rest is for what no clock here sees.
const SHARE_OF_TURN: f64 = 0.97;
/// What is left besides: the answer must be written, carried and read.
const ANSWERING: Duration = Duration::from_millis(6);
/// A turn that turns out to be hard may take this many times its share of a total clock.
const MOST_SHARES: u32 = 4;
/// A total clock is shared out among at least this many turns that may still come.
const LEAST_TURNS_LEFT: u32 = 12;
/// No turn takes more of a total clock than a sixth, and its increment.
const CLOCK_PARTS: u32 = 6;
/// And none more than a third, however much it adds: what is not thought away stays as a cushion of about two increments.
const CLOCK_PARTS_WITH_INCREMENT: u32 = 3;
/// However little is left, a turn takes about this long: that much is reserved for each that may still come.
const LEAST_THOUGHT: Duration = Duration::from_millis(1);
/// A game may always go on for this many turns more.
const LEAST_TURNS_RESERVED: u32 = 40;
/// What is left over in the end.
const CUSHION: Duration = Duration::from_millis(250);
/// The part of a clock that may be reserved for the turns to come.
const MOST_RESERVED: f64 = 0.75;

impl Limits {
    /// A limit for this turn, all of which may be used: the next turn has its own.
    pub fn for_turn(limit: Duration) -> Limits {
        let usable = limit.mul_f64(SHARE_OF_TURN).saturating_sub(ANSWERING);
        // However short the limit, there is a moment to think: a third of it.
        Limits { hard: Some(usable.max(limit / 3)), ..Limits::default() }
    }

    /// A share of what is left of a total clock.
    pub fn for_clock(clock: &TotalClock, progress: Progress) -> Limits {
        let to_come = progress.usual.saturating_sub(progress.made).max(LEAST_TURNS_LEFT);
        let usable = clock.left.saturating_sub(clock.reserve(progress));
        // The increment comes when the turn is made, so it may be thought away in advance; but only while enough is left for the turn.
        let increment = clock.increment.saturating_sub(clock.least_each());
        let share = usable / to_come + increment;
        let most = share * MOST_SHARES;
        let most =
            most.min(usable / CLOCK_PARTS + increment).min(clock.left / CLOCK_PARTS_WITH_INCREMENT).max(LEAST_THOUGHT);
        Limits { soft: Some(share.min(most) * 2 / 3), hard: Some(most), ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stopwatch::Pauses;

    fn millis(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn progress(made: u32) -> Progress {
        Progress { made, usual: 40, longest: 500 }
    }

    #[test]
    fn a_limit_for_each_turn_is_used_to_nine_tenths() {
        for limit in [100, 1000, 2000].map(millis) {
            let used = Limits::for_turn(limit).hard.unwrap();
            assert!(used >= limit.mul_f64(0.9) && used < limit, "{used:?} of {limit:?}");
            // As it is on a quiet machine.
            let mut pauses = Pauses::default();
            pauses.saw(Duration::from_micros(600));
            assert!(used - pauses.reserve(used) >= limit.mul_f64(0.9));
        }
        assert_eq!(Limits::for_turn(millis(10)).hard, Some(Duration::from_micros(3700)));
        assert_eq!(Limits::for_turn(millis(6)).hard, Some(millis(2)));
    }

    /// What a clock comes to in a game whose turns think for as long as `thinks` says and cost `cost` besides.
    fn played(total: u64, turns: u32, cost: Duration, thinks: impl Fn(&Limits) -> Duration) -> (Duration, TotalClock) {
        let (mut left, mut clock) = (millis(total), TotalClock::default());
        for made in 0..turns {
            clock.turn_begins(left, Duration::ZERO);
            let limits = Limits::for_clock(&clock, progress(made));
            assert!(limits.soft <= limits.hard && limits.hard.unwrap() <= (left / 6).max(LEAST_THOUGHT), "{limits:?}");
            let used = thinks(&limits);
            clock.turn_ends(used, &limits);
            left = left.saturating_sub(used + cost);
        }
        (left, clock)
    }

    /// A turn that is not hard, on a machine where the first moment of thinking takes no less.
    fn usual_turn(limits: &Limits) -> Duration {
        limits.soft.unwrap().max(LEAST_THOUGHT)
    }

    #[test]
    fn what_the_referee_takes_is_learnt_from_what_is_left() {
        assert_eq!(TotalClock::default().cost(), USUAL_COST);
        let (left, mut clock) = played(60_000, 100, millis(4), usual_turn);
        assert!(clock.cost() > Duration::from_micros(3800) && clock.cost() <= millis(4), "{:?}", clock.cost());
        // A search that was kept from ending in time.
        let (_, slow) = played(60_000, 100, millis(4), |limits| limits.hard.unwrap() + millis(6));
        assert!(slow.cost() > Duration::from_micros(9000) && slow.cost() <= millis(10), "{:?}", slow.cost());
        let learnt = clock.cost();
        clock.turn_begins(left + millis(500), Duration::ZERO);
        assert_eq!(clock.cost(), learnt, "a clock that somebody set is nothing that turns bring");
    }

    #[test]
    fn a_total_clock_outlasts_the_longest_game() {
        for (total, cost) in [(5_000, 1), (5_000, 3), (5_000, 5), (120_000, 4), (120_000, 50)] {
            let (left, _) = played(total, 500, millis(cost), usual_turn);
            assert!(!left.is_zero(), "{total} ms, {cost} ms a turn");
        }
        // Even if every turn took as long as it may.
        for total in [5_000, 120_000] {
            let (left, _) = played(total, 500, USUAL_COST, |limits| limits.hard.unwrap());
            assert!(!left.is_zero(), "{total} ms, all hard");
        }
    }

    /// What is left at least at the end of each of `turns` turns with an increment, in milliseconds. Says what the turns thought, too.
    fn with_increment(total: u64, increment: u64, turns: u32, cost: u64, hard: bool) -> (Duration, Vec<Duration>) {
        let (mut left, mut clock) = (millis(total), TotalClock::default());
        let (mut least, mut thought) = (left, Vec::new());
        for made in 0..turns {
            clock.turn_begins(left, millis(increment));
            let limits = Limits::for_clock(&clock, progress(made));
            let used = if hard { limits.hard.unwrap() } else { usual_turn(&limits) };
            clock.turn_ends(used, &limits);
            left = left.saturating_sub(used + millis(cost));
            least = least.min(left);
            left += millis(increment);
            thought.push(used);
        }
        (least, thought)
    }

    #[test]
    fn a_short_clock_with_an_increment_lasts_for_ever_and_is_used() {
        for (total, increment) in [(100, 50), (1000, 20), (0, 100), (60_000, 500)] {
            for (cost, hard) in [(1, false), (4, false), (1, true), (8, true)] {
                let case = format!("{total}+{increment} ms, {cost} ms a turn, all hard: {hard}");
                let (least, thought) = with_increment(total, increment, 2000, cost, hard);
                assert!(total == 0 || least >= millis(increment / 2), "{case}: {least:?} was left");
                let late = thought[1900..].iter().sum::<Duration>() / 100;
                assert!(late >= millis(increment).mul_f64(0.4) && late < millis(increment), "{case}: {late:?} a turn");
            }
        }
    }

    #[test]
    fn an_increment_is_thought_away_besides_the_clock() {
        let thought = |increment| with_increment(60_000, increment, 30, 1, false).1;
        let (without, with) = (thought(0), thought(1000));
        assert!(
            without.iter().zip(&with).all(|(&without, &with)| with > without + millis(400)),
            "{without:?} {with:?}"
        );
    }

    #[test]
    fn what_turns_cost_is_learnt_with_an_increment_too() {
        let mut clock = TotalClock::default();
        let mut left = millis(10_000);
        for made in 0..100 {
            clock.turn_begins(left, millis(100));
            let limits = Limits::for_clock(&clock, progress(made));
            clock.turn_ends(millis(50), &limits);
            left = left - millis(50 + 9) + millis(100);
        }
        assert!(clock.cost() > millis(8) && clock.cost() <= millis(9), "{:?}", clock.cost());
    }

    #[test]
    fn most_of_a_total_clock_is_used_in_a_usual_game() {
        for total in [5_000, 120_000] {
            let (left, _) = played(total, 40, Duration::from_micros(300), |limits| limits.soft.unwrap() * 3 / 2);
            assert!(left < millis(total) * 2 / 5, "{left:?} of {total} ms");
        }
    }
}
