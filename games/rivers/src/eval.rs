//! What a position is worth, for the search.

mod race;

use agon_rules::{Outcome, Side};
use agon_search::{Parameters, Searchable, Skill, Weight};

use self::race::Race;
use crate::{
    places::Posts,
    position::{Move, RiversPosition},
    set::Cell,
};

// A fit to 2,000 games of 400 nodes a move asked for twice as much for the posts (47 ± 3 for a guard), but play decides: against
// none, half of it won +183 ± 69 Elo, all of it +86 ± 58 (60 pairs, 1,000 nodes a move). What did not pay, each against these
// weights with 25 pairs of 500 nodes: the way round the opponent's stones instead of the straight one, −191 ± 70; posts that
// count only as far as the opponent has attackers, −56 ± 77 at best: whoever attacks would make the other's guards worth more.
// A stone that has arrived cannot be driven out again, since nobody may enter the other's area; what can be pushed away are guards, and that
// the search sees.
agon_search::weights! {
    arrived: 120, "a stone that has arrived";
    step: 10, "each step that one of the nearest pieces still has to go on foot, counted below zero";
    near: 70, "each of them that arrives in its next turn, on foot or carried";
    coming: 30, "each of them that arrives in two or three turns";
    river: 4, "a river of one's own";
    guard: 24, "a piece in the row before the area that the opponent has to fill";
    corner: 12, "a piece on a cell that touches that area with a corner";
    second: 7, "a piece two steps before that area, behind it or beside it";
}

// The larger boards: fitted to 1,500 and 1,200 games of self-play (400 nodes a move), then taken half way. Against the weights of the small
// board with 1,000 nodes, on openings that were not seen before: +9 ± 27 on the medium board (150 pairs), +19 ± 30 on the large one (120
// pairs); with other openings +17 ± 41 and +26 ± 49 (80 and 60 pairs).
const ON_MEDIUM: Terms =
    Terms { arrived: 105, step: 12, near: 63, coming: 32, guard: 40, corner: 15, second: 22, ..WEIGHTS };
const ON_LARGE: Terms = Terms { arrived: 112, near: 58, coming: 34, guard: 36, corner: 19, second: 30, ..WEIGHTS };

/// No piece of any board has further to go.
const FAR: usize = 32;

impl<const W: usize> RiversPosition<W> {
    /// The steps that the nearest pieces of `side` have to go together until `missing` more have arrived, and the posts that its
    /// pieces stand on.
    fn steps_and_posts(&self, side: Side, mut missing: i32) -> (i32, Posts) {
        let places = &self.board.places[side];
        let mut at_distance = [0; FAR];
        let posts = self.pieces[side].fold(Posts::NONE, |posts, cell| {
            let place = places[cell.index()];
            at_distance[usize::from(place.steps).min(FAR - 1)] += 1;
            posts.and(place.posts)
        });
        let mut way = 0;
        // Those at no distance have arrived, or have only to be turned over.
        for (steps, pieces) in at_distance.into_iter().enumerate().skip(1) {
            let going = missing.min(pieces);
            way += going * steps as i32;
            missing -= going;
            if missing == 0 {
                break;
            }
        }
        (way, posts)
    }

    /// What `side` has.
    fn holdings(&self, side: Side) -> Terms {
        let race = Race::of(self, side);
        let near = race.within(1);
        let (steps, posts) = self.steps_and_posts(side, race.missing);
        Terms {
            arrived: i32::from(self.board.goal) - race.missing,
            step: -steps,
            near,
            coming: race.within(3) - near,
            river: (self.pieces[side] & self.rivers).len() as i32,
            guard: posts.front(),
            corner: posts.corner(),
            second: posts.second(),
        }
    }

    /// What each is worth on this board.
    #[inline]
    fn own_weights(&self) -> &'static Terms {
        match self.board.goal {
            ..=4 => &WEIGHTS,
            5 => &ON_MEDIUM,
            _ => &ON_LARGE,
        }
    }

    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        self.holdings(self.turn) - self.holdings(self.turn.other())
    }
}

impl<const W: usize> Searchable for RiversPosition<W> {
    /// Chosen by matches: `bench/strength.md`.
    const SKILLS: [Skill; 9] = [
        Skill::new(0, 480, 8, 3),
        Skill::new(0, 610, 3, 0),
        Skill::new(0, 950, 0, 0),
        Skill::new(0, 2300, 0, 0),
        Skill::new(0, 4300, 0, 0),
        Skill::new(0, 8200, 0, 0),
        Skill::new(0, 15_500, 0, 0),
        Skill::new(0, 30_000, 0, 0),
        Skill::new(0, 60_000, 0, 0),
    ];

    const LADDER_MILLISECONDS: u64 = 150;

