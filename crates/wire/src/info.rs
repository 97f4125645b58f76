//! What a bot says of a position: the `info` lines of UGI.

use std::{fmt, time::Duration};

use crate::words;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// An estimate: a hundred is a clear advantage, about 73 % of the points.
    Estimate(i32),
    /// A proven end: the side to move wins with its so many-th turn from here, or (negative) loses to the opponent's so many-th one.
    Mate(i32),
}

impl Score {
    /// An estimate of this size is a game that is decided, without a word about how soon.
    pub const DECIDED: i32 = 10_000;

    /// The chance to win that it stands for, from 0 to 1.
    pub fn chance(self) -> f64 {
        match self {
            Score::Mate(turns) => f64::from(u8::from(turns > 0)),
            Score::Estimate(value) => 1.0 / (1.0 + (-f64::from(value) / 100.0).exp()),
        }
    }

    /// As records write it: `0.31`, `#5`, `#-2`.
    pub fn short(self) -> String {
        match self {
            Score::Estimate(value) => format!("{:.2}", f64::from(value) / 100.0),
            Score::Mate(turns) => format!("#{turns}"),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Estimate(value) => write!(f, "cp {value}"),
            Score::Mate(turns) => write!(f, "mate {turns}"),
        }
    }
}

/// What a search has found so far. Only what a bot reports is there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// The last depth that was searched to its end, in moves.
    pub depth: Option<u32>,
    /// The longest line that was looked at.
    pub seldepth: Option<u32>,
    /// What the position is worth to the side to move.
    pub score: Option<Score>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Positions looked at in a second.
    pub nps: Option<u64>,
    /// How long it took.
    pub time: Option<Duration>,
    /// The turns that it expects of both sides, each complete.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads what follows `info` in a line, as far as it can be understood. What follows `string` is for people.
    pub fn read(text: &str) -> Info {
        let mut info = Info::default();
        let Ok(words) = words::split(text) else { return info };
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            let number = |words: &mut dyn Iterator<Item = String>| words.next()?.parse::<u64>().ok();
            match word.as_str() {
                "depth" => info.depth = number(&mut words).and_then(|depth| depth.try_into().ok()),
                "seldepth" => info.seldepth = number(&mut words).and_then(|depth| depth.try_into().ok()),
                "nodes" => info.nodes = number(&mut words),
                "nps" => info.nps = number(&mut words),
                "time" => info.time = number(&mut words).map(Duration::from_millis),
                "score" => info.score = read_score(&mut words),
                "pv" => info.pv = words.by_ref().collect(),
                "string" => return info,
                _ => {}
            }
        }
        info
    }
}

/// `cp 31`, `mate -2`, or a number alone, which is taken as `cp`.
fn read_score(words: &mut dyn Iterator<Item = String>) -> Option<Score> {
    let first = words.next()?;
    match first.as_str() {
        "cp" => words.next()?.parse().ok().map(Score::Estimate),
        "mate" => words.next()?.parse().ok().map(Score::Mate),
        number => number.parse().ok().map(Score::Estimate),
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [
            ("depth", self.depth.map(u64::from)),
            ("seldepth", self.seldepth.map(u64::from)),
            ("nodes", self.nodes),
            ("nps", self.nps),
            ("time", self.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))),
        ];
        let mut parts: Vec<String> =
            numbers.iter().filter_map(|(name, number)| Some(format!("{name} {}", (*number)?))).collect();
        if let Some(score) = self.score {
            let place = parts.iter().take_while(|part| part.contains("depth ")).count();
            parts.insert(place, format!("score {score}"));
        }
        if !self.pv.is_empty() {
            parts.push(format!("pv {}", words::joined(&self.pv)));
        }
        f.write_str(&parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "depth 9 seldepth 14 score cp -31 nodes 1234 nps 98765 time 12 pv \"P 2 7\" c2b3",
            "depth 3 score mate -2",
            "score mate 5 pv d8-d7",
            "depth 0 nodes 0 time 0 pv \"0 0\"",
            "",
        ] {
            assert_eq!(Info::read(text).to_string(), text);
        }
    }

    #[test]
    fn what_others_write_is_read_as_far_as_it_goes() {
        let read = Info::read("depth 7 multipv 1 score 12 lowerbound hashfull 3 time 870 string depth 99");
        assert_eq!(
            (read.depth, read.score, read.time),
            (Some(7), Some(Score::Estimate(12)), Some(Duration::from_millis(870)))
        );
        for text in [
            "score",
            "score cp",
            "score mate x",
            "depth -1 score cp 1e9",
            "\"depth 3",
            "pv",
            "nodes 99999999999999999999",
        ] {
            let read = Info::read(text);
            assert_eq!((read.depth, read.score, read.nodes), (None, None, None), "{text}");
        }
    }

    #[test]
    fn a_score_is_a_chance() {
        assert_eq!(Score::Mate(3).chance(), 1.0);
        assert_eq!(Score::Mate(-1).chance(), 0.0);
        assert_eq!(Score::Estimate(0).chance(), 0.5);
        assert!((Score::Estimate(100).chance() - 0.731).abs() < 1e-3);
        assert!(Score::Estimate(-Score::DECIDED).chance() < 1e-9);
        assert_eq!((Score::Estimate(31).short(), Score::Mate(-2).short()), ("0.31".to_owned(), "#-2".to_owned()));
    }
}
