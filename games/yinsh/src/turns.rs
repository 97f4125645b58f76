//! Moves and turns as text: `P h p`, `S h p M h p`, `RS h p RE h p`, `X h p`.

use std::str::SplitAsciiWhitespace;

use agon_rules::{RuleSet, TurnError};

use crate::{
    bits::Bits,
    geometry::{Axis, Direction, Geometry, Point, name_of},
    position::{Move, Phase, Row, YinshPosition},
    text::{Content, number, quoted, side_name},
};

/// The name of `point` in texts.
pub(crate) fn point_text<const N: usize, const W: usize>(point: Point) -> String {
    let (hexagon, position) = name_of(Geometry::<N, W>::axial(point));
    format!("{hexagon} {position}")
}

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    pub(crate) fn text_of(&self, m: Move) -> String {
        let name = point_text::<N, W>;
        match m {
            Move::Place(point) => format!("P {}", name(point)),
            Move::Ring { from, to, .. } => format!("S {} M {}", name(from), name(to)),
            Move::TakeRow(row) => {
                let (start, end) = self.row_ends(row);
                format!("RS {} RE {}", name(start), name(end))
            }
            Move::TakeRing(point) => format!("X {}", name(point)),
        }
    }

    /// Reads a complete legal turn.
    pub(crate) fn read_turn(&self, text: &str) -> Result<Vec<Move>, TurnError> {
        let mut words = Words { rest: text.split_ascii_whitespace() };
        let mut position = self.clone();
        let mut moves = Vec::new();
        loop {
            let m = position.read_move(&mut words, moves.is_empty())?;
            position.play_move(m);
            moves.push(m);
            if position.turn != self.turn || position.count_moves() == 0 {
                break;
            }
        }
        match words.rest.next() {
            None => Ok(moves),
            Some(extra) => Err(self.goes_on_too_long(&position, &moves, extra)),
        }
    }

    fn goes_on_too_long(&self, end: &Self, moves: &[Move], extra: &str) -> TurnError {
        let rows = moves.iter().filter(|m| matches!(m, Move::TakeRow(_))).count();
        let reason = if end.phase == Phase::Won {
            "the game is won".to_owned()
        } else if self.phase == Phase::GivenRow && self.rules.set == RuleSet::Server && rows > 1 && extra == "S" {
            "no ring is moved after a second row has been taken".to_owned()
        } else if end.turn == self.turn {
            format!("{} has no move left", side_name(self.turn))
        } else if extra == "RS" {
            format!("{} has no row of {} markers left", side_name(self.turn), self.rules.row)
        } else {
            "it is complete".to_owned()
        };
        let last = moves.last().map_or(String::new(), |&m| self.text_of(m));
        TurnError::new(format!("the turn ends after '{last}' ({reason}), found {}", quoted(extra)))
    }

    /// Reads the next move of a turn and checks that it is legal here.
    fn read_move(&self, words: &mut Words<'_>, first: bool) -> Result<Move, TurnError> {
        let (letter, form) = match self.phase {
            Phase::Place => ("P", "'P h p'"),
            Phase::Move => ("S", "'S h p M h p'"),
            Phase::Row | Phase::GivenRow => ("RS", "'RS h p RE h p'"),
            Phase::Ring | Phase::GivenRing => ("X", "'X h p'"),
            Phase::Won => return Err(TurnError::new("the game is over (win)")),
        };
        match words.rest.next() {
            Some(found) if found == letter => {}
            Some(found) => return Err(self.wrong_start(form, found)),
            None if first => return Err(TurnError::unreadable(format!("expected {form}, found an empty turn"))),
            None => {
                return Err(TurnError::unreadable(format!("the turn is incomplete: expected {form}, found its end")));
            }
        }
        match self.phase {
            Phase::Place => Ok(Move::Place(self.expect_empty(words.point::<N, W>()?)?)),
            Phase::Move => {
                let from = self.expect_own_ring(words.point::<N, W>()?)?;
                words.letter("M")?;
                self.find_ring_move(from, words.point::<N, W>()?)
            }
            Phase::Row | Phase::GivenRow => {
                let start = words.point::<N, W>()?;
                words.letter("RE")?;
                self.find_row(start, words.point::<N, W>()?)
            }
            _ => Ok(Move::TakeRing(self.expect_own_ring(words.point::<N, W>()?)?)),
        }
    }

    /// The rule that a move of another kind breaks.
    fn wrong_start(&self, form: &str, found: &str) -> TurnError {
        let side = side_name(self.turn);
        let reason = match (self.phase, found) {
            (Phase::Place, _) => format!("{side} has {} rings to place", self.rings_to_place(self.turn)),
            (Phase::Move, "P") => "all rings are placed".to_owned(),
            (Phase::Move, "RS" | "X") => format!("{side} has no row of {} markers to take", self.rules.row),
            (Phase::Move, _) => format!("{side} must move a ring"),
            (Phase::Row | Phase::GivenRow, _) => format!("{side} must first take a row of {} markers", self.rules.row),
            _ => format!("{side} must take a ring for the row"),
        };
        let message = format!("{reason}: expected {form}, found {}", quoted(found));
        if matches!(found, "P" | "S" | "RS" | "X") { TurnError::new(message) } else { TurnError::unreadable(message) }
    }

    fn expect_empty(&self, point: Point) -> Result<Point, TurnError> {
        match self.content(point) {
            Content::Empty => Ok(point),
            other => Err(self.unexpected("an empty point", point, other)),
        }
    }

    fn expect_own_ring(&self, point: Point) -> Result<Point, TurnError> {
        match self.content(point) {
            Content::Ring(side) if side == self.turn => Ok(point),
            other => Err(self.unexpected(&Content::Ring(self.turn).words(), point, other)),
        }
    }

    fn unexpected(&self, expected: &str, point: Point, found: Content) -> TurnError {
        TurnError::new(format!("expected {expected} at {}, found {}", point_text::<N, W>(point), found.words()))
    }

    /// The way of the ring at `from` to `to`.
    fn find_ring_move(&self, from: Point, to: Point) -> Result<Move, TurnError> {
        let name = point_text::<N, W>;
        self.expect_empty(to)?;
        let ahead = |&along: &Direction| Geometry::<N, W>::ray(along, from).contains(to.0);
        let Some(along) = Direction::ALL.into_iter().find(ahead) else {
            return Err(TurnError::new(format!("no line of the board leads from {} to {}", name(from), name(to))));
        };
        let (dx, dy) = along.step();
        let mut at = Geometry::<N, W>::axial(from);
        let mut jumped = false;
        loop {
            at = (at.0 + dx, at.1 + dy);
            let here = Geometry::<N, W>::point_at(at).expect("the way to a point ahead lies on the board");
            match self.content(here) {
                Content::Ring(_) => {
                    return Err(TurnError::new(format!(
                        "a ring cannot pass the ring at {} on the way from {} to {}",
                        name(here),
                        name(from),
                        name(to)
                    )));
                }
                Content::Marker(_) => jumped = true,
                Content::Empty if here == to => return Ok(Move::Ring { from, to, along }),
                Content::Empty if jumped => {
                    return Err(TurnError::new(format!(
                        "a ring that jumps over markers lands right behind them, at {}, not at {}",
                        name(here),
                        name(to)
                    )));
                }
                Content::Empty => {}
            }
        }
    }

    /// The row with these two ends, in either order.
    fn find_row(&self, one: Point, other: Point) -> Result<Move, TurnError> {
        let name = point_text::<N, W>;
        let length = self.rules.row;
        let (start, end) = if one.0 < other.0 { (one, other) } else { (other, one) };
        let reaches = |axis: &Axis| {
            Geometry::<N, W>::ray(Direction::new(*axis, false), start).contains(end.0)
                && usize::from(end.0 - start.0) == axis.shift(N) * usize::from(length - 1)
        };
        let Some(axis) = Axis::ALL.into_iter().find(reaches) else {
            return Err(TurnError::new(format!(
                "expected the two ends of a row of {length} markers, found {} and {}",
                name(one),
                name(other)
            )));
        };
        let row = Row { start, axis };
        for point in self.row_points(row) {
            let found = self.content(point);
            if found != Content::Marker(self.turn) {
                return Err(self.unexpected(&Content::Marker(self.turn).words(), point, found));
            }
        }
        if (self.takeable_rows(axis) & Bits::bit(start.0)).is_empty() {
            return Err(TurnError::new(format!(
                "only the {length} markers at either end of a longer run may be taken, found {} to {} inside one",
                name(one),
                name(other)
            )));
        }
        Ok(Move::TakeRow(row))
    }
}