    /// One hurries, the other would rather keep its guards at home.
    const STYLES: [&'static str; 2] = ["near=150%,coming=150%,step=120%", "guard=150%,corner=150%,near=80%"];

    /// Measured in `bench/search.md`: without repetition most games never end; singular extensions do not pay. The points
    /// of a draw are about four tenths of a win's: that is what contempt says. The course's server calls a draw after eight moves to and fro:
    /// impatience must come before.
    fn parameters() -> Parameters {
        Parameters { repetition: 1, contempt: 40, impatience: 30, singular: 0, ..Parameters::default() }
    }

    fn evaluate(&self) -> i32 {
        self.terms().worth(self.own_weights())
    }

    /// On the medium board 49 in games against a plain search of three plies; on a larger one there is more to fill, and further to go.
    fn usual_turns(&self) -> u32 {
        11 * u32::from(self.board.goal)
    }

    fn weights(&self) -> Vec<Weight> {
        self.own_weights().list()
    }

    fn features(&self) -> Vec<i32> {
        self.terms().values()
    }

    fn code(m: Move) -> u16 {
        let index = |cell: Cell| cell.index() as u32;
        let folded = match m {
            Move::Go { from, to } => index(from) << 9 | index(to),
            Move::Push { from, to, pushed_to } => 1 << 28 | index(from) << 18 | index(to) << 9 | index(pushed_to),
            Move::ToRiver { at, axis } => 2 << 28 | index(at) << 1 | axis as u32,
            Move::ToStone { at } => 3 << 28 | index(at),
            Move::Rotate { at } => 4 << 28 | index(at),
        };
        (folded.wrapping_mul(0x9e37_79b1) >> 16) as u16 | 1
    }

    fn gain(&self, m: Move) -> i32 {
        let (area, worth) = (self.board.area[self.turn], self.own_weights().arrived);
        let arrives = |from: Cell, to: Cell| area.contains(to) && !area.contains(from);
        match m {
            Move::Go { from, to } if arrives(from, to) && !self.rivers.contains(from) => worth,
            Move::Push { from, to, .. } if arrives(from, to) => worth,
            Move::Push { to, pushed_to, .. } if self.pieces[self.turn].contains(to) && arrives(to, pushed_to) => worth,
            Move::ToStone { at } if area.contains(at) => worth,
            _ => 0,
        }
    }

    /// Stones that arrive on their own feet, and rivers in the area that become stones.
    fn noisy(&self, moves: &mut Vec<Move>) {
        let side = self.turn;
        let area = self.board.area[side];
        moves.extend((area & self.pieces[side] & self.rivers).map(|at| Move::ToStone { at }));
        if area.without(self.occupied()).is_empty() {
            return;
        }
        for from in self.stones(side).without(area) {
            moves.extend((self.targets(side, from) & area).map(|to| Move::Go { from, to }));
        }
    }

    /// The opponent lacks one stone, and it could arrive at once.
    fn threatened(&self) -> bool {
        let them = self.turn.other();
        let gap = self.board.area[them].without(self.stones(them));
        if gap.len() != 1 {
            return false;
        }
        let turns = !(gap & self.pieces[them] & self.rivers).is_empty();
        let mut walkers = self.stones(them).without(self.board.area[them]);
        turns || walkers.any(|from| !(self.targets(them, from) & gap).is_empty())
    }

    fn over(&self, _scratch: &mut Vec<Move>) -> Option<Outcome> {
        self.board_outcome()
    }

    fn move_limit(&self) -> Option<usize> {
        Some(self.turn_limit())
    }
}

#[cfg(test)]
mod tests {
    use agon_rules::RuleSet;

    use super::*;

    fn check_start<const W: usize>(start: &RiversPosition<W>) {
        let goal = i32::from(start.board.goal);
        for side in Side::BOTH {
            let terms = start.holdings(side);
            assert_eq!((terms.guard, terms.corner, terms.second), (goal, 2, goal), "{side:?} in {start:?}");
            assert_eq!((terms.arrived, terms.near, terms.river), (0, 0, 0));
        }
        assert_eq!(start.evaluate(), 0);
    }

    #[test]
    fn pieces_at_home_guard_the_area_that_the_opponent_has_to_fill() {
        check_start(&RiversPosition::small(RuleSet::Text));
        check_start(&RiversPosition::medium(RuleSet::Server));
        check_start(&RiversPosition::large(RuleSet::Text));
    }

    #[test]
    fn a_piece_that_leaves_its_post_is_missed() {
        let mut position = RiversPosition::small(RuleSet::Text);
        let before = position.holdings(Side::First);
        // From the row before the area to the one behind its corner, over the side.
        position.make(Move::Go { from: Cell::new(8, 8), to: Cell::new(9, 8) });
        let beside = position.holdings(Side::First);
        assert_eq!((beside.guard, beside.corner, beside.second), (before.guard, before.corner, before.second));
        position.turn = Side::First;
        position.make(Move::Go { from: Cell::new(8, 9), to: Cell::new(9, 9) });
        assert_eq!(position.holdings(Side::First).corner, before.corner - 1);
    }
}
