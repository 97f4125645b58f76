//! The picture of a position: soldiers are rings and halls solid squares on the crossings of a grid.

use agon_picture::{
    Click, Label, Line, Look, Mark, MarkKind, Picture, Piece, Point, Region, Shape, Spot, SpotShape, Stroke, Symbol,
    Tint, Tone,
};
use agon_rules::{BySide, Game, Position, Reason, Side};

use crate::ANNIHILATION;
use crate::{
    Cannon,
    board::{Board, Squares},
    moves::{self, Move},
    position::{CannonPosition, Man},
};

/// The space left of and above the first crossing, for the coordinates.
const MARGIN: f32 = 1.3;
/// How far the board reaches beyond the outer crossings.
const BORDER: f32 = 0.6;
/// How far from the edge of the picture the coordinates are.
const LABELS: f32 = 0.4;

/// The index of a square's spot.
fn spot<B: Board>(board: B, square: u8) -> usize {
    let (x, y) = board.place(square);
    y * board.columns() + x
}

fn centre(x: usize, y: usize) -> Point {
    (MARGIN + x as f32, MARGIN + y as f32)
}

pub(crate) fn picture<B: Board>(position: &CannonPosition<B>, last: &[Move]) -> Picture {
    let board = position.board;
    let (right, bottom) = centre(board.columns() - 1, board.rows() - 1);
    let edge = MARGIN - BORDER;
    let size = (right + BORDER, bottom + BORDER);
    let mut picture = Picture {
        size: (size.0 + LABELS, size.1 + LABELS),
        grid: (0.5, 1.0),
        regions: vec![Region::rectangle((edge, edge), (size.0 - edge, size.1 - edge), Tone::Board)],
        lines: lines(board),
        marks: marks(position, last),
        caption: caption(position),
        looks: Look::pair(Cannon::SIDES, [Tint::Black, Tint::White]),
        ..Picture::default()
    };
    for square in board.all().squares() {
        let (x, y) = board.place(square);
        picture.spots.push(Spot {
            name: format!("{x} {y}"),
            at: centre(x, y),
            shape: SpotShape::Crossing,
            empty: Symbol::new('·', '.'),
        });
        if let Some((side, man)) = position.man(square) {
            picture.pieces.push(piece(spot(board, square), side, man));
        }
    }
    let columns = (0..board.columns()).map(|x| Label { at: (centre(x, 0).0, LABELS), text: x.to_string() });
    let rows = (0..board.rows()).map(|y| Label { at: (LABELS, centre(0, y).1), text: y.to_string() });
    picture.labels.extend(columns.chain(rows));
    picture
}

fn lines<B: Board>(board: B) -> Vec<Line> {
    let (last_x, last_y) = (board.columns() - 1, board.rows() - 1);
    let across = (0..=last_y).map(|y| (centre(0, y), centre(last_x, y)));
    let down = (0..=last_x).map(|x| (centre(x, 0), centre(x, last_y)));
    across.chain(down).map(|(from, to)| Line { from, to, stroke: Stroke::Thin }).collect()
}

fn piece(spot: usize, side: Side, man: Man) -> Piece {
    let (shape, name, symbol) = match (man, side) {
        (Man::Soldier, Side::First) => (Shape::Ring, "soldier", Symbol::new('●', 'S')),
        (Man::Soldier, Side::Second) => (Shape::Ring, "soldier", Symbol::new('○', 's')),
        (Man::Hall, Side::First) => (Shape::Block, "hall", Symbol::new('■', 'T')),
        (Man::Hall, Side::Second) => (Shape::Block, "hall", Symbol::new('□', 't')),
    };
    Piece { spot, side, shape, name, symbol }
}

/// The last turn, and the halls whose loss on the next move would lose the game.
fn marks<B: Board>(position: &CannonPosition<B>, last: &[Move]) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut mark = |square, kind| marks.push(Mark { spot: spot(position.board, square), kind });
    for &m in last {
        match m {
            Move::March { from, to } => {
                mark(from, MarkKind::LastFrom);
                mark(to, MarkKind::LastTo);
            }
            Move::Shot(target) => mark(target, MarkKind::LastFrom),
            Move::Pass => {}
        }
    }
    if position.halls_lost(position.turn) == 1 && position.goal().is_none() {
        let attacked = moves::attacked(position, position.turn.other()) & position.halls(position.turn);
        attacked.squares().for_each(|square| mark(square, MarkKind::Danger));
    }
    marks
}

fn caption<B: Board>(position: &CannonPosition<B>) -> String {
    let name = |side: Side| Cannon::SIDES[side.index()];
    let turn = position.turn;
    let lost = BySide::from_fn(|side| position.halls_lost(side));
    let score = format!("Halls lost: {} {}, {} {}.", name(Side::First), lost.first, name(Side::Second), lost.second);
    let Some(outcome) = position.generate(&mut Vec::new()) else {
        return format!("{} is to move. {score}", capital(name(turn)));
    };
    let why = match outcome.reason {
        ANNIHILATION => format!("{} has no soldiers left", name(turn)),
        Reason::STALEMATE => format!("{} has no move", name(turn)),
        _ => String::new(),
    };
    match outcome.winner {
        Some(winner) if why.is_empty() => format!("{} wins. {score}", capital(name(winner))),
        Some(winner) => format!("{}, and {} wins. {score}", capital(&why), name(winner)),
        None => format!("{}: a draw. {score}", capital(&why)),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A soldier and where it goes, or the middle soldier of a cannon and its target. No march of the middle soldier ends on a target:
/// only the front one can retreat as far as that, and the way of a shift is blocked by the empty square in front of the cannon.
pub(crate) fn clicks<B: Board>(position: &CannonPosition<B>, m: Move) -> Vec<Click> {
    let path = match m {
        Move::March { from, to } => Some([from, to]),
        Move::Shot(_) | Move::Pass => {
            moves::orders_of(position, m).first().map(|order| [order.cannon[1], order.target])
        }
    };
    path.into_iter().flatten().map(|square| Click::Spot(spot(position.board, square))).collect()
}
