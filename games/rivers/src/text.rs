//! Positions and moves as text.

use agon_rules::{Game, PositionError, Side, quote};

use crate::{
    Rivers,
    board::Board,
    position::{Axis, Face, Move, RiversPosition},
    set::Cell,
};

/// What a side is called in texts.
pub(crate) fn side_name(side: Side) -> &'static str {
    Rivers::SIDES[side.index()]
}

/// The letter of a piece: upper case is circle's.
pub(crate) fn letter(owner: Side, face: Face) -> char {
    let letter = match face {
        Face::Stone => 's',
        Face::River(Axis::Horizontal) => 'h',
        Face::River(Axis::Vertical) => 'v',
    };
    if owner == Side::First { letter.to_ascii_uppercase() } else { letter }
}

fn piece_of_letter(letter: char) -> Option<(Side, Face)> {
    let face = match letter.to_ascii_lowercase() {
        's' => Face::Stone,
        'h' => Face::River(Axis::Horizontal),
        'v' => Face::River(Axis::Vertical),
        _ => return None,
    };
    Some((if letter.is_ascii_uppercase() { Side::First } else { Side::Second }, face))
}

/// The short text of a move.
pub(crate) fn short_text(m: Move) -> String {
    match m {
        Move::Go { from, to } => format!("{from}-{to}"),
        Move::Push { from, to, pushed_to } => format!("{from}*{to}-{pushed_to}"),
        Move::ToRiver { at, axis: Axis::Horizontal } => format!("{at}h"),
        Move::ToRiver { at, axis: Axis::Vertical } => format!("{at}v"),
        Move::ToStone { at } => format!("{at}s"),
        Move::Rotate { at } => format!("{at}r"),
    }
}

/// The JSON object of a move as the original programs send it.
pub(crate) fn object_text(m: Move) -> String {
    let place = |cell: Cell| format!("[{},{}]", cell.column(), cell.row());
    match m {
        Move::Go { from, to } => format!(r#"{{"action":"move","from":{},"to":{}}}"#, place(from), place(to)),
        Move::Push { from, to, pushed_to } => {
            let [from, to, pushed_to] = [from, to, pushed_to].map(place);
            format!(r#"{{"action":"push","from":{from},"to":{to},"pushed_to":{pushed_to}}}"#)
        }
        Move::ToRiver { at, axis } => {
            format!(r#"{{"action":"flip","from":{},"orientation":"{}"}}"#, place(at), axis.name())
        }
        Move::ToStone { at } => format!(r#"{{"action":"flip","from":{}}}"#, place(at)),
        Move::Rotate { at } => format!(r#"{{"action":"rotate","from":{}}}"#, place(at)),
    }
}

impl<const W: usize> RiversPosition<W> {
    pub(crate) fn board_text(&self) -> String {
        let (rows, columns) = self.size();
        let mut text = String::new();
        for row in 0..rows {
            if row > 0 {
                text.push('/');
            }
            let mut run = 0;
            for column in 0..columns {
                let Some(piece) = self.piece(Cell::new(column, row)) else {
                    run += 1;
                    continue;
                };
                push_run(&mut text, &mut run);
                text.push(letter(piece.owner, piece.face));
            }
            push_run(&mut text, &mut run);
        }
        text.push(' ');
        text.push_str(side_name(self.turn));
        text
    }

    /// Reads a position of this board and rule set.
    pub(crate) fn read_text(&self, text: &str) -> Result<RiversPosition<W>, PositionError> {
        let mut parts = text.split_whitespace();
        let (Some(rows), Some(turn), None) = (parts.next(), parts.next(), parts.next()) else {
            let found = quote(text);
            return Err(PositionError::new(format!("expected '<rows joined by /> <circle|square>', found {found}")));
        };
        let mut position = RiversPosition::empty(self.board, self.rules);
        let expected = usize::from(self.board.rows);
        let found = rows.split('/').count();
        if found != expected {
            return Err(PositionError::new(format!("expected {expected} rows, found {found}")));
        }
        for (row, text) in rows.split('/').enumerate() {
            read_row(self.board, text, |column, owner, face| position.put(Cell::new(column, row as u16), owner, face))
                .map_err(|problem| PositionError::new(format!("row {row}: {problem}")))?;
        }
        position.turn = Side::BOTH
            .into_iter()
            .find(|&side| side_name(side) == turn)
            .ok_or_else(|| PositionError::new(format!("expected 'circle' or 'square', found {}", quote(turn))))?;
        position.key = position.key_from_scratch();
        Ok(position)
    }
}

fn push_run(text: &mut String, run: &mut u32) {
    if *run > 0 {
        text.push_str(&run.to_string());
        *run = 0;
    }
}

/// Reads one row and hands every piece to `put`.
fn read_row<const W: usize>(board: &Board<W>, text: &str, mut put: impl FnMut(u16, Side, Face)) -> Result<(), String> {
    let columns = board.columns;
    let too_many = || format!("expected {columns} columns, found more");
    let mut column: u16 = 0;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let width = if let Some(mut run) = c.to_digit(10) {
            if run == 0 {
                return Err("expected a run length without a leading zero, found '0'".to_owned());
            }
            while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
                rest.next();
                run = run.saturating_mul(10).saturating_add(digit);
            }
            u16::try_from(run).unwrap_or(u16::MAX)
        } else if let Some((owner, face)) = piece_of_letter(c) {
            if column < columns {
                put(column, owner, face);
            }
            1
        } else {
            return Err(format!(
                "expected a number or one of S H V s h v, found {}",
                quote(c.encode_utf8(&mut [0; 4]))
            ));
        };
        column = column.saturating_add(width);
        if column > columns {
            return Err(too_many());
        }
    }
    if column < columns {
        return Err(format!("expected {columns} columns, found {column}"));
    }
    Ok(())
}
