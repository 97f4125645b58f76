//! The clock of a check: bots that are told their time are told less than in the official run, so that a check is short, but are
//! judged by the official limits.
//!
//! Judging by the short clock would fail bots that are fine: one that thinks a second about every turn and never looks at its clock
//! may well have the time in the official run. A bot that fails at a short clock is tried at the official one, for the same reason.

use std::time::Duration;

use agon_referee::TimeControl;
use agon_rules::{Clock, Side};
use agon_wire::Budget;

/// What a bot is told that it has for a whole match.
const SHORT_MATCH: Duration = Duration::from_secs(12);
/// What a bot is told that it has for a turn. A bot that always uses all of it makes a hundred turns in 20 s.
const SHORT_TURN: Duration = Duration::from_millis(200);
/// What a bot is told when it has used up more than it was told: little, but enough to answer.
const LEAST: Duration = Duration::from_millis(500);
/// Nobody waits longer for one turn of a bot that was told a short clock.
const LONGEST_WAIT: Duration = Duration::from_secs(12);
/// A match at the official clock of a bot that failed at a short one, where each turn has its time.
const LONG_MATCH: Duration = Duration::from_secs(60);

/// Where the clock comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PaceKind {
    /// The official one, of which the bot is told a part if it can live with that.
    Short,
    /// The official one.
    Official,
    /// Somebody asked for it.
    AsAsked,
}

/// What a bot is told about its time, and how long it is waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The clock that the bot is judged by.
    pub(crate) official: TimeControl,
    kind: PaceKind,
    /// Whether the bot is told its time for a turn. One that waits until it is stopped, or is told nothing, cannot keep to less.
    hears_turns: bool,
}

impl Pace {
    /// A short check under this clock, with a bot that is told how long it has for a turn or not.
    pub(crate) fn short(official: TimeControl, hears_turns: bool) -> Pace {
        Pace { official, kind: PaceKind::Short, hears_turns }
    }

    /// Somebody asked for this very clock.
    pub(crate) fn exact(time: TimeControl) -> Pace {
        Pace { official: time, kind: PaceKind::AsAsked, hears_turns: true }
    }

    /// The same, but nothing is kept from the bot.
    pub(crate) fn at_the_official_clock(self) -> Pace {
        Pace { kind: PaceKind::Official, ..self }
    }

    /// The same under the clock that the bot was written for, unless somebody asked for another; `None` if that changes nothing.
    pub(crate) fn for_a_bot_of(self, clock: Clock) -> Option<Pace> {
        let official = TimeControl::from(clock);
        (self.kind != PaceKind::AsAsked && self.official != official).then_some(Pace { official, ..self })
    }

    /// Whether the bot is told less than it has.
    pub(crate) fn is_shortened(&self) -> bool {
        let longest = match self.official {
            TimeControl::Total { time, .. } => time.saturating_sub(SHORT_MATCH),
            TimeControl::PerTurn(time) | TimeControl::PerTurnByLanguage { native: time, .. } if self.hears_turns => {
                time.saturating_sub(SHORT_TURN)
            }
            _ => Duration::ZERO,
        };
        self.kind == PaceKind::Short && !longest.is_zero()
    }

    /// The word for programs.
    pub(crate) fn name(&self) -> &'static str {
        match self.kind {
            PaceKind::AsAsked => "as asked",
            PaceKind::Short if self.is_shortened() => "shortened",
            PaceKind::Short | PaceKind::Official => "official",
        }
    }

    /// How long a match goes on at most, of the time that is meant for it. At the official clock it takes as long as it takes; only
    /// where each turn has its time there would be no end.
    pub(crate) fn longest_match(&self, meant: Duration) -> Option<Duration> {
        match (self.kind, self.official) {
            (PaceKind::AsAsked, _) | (PaceKind::Official, TimeControl::Total { .. }) => None,
            (PaceKind::Official, _) => Some(LONG_MATCH),
            (PaceKind::Short, _) => Some(meant),
        }
    }

    /// What the bot is told instead of `budget`, after it has used so much of the match.
    pub(crate) fn announced(&self, budget: Budget, side: Side, used: Duration) -> Budget {
        match budget {
            Budget::Clocks { mut left, .. } if self.kind == PaceKind::Short => {
                for each in Side::BOTH {
                    left[each] = left[each].min(SHORT_MATCH);
                }
                left[side] = left[side].min(SHORT_MATCH.saturating_sub(used).max(LEAST));
                Budget::clocks(left)
            }
            Budget::Turn(time) if self.is_shortened() => Budget::Turn(time.min(SHORT_TURN)),
            other => other,
        }
    }

    /// How long to wait for a turn.
    pub(crate) fn patience(&self, official: Option<Duration>) -> Option<Duration> {
        if self.kind != PaceKind::Short {
            return official;
        }
        Some(official.map_or(LONGEST_WAIT, |patience| patience.min(LONGEST_WAIT)))
    }

    /// The clock in words: what the bot is told at the beginning, and what it officially has.
    pub(crate) fn words(&self, told: Budget, official: Budget) -> String {
        let (told, official, kind) = match (told, official) {
            (Budget::Clocks { left: told, .. }, Budget::Clocks { left: official, .. }) => {
                (told.first, official.first, "for the whole match")
            }
            (Budget::Turn(told), Budget::Turn(official)) => (told, official, "a turn"),
            _ => return format!("{}: as you asked", self.official),
        };
        if self.kind == PaceKind::AsAsked {
            let more = match self.official {
                TimeControl::Total { increment, .. } if !increment.is_zero() => {
                    format!(" and {} more for each turn", plain(increment))
                }
                _ => String::new(),
            };
            format!("{} {kind}{more}, as you asked", plain(told))
        } else if told < official {
            format!("told {} {kind} to keep this short; the official clock has {}", plain(told), plain(official))
        } else {
            format!("{} {kind}, as in the official run", plain(told))
        }
    }
}

