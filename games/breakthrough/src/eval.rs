//! What a position is worth, for the search.
//!
//! A first guess, and then a few matches of 150 pairs with 1,000 nodes a move: 25 instead of 12 for a man at home won by 78 ± 38 Elo,
//! and nothing instead of 8 for a guarded man by 123 ± 44. Without the two weights for men who come near, 335 ± 62 are lost. `free` is
//! seldom asked, since [`Searchable::forced_end`] sees most of it: without it, 5 ± 9 are lost.

use agon_rules::{Outcome, Position, Side};
use agon_search::{DfpnLeaf, ForcedEnd, Searchable, Weight};

use crate::{
    BreakthroughPosition, Move,
    board::{Step, ahead, attacked},
    moves,
};

agon_search::weights! {
    turn: 25, "to be on the move";
    man: 100, "a man";
    step: 8, "a row that a man has come forward";
    third_last: 20, "a man three steps before the far row";
    second_last: 50, "a man two steps before it";
    last: 120, "a man one step before it";
    hanging: -30, "a man who is attacked and not guarded";
    home: 25, "a man in the row that he must keep the others from";
    free: 200, "a man whom nobody can stop";
}

/// What it gains to win: more than anything on the board.
const GOAL: i32 = 10_000;

/// What one side has.
fn holdings(position: &BreakthroughPosition, side: Side) -> Terms {
    let board = position.board;
    let (ours, theirs) = (position.men[side.index()], position.men[side.other().index()]);
    let count = |men: u64| men.count_ones() as i32;
    let on_rank = |rank: usize| count(ours & board.rank(side, rank));
    let guarded = attacked(ours, side);
    let last = board.size() - 1;
    Terms {
        man: count(ours),
        step: (1..last).map(|rank| rank as i32 * on_rank(rank)).sum(),
        third_last: on_rank(last - 3),
        second_last: on_rank(last - 2),
        last: on_rank(last - 1),
        hanging: count(ours & attacked(theirs, side.other()) & !guarded),
        home: on_rank(0),
        free: count(ours & !ahead(theirs, side.other())),
        ..Terms::default()
    }
}

/// The foremost men of a side, and how many steps they have before them.
fn foremost(position: &BreakthroughPosition, side: Side) -> (u64, usize) {
    let (men, last) = (position.men[side.index()], position.board.size() - 1);
    let ranks = (0..last).rev().map(|rank| (men & position.board.rank(side, rank), last - rank));
    { ranks }.find(|(men, _)| *men != 0).unwrap_or((0, last))
}

impl BreakthroughPosition {
    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        Terms { turn: 1, ..holdings(self, self.turn) - holdings(self, self.turn.other()) }
    }

    fn men_of(&self, side: Side) -> u64 {
        self.men[side.index()]
    }

    /// The opponent's men who would reach the far row with the next move.
    #[inline]
    fn threats(&self) -> u64 {
        let them = self.turn.other();
        self.men_of(them) & self.board.rank(them, self.board.size() - 2)
    }

    /// The squares to which the side to move can go and has won.
    #[inline]
    fn winning_targets(&self) -> u64 {
        let theirs = self.men_of(self.turn.other());
        let last_man = if theirs.is_power_of_two() { theirs } else { 0 };
        self.board.goal(self.turn) | last_man
    }

    /// The squares of a set that the side to move can go to.
    #[inline]
    fn reachable(&self, set: u64) -> u64 {
        Step::ALL.into_iter().fold(0, |reached, step| reached | moves::targets(self, step) & set)
    }

    /// Where a race ends that nobody can stop.
    ///
    /// A man is free if no opponent stands where he could come to be in its way: that is the triangle of squares ahead of it, whoever is to
    /// move. It needs a move a step. A side that has a free man among its foremost ones wins, if the other one is not faster; and not
    /// earlier, unless it can capture all men in fewer moves.
    fn race(&self) -> Option<ForcedEnd> {
        let (us, them) = (self.turn, self.turn.other());
        let ((ours, our_steps), (theirs, their_steps)) = (foremost(self, us), foremost(self, them));
        let enough = |side: Side, moves: usize| self.men_of(side).count_ones() as usize >= moves;
        if our_steps <= their_steps {
            let free = ours & !ahead(self.men_of(them), them);
            (free != 0 && enough(them, our_steps)).then_some(ForcedEnd::WinIn(2 * our_steps - 1))
        } else {
            let free = theirs & !ahead(self.men_of(us), us);
            (free != 0 && enough(us, their_steps)).then_some(ForcedEnd::LossIn(2 * their_steps))
        }
    }
}

impl Searchable for BreakthroughPosition {
    /// Sixteen men who have gone as far as they can without winning, and one step more: eight of them six steps, eight of them five.
    const LONGEST_TURNS: u32 = 89;

