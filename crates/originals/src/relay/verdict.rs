//! How the originals write scores, and what went wrong.

use agon_rules::{BySide, Side};

/// What a player did wrong, in the originals' words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offence {
    /// A turn that the rules do not allow.
    InvalidMove,
    /// No turn in time.
    Timeout,
    /// The program, or the connection, is gone, or said what nobody understands.
    UnexpectedStop,
}

impl Offence {
    /// The words before `BY PLAYER`.
    pub const fn words(self) -> &'static str {
        match self {
            Offence::InvalidMove => "INVALID MOVE",
            Offence::Timeout => "TIMEOUT",
            Offence::UnexpectedStop => "UNEXPECTED STOP",
        }
    }

    /// The whole text: who did it, and the scores, where they are known.
    pub fn text(self, offender: Side, points: Option<BySide<f64>>) -> String {
        let scores = points.map(|points| format!(" : {}", score_text(offender, points))).unwrap_or_default();
        format!("{} BY PLAYER {}{scores}", self.words(), offender.number())
    }

    /// What a text of this kind says.
    pub fn read(text: &str) -> Option<(Offence, Side)> {
        [Offence::InvalidMove, Offence::Timeout, Offence::UnexpectedStop].into_iter().find_map(|offence| {
            let rest = text.strip_prefix(offence.words())?.strip_prefix(" BY PLAYER ")?;
            let number = rest.split(' ').next()?.parse().ok()?;
            Some((offence, Side::from_number(number)?))
        })
    }
}

/// `Player 2 SCORE : 10.007 : Player 1 SCORE : 0.006`, with `first` first.
pub fn score_text(first: Side, points: BySide<f64>) -> String {
    let of = |side: Side| format!("Player {} SCORE : {}", side.number(), written_like_python(points[side]));
    format!("{} : {}", of(first), of(first.other()))
}

/// Twelve digits that count, and always a point: `10.007`, `4.0`.
pub fn written_like_python(number: f64) -> String {
    let rounded: f64 = format!("{number:.11e}").parse().unwrap_or(number);
    format!("{rounded:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_like_pythons() {
        for (number, text) in [(10.007, "10.007"), (4.0, "4.0"), (0.006, "0.006"), (0.0, "0.0"), (10.1, "10.1")] {
            assert_eq!(written_like_python(number), text);
        }
        assert_eq!(written_like_python(9.0 + 0.012), "9.012");
        assert_eq!(written_like_python(0.1 + 0.2), "0.3");
    }

    #[test]
    fn offences_are_read_as_they_are_written() {
        let text = Offence::InvalidMove.text(Side::Second, Some(BySide::new(10.0, 0.003)));
        assert_eq!(text, "INVALID MOVE BY PLAYER 2 : Player 2 SCORE : 0.003 : Player 1 SCORE : 10.0");
        assert_eq!(Offence::read(&text), Some((Offence::InvalidMove, Side::Second)));
        assert_eq!(Offence::read("TIMEOUT BY PLAYER 1"), Some((Offence::Timeout, Side::First)));
        assert_eq!(Offence::read("TIMEOUT ON CLIENT NETWORK"), None);
        assert_eq!(Offence::read("TIMEOUT BY PLAYER 3"), None);
    }
}
