//! What a position is worth, for the search.

use agon_rules::{Outcome, Position, Side};
use agon_search::{Parameters, Searchable, Skill, Weight};

use crate::{
    Move,
    board::{Board, Squares},
    moves::{self, Sight, attacked},
    position::CannonPosition,
};

// Fitted to self-play, then changed by play: the fit gave a soldier by itself 6, a row of advance 28 and a guarded soldier −15, which
// scored 69 % against the evaluation that was here before (soldiers, halls, cannons, halls under fire); 40, 22 and −8 scored 83 %, with
// 1,000 nodes and 40 pairs each. The weights below: +246 Elo (from +167 to +358) at 0.01 s a move, 50 pairs.
// What single terms are worth, with 1,000 nodes and 400 pairs: advance 192 ± 25, halls 116 ± 21, pairs and cannons together 79 ± 22,
// soldiers 75 ± 21, soldiers near halls 32 ± 19; with 50 pairs: attacks on soldiers 28 ± 64, fire 7 ± 64. Retreats are marches and count in
// `mobility`: 6 more for each cost 35 ± 33, 6 less 21 ± 34 (150 pairs).
agon_search::weights! {
    soldier: 50, "a soldier";
    hall: 350, "a town hall";
    cannon: 5, "three soldiers in line";
    pair: 8, "two soldiers side by side in a line";
    advance: 22, "a row that a soldier has gone forward";
    near_hall: 64, "a soldier no more than two steps from an enemy hall";
    near_last_hall: 23, "the same when the loss of one more hall decides";
    guarded: -8, "a soldier on whose square its side could take back";
    mobility: 3, "a march";
    fire: 8, "a square that a cannon can fire at";
    enemy_attacked: 33, "an enemy soldier that the side to move can take";
    under_attack: 11, "a soldier that the side to move may lose, counted below zero";
    hanging: 8, "such a soldier on whose square nobody could take back, counted below zero";
    hall_attacked: 70, "an enemy hall that the side to move can take";
    hall_under_fire: 54, "a hall of the side to move that can be taken next turn, counted below zero";
    turn: 0, "the right to move";
}

// Larger boards: fitted to 2,000 games of self-play on each (700 nodes a move), then taken half way, since all of the fit lost 78 ± 51 on
// 10x10. Against the weights of 8x8 with 2,000 nodes, on openings that were not seen before, 200 pairs each: +34 ± 30 on 10x8, +18 ± 33 on
// 10x10; with 1,000 nodes +24 ± 41 and +16 ± 46 (100 pairs). There is further to go, so a soldier that stands near a hall is
// worth more. Tuning by play, 8,000 games from the weights of 8x8, found less: +13 ± 31 and −23 ± 32.
// The right to move, counted since: +53 ± 22 on 10x8 and +59 ± 23 on 10x10 (2,000 nodes, 400 pairs).
const ON_10_BY_8: Terms = Terms {
    hall: 450,
    cannon: 9,
    advance: 24,
    near_hall: 150,
    near_last_hall: 60,
    enemy_attacked: 50,
    under_attack: 20,
    hall_attacked: 90,
    hall_under_fire: 65,
    turn: 15,
    ..WEIGHTS
};
const ON_10_BY_10: Terms = Terms {
    hall: 430,
    cannon: 10,
    pair: 12,
    advance: 26,
    near_hall: 140,
    near_last_hall: 50,
    fire: 6,
    enemy_attacked: 45,
    under_attack: 20,
    turn: 15,
    ..WEIGHTS
};