/// `12 s`, `0.2 s`.
pub(crate) fn plain(time: Duration) -> String {
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
        let pace = Pace::short(TimeControl::Total { time: MINUTE, increment: Duration::ZERO }, true);
        let official = Budget::clocks(BySide::new(MINUTE, MINUTE));
        let told = |used| pace.announced(official, Side::Second, used);
        assert_eq!(told(Duration::ZERO), Budget::clocks(BySide::new(seconds(12), seconds(12))));
        assert_eq!(told(seconds(5)), Budget::clocks(BySide::new(seconds(12), seconds(7))));
        assert_eq!(told(seconds(50)), Budget::clocks(BySide::new(seconds(12), LEAST)), "never nothing");
        assert_eq!(pace.patience(Some(MINUTE)), Some(seconds(12)));
        let words = pace.words(told(Duration::ZERO), official);
        assert_eq!(words, "told 12 s for the whole match to keep this short; the official clock has 60 s");
    }

    #[test]
    fn turns_are_judged_by_the_official_limit() {
        let pace = Pace::short(TimeControl::PerTurn(seconds(2)), true);
        assert_eq!(pace.announced(Budget::Turn(seconds(2)), Side::First, MINUTE), Budget::Turn(SHORT_TURN));
        assert_eq!(pace.patience(Some(seconds(2))), Some(seconds(2)));
    }

    #[test]
    fn a_bot_that_waits_to_be_stopped_has_the_official_time() {
        let pace = Pace::short(TimeControl::PerTurn(seconds(2)), false);
        let turn = Budget::Turn(seconds(2));
        assert_eq!(pace.announced(turn, Side::First, MINUTE), turn);
        assert_eq!((pace.is_shortened(), pace.name()), (false, "official"), "there is nothing to try again");
        assert_eq!(pace.words(turn, turn), "2 s a turn, as in the official run");
        assert_eq!(pace.longest_match(seconds(25)), Some(seconds(25)), "fewer turns instead");
    }

    #[test]
    fn nothing_is_kept_from_a_bot_that_failed_at_a_short_clock() {
        let total = TimeControl::Total { time: MINUTE, increment: Duration::ZERO };
        let short = Pace::short(total, false);
        let long = short.at_the_official_clock();
        let official = Budget::clocks(BySide::new(MINUTE, seconds(30)));
        assert!(short.is_shortened() && !long.is_shortened());
        assert_eq!(long.announced(official, Side::Second, seconds(30)), official);
        assert_eq!((long.patience(Some(MINUTE)), long.longest_match(seconds(25))), (Some(MINUTE), None));
    }

    #[test]
    fn a_bot_may_have_been_written_for_another_clock() {
        let pace = Pace::short(TimeControl::PerTurn(seconds(2)), false);
        let total = pace.for_a_bot_of(Clock::Total(MINUTE)).expect("another clock");
        assert_eq!(total.official, TimeControl::Total { time: MINUTE, increment: Duration::ZERO });
        assert!(total.is_shortened() && total.for_a_bot_of(Clock::Total(MINUTE)).is_none());
        assert!(Pace::exact(TimeControl::PerTurn(seconds(2))).for_a_bot_of(Clock::Total(MINUTE)).is_none());
    }

    #[test]
    fn a_clock_that_was_asked_for_is_left_alone() {
        let pace = Pace::exact(TimeControl::PerTurn(MINUTE));
        assert_eq!(pace.announced(Budget::Turn(MINUTE), Side::First, MINUTE), Budget::Turn(MINUTE));
        assert_eq!(pace.patience(None), None);
        assert_eq!(pace.words(Budget::Turn(MINUTE), Budget::Turn(MINUTE)), "60 s a turn, as you asked");
    }
}
