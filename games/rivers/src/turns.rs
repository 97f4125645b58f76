//! Reading a turn, in either form, and saying which rule it breaks.

use agon_rules::{Side, TurnError, quote};
use serde_json::{Map, Value};

use crate::{
    position::{Axis, Face, Move, Piece, RiversPosition},
    set::Cell,
    text::side_name,
};

/// Column and row as they were sent; they may lie anywhere.
type Place = (i64, i64);

/// What a player asks for, before any rule is looked at.
enum Request {
    Go {
        from: Place,
        to: Place,
    },
    Push {
        from: Place,
        to: Place,
        pushed_to: Place,
    },
    /// Short text: the piece must be a stone.
    ToRiver {
        at: Place,
        axis: Axis,
    },
    /// Short text: the piece must be a river.
    ToStone {
        at: Place,
    },
    /// An object: the piece decides which way it flips, and a river ignores the axis.
    Flip {
        at: Place,
        axis: Option<Axis>,
    },
    Rotate {
        at: Place,
    },
}

/// How the original's refusal of places begins that the board does not have.
const OFF_BOARD: &str = "oob";

/// Reads the short text of a turn.
fn read_short(text: &str) -> Result<Request, String> {
    let read = || {
        let (from, rest) = read_place(text)?;
        match rest.as_bytes() {
            b"h" => Some(Request::ToRiver { at: from, axis: Axis::Horizontal }),
            b"v" => Some(Request::ToRiver { at: from, axis: Axis::Vertical }),
            b"s" => Some(Request::ToStone { at: from }),
            b"r" => Some(Request::Rotate { at: from }),
            [b'-', ..] => match read_place(&rest[1..])? {
                (to, "") => Some(Request::Go { from, to }),
                _ => None,
            },
            [b'*', ..] => {
                let (to, rest) = read_place(&rest[1..])?;
                match read_place(rest.strip_prefix('-')?)? {
                    (pushed_to, "") => Some(Request::Push { from, to, pushed_to }),
                    _ => None,
                }
            }
            _ => None,
        }
    };
    read().ok_or_else(|| {
        let found = quote(text);
        format!("expected a turn like d8-d7, d9*d8-d7, d8h, d8v, d8s, d8r or a JSON object, found {found}")
    })
}

/// Reads a column letter and a row number of one or two digits; also gives what follows.
fn read_place(text: &str) -> Option<(Place, &str)> {
    let letter = *text.as_bytes().first().filter(|b| b.is_ascii_lowercase())?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let number = &text[1..1 + digits];
    if !(1..=2).contains(&digits) || number.len() > 1 && number.starts_with('0') {
        return None;
    }
    Some(((i64::from(letter - b'a'), number.parse().ok()?), &text[1 + digits..]))
}

/// Reads the object of a turn.
fn read_object(text: &str) -> Result<Request, String> {
    let object: Map<String, Value> =
        serde_json::from_str(text).map_err(|e| format!("move must be dict: expected a JSON object, {e}"))?;
    let place = |name: &str| read_member(&object, name);
    match object.get("action") {
        Some(Value::String(action)) => match action.as_str() {
            "move" => match (place("from")?, place("to")?) {
                (Some(from), Some(to)) => Ok(Request::Go { from, to }),
                _ => Err("move needs from & to".to_owned()),
            },
            "push" => match (place("from")?, place("to")?, place("pushed_to")?) {
                (Some(from), Some(to), Some(pushed_to)) => Ok(Request::Push { from, to, pushed_to }),
                _ => Err("push needs from,to,pushed_to".to_owned()),
            },
            "flip" => {
                let at = place("from")?.ok_or("flip needs from")?;
                let axis = match object.get("orientation").and_then(Value::as_str) {
                    Some("horizontal") => Some(Axis::Horizontal),
                    Some("vertical") => Some(Axis::Vertical),
                    _ => None,
                };
                Ok(Request::Flip { at, axis })
            }
            "rotate" => Ok(Request::Rotate { at: place("from")?.ok_or("rotate needs from")? }),
            other => Err(format!("unknown action: expected move, push, flip or rotate, found {}", quote(other))),
        },
        Some(_) => Err("unknown action: expected a string".to_owned()),
        None => Err("unknown action: expected a member \"action\", found none".to_owned()),
    }
}

/// Reads a member that holds coordinates. A missing, empty or null one is `None`, as in the original.
fn read_member(object: &Map<String, Value>, name: &str) -> Result<Option<Place>, String> {
    let list = match object.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(list)) if list.is_empty() => return Ok(None),
        Some(Value::Array(list)) => list.as_slice(),
        Some(_) => return Err(format!("{name}: expected a list [column, row]")),
    };
    // More than two numbers do no harm: the original looks at the first two.
    let [column, row, ..] = list else {
        return Err(format!("{name}: expected a list [column, row], found one number"));
    };
    let number = |value| read_integer(value).ok_or_else(|| format!("{name}: expected two whole numbers"));
    Ok(Some((number(column)?, number(row)?)))
}

/// The original's integer conversion: a fraction is cut off, a string of digits is a number.
fn read_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => Some(number.as_i64().unwrap_or_else(|| number.as_f64().unwrap_or(f64::MAX) as i64)),
        Value::String(text) => {
            let text = text.trim();
            let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            // A number too large to hold is as far off the board as the largest one.
            Some(text.parse().unwrap_or(i64::MAX))
        }
        _ => None,
    }
}