const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl<B: Board> CannonPosition<B> {
    /// What `side` has, apart from what it attacks.
    fn holdings(&self, side: Side, sight: &Sight<B::Set>) -> Terms {
        let (own, board) = (self.soldiers(side), self.board());
        let mut terms = Terms {
            soldier: own.len() as i32,
            hall: self.halls(side).len() as i32,
            guarded: (own & self.guard(side, sight)).len() as i32,
            advance: self.advance(side),
            near_hall: (own & self.approaches(side)).len() as i32,
            mobility: sight.mobility as i32,
            fire: (sight.fire & board.all()).len() as i32,
            ..Terms::default()
        };
        if self.halls_lost(side.other()) == 1 {
            terms.near_last_hall = terms.near_hall;
        }
        for (dx, dy) in LINES {
            let pairs = own & board.shift(own, dx, dy);
            terms.pair += pairs.len() as i32;
            terms.cannon += (pairs & board.shift(pairs, dx, dy)).len() as i32;
        }
        terms
    }

    /// Where `side` could take back.
    fn guard(&self, side: Side, sight: &Sight<B::Set>) -> B::Set {
        let (own, board) = (self.soldiers(side), self.board());
        let beside = board.shift(own, 1, 0) | board.shift(own, -1, 0);
        beside | board.shift(own | beside, 0, forward(side)) | sight.fire
    }

    /// How many rows the soldiers of `side` have gone forward, all together.
    fn advance(&self, side: Side) -> i32 {
        let (mut row, mut sum) = (self.board().all(), 0);
        // Drops one row after the other, the nearest to home first, and counts whoever is beyond it.
        for _ in 1..self.board().rows() {
            row = self.board().shift(row, 0, forward(side)) & self.board().all();
            sum += (self.soldiers(side) & row).len() as i32;
        }
        sum
    }

    /// The squares from which a soldier of `side` needs no more than two steps to an enemy hall.
    fn approaches(&self, side: Side) -> B::Set {
        let board = self.board();
        let step_before = |set: B::Set| {
            let straight = board.shift(set, 0, -forward(side));
            straight | board.shift(straight, 1, 0) | board.shift(straight, -1, 0)
        };
        let one = step_before(self.halls(side.other()));
        one | step_before(one)
    }

    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        let (us, them) = (self.turn(), self.turn().other());
        let (ours, theirs) = (moves::sight(self, us), moves::sight(self, them));
        let lost = theirs.attacked & self.soldiers(us);
        Terms {
            enemy_attacked: (ours.attacked & self.soldiers(them)).len() as i32,
            hall_attacked: (ours.attacked & self.halls(them)).len() as i32,
            under_attack: -(lost.len() as i32),
            hanging: -((lost & !self.guard(us, &ours)).len() as i32),
            turn: 1,
            hall_under_fire: -((theirs.attacked & self.halls(us)).len() as i32),
            ..self.holdings(us, &ours) - self.holdings(them, &theirs)
        }
    }

    /// What each is worth on this board. Sizes that nobody has fitted have those of the nearest one.
    #[inline]
    fn own_weights(&self) -> &'static Terms {
        match (self.board().rows(), self.board().columns()) {
            (..=8, _) => &WEIGHTS,
            (_, ..=8) => &ON_10_BY_8,
            _ => &ON_10_BY_10,
        }
    }

    /// What a man on `square` is worth to whoever takes it.
    fn prize(&self, square: u8) -> i32 {
        let them = self.turn().other();
        if self.halls(them).contains(square) {
            self.own_weights().hall
        } else if self.soldiers(them).contains(square) {
            self.own_weights().soldier
        } else {
            0
        }
    }
}

/// The way that the soldiers of `side` march, in rows.
fn forward(side: Side) -> i32 {
    if side == Side::First { -1 } else { 1 }
}

impl<B: Board> Searchable for CannonPosition<B> {
    /// Chosen by matches: `bench/strength.md`.
    const SKILLS: [Skill; 9] = [
        Skill::new(1, 0, 45, 8),
        Skill::new(1, 0, 11, 1),
        Skill::new(3, 0, 12, 0),
        Skill::new(0, 900, 0, 0),
        Skill::new(0, 2000, 0, 0),
        Skill::new(0, 4600, 0, 0),
        Skill::new(0, 10_000, 0, 0),
        Skill::new(0, 29_000, 0, 0),
        Skill::new(0, 95_000, 0, 0),
    ];

    const ADEPT: Skill = Skill::new(0, 4000, 0, 0);

