//! Moves: whole sets of them at once, by shifting sets of squares.

use agon_rules::{RuleSet, Side};

use crate::{
    board::{Board, Squares, bits_apart},
    position::CannonPosition,
};

/// One decision. Squares are numbered as in [`Squares`].
///
/// A shot is its target alone: which cannon fires and which of its soldiers gives the order changes nothing. For the same
/// reason all shots at empty squares together are one move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A soldier steps, captures, retreats, or goes from the rear of its cannon to the front.
    March {
        /// Where it stood.
        from: u8,
        /// Where it goes.
        to: u8,
    },
    /// A cannon removes the man on this square.
    Shot(u8),
    /// A cannon fires at an empty square and nothing changes.
    Pass,
}

/// The four lines that a cannon can stand in.
const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The eight directions that a cannon can point in.
pub(crate) const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// What the side to move sees.
struct View<S> {
    own: S,
    empty: S,
    enemy_soldiers: S,
    enemy: S,
}

#[inline(always)]
fn view<B: Board>(position: &CannonPosition<B>, us: usize) -> View<B::Set> {
    let own = position.soldiers[us];
    let enemy_soldiers = position.soldiers[1 - us];
    let enemy = enemy_soldiers | position.halls[1 - us];
    let empty = position.board.all() & !(own | position.halls[us] | enemy);
    View { own, empty, enemy_soldiers, enemy }
}

/// Squares that soldiers of the moving side may retreat from.
#[inline(always)]
fn pressed<B: Board, const UP: bool>(position: &CannonPosition<B>, view: &View<B::Set>) -> B::Set {
    let board = position.board;
    let back = if UP { 1 } else { -1 };
    let enemy = match position.rules {
        RuleSet::Text => view.enemy,
        RuleSet::Server => view.enemy_soldiers,
    };
    let beside = board.shift(enemy, 1, 0) | board.shift(enemy, -1, 0);
    let mut near = beside | board.shift(enemy | beside, 0, back);
    if position.rules == RuleSet::Text {
        near |= board.shift(enemy | beside, 0, -back);
    }
    view.own & near
}

/// The march to `to` from `distance` bits before it.
#[inline(always)]
fn march(to: u8, distance: i32) -> Move {
    Move::March { from: (i32::from(to) - distance) as u8, to }
}

/// Hands every set of targets that soldiers can march to, with the distance in bits that they come from, to `visit`.
/// Gives back all squares that cannons can fire at, as if nothing of their own stood there.
#[inline(always)]
fn visit_marches<B: Board, const UP: bool>(
    position: &CannonPosition<B>,
    view: &View<B::Set>,
    mut visit: impl FnMut(B::Set, i32),
) -> B::Set {
    let board = position.board;
    let forward = if UP { -1 } else { 1 };
    for dx in [-1, 0, 1] {
        visit(board.shift(view.own, dx, forward) & (view.empty | view.enemy), bits_apart::<B>(dx, forward));
    }
    for dx in [-1, 1] {
        visit(board.shift(view.own, dx, 0) & view.enemy, bits_apart::<B>(dx, 0));
    }
    let pressed = pressed::<B, UP>(position, view);
    if !pressed.is_empty() {
        let landing = match position.rules {
            RuleSet::Text => view.empty,
            RuleSet::Server => view.empty | view.enemy_soldiers,
        };
        for dx in [-1, 0, 1] {
            let jumped = board.shift(pressed, dx, -forward);
            visit(board.shift(jumped, dx, -forward) & landing, 2 * bits_apart::<B>(dx, -forward));
        }
    }
    let mut fire = B::Set::NONE;
    for (dx, dy) in LINES {
        let middles = view.own & board.shift(view.own, dx, dy) & board.shift(view.own, -dx, -dy);
        if middles.is_empty() {
            continue;
        }
        for (dx, dy) in [(dx, dy), (-dx, -dy)] {
            let end = board.shift(middles, dx, dy);
            let ahead = board.shift(end, dx, dy) & view.empty;
            visit(ahead, 3 * bits_apart::<B>(dx, dy));
            let near = board.shift(ahead, dx, dy);
            fire |= near | board.shift(near, dx, dy);
        }
    }
    fire
}

#[inline(always)]
fn count_side<B: Board, const UP: bool>(position: &CannonPosition<B>) -> u64 {
    let view = view(position, usize::from(!UP));
    let mut total = 0;
    let fire = visit_marches::<B, UP>(position, &view, |targets, _| total += targets.len());
    total += (fire & view.enemy).len();
    total += u32::from(position.rules == RuleSet::Server && !(fire & view.empty).is_empty());
    u64::from(total)
}

/// The number of legal moves, whatever the halls say.
#[inline]
pub(crate) fn count<B: Board>(position: &CannonPosition<B>) -> u64 {
    match position.turn {
        Side::First => count_side::<B, true>(position),
        Side::Second => count_side::<B, false>(position),
    }
}

