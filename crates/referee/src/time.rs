//! Time controls: what `--tc` says, and what is left.

use std::{fmt, str::FromStr, time::Duration};

use agon_rules::{BySide, Clock, Side, quote};
use agon_wire::Budget;

use crate::Language;

/// How long bots may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// For the whole match, and more for each turn made.
    Total {
        /// At the beginning.
        time: Duration,
        /// Added after each turn.
        increment: Duration,
    },
    /// For each turn.
    PerTurn(Duration),
    /// For each turn, by the language of the bot.
    PerTurnByLanguage {
        /// Compiled languages.
        native: Duration,
        /// Java.
        java: Duration,
        /// Python.
        python: Duration,
    },
    /// Search nodes for each turn; no clock.
    Nodes(u64),
    /// Search depth for each turn; no clock.
    Depth(u32),
    /// No limit.
    Unlimited,
}

impl From<Clock> for TimeControl {
    fn from(clock: Clock) -> TimeControl {
        match clock {
            Clock::Total(time) => TimeControl::Total { time, increment: Duration::ZERO },
            Clock::PerMove(time) => TimeControl::PerTurn(time),
            Clock::PerMoveByLanguage { native, java, python } => {
                TimeControl::PerTurnByLanguage { native, java, python }
            }
        }
    }
}

impl TimeControl {
    /// Whether a clock runs, rather than nothing or a count.
    pub fn is_a_clock(self) -> bool {
        match self {
            TimeControl::Total { .. } | TimeControl::PerTurn(_) | TimeControl::PerTurnByLanguage { .. } => true,
            TimeControl::Nodes(_) | TimeControl::Depth(_) | TimeControl::Unlimited => false,
        }
    }
}

/// A time control could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "time control {}: expected SECONDS or SECONDS+INCREMENT for the whole match, SECONDS/turn, nodes=N, depth=N or inf",
    quote(.0)
)]
pub struct TimeControlError(String);

fn seconds(text: &str) -> Option<Duration> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = text.parse().ok().filter(|_| plain)?;
    (number <= 1e9).then(|| Duration::from_secs_f64(number))
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let read = || {
            if text == "inf" {
                return Some(TimeControl::Unlimited);
            }
            if let Some(nodes) = text.strip_prefix("nodes=") {
                return nodes.parse().ok().filter(|&nodes| nodes > 0).map(TimeControl::Nodes);
            }
            if let Some(depth) = text.strip_prefix("depth=") {
                return depth.parse().ok().filter(|&depth| depth > 0).map(TimeControl::Depth);
            }
            if let Some(time) = text.strip_suffix("/turn") {
                return by_language(time).or_else(|| seconds(time).map(TimeControl::PerTurn));
            }
            let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
            Some(TimeControl::Total { time: seconds(time)?, increment: seconds(increment)? })
        };
        let zero = |control: &TimeControl| {
            matches!(control, TimeControl::PerTurn(time) if time.is_zero())
                || matches!(control, TimeControl::Total { time, increment } if (*time + *increment).is_zero())
        };
        read().filter(|control| !zero(control)).ok_or_else(|| TimeControlError(text.to_owned()))
    }
}

/// `1,2,3`: compiled languages, Java, Python.
fn by_language(text: &str) -> Option<TimeControl> {
    let times: Vec<Duration> = text.split(',').map(seconds).collect::<Option<_>>()?;
    match times.as_slice() {
        &[native, java, python] => Some(TimeControl::PerTurnByLanguage { native, java, python }),
        _ => None,
    }
}

impl TimeControl {
    /// What a compiled bot is told at its first turn.
    pub fn first_budget(self) -> Budget {
        Clocks::new(self, BySide::default(), Duration::ZERO).budget(Side::First)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Total { time, increment } if increment.is_zero() => write!(f, "{}", time.as_secs_f64()),
            TimeControl::Total { time, increment } => write!(f, "{}+{}", time.as_secs_f64(), increment.as_secs_f64()),
            TimeControl::PerTurn(time) => write!(f, "{}/turn", time.as_secs_f64()),
            TimeControl::PerTurnByLanguage { native, java, python } => {
                write!(f, "{},{},{}/turn", native.as_secs_f64(), java.as_secs_f64(), python.as_secs_f64())
            }
            TimeControl::Nodes(nodes) => write!(f, "nodes={nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth={depth}"),
            TimeControl::Unlimited => f.write_str("inf"),
        }
    }
}

