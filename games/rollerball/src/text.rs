//! Positions and moves as text.

use agon_rules::{Game, Position, PositionError, Side, TurnError, quote};

use crate::{
    Kind, Move, Rollerball, RollerballPosition, Square,
    board::{Geometry, Place, place_name},
    moves,
    tables::Tables,
};

const LETTERS: &str = "'.', 'PRBKN' or 'prbkn'";

/// The letter of a man: white's are capitals.
pub(crate) const fn letter(side: Side, kind: Kind) -> char {
    let capital = match kind {
        Kind::Pawn => 'P',
        Kind::Rook => 'R',
        Kind::Bishop => 'B',
        Kind::King => 'K',
        Kind::Knight => 'N',
    };
    match side {
        Side::First => capital,
        Side::Second => capital.to_ascii_lowercase(),
    }
}

fn man_of_letter(found: char) -> Option<(Side, Kind)> {
    let men = Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind)));
    { men }.find(|&(side, kind)| letter(side, kind) == found)
}

/// `<rows joined by /> <w|b>`.
pub(crate) fn position_text(position: &RollerballPosition) -> String {
    let geometry = &position.tables().geometry;
    let size = geometry.size as i8;
    let mut text = String::new();
    for y in (0..size).rev() {
        text.extend((0..size).map(|x| match geometry.square((x, y)) {
            None => '_',
            Some(square) => position.man(square).map_or('.', |(side, kind)| letter(side, kind)),
        }));
        text.push(if y == 0 { ' ' } else { '/' });
    }
    text.push(match position.turn() {
        Side::First => 'w',
        Side::Second => 'b',
    });
    text
}

pub(crate) fn parse_position(tables: &'static Tables, text: &str) -> Result<RollerballPosition, PositionError> {
    let size = tables.geometry.size;
    // The hole may be written with blanks: the side to move stands after the last one.
    let Some((board, turn)) = text.rsplit_once(' ') else {
        return Err(PositionError::new(format!("expected '<rows> <w|b>', found {}", quote(text))));
    };
    let turn = match turn {
        "w" => Side::First,
        "b" => Side::Second,
        _ => return Err(PositionError::new(format!("side to move: expected w or b, found {}", quote(turn)))),
    };
    let rows = board.split('/').count();
    if rows != size {
        return Err(PositionError::new(format!("expected {size} rows joined by '/', found {rows}")));
    }
    let mut men = [[0; 5]; 2];
    for (index, row) in board.split('/').enumerate() {
        parse_row(&tables.geometry, index, row, &mut men)?;
    }
    for side in Side::BOTH {
        let kings = men[side.index()][Kind::King as usize].count_ones();
        if kings != 1 {
            let name = Rollerball::SIDES[side.index()];
            return Err(PositionError::new(format!("expected one {name} king, found {kings}")));
        }
    }
    Ok(RollerballPosition::from_parts(tables, men, turn))
}

/// Reads the row with this index, counted from 0 at the top, and adds its men.
fn parse_row(geometry: &Geometry, index: usize, row: &str, men: &mut [[u64; 5]; 2]) -> Result<(), PositionError> {
    let size = geometry.size;
    let columns = row.chars().count();
    if columns != size {
        return Err(PositionError::new(format!("row {}: expected {size} columns, found {columns}", index + 1)));
    }
    for (x, found) in row.chars().enumerate() {
        let place = (x as i8, (size - 1 - index) as i8);
        let expected = match (geometry.square(place), found) {
            (None, '_' | ' ') | (Some(_), '.') => continue,
            (None, _) => "the hole ('_' or a blank)",
            (Some(square), _) => {
                if let Some((side, kind)) = man_of_letter(found) {
                    men[side.index()][kind as usize] |= square.bit();
                    continue;
                }
                LETTERS
            }
        };
        let message = format!("row {}, column {}: expected {expected}, found {found:?}", index + 1, x + 1);
        return Err(PositionError::new(message));
    }
    Ok(())
}

/// `c2b3`, `d6e7r`.
pub(crate) fn move_text(geometry: &Geometry, m: Move) -> String {
    let mut text = geometry.name(m.from()) + &geometry.name(m.to());
    text.extend(m.promotion().map(|kind| letter(Side::Second, kind)));
    text
}

/// A move as it is written: where from, where to, and what a pawn shall become.
struct Written {
    from: Place,
    to: Place,
    becomes: Option<Kind>,
}