    /// One runs, the other keeps together.
    const STYLES: [&'static str; 2] = ["step=150%,second_last=150%", "hanging=200%,home=150%"];

    fn evaluate(&self) -> i32 {
        self.terms().worth(&WEIGHTS)
    }

    fn usual_turns(&self) -> u32 {
        if self.board.size() == 8 { 30 } else { 15 }
    }

    fn weights(&self) -> Vec<Weight> {
        WEIGHTS.list()
    }

    fn features(&self) -> Vec<i32> {
        self.terms().values()
    }

    fn code(m: Move) -> u16 {
        (m.from.index() * 64 + m.to.index()) as u16 + 1
    }

    fn gain(&self, m: Move) -> i32 {
        if self.winning_targets() & m.to.bit() != 0 {
            return GOAL;
        }
        let captures = self.men_of(self.turn.other()) & m.to.bit() != 0;
        // The further the captured man has come, the better.
        let steps = match self.turn {
            Side::First => self.board.size() - 1 - m.to.rank(),
            Side::Second => m.to.rank(),
        };
        if captures { WEIGHTS.man + WEIGHTS.step * steps as i32 } else { 0 }
    }

    fn noisy(&self, moves: &mut Vec<Move>) {
        let goal = self.board.goal(self.turn);
        let captures = self.men_of(self.turn.other());
        moves::push_within(self, Step::Straight, goal, moves);
        for step in Step::DIAGONAL {
            moves::push_within(self, step, goal | captures, moves);
        }
    }

    fn forced_end(&self) -> Option<ForcedEnd> {
        if moves::outcome(self).is_some() {
            return None;
        }
        if self.reachable(self.winning_targets()) != 0 {
            return Some(ForcedEnd::WinIn(1));
        }
        let threats = self.threats();
        match threats.count_ones() {
            0 => self.race(),
            1 if self.reachable(threats) != 0 => None,
            _ => Some(ForcedEnd::LossIn(2)),
        }
    }

    fn drop_losing_moves(&self, moves: &mut Vec<Move>) {
        let wins = self.reachable(self.winning_targets());
        let answers = self.reachable(self.threats());
        let kept = if wins != 0 { wins } else { answers };
        if kept != 0 {
            moves.retain(|m| m.to.bit() & kept != 0);
        }
    }

    /// Who must capture a man has few moves worth a thought.
    fn dfpn_leaf(&self) -> DfpnLeaf {
        let threats = self.threats();
        let captures = || Step::DIAGONAL.into_iter().map(|step| (moves::targets(self, step) & threats).count_ones());
        let open = || if threats == 0 { self.count() as u32 } else { captures().sum() };
        self.forced_end().map_or_else(|| DfpnLeaf::Open(open()), DfpnLeaf::End)
    }

    fn threatened(&self) -> bool {
        self.threats() != 0
    }

    fn over(&self, _scratch: &mut Vec<Move>) -> Option<Outcome> {
        moves::outcome(self)
    }
}

#[cfg(test)]
mod tests {
    use agon_rules::Random;
    use agon_search::minimax;

    use super::*;
    use crate::{Square, board::Board};

    /// Up to four men a side, often all of them far from where they want to go.
    fn sparse(random: &mut Random) -> BreakthroughPosition {
        let board = Board::from_name("6x6").expect("a board");
        let mut men = [0; 2];
        let ranks = 2 + random.below(4);
        for side in Side::BOTH {
            for _ in 0..=random.below(4) {
                let (file, rank) = (random.below(6), random.below(ranks));
                let rank = if side == Side::First { rank } else { 5 - rank };
                men[side.index()] |= Square::new(file, rank).bit() & !men[side.other().index()];
            }
        }
        BreakthroughPosition::from_parts(board, men, if random.below(2) == 0 { Side::First } else { Side::Second })
    }

    /// Ends that are seen are the true ones: minimax finds them after as many moves, and none earlier.
    #[test]
    fn an_end_that_is_seen_comes_exactly_then() {
        let mut random = Random::new(1);
        let mut seen = [0; 6];
        for _ in 0..3000 {
            let position = sparse(&mut random);
            let (side, length) = match position.forced_end() {
                Some(ForcedEnd::WinIn(length)) => (position.turn, length),
                Some(ForcedEnd::LossIn(length)) => (position.turn.other(), length),
                None => continue,
            };
            let Some(seen) = seen.get_mut(length) else { continue };
            *seen += 1;
            let won_within = |depth| minimax::wins(&position, &mut Vec::new(), depth as u32, side);
            assert!(won_within(length), "{}: {length}", position.text());
            assert!(!won_within(length - 1), "{}: before {length}", position.text());
        }
        assert!(seen[0] == 0 && seen[1..].iter().all(|&times| times > 10), "{seen:?}");
    }

    /// What is left out loses at once, and what is listed as noisy gains something.
    #[test]
    fn lists_without_some_moves_are_what_they_are_said_to_be() {
        let mut dropped = 0;
        for (board, seed) in ["8x8", "6x6"].into_iter().flat_map(|board| (0..200).map(move |seed| (board, seed))) {
            let mut position = BreakthroughPosition::start(Board::from_name(board).expect("a board"));
            let (mut random, mut moves) = (Random::new(seed), Vec::new());
            while position.generate(&mut moves).is_none() {
                let after = |m: Move| {
                    let mut next = position;
                    next.play(m);
                    next
                };
                let wins = |m: &Move| moves::outcome(&after(*m)).is_some();
                let loses = |m: &Move| {
                    let next = after(*m);
                    let mut replies = Vec::new();
                    next.generate(&mut replies).is_none()
                        && replies.iter().any(|&reply| {
                            let mut last = next;
                            last.play(reply);
                            moves::outcome(&last).is_some()
                        })
                };
                let mut kept = moves.clone();
                position.drop_losing_moves(&mut kept);
                let left_out = || moves.iter().filter(|m| !kept.contains(m));
                dropped += left_out().count();
                assert!(!kept.is_empty());
                assert!(left_out().all(loses) || kept.iter().all(wins), "{}: {kept:?}", position.text());
                let mut noisy = Vec::new();
                position.noisy(&mut noisy);
                let gains = moves.iter().filter(|&&m| position.gain(m) > 0).count();
                assert!(noisy.iter().all(|&m| position.gain(m) > 0) && noisy.len() == gains, "{}", position.text());
                let m = random.pick(&moves);
                position.play(m);
                moves.clear();
            }
        }
        assert!(dropped > 100, "{dropped}");
    }
}