impl<const W: usize> RiversPosition<W> {
    /// Reads a turn in either form and checks every rule, in the original's order.
    pub(crate) fn read_turn(&self, text: &str) -> Result<Move, TurnError> {
        let request = if text.starts_with('{') {
            read_object(text).map_err(TurnError::new)?
        } else {
            read_short(text).map_err(TurnError::unreadable)?
        };
        self.check(&request).map_err(|rule| {
            if rule.starts_with(OFF_BOARD) { TurnError::unreadable(rule) } else { TurnError::new(rule) }
        })
    }

    fn check(&self, request: &Request) -> Result<Move, String> {
        match *request {
            Request::Go { from, to } => self.check_go(from, to),
            Request::Push { from, to, pushed_to } => self.check_push(from, to, pushed_to),
            Request::ToRiver { at, axis } => match self.own_piece("invalid piece", at)? {
                (at, Piece { face: Face::Stone, .. }) => Ok(Move::ToRiver { at, axis }),
                (at, _) => Err(format!("expected a stone on {at}, found a river; {at}r turns it, {at}s flips it")),
            },
            Request::ToStone { at } => match self.own_piece("invalid piece", at)? {
                (at, Piece { face: Face::River(_), .. }) => Ok(Move::ToStone { at }),
                (at, _) => Err(format!("expected a river on {at}, found a stone")),
            },
            Request::Flip { at, axis } => match (self.own_piece("invalid piece", at)?, axis) {
                ((at, Piece { face: Face::River(_), .. }), _) => Ok(Move::ToStone { at }),
                ((at, _), Some(axis)) => Ok(Move::ToRiver { at, axis }),
                ((at, _), None) => {
                    Err(format!("stone->river needs orientation: {at} is a stone, expected horizontal or vertical"))
                }
            },
            Request::Rotate { at } => match self.own_piece("invalid", at)? {
                (at, Piece { face: Face::River(_), .. }) => Ok(Move::Rotate { at }),
                (at, _) => Err(format!("rotate only on river: {at} is a stone")),
            },
        }
    }

    fn check_go(&self, from: Place, to: Place) -> Result<Move, String> {
        let (from, to) = (self.on_board(from)?, self.on_board(to)?);
        if self.is_forbidden(self.turn, to) {
            return Err(format!("can't go into opponent score: {to} lies in {}'s area", side_name(self.turn.other())));
        }
        self.check_own("invalid piece", from)?;
        if let Some(piece) = self.piece(to) {
            return Err(format!("invalid move: expected an empty {to}, found {}", describe(piece)));
        }
        if !self.targets(self.turn, from).contains(to) {
            return Err(format!("invalid move location: neither a step nor a river leads from {from} to {to}"));
        }
        Ok(Move::Go { from, to })
    }

    fn check_push(&self, from: Place, to: Place, pushed_to: Place) -> Result<Move, String> {
        let (from, to, pushed_to) = (self.on_board(from)?, self.on_board(to)?, self.on_board(pushed_to)?);
        // The original takes an empty cell for square's.
        let owner = self.owner(to).unwrap_or(Side::Second);
        if self.is_forbidden(owner, pushed_to) {
            let (owner, other) = (side_name(owner), side_name(owner.other()));
            return Err(format!(
                "push would enter opponent score cell: {pushed_to} lies in {other}'s area, closed to {owner}"
            ));
        }
        let pusher = self.check_own("invalid piece", from)?;
        let Some(pushed) = self.piece(to) else {
            return Err(format!("to must be occupied: {to} is empty"));
        };
        if let Some(piece) = self.piece(pushed_to) {
            return Err(format!("pushed_to not empty: {pushed_to} holds {}", describe(piece)));
        }
        if let Face::River(_) = pushed.face {
            return Err(match pusher.face {
                Face::River(_) => format!("rivers cannot push rivers: {to} holds a river"),
                Face::Stone => format!("push pair invalid: only stones can be pushed, {to} holds a river"),
            });
        }
        if !self.pushable(self.turn, from).contains(to) {
            return Err(format!("push pair invalid: {from} cannot enter {to}"));
        }
        if !self.push_targets(from, to).contains(pushed_to) {
            let how = match pusher.face {
                Face::Stone => "a stone pushes one step straight on".to_owned(),
                Face::River(axis) => format!("a {} river does not carry it there", axis.name()),
            };
            return Err(format!("push pair invalid: {from} cannot push {to} to {pushed_to}, {how}"));
        }
        Ok(Move::Push { from, to, pushed_to })
    }

    fn on_board(&self, (column, row): Place) -> Result<Cell, String> {
        self.board.cell(column, row).ok_or_else(|| {
            let (rows, columns) = (self.board.rows, self.board.columns);
            format!("{OFF_BOARD}: column {column}, row {row} is off the board of {columns} columns and {rows} rows")
        })
    }

    fn is_forbidden(&self, side: Side, cell: Cell) -> bool {
        self.board.walls[side].contains(cell)
    }

    fn own_piece(&self, rule: &str, at: Place) -> Result<(Cell, Piece), String> {
        let cell = self.on_board(at)?;
        Ok((cell, self.check_own(rule, cell)?))
    }

    fn check_own(&self, rule: &str, cell: Cell) -> Result<Piece, String> {
        let side = side_name(self.turn);
        match self.piece(cell) {
            Some(piece) if piece.owner == self.turn => Ok(piece),
            Some(piece) => Err(format!("{rule}: expected a piece of {side} on {cell}, found {}", describe(piece))),
            None => Err(format!("{rule}: expected a piece of {side} on {cell}, found an empty crossing")),
        }
    }
}

fn describe(piece: Piece) -> String {
    format!("a {} of {}", piece.face.name(), side_name(piece.owner))
}