fn read_grammar(text: &str) -> Result<Written, TurnError> {
    let place = |file: u8, rank: u8| ((file - b'a') as i8, (rank - b'1') as i8);
    let written = |from, to, becomes| Ok(Written { from, to, becomes });
    match *text.as_bytes() {
        [f @ b'a'..=b'z', r @ b'1'..=b'9', g @ b'a'..=b'z', s @ b'1'..=b'9'] => written(place(f, r), place(g, s), None),
        [f @ b'a'..=b'z', r @ b'1'..=b'9', g @ b'a'..=b'z', s @ b'1'..=b'9', end] => match end {
            b'r' => written(place(f, r), place(g, s), Some(Kind::Rook)),
            b'b' => written(place(f, r), place(g, s), Some(Kind::Bishop)),
            b'+' | b'#' | b'-' => {
                let message = format!("expected the bare move {}, found {}", quote(&text[..4]), quote(text));
                Err(TurnError::unreadable(message))
            }
            _ => Err(TurnError::unreadable(format!("promotion: expected 'r' or 'b', found {}", quote(&text[4..])))),
        },
        _ => {
            let message = format!("expected a move like c2b3 or d6e7r, in lower case, found {}", quote(text));
            Err(TurnError::unreadable(message))
        }
    }
}

fn on_board(geometry: &Geometry, place: Place) -> Result<Square, TurnError> {
    geometry.square(place).ok_or_else(|| {
        let name = place_name(place);
        TurnError::unreadable(if geometry.is_hole(place) {
            format!("{name} lies in the hole")
        } else {
            let last = char::from(b'a' + geometry.size as u8 - 1);
            format!("{name} is not on the board: expected files a to {last} and ranks 1 to {}", geometry.size)
        })
    })
}

/// Reads a move and says which rule it breaks, if any.
pub(crate) fn parse_turn(position: &RollerballPosition, text: &str) -> Result<Move, TurnError> {
    let geometry = &position.tables().geometry;
    let Written { from, to, becomes } = read_grammar(text)?;
    let (from, to) = (on_board(geometry, from)?, on_board(geometry, to)?);
    let kind = moving_man(position, from)?;
    check_reach(position, kind, from, to)?;
    let m = check_promotion(position, kind, from, to, becomes)?;
    let mut legal = Vec::new();
    moves::generate(position, &mut legal);
    if legal.contains(&m) {
        return Ok(m);
    }
    let name = Rollerball::SIDES[position.turn().index()];
    Err(TurnError::new(match (kind, position.in_check()) {
        (Kind::King, _) => format!("the {name} king would be in check on {}", geometry.name(to)),
        (_, true) => format!("the {name} king is in check, and this move leaves it there"),
        (_, false) => {
            format!("the {name} king would be in check without the {} on {}", kind.name(), geometry.name(from))
        }
    }))
}

/// The man of the side to move on `from`.
fn moving_man(position: &RollerballPosition, from: Square) -> Result<Kind, TurnError> {
    let us = position.turn();
    let found = match position.man(from) {
        Some((side, kind)) if side == us => return Ok(kind),
        Some((side, kind)) => format!("a {} {}", Rollerball::SIDES[side.index()], kind.name()),
        None => "an empty square".to_owned(),
    };
    let name = position.tables().geometry.name(from);
    Err(TurnError::new(format!("expected a {} man on {name}, found {found}", Rollerball::SIDES[us.index()])))
}

fn check_reach(position: &RollerballPosition, kind: Kind, from: Square, to: Square) -> Result<(), TurnError> {
    let tables = position.tables();
    let name = |square| tables.geometry.name(square);
    if moves::attacks(tables, kind, from, position.occupied()) & to.bit() == 0 {
        return Err(TurnError::new(format!("the {} on {} does not reach {}", kind.name(), name(from), name(to))));
    }
    match position.man(to) {
        Some((side, own)) if side == position.turn() => {
            Err(TurnError::new(format!("{} is taken by a {} of the same side", name(to), own.name())))
        }
        Some((_, Kind::King)) => Err(TurnError::new("a king is never captured")),
        _ => Ok(()),
    }
}

/// Promotion must be named where it happens and nowhere else.
fn check_promotion(
    position: &RollerballPosition,
    kind: Kind,
    from: Square,
    to: Square,
    becomes: Option<Kind>,
) -> Result<Move, TurnError> {
    let tables = position.tables();
    let (start, end) = (tables.geometry.name(from), tables.geometry.name(to));
    let promotes = kind == Kind::Pawn && tables.promotions[position.turn().index()][from.index()] & to.bit() != 0;
    match (promotes, becomes) {
        (false, None) => Ok(Move::new(kind, from, to)),
        (true, Some(becomes)) => {
            Move::promoting(becomes, from, to).ok_or_else(|| TurnError::new("a pawn becomes a rook or a bishop"))
        }
        (true, None) => Err(TurnError::new(format!(
            "a pawn that reaches {end} must become a rook ({start}{end}r) or a bishop ({start}{end}b)"
        ))),
        (false, Some(_)) => {
            Err(TurnError::new(format!("a {} that goes from {start} to {end} is not promoted", kind.name())))
        }
    }
}