/// The clocks of a match in progress.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    control: TimeControl,
    /// How long each side may think about a turn, where that is the rule.
    per_turn: BySide<Duration>,
    left: BySide<Duration>,
    grace: Duration,
}

impl Clocks {
    pub(crate) fn new(control: TimeControl, languages: BySide<Language>, grace: Duration) -> Clocks {
        let per_turn = languages.map(|language| match (control, language) {
            (TimeControl::PerTurnByLanguage { java, .. }, Language::Java) => java,
            (TimeControl::PerTurnByLanguage { python, .. }, Language::Python) => python,
            (TimeControl::PerTurnByLanguage { native, .. }, _) => native,
            (TimeControl::PerTurn(time), _) => time,
            _ => Duration::ZERO,
        });
        let total = match control {
            TimeControl::Total { time, .. } => time,
            _ => Duration::ZERO,
        };
        Clocks { control, per_turn, left: BySide::new(total, total), grace }
    }

    /// What a bot is told.
    pub(crate) fn budget(&self, side: Side) -> Budget {
        match self.control {
            TimeControl::Total { increment, .. } => {
                Budget::Clocks { left: self.left, increment: BySide::new(increment, increment) }
            }
            TimeControl::PerTurn(_) | TimeControl::PerTurnByLanguage { .. } => Budget::Turn(self.per_turn[side]),
            TimeControl::Nodes(nodes) => Budget::Nodes(nodes),
            TimeControl::Depth(depth) => Budget::Depth(depth),
            TimeControl::Unlimited => Budget::Unlimited,
        }
    }

    /// What a bot has for the next turn, the grace not counted; `None` is no limit.
    pub(crate) fn allowed(&self, side: Side) -> Option<Duration> {
        match self.control {
            TimeControl::Total { .. } => Some(self.left[side]),
            TimeControl::PerTurn(_) | TimeControl::PerTurnByLanguage { .. } => Some(self.per_turn[side]),
            TimeControl::Nodes(_) | TimeControl::Depth(_) | TimeControl::Unlimited => None,
        }
    }

    /// How long the referee waits.
    pub(crate) fn patience(&self, side: Side) -> Option<Duration> {
        self.allowed(side).map(|allowed| allowed + self.grace)
    }

    /// Charges a turn. Says whether it came in time.
    pub(crate) fn charge(&mut self, side: Side, used: Duration) -> bool {
        let in_time = self.patience(side).is_none_or(|patience| used <= patience);
        if let TimeControl::Total { increment, .. } = self.control {
            self.left[side] = self.left[side].saturating_sub(used) + if in_time { increment } else { Duration::ZERO };
        }
        in_time
    }

    /// What is left on a total clock.
    pub(crate) fn left(&self, side: Side) -> Option<Duration> {
        matches!(self.control, TimeControl::Total { .. }).then(|| self.left[side])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in ["120", "60+0.5", "2/turn", "1,2,3/turn", "nodes=20000", "depth=6", "inf", "0.1/turn"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "0", "-5", "1e9", "nan", "0/turn", "nodes=0", "depth=", "5 s", "1,2/turn", "+", "inf/turn"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn total_clocks_run_down_and_fall() {
        let control = "1+0.25".parse().unwrap();
        let mut clocks = Clocks::new(control, BySide::default(), Duration::from_millis(100));
        assert!(clocks.charge(Side::First, Duration::from_millis(600)));
        assert_eq!(clocks.left(Side::First), Some(Duration::from_millis(650)));
        assert_eq!(clocks.left(Side::Second), Some(Duration::from_secs(1)));
        assert!(clocks.charge(Side::First, Duration::from_millis(750)), "the grace");
        assert_eq!(clocks.left(Side::First), Some(Duration::from_millis(250)));
        assert!(!clocks.charge(Side::First, Duration::from_millis(351)));
        assert_eq!(clocks.left(Side::First), Some(Duration::ZERO), "no increment for a late turn");
    }

    #[test]
    fn limits_by_language() {
        let languages = BySide::new(Language::Python, Language::Cpp);
        let clocks = Clocks::new("1,2,3/turn".parse().unwrap(), languages, Duration::ZERO);
        assert_eq!(clocks.patience(Side::First), Some(Duration::from_secs(3)));
        assert_eq!(clocks.patience(Side::Second), Some(Duration::from_secs(1)));
    }
}
