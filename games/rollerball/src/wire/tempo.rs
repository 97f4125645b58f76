//! How long to think where the protocol does not say it: a house bot learns it from what it is told.

use std::time::Duration;

use agon_rules::BySide;
use agon_wire::Budget;

/// How long to think before anything is known: the course allowed one or two seconds between `go` and `stop`.
const THINKING: Duration = Duration::from_millis(900);

/// Nobody waits longer for `stop`.
const LONGEST_THINKING: Duration = Duration::from_secs(60);

/// So much of the time until `stop` is kept back, at the least: messages are on their way for a while.
const KEPT_BACK: Duration = Duration::from_millis(60);

/// Who waits less for `stop` was late.
const WAITING: Duration = Duration::from_millis(5);

/// Clocks that stand still for so long are no clocks of a whole game.
const NOTICED: Duration = Duration::from_millis(5);

/// Nobody gives more for each turn in the later dialect; more is a clock.
const MOST_FOR_A_TURN: Duration = Duration::from_secs(10);

/// What was learnt so far.
#[derive(Debug)]
pub(super) struct Tempo {
    /// How long to think after a lone `go`.
    thinking: Duration,
    /// The last time that was told, and how long the thought took that it was for.
    last: Option<(Duration, Duration)>,
    /// Whether the time that is told is for the turn.
    each_turn: bool,
}

impl Tempo {
    pub(super) fn new() -> Tempo {
        Tempo { thinking: THINKING, last: None, each_turn: false }
    }

    /// A new game may have another clock; the one who says `stop` stays the same.
    pub(super) fn begin(&mut self) {
        (self.last, self.each_turn) = (None, false);
    }

    /// After a lone `go`.
    pub(super) fn until_stop(&self) -> Budget {
        Budget::Turn(self.thinking)
    }

    /// After `go MILLISECONDS`. In the course that is what is left for the whole game. But whoever tells the same again after a thought means
    /// each turn.
    pub(super) fn told(&mut self, time: Duration) -> Budget {
        let stands_still = self.last.is_some_and(|(before, spent)| before == time && spent >= NOTICED);
        let same = self.last.is_some_and(|(before, _)| before == time);
        self.each_turn = time <= MOST_FOR_A_TURN && (stands_still || self.each_turn && same);
        self.last = Some((time, Duration::ZERO));
        if self.each_turn { Budget::Turn(time) } else { Budget::clocks(BySide::new(time, time)) }
    }

    /// So long did the thought take that was told a time.
    pub(super) fn thought(&mut self, spent: Duration) {
        if let Some((_, last)) = &mut self.last {
            *last = spent;
        }
    }

    /// `stop` came `after` so long, of which the bot had nothing to do while it was `waiting`.
    pub(super) fn stopped(&mut self, after: Duration, waiting: Duration) {
        self.thinking = if waiting < WAITING {
            after * 7 / 10
        } else {
            after.saturating_sub((after / 20).max(KEPT_BACK)).max(after / 2)
        }
        .min(LONGEST_THINKING);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn it_thinks_until_shortly_before_stop() {
        let mut tempo = Tempo::new();
        assert_eq!(tempo.until_stop(), Budget::Turn(ms(900)));
        tempo.stopped(ms(2000), ms(1100));
        assert_eq!(tempo.until_stop(), Budget::Turn(ms(1900)));
        tempo.stopped(ms(200), ms(90));
        assert_eq!(tempo.until_stop(), Budget::Turn(ms(140)));
        tempo.stopped(ms(1900), ms(0));
        assert_eq!(tempo.until_stop(), Budget::Turn(ms(1330)), "it was late: it thinks for less");
        tempo.stopped(ms(3_600_000), ms(3_500_000));
        assert_eq!(tempo.until_stop(), Budget::Turn(LONGEST_THINKING));
    }

    #[test]
    fn a_time_that_does_not_pass_is_for_each_turn() {
        let clock = |time| Budget::clocks(BySide::new(ms(time), ms(time)));
        let mut tempo = Tempo::new();
        assert_eq!(tempo.told(ms(2000)), clock(2000), "at first it may be all there is");
        tempo.thought(ms(1));
        assert_eq!(tempo.told(ms(2000)), clock(2000), "nobody can tell the time of a move from the book");
        tempo.thought(ms(50));
        assert_eq!(tempo.told(ms(2000)), Budget::Turn(ms(2000)));
        assert_eq!(tempo.told(ms(2000)), Budget::Turn(ms(2000)), "a move without a thought changes nothing");
        tempo.thought(ms(1900));
        assert_eq!(tempo.told(ms(1990)), clock(1990), "a clock after all");
        tempo.begin();
        assert_eq!(tempo.told(ms(1990)), clock(1990), "another game");
        tempo.thought(ms(100));
        assert_eq!(tempo.told(ms(2890)), clock(2890), "a clock that is wound up after each turn");
        tempo.told(ms(120_000));
        tempo.thought(ms(100));
        assert_eq!(tempo.told(ms(120_000)), clock(120_000), "nobody gives that much for a turn");
    }
}
