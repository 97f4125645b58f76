//! Positions and turns as text.

use agon_rules::{PositionError, Side, TurnError, quote};

use crate::{
    Cell, ConnectXPosition,
    grid::{GRID, SIZE},
};

/// `<rows joined by /> <1|2> <active board>`.
pub(crate) fn position_text(position: &ConnectXPosition) -> String {
    let mut text = String::new();
    for cell in Cell::all() {
        if cell.column() == 0 && cell.row() > 0 {
            text.push('/');
        }
        text.push(match position.stone(cell) {
            None => '.',
            Some(Side::First) => '1',
            Some(Side::Second) => '2',
        });
    }
    format!("{text} {} {}", position.turn.number(), position.active)
}

pub(crate) fn parse_position(text: &str) -> Result<ConnectXPosition, PositionError> {
    let fail = |message: String| Err(PositionError::new(message));
    let parts: Vec<&str> = text.split(' ').collect();
    let &[grid, turn, active] = parts.as_slice() else {
        return fail(format!("expected '<rows> <1|2> <active board>', found {} parts: {}", parts.len(), quote(text)));
    };
    let stones = parse_grid(grid)?;
    let turn = match turn {
        "1" => Side::First,
        "2" => Side::Second,
        _ => return fail(format!("side to move: expected 1 or 2, found {}", quote(turn))),
    };
    let active = match active.as_bytes() {
        [digit @ b'0'..=b'8'] => digit - b'0',
        _ => return fail(format!("active board: expected a number from 0 to 8, found {}", quote(active))),
    };
    let empty = GRID & !(stones[0] | stones[1]);
    let playable = ConnectXPosition::board_after(&empty, usize::from(active));
    if playable != active {
        return fail(format!(
            "active board: board {active} is full, expected {playable}, the lowest with an empty cell"
        ));
    }
    Ok(ConnectXPosition::from_parts(stones, active, turn))
}

fn parse_grid(grid: &str) -> Result<[u128; 2], PositionError> {
    let rows: Vec<&str> = grid.split('/').collect();
    if rows.len() != SIZE {
        return Err(PositionError::new(format!("expected {SIZE} rows joined by '/', found {}", rows.len())));
    }
    let mut stones = [0u128; 2];
    for (r, row) in rows.iter().enumerate() {
        let columns = row.chars().count();
        if columns != SIZE {
            return Err(PositionError::new(format!("row {r}: expected {SIZE} columns, found {columns}")));
        }
        for (c, letter) in row.chars().enumerate() {
            let side = match letter {
                '.' | '0' => continue,
                '1' => Side::First,
                '2' => Side::Second,
                _ => {
                    let message = format!("row {r}, column {c}: expected '.', '1' or '2', found {letter:?}");
                    return Err(PositionError::new(message));
                }
            };
            stones[side.index()] |= 1 << Cell::new(r, c).bit();
        }
    }
    Ok(stones)
}

/// Reads `row col` and says which rule a stone there would break.
pub(crate) fn parse_turn(position: &ConnectXPosition, text: &str) -> Result<Cell, TurnError> {
    let numbers: Vec<&str> = text.split_ascii_whitespace().collect();
    let digit = |token: &str| match token.as_bytes() {
        [digit @ b'0'..=b'8'] => Some(usize::from(digit - b'0')),
        _ => None,
    };
    let cell = match numbers.as_slice() {
        &[row, column] => digit(row).zip(digit(column)),
        _ => None,
    };
    let Some((row, column)) = cell else {
        return Err(TurnError::unreadable(format!(
            "expected 'row column', two numbers from 0 to 8, found {}",
            quote(text)
        )));
    };
    let cell = Cell::new(row, column);
    if cell.board() != position.active_board() {
        let message = format!(
            "cell {row} {column} lies in local board {}, but the active one is {}",
            cell.board(),
            position.active
        );
        return Err(TurnError::new(message));
    }
    if position.stone(cell).is_some() {
        return Err(TurnError::new(format!("cell {row} {column} is taken")));
    }
    Ok(cell)
}
