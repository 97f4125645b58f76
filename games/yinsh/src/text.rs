//! Positions as text: `<board> <1|2> <phase> <out1> <out2>`.

use std::fmt::Write;

use agon_rules::{PositionError, Side};

use crate::{
    Yinsh,
    geometry::{Geometry, Point, name_of},
    position::{Phase, YinshPosition},
};

/// What stands on a point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    Empty,
    Ring(Side),
    Marker(Side),
}

impl Content {
    const fn letter(self) -> char {
        match self {
            Content::Empty => '.',
            Content::Ring(Side::First) => 'A',
            Content::Ring(Side::Second) => 'B',
            Content::Marker(Side::First) => 'a',
            Content::Marker(Side::Second) => 'b',
        }
    }

    const fn from_letter(letter: char) -> Option<Content> {
        match letter {
            '.' => Some(Content::Empty),
            'A' => Some(Content::Ring(Side::First)),
            'B' => Some(Content::Ring(Side::Second)),
            'a' => Some(Content::Marker(Side::First)),
            'b' => Some(Content::Marker(Side::Second)),
            _ => None,
        }
    }

    /// The content in words, for errors.
    pub(crate) fn words(self) -> String {
        match self {
            Content::Empty => "an empty point".to_owned(),
            Content::Ring(side) => format!("{} ring", with_article(side)),
            Content::Marker(side) => format!("{} marker", with_article(side)),
        }
    }
}

/// `an orange` or `a blue`.
fn with_article(side: Side) -> &'static str {
    match side {
        Side::First => "an orange",
        Side::Second => "a blue",
    }
}

/// The name of a side.
pub(crate) const fn side_name(side: Side) -> &'static str {
    <Yinsh as agon_rules::Game>::SIDES[side.index()]
}

/// `text` in quotes, cut short: what a stranger sends may be of any length.
pub(crate) fn quoted(text: &str) -> String {
    agon_rules::quote_within(text, 16)
}

/// A number as texts write it: digits only, no leading zero, at most three.
pub(crate) fn number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain && text.len() <= 3 { text.parse().ok() } else { None }
}

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    /// What stands on `point`.
    pub(crate) fn content(&self, point: Point) -> Content {
        for side in Side::BOTH {
            if self.rings[side.index()].contains(point.0) {
                return Content::Ring(side);
            }
            if self.markers[side.index()].contains(point.0) {
                return Content::Marker(side);
            }
        }
        Content::Empty
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text: String = Geometry::<N, W>::points().map(|point| self.content(point).letter()).collect();
        let [first, second] = self.out;
        write!(text, " {} {} {first} {second}", self.turn.number(), self.phase.number())
            .expect("a string takes it all");
        text
    }

    /// Reads a position with the variant and the rules of this one.
    pub(crate) fn read_position(&self, text: &str) -> Result<Self, PositionError> {
        let mut parts = text.split_ascii_whitespace();
        let mut part = |what: &str| {
            parts.next().ok_or_else(|| PositionError::new(format!("expected {what}, found the end of the text")))
        };
        let mut position = YinshPosition::new(self.rules);
        position.read_board(part("a board")?)?;
        let side = part("the side to move, 1 or 2")?;
        position.turn = number(side)
            .and_then(|number| Side::from_number(number.into()))
            .ok_or_else(|| PositionError::new(format!("side to move: expected 1 or 2, found {}", quoted(side))))?;
        let phase = part("a phase")?;
        position.phase =
            Phase::ALL.into_iter().find(|p| number(phase) == Some(p.number().into())).ok_or_else(|| {
                PositionError::new(format!("phase: expected 0, 1, 3, 4, 5, 6 or 7, found {}", quoted(phase)))
            })?;
        for side in Side::BOTH {
            let out = part("the number of rings that each side has taken")?;
            position.out[side.index()] = position.read_out(side, out)?;
        }
        if let Some(extra) = parts.next() {
            return Err(PositionError::new(format!("expected the end after five parts, found {}", quoted(extra))));
        }
        position.check()?;
        position.key = position.key_from_scratch();
        Ok(position)
    }

    fn read_board(&mut self, board: &str) -> Result<(), PositionError> {
        let points = Geometry::<N, W>::points();
        let (expected, found) = (points.len(), board.chars().count());
        if expected != found {
            return Err(PositionError::new(format!("board: expected {expected} points, found {found}")));
        }
        for (point, letter) in points.zip(board.chars()) {
            match Content::from_letter(letter) {
                Some(Content::Empty) => {}
                Some(Content::Ring(side)) => self.toggle_ring(side, point),
                Some(Content::Marker(side)) => self.toggle_marker(side, point),
                None => {
                    let (hexagon, position) = name_of(Geometry::<N, W>::axial(point));
                    let letter = letter.escape_debug();
                    return Err(PositionError::new(format!(
                        "board: expected '.', 'A', 'a', 'B' or 'b' at {hexagon} {position}, found '{letter}'"
                    )));
                }
            }
        }
        Ok(())
    }

    fn read_out(&self, side: Side, text: &str) -> Result<u8, PositionError> {
        let goal = self.rules.goal;
        number(text).filter(|&out| out <= u32::from(goal)).map(|out| out as u8).ok_or_else(|| {
            let name = side_name(side);
            PositionError::new(format!("rings that {name} has taken: expected 0 to {goal}, found {}", quoted(text)))
        })
    }

    /// Whether the parts go together.
    fn check(&self) -> Result<(), PositionError> {
        let error = |message: String| Err(PositionError::new(message));
        let (most, goal) = (self.rules.rings, self.rules.goal);
        for side in Side::BOTH {
            let (rings, out, name) = (self.rings[side.index()].len(), self.out[side.index()], side_name(side));
            if rings + u32::from(out) > u32::from(most) {
                return error(format!("expected at most {most} rings of {name}, found {rings} and {out} taken"));
            }
        }
        let [first, second] = self.out.map(|out| out == goal);
        let (turn, phase) = (side_name(self.turn), self.phase.number());
        match self.phase {
            Phase::Won if first && second => {
                error(format!("expected one winner, found {goal} rings taken by both sides"))
            }
            Phase::Won if !first && !second => error(format!("phase 5: expected {goal} rings taken by one side")),
            Phase::Won => Ok(()),
            _ if first || second => error(format!("expected phase 5 with {goal} rings taken, found {phase}")),
            Phase::Place if self.rings_to_place(self.turn) == 0 => {
                error(format!("phase 0: expected {turn} to have a ring left to place"))
            }
            Phase::Row | Phase::GivenRow if !self.has_row(self.turn) => {
                error(format!("phase {phase}: expected a row of {} {turn} markers", self.rules.row))
            }
            _ => Ok(()),
        }
    }
}