/// The words of a turn that are still to be read.
struct Words<'a> {
    rest: SplitAsciiWhitespace<'a>,
}

impl Words<'_> {
    fn letter(&mut self, letter: &str) -> Result<(), TurnError> {
        match self.rest.next() {
            Some(found) if found == letter => Ok(()),
            Some(found) => Err(TurnError::unreadable(format!("expected '{letter}', found {}", quoted(found)))),
            None => Err(TurnError::unreadable(format!("the turn is incomplete: expected '{letter}', found its end"))),
        }
    }

    /// The next two words as a point of the board.
    fn point<const N: usize, const W: usize>(&mut self) -> Result<Point, TurnError> {
        let hexagon = self.number("a hexagon", N)?;
        let last = if hexagon == 0 { 0 } else { 6 * hexagon as usize - 1 };
        let position = self.number(&format!("a position on hexagon {hexagon}"), last)?;
        Geometry::<N, W>::point_at(crate::geometry::axial_of(hexagon, position)).ok_or_else(|| {
            TurnError::unreadable(format!(
                "no point {hexagon} {position}: the corners of hexagon {N} are not on the board"
            ))
        })
    }

    fn number(&mut self, what: &str, most: usize) -> Result<i32, TurnError> {
        let Some(found) = self.rest.next() else {
            return Err(TurnError::unreadable(format!(
                "the turn is incomplete: expected {what}, 0 to {most}, found its end"
            )));
        };
        match number(found) {
            Some(value) if value as usize <= most => Ok(value as i32),
            _ => Err(TurnError::unreadable(format!("expected {what}, 0 to {most}, found {}", quoted(found)))),
        }
    }
}