    /// One goes for the halls, the other keeps together and looks after its own.
    const STYLES: [&'static str; 2] =
        ["near_hall=150%,advance=130%,hall_attacked=130%", "hall_under_fire=200%,guarded=8,near_hall=60%"];

    /// Measured in `bench/search.md`: killers and threat extensions do not pay.
    fn parameters() -> Parameters {
        Parameters { killers: 0, threat_extension: 0, ..Parameters::default() }
    }

    fn evaluate(&self) -> i32 {
        self.terms().worth(self.own_weights())
    }

    /// In games of 3,000 nodes a move 25 on 8x8, 31 on 10x8 and 41 on 10x10, of which the last five or more are decided and take no time.
    fn usual_turns(&self) -> u32 {
        (self.board().rows() * self.board().columns() / 3) as u32
    }

    fn weights(&self) -> Vec<Weight> {
        self.own_weights().list()
    }

    fn features(&self) -> Vec<i32> {
        self.terms().values()
    }

    fn code(m: Move) -> u16 {
        match m {
            Move::March { from, to } => 1 + (u16::from(from) << 7 | u16::from(to)),
            Move::Shot(target) => 0x8000 | u16::from(target),
            Move::Pass => 0xc000,
        }
    }

    fn gain(&self, m: Move) -> i32 {
        match m {
            Move::March { to, .. } => self.prize(to),
            Move::Shot(target) => self.prize(target),
            Move::Pass => 0,
        }
    }

    fn over(&self, scratch: &mut Vec<Move>) -> Option<Outcome> {
        if self.goal().is_none() && moves::any(self) { None } else { self.generate(scratch) }
    }

    fn noisy(&self, moves: &mut Vec<Move>) {
        moves::captures(self, moves);
    }

    /// One more hall lost is the game, and it can be taken at once.
    fn threatened(&self) -> bool {
        let us = self.turn();
        self.halls_lost(us) == 1 && !(attacked(self, us.other()) & self.halls(us)).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use agon_rules::{Random, RuleSet};

    use super::*;
    use crate::board::{AnySize, Eight};

    fn start() -> CannonPosition<Eight> {
        CannonPosition::start(Eight, RuleSet::Text)
    }

    #[test]
    fn the_start_is_level() {
        let terms = start().terms();
        assert_eq!((terms.worth(&WEIGHTS), terms.soldier, terms.hall, terms.advance), (0, 0, 0, 0));
        let start = start();
        let sight = moves::sight(&start, Side::First);
        // Four columns of three soldiers: one of each stands one row from home, one stands two.
        assert_eq!(start.holdings(Side::First, &sight).advance, 4 * (1 + 2));
    }

    #[test]
    fn men_under_attack_are_seen() {
        let position =
            start().parse("......../......../......../.s....../S......./......../......../........ 1").unwrap();
        let terms = position.terms();
        assert_eq!((terms.enemy_attacked, terms.under_attack, terms.hanging), (1, -1, -1));
        let guarded =
            start().parse("......../......../......../.s....../S......./.S....../......../........ 1").unwrap();
        assert_eq!((guarded.terms().under_attack, guarded.terms().hanging), (-1, 0));
    }

    #[test]
    fn a_soldier_two_steps_from_a_hall_is_near_it() {
        for (row, near) in [(2, 1), (3, 0)] {
            let mut rows = ["........"; 8];
            rows[0] = "..t.t.t.";
            rows[row] = "..S.....";
            let position = start().parse(&format!("{} 1", rows.join("/"))).unwrap();
            let terms = position.terms();
            assert_eq!((terms.near_hall, terms.near_last_hall), (near, near), "row {row}, one hall lost");
        }
    }

    /// Mirrored boards, and boards turned round with the sides exchanged, are worth the same to the side to move.
    fn check_symmetries<B: Board>(start: &CannonPosition<B>) {
        for seed in 0..20 {
            let (mut random, mut position, mut moves) = (Random::new(seed), start.clone(), Vec::new());
            while position.generate(&mut moves).is_none() && random.below(80) > 0 {
                for symmetry in 0..4 {
                    let image = position.transform(symmetry);
                    assert_eq!(image.evaluate(), position.evaluate(), "{} by {symmetry}", position.text());
                }
                position.play(random.pick(&moves));
                moves.clear();
            }
        }
    }

    #[test]
    fn images_of_a_position_are_worth_the_same() {
        for rules in [RuleSet::Text, RuleSet::Server] {
            check_symmetries(&CannonPosition::start(Eight, rules));
            for (rows, columns) in [(10, 10), (10, 8), (6, 4)] {
                check_symmetries(&CannonPosition::start(AnySize::new(rows, columns).unwrap(), rules));
            }
        }
    }
}
