//! Why a turn is refused: the first rule that it breaks, in words.
//!
//! Written square by square, unlike the generator, so that the two check each other.

use agon_rules::{Game, RuleSet, Side};

use crate::{
    Cannon,
    board::{Board, Squares},
    position::{CannonPosition, Man},
};

/// A square and how to go on from it.
struct Walk<'a, B: Board> {
    position: &'a CannonPosition<B>,
    x: i32,
    y: i32,
}

impl<'a, B: Board> Walk<'a, B> {
    fn new(position: &'a CannonPosition<B>, square: u8) -> Self {
        let (x, y) = position.board.place(square);
        Walk { position, x: x as i32, y: y as i32 }
    }

    /// The square `steps` further in direction (`dx`, `dy`); `None` off the board.
    fn go(&self, (dx, dy): (i32, i32), steps: i32) -> Option<u8> {
        let board = self.position.board;
        let x = usize::try_from(self.x + dx * steps).ok().filter(|&x| x < board.columns())?;
        let y = usize::try_from(self.y + dy * steps).ok().filter(|&y| y < board.rows())?;
        Some(board.square(x, y))
    }

    fn has_own_soldier(&self, direction: (i32, i32), steps: i32) -> bool {
        let own = self.position.soldiers(self.position.turn);
        self.go(direction, steps).is_some_and(|square| own.contains(square))
    }
}

fn name(side: Side) -> &'static str {
    Cannon::SIDES[side.index()]
}

fn place<B: Board>(position: &CannonPosition<B>, square: u8) -> String {
    let (x, y) = position.board.place(square);
    format!("{x} {y}")
}

fn contents<B: Board>(position: &CannonPosition<B>, square: u8) -> String {
    match position.man(square) {
        None => "an empty square".to_owned(),
        Some((side, Man::Soldier)) => format!("a {} soldier", name(side)),
        Some((side, Man::Hall)) => format!("a {} hall", name(side)),
    }
}

/// What is wrong with the soldier that is told to act, or with an own man on the target.
fn wrong_men<B: Board>(position: &CannonPosition<B>, from: u8, to: u8) -> Option<String> {
    let us = position.turn;
    if position.man(from) != Some((us, Man::Soldier)) {
        let (at, found) = (place(position, from), contents(position, from));
        return Some(format!("expected a {} soldier at {at}, found {found}", name(us)));
    }
    if position.man(to).is_some_and(|(side, _)| side == us) {
        return Some(format!("{} holds {} of the side to move", place(position, to), contents(position, to)));
    }
    None
}

/// Why the soldier on `from` may not go to `to`.
pub(crate) fn march<B: Board>(position: &CannonPosition<B>, from: u8, to: u8) -> Option<String> {
    if let Some(reason) = wrong_men(position, from, to) {
        return Some(reason);
    }
    let (here, there) = (Walk::new(position, from), Walk::new(position, to));
    let (dx, dy) = (there.x - here.x, there.y - here.y);
    let forward = if position.turn == Side::First { -dy } else { dy };
    let target = place(position, to);
    match (dx.abs(), forward) {
        (0 | 1, 1) => None,
        (1, 0) => position.man(to).is_none().then(|| format!("a sideways step must capture, but {target} is empty")),
        (0 | 2, -2) => retreat(&here, to, forward_dy(position.turn)),
        (0, -3 | 3) | (3, -3 | 0 | 3) => {
            let direction = (dx.signum(), dy.signum());
            if !here.has_own_soldier(direction, 1) || !here.has_own_soldier(direction, 2) {
                let at = place(position, from);
                return Some(format!("{at} is not the rear of a cannon that points to {target}"));
            }
            let found = contents(position, to);
            position.man(to).map(|_| format!("a cannon shifts to an empty square, but {target} holds {found}"))
        }
        _ => Some(format!(
            "a soldier cannot go from {} to {target}: it steps one square forward, captures one square forward or sideways, \
             retreats two squares straight or diagonally, or goes from the rear to the front of its cannon",
            place(position, from)
        )),
    }
}

fn forward_dy(side: Side) -> i32 {
    if side == Side::First { -1 } else { 1 }
}

/// Why the soldier may not retreat to `to`, which is at the right distance.
fn retreat<B: Board>(here: &Walk<'_, B>, to: u8, forward: i32) -> Option<String> {
    let position = here.position;
    let presses = |direction: (i32, i32)| {
        let man = here.go(direction, 1).and_then(|square| position.man(square));
        match position.rules {
            RuleSet::Text => man.is_some_and(|(side, _)| side != position.turn),
            RuleSet::Server => direction.1 != -forward && man == Some((position.turn.other(), Man::Soldier)),
        }
    };
    if !crate::moves::DIRECTIONS.into_iter().any(presses) {
        return Some(match position.rules {
            RuleSet::Text => "a soldier retreats only from an enemy piece next to it".to_owned(),
            RuleSet::Server => "a soldier retreats only from an enemy soldier beside or before it".to_owned(),
        });
    }
    let (target, found) = (place(position, to), contents(position, to));
    match (position.rules, position.man(to)) {
        (_, None) | (RuleSet::Server, Some((_, Man::Soldier))) => None,
        (RuleSet::Text, Some(_)) => Some(format!("a retreat must end on an empty square, but {target} holds {found}")),
        (RuleSet::Server, Some((_, Man::Hall))) => Some(format!("a retreat cannot capture {found}, as on {target}")),
    }
}

/// Why the soldier on `from` may not order a shot at `to`.
pub(crate) fn shot<B: Board>(position: &CannonPosition<B>, from: u8, to: u8) -> Option<String> {
    if let Some(reason) = wrong_men(position, from, to) {
        return Some(reason);
    }
    let (here, there) = (Walk::new(position, from), Walk::new(position, to));
    let (dx, dy) = (there.x - here.x, there.y - here.y);
    let (at, target) = (place(position, from), place(position, to));
    if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
        return Some(format!("{target} is not in a line with {at}"));
    }
    let back = (-dx.signum(), -dy.signum());
    // The front of the cannon is two or three squares before the target, and the soldier is one of the next three.
    let distance = dx.abs().max(dy.abs());
    let is_cannon = |&front: &i32| {
        (front..front + 3).contains(&distance) && (front..front + 3).all(|steps| there.has_own_soldier(back, steps))
    };
    let fronts: Vec<i32> = [2, 3].into_iter().filter(is_cannon).collect();
    let Some(&first) = fronts.first() else {
        return Some(format!("no cannon with the soldier at {at} has {target} in range"));
    };
    let muzzle = |front: i32| there.go(back, front - 1).filter(|&square| position.man(square).is_none());
    if !fronts.iter().any(|&front| muzzle(front).is_some()) {
        let blocked = there.go(back, first - 1).map(|square| place(position, square)).unwrap_or_default();
        return Some(format!("a cannon needs an empty square in front of it, but {blocked} is occupied"));
    }
    if position.rules == RuleSet::Text && position.man(to).is_none() {
        return Some(format!("a shot must capture, but {target} is empty"));
    }
    None
}