/// Whether there is a legal move, whatever the halls say.
pub(crate) fn any<B: Board>(position: &CannonPosition<B>) -> bool {
    let (view, board) = (view(position, position.turn.index()), position.board);
    let forward = if position.turn == Side::First { -1 } else { 1 };
    // Nearly always a soldier can step straight on.
    !(board.shift(view.own, 0, forward) & (view.empty | view.enemy)).is_empty() || count(position) > 0
}

/// Appends all captures, in the order of [`generate`].
pub(crate) fn captures<B: Board>(position: &CannonPosition<B>, moves: &mut Vec<Move>) {
    let view = view(position, position.turn.index());
    let list = |targets: B::Set, distance: i32| {
        moves.extend((targets & view.enemy).squares().map(|to| march(to, distance)));
    };
    let fire = match position.turn {
        Side::First => visit_marches::<B, true>(position, &view, list),
        Side::Second => visit_marches::<B, false>(position, &view, list),
    };
    moves.extend((fire & view.enemy).squares().map(Move::Shot));
}

#[inline(always)]
fn generate_side<B: Board, const UP: bool>(position: &CannonPosition<B>, moves: &mut Vec<Move>) {
    let view = view(position, usize::from(!UP));
    let fire = visit_marches::<B, UP>(position, &view, |targets, distance| {
        moves.extend(targets.squares().map(|to| march(to, distance)));
    });
    moves.extend((fire & view.enemy).squares().map(Move::Shot));
    if position.rules == RuleSet::Server && !(fire & view.empty).is_empty() {
        moves.push(Move::Pass);
    }
}

/// Appends all legal moves, whatever the halls say.
pub(crate) fn generate<B: Board>(position: &CannonPosition<B>, moves: &mut Vec<Move>) {
    match position.turn {
        Side::First => generate_side::<B, true>(position, moves),
        Side::Second => generate_side::<B, false>(position, moves),
    }
}

/// What a side could do if it were to move.
pub(crate) struct Sight<S> {
    /// Where its cannons can fire at, as if nothing of its own stood there.
    pub(crate) fire: S,
    /// How many marches it has.
    pub(crate) mobility: u32,
    /// The enemy men that it can take.
    pub(crate) attacked: S,
}

/// What `side` could do if it were to move.
#[inline]
pub(crate) fn sight<B: Board>(position: &CannonPosition<B>, side: Side) -> Sight<B::Set> {
    let view = view(position, side.index());
    let (mut marches, mut mobility) = (B::Set::NONE, 0);
    let collect = |set: B::Set, _| {
        marches |= set;
        mobility += set.len();
    };
    let fire = match side {
        Side::First => visit_marches::<B, true>(position, &view, collect),
        Side::Second => visit_marches::<B, false>(position, &view, collect),
    };
    Sight { fire, mobility, attacked: (marches | fire) & view.enemy }
}

/// The enemy men that `side` could take if it were to move.
pub(crate) fn attacked<B: Board>(position: &CannonPosition<B>, side: Side) -> B::Set {
    sight(position, side).attacked
}

/// The empty squares right in front of the moving side's cannons that point in direction (`dx`, `dy`).
fn muzzles<B: Board>(position: &CannonPosition<B>, view: &View<B::Set>, (dx, dy): (i32, i32)) -> B::Set {
    let board = position.board;
    let second = board.shift(view.own, dx, dy) & view.own;
    let third = board.shift(second, dx, dy) & view.own;
    board.shift(third, dx, dy) & view.empty
}

/// A shot as a player orders it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    /// The front, the middle and the rear soldier; each of them may give the order.
    pub(crate) cannon: [u8; 3],
    pub(crate) target: u8,
}

/// Every shot at a square of `targets` by every cannon, in a fixed order.
pub(crate) fn orders<B: Board>(position: &CannonPosition<B>, targets: B::Set) -> Vec<Order> {
    let board = position.board;
    let view = view(position, position.turn.index());
    let mut orders = Vec::new();
    for (dx, dy) in DIRECTIONS {
        let step = bits_apart::<B>(dx, dy);
        let muzzles = muzzles(position, &view, (dx, dy));
        let near = board.shift(muzzles, dx, dy);
        for (set, distance) in [(near, 2), (board.shift(near, dx, dy), 3)] {
            for target in (set & targets & (view.empty | view.enemy)).squares() {
                let front = i32::from(target) - distance * step;
                orders.push(Order { cannon: [0, 1, 2].map(|behind| (front - behind * step) as u8), target });
            }
        }
    }
    orders
}

/// Every way to order the shot `m`; none if it is no shot.
pub(crate) fn orders_of<B: Board>(position: &CannonPosition<B>, m: Move) -> Vec<Order> {
    match m {
        Move::March { .. } => Vec::new(),
        Move::Shot(target) => orders(position, B::Set::only(target)),
        Move::Pass => orders(position, view(position, position.turn.index()).empty),
    }
}

/// In how many ways a player can write `m`. No two cannons share both target and soldier: a soldier and a target fix the line,
/// and on it the nearer cannon would stand in the way of the farther one.
pub(crate) fn count_orders<B: Board>(position: &CannonPosition<B>, m: Move) -> u64 {
    match m {
        Move::March { .. } => 1,
        Move::Shot(_) | Move::Pass => 3 * orders_of(position, m).len() as u64,
    }
}
