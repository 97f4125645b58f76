//! Positions and turns as text.

use agon_rules::{Game, PositionError, Side, TurnError, quote};

use crate::{
    Breakthrough, BreakthroughPosition, Move, Square,
    board::{Board, STRIDE, Step},
};

fn letter(side: Side) -> char {
    match side {
        Side::First => 'w',
        Side::Second => 'b',
    }
}

/// `<rows joined by /> <w|b>`, the rows from the top.
pub(crate) fn position_text(position: &BreakthroughPosition) -> String {
    let mut text = String::new();
    for square in position.board.reading_order() {
        if square.file() == 0 && !text.is_empty() {
            text.push('/');
        }
        text.push(position.man(square).map_or('.', letter));
    }
    format!("{text} {}", letter(position.turn))
}

pub(crate) fn parse_position(board: Board, text: &str) -> Result<BreakthroughPosition, PositionError> {
    let fail = |message: String| Err(PositionError::new(message));
    let parts: Vec<&str> = text.split(' ').collect();
    let &[rows, turn] = parts.as_slice() else {
        return fail(format!("expected '<rows> <w|b>', found {} parts: {}", parts.len(), quote(text)));
    };
    let turn = match turn {
        "w" => Side::First,
        "b" => Side::Second,
        _ => return fail(format!("side to move: expected w or b, found {}", quote(turn))),
    };
    let rows: Vec<&str> = rows.split('/').collect();
    if rows.len() != board.size() {
        return fail(format!("expected {} rows joined by '/', found {}", board.size(), rows.len()));
    }
    let mut men = [0; 2];
    for (rank, row) in (0..board.size()).rev().zip(rows) {
        parse_row(board, rank, row, &mut men)?;
    }
    Ok(BreakthroughPosition::from_parts(board, men, turn))
}

/// Reads a row and adds its men.
fn parse_row(board: Board, rank: usize, row: &str, men: &mut [u64; 2]) -> Result<(), PositionError> {
    let length = row.chars().count();
    if length != board.size() {
        let message = format!("row {}: expected {} squares, found {length}", rank + 1, board.size());
        return Err(PositionError::new(message));
    }
    for (file, found) in row.chars().enumerate() {
        let square = Square::new(file, rank);
        match Side::BOTH.into_iter().find(|&side| letter(side) == found) {
            Some(side) => men[side.index()] |= square.bit(),
            None if found == '.' => {}
            None => {
                let message = format!("{}: expected '.', 'w' or 'b', found {found:?}", square.name());
                return Err(PositionError::new(message));
            }
        }
    }
    Ok(())
}

/// Reads `c2d3` and says which rule it breaks.
pub(crate) fn parse_turn(position: &BreakthroughPosition, text: &str) -> Result<Move, TurnError> {
    let [from_file @ b'a'..=b'z', from_rank @ b'1'..=b'9', to_file @ b'a'..=b'z', to_rank @ b'1'..=b'9'] =
        *text.as_bytes()
    else {
        return Err(TurnError::unreadable(format!("expected two squares, like c2d3, found {}", quote(text))));
    };
    let from = square(position.board, from_file, from_rank)?;
    let to = square(position.board, to_file, to_rank)?;
    refusal(position, from, to).map_or(Ok(Move { from, to }), |message| Err(TurnError::new(message)))
}

fn square(board: Board, file: u8, rank: u8) -> Result<Square, TurnError> {
    let (x, y) = (usize::from(file - b'a'), usize::from(rank - b'1'));
    if x.max(y) >= board.size() {
        let (file, rank, size) = (char::from(file), char::from(rank), board.size());
        return Err(TurnError::new(format!("there is no square {file}{rank} on a board of {size}x{size}")));
    }
    Ok(Square::new(x, y))
}

/// Why the side to move may not go from one square to another.
fn refusal(position: &BreakthroughPosition, from: Square, to: Square) -> Option<String> {
    let side = position.turn;
    let (start, end) = (from.name(), to.name());
    match position.man(from) {
        None => return Some(format!("there is no man on {start}")),
        Some(owner) if owner != side => {
            let [owner, mover] = [owner, side].map(|side| Breakthrough::SIDES[side.index()]);
            return Some(format!("the man on {start} is {owner}, and {mover} is to move"));
        }
        Some(_) => {}
    }
    let Some(step) = Step::ALL.into_iter().find(|step| step.of(from.bit(), side) == to.bit()) else {
        return Some(format!("{start} to {end} is not one step forward, straight or diagonally"));
    };
    match position.man(to) {
        Some(owner) if owner == side => Some(format!("{end} is taken by a man of the same side")),
        Some(_) if step == Step::Straight => {
            Some(format!("{end} is taken, and men capture diagonally, not straight ahead"))
        }
        _ => None,
    }
}

const _: () = assert!(STRIDE <= 9, "ranks are written with a single digit");
