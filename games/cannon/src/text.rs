//! Positions and turns as text.

use agon_rules::{PositionError, Side, TurnError, quote};

use crate::{
    board::{Board, Squares},
    moves::{Move, Order, orders_of},
    position::{CannonPosition, Man},
    refusal,
};

/// `<rows joined by /> <1|2>`.
pub(crate) fn position_text<B: Board>(position: &CannonPosition<B>) -> String {
    let mut text = String::new();
    for square in position.board.all().squares() {
        let (x, y) = position.board.place(square);
        if x == 0 && y > 0 {
            text.push('/');
        }
        text.push(match position.man(square) {
            None => '.',
            Some((Side::First, Man::Soldier)) => 'S',
            Some((Side::First, Man::Hall)) => 'T',
            Some((Side::Second, Man::Soldier)) => 's',
            Some((Side::Second, Man::Hall)) => 't',
        });
    }
    format!("{text} {}", position.turn.number())
}

/// Reads a position on the same board and under the same rules as `like`.
pub(crate) fn parse_position<B: Board>(
    like: &CannonPosition<B>,
    text: &str,
) -> Result<CannonPosition<B>, PositionError> {
    let fail = |message: String| Err(PositionError::new(message));
    let mut parts = text.split(' ');
    let (Some(rows), Some(turn), None) = (parts.next(), parts.next(), parts.next()) else {
        return fail(format!("expected '<rows joined by /> <1|2>', found {}", quote(text)));
    };
    let mut position = CannonPosition::empty(like.board, like.rules);
    let found = rows.split('/').count();
    if found != like.board.rows() {
        return fail(format!("expected {} rows joined by '/', found {found}", like.board.rows()));
    }
    for (y, row) in rows.split('/').enumerate() {
        let (expected, found) = (like.board.columns(), row.chars().count());
        if found != expected {
            return fail(format!("row {y}: expected {expected} columns, found {found}"));
        }
        for (x, letter) in row.chars().enumerate() {
            let (side, man) = match letter {
                '.' => continue,
                'S' => (Side::First, Man::Soldier),
                'T' => (Side::First, Man::Hall),
                's' => (Side::Second, Man::Soldier),
                't' => (Side::Second, Man::Hall),
                _ => {
                    return fail(format!("row {y}, column {x}: expected one of 'STst.', found {letter:?}"));
                }
            };
            position.put(side, man, like.board.square(x, y));
        }
    }
    match turn {
        "1" => {}
        "2" => position.pass_turn(),
        _ => return fail(format!("side to move: expected 1 or 2, found {}", quote(turn))),
    }
    Ok(position)
}

/// A number as everything here writes it: at most two digits, no sign, no leading zero.
pub(crate) fn number(text: &str) -> Option<usize> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| usize::from(byte - b'0'));
    match *text.as_bytes() {
        [units] => digit(units),
        [tens @ b'1'..=b'9', units] => Some(digit(tens)? * 10 + digit(units)?),
        _ => None,
    }
}

/// `S x y M x y` or `S x y B x y`.
fn action<B: Board>(board: B, from: u8, letter: char, to: u8) -> String {
    let ((x, y), (to_x, to_y)) = (board.place(from), board.place(to));
    format!("S {x} {y} {letter} {to_x} {to_y}")
}

/// Every text of a move, in order.
pub(crate) fn spellings<B: Board>(position: &CannonPosition<B>, m: Move) -> Vec<String> {
    if let Move::March { from, to } = m {
        return vec![action(position.board, from, 'M', to)];
    }
    let texts = |order: Order| order.cannon.map(|soldier| action(position.board, soldier, 'B', order.target));
    let mut all: Vec<String> = orders_of(position, m).into_iter().flat_map(texts).collect();
    all.sort_unstable();
    all
}

/// The first of the move's texts; empty for a move that is not possible here.
pub(crate) fn move_text<B: Board>(position: &CannonPosition<B>, m: Move) -> String {
    spellings(position, m).into_iter().next().unwrap_or_default()
}

/// Reads `S x y M x y` or `S x y B x y` and says which rule it breaks.
pub(crate) fn parse_turn<B: Board>(position: &CannonPosition<B>, text: &str) -> Result<Move, TurnError> {
    // One token more than a turn has, so that a long text is not cut up to its end.
    let tokens: Vec<&str> = text.split_ascii_whitespace().take(7).collect();
    let &["S", x, y, letter @ ("M" | "B"), to_x, to_y] = tokens.as_slice() else {
        return Err(TurnError::unreadable(format!("expected 'S x y M x y' or 'S x y B x y', found {}", quote(text))));
    };
    let from = parse_square(position.board, x, y)?;
    let to = parse_square(position.board, to_x, to_y)?;
    let refused = if letter == "M" { refusal::march(position, from, to) } else { refusal::shot(position, from, to) };
    match refused {
        Some(reason) => Err(TurnError::new(reason)),
        None if letter == "M" => Ok(Move::March { from, to }),
        None if position.man(to).is_some() => Ok(Move::Shot(to)),
        None => Ok(Move::Pass),
    }
}

fn parse_square<B: Board>(board: B, x: &str, y: &str) -> Result<u8, TurnError> {
    let read = |name: &str, text: &str, size: usize| {
        number(text).filter(|&value| value < size).ok_or_else(|| {
            TurnError::unreadable(format!("{name}: expected a number from 0 to {}, found {}", size - 1, quote(text)))
        })
    };
    Ok(board.square(read("x", x, board.columns())?, read("y", y, board.rows())?))
}
