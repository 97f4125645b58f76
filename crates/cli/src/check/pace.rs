//! The clock of a check: bots are told less than in the official run, so that a check is short, but are judged by
//! the official limits.
//!
//! Judging by the short clock would fail bots that are fine: one that thinks a second about every turn and never
//! looks at its clock
//! may well have the time in the official run.

use std::time::Duration;

use agon_referee::TimeControl;
use agon_rules::Side;
use agon_wire::Budget;

/// What a bot is told that it has for a whole match.
const SHORT_MATCH: Duration = Duration::from_secs(12);
/// What a bot is told that it has for a turn. A bot that always uses all of it makes a hundred turns in 20 s.
const SHORT_TURN: Duration = Duration::from_millis(200);
/// What a bot is told when it has used up more than it was told: little, but enough to answer.
const LEAST: Duration = Duration::from_millis(500);
/// Nobody waits longer for one turn of a bot that was told a short clock.
const LONGEST_WAIT: Duration = Duration::from_secs(12);

/// What a bot is told about its time, and how long it is waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The clock that the bot is judged by.
    pub(super) official: TimeControl,
    /// Whether the bot is told less than that.
    shortened: bool,
}

impl Pace {
    /// A short check under this clock.
    pub(super) fn short(official: TimeControl) -> Pace {
        Pace { official, shortened: true }
    }

    /// Somebody asked for this very clock.
    pub(super) fn exact(time: TimeControl) -> Pace {
        Pace { official: time, shortened: false }
    }

    /// Whether matches are stopped when they have gone on for long enough.
    pub(super) fn is_short(&self) -> bool {
        self.shortened
    }

    /// What the bot is told instead of `budget`, after it has used so much of the match.
    pub(super) fn told(&self, budget: Budget, side: Side, used: Duration) -> Budget {
        match budget {
            Budget::Clocks { mut left, .. } if self.shortened => {
                for each in Side::BOTH {
                    left[each] = left[each].min(SHORT_MATCH);
                }
                left[side] = left[side].min(SHORT_MATCH.saturating_sub(used).max(LEAST));
                Budget::clocks(left)
            }
            Budget::Turn(time) if self.shortened => Budget::Turn(time.min(SHORT_TURN)),
            other => other,
        }
    }

    /// How long to wait for a turn.
    pub(super) fn patience(&self, official: Option<Duration>) -> Option<Duration> {
        if !self.shortened {
            return official;
        }
        Some(official.map_or(LONGEST_WAIT, |patience| patience.min(LONGEST_WAIT)))
    }

    /// The clock in words: what the bot is told at the beginning, and what it officially has.
    pub(super) fn words(&self, told: Budget, official: Budget) -> String {
        let (told, official, kind) = match (told, official) {
            (Budget::Clocks { left: told, .. }, Budget::Clocks { left: official, .. }) => {
                (told.first, official.first, "for the whole match")
            }
            (Budget::Turn(told), Budget::Turn(official)) => (told, official, "a turn"),
            _ => return format!("{}: as you asked", self.official),
        };
        if !self.shortened {
            format!("{} {kind}, as you asked", plain(told))
        } else if told < official {
            format!("told {} {kind} to keep this short; the official clock has {}", plain(told), plain(official))
        } else {
            format!("{} {kind}, as in the official run", plain(told))
        }
    }
}

/// `12 s`, `0.2 s`.
pub(super) fn plain(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use agon_rules::BySide;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn a_bot_is_told_a_short_clock_that_runs_down() {
        let pace = Pace::short(TimeControl::Total { time: MINUTE, increment: Duration::ZERO });
        let official = Budget::clocks(BySide::new(MINUTE, MINUTE));
        let told = |used| pace.told(official, Side::Second, used);
        assert_eq!(told(Duration::ZERO), Budget::clocks(BySide::new(seconds(12), seconds(12))));
        assert_eq!(told(seconds(5)), Budget::clocks(BySide::new(seconds(12), seconds(7))));
        assert_eq!(told(seconds(50)), Budget::clocks(BySide::new(seconds(12), LEAST)), "never nothing");
        assert_eq!(pace.patience(Some(MINUTE)), Some(seconds(12)));
        let words = pace.words(told(Duration::ZERO), official);
        assert_eq!(words, "told 12 s for the whole match to keep this short; the official clock has 60 s");
    }

    #[test]
    fn turns_are_judged_by_the_official_limit() {
        let pace = Pace::short(TimeControl::PerTurn(seconds(2)));
        assert_eq!(pace.told(Budget::Turn(seconds(2)), Side::First, MINUTE), Budget::Turn(SHORT_TURN));
        assert_eq!(pace.patience(Some(seconds(2))), Some(seconds(2)));
    }

    #[test]
    fn a_clock_that_was_asked_for_is_left_alone() {
        let pace = Pace::exact(TimeControl::PerTurn(MINUTE));
        assert_eq!(pace.told(Budget::Turn(MINUTE), Side::First, MINUTE), Budget::Turn(MINUTE));
        assert_eq!(pace.patience(None), None);
        assert_eq!(pace.words(Budget::Turn(MINUTE), Budget::Turn(MINUTE)), "60 s a turn, as you asked");
    }
}
