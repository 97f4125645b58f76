//! What a position is worth, for the search.
//!
//! Fitted to 3,000 games of self-play, then rounded. Against the evaluation that knew hot boards and winning cells only, with what
//! [`crate::sight`] sees: +301 ± 83 Elo with 2,000 nodes a move (60 pairs), +366 ± 124 with 0.02 s (60 pairs). Without `pair` it
//! loses 118 ± 24 (1,000 nodes, 400 pairs). The fit gave a safe move of the active board 12; 17 won by 89 ± 48 with 10,000 nodes (100
//! pairs) and 66 ± 27 (16 instead of 17, 2,000 nodes, 300 pairs). That a safe cell counts against its owner says that a hot board is worth less the more
//! cells lead to it.

use agon_rules::{Outcome, Position};
use agon_search::{DfpnLeaf, ForcedEnd, Parameters, Searchable, Skill, Weight};

use crate::{
    Cell, ConnectXPosition,
    grid::{BOARDS, makes_four},
    sight::{Lines, Sight, winning_cells},
};

agon_search::weights! {
    turn: -60, "to be on the move";
    choice: 17, "a safe move in the active board";
    hot_board: 140, "a local board with a cell that wins for its owner: the opponent may not send him there";
    hot_late: -12, "the same, for every eight stones on the grid";
    pair: 10, "four cells in line, two of them one's own and two empty";
    single: 2, "four cells in line, one of them one's own and three empty";
    safe_cell: -11, "a cell of any board from which the opponent is not sent to a hot one";
}

/// Stones on the grid from which on proofs may come to an end.
const FIRST_PROOF: u32 = 18;
/// More than anything on the board.
const FOUR: i32 = 10_000;

/// What one side has, on a grid where so many times eight stones are.
fn holdings(sight: &Sight, stones: &u128, side: usize, stage: i32) -> Terms {
    let lines = Lines::new(stones, &sight.empty);
    let hot = sight.hot[side].count_ones() as i32;
    Terms {
        hot_board: hot,
        hot_late: hot * stage,
        pair: lines.pairs as i32,
        single: lines.singles as i32,
        safe_cell: sight.mostly_safe(side).count_ones() as i32,
        ..Terms::default()
    }
}

impl ConnectXPosition {
    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        let sight = Sight::new(self);
        let (us, them) = (self.turn.index(), self.turn.other().index());
        let choice = (sight.mostly_safe(us) & BOARDS[self.active_board()]).count_ones() as i32;
        let stage = (81 - sight.empty.count_ones() as i32) / 8;
        let [ours, theirs] = [us, them].map(|side| holdings(&sight, &self.stones[side], side, stage));
        Terms { turn: 1, choice, ..ours - theirs }
    }
}

impl Searchable for ConnectXPosition {
    /// Then the board is full.
    const LONGEST_TURNS: u32 = 41;

    /// Chosen by matches: `bench/strength.md`.
    const SKILLS: [Skill; 9] = [
        Skill::new(1, 0, 90, 15),
        Skill::new(2, 0, 120, 16),
        Skill::new(2, 0, 48, 6),
        Skill::new(2, 0, 5, 0),
        Skill::new(3, 0, 4, 0),
        Skill::new(0, 600, 0, 0),
        Skill::new(0, 2100, 0, 0),
        Skill::new(0, 8000, 0, 0),
        Skill::new(0, 31_000, 0, 0),
    ];

    const ADEPT: Skill = Skill::new(0, 300, 0, 0);

    /// A few safe moves less for the opponent are no reason to overlook where he is sent: with the weight as it is, 82 % of the points against
    /// random moves (300 games); with 5, 95 % (600 games); without it 98 % (900 games).
    const GREEDY_WEIGHTS: &'static str = "choice=0";

    /// One makes threats, the other keeps its ways out.
    const STYLES: [&'static str; 2] = ["hot_board=130%,pair=150%", "hot_board=85%,choice=140%"];

    /// Proofs find a win in a third to a tenth of the time that the search takes, and are what half of the won games are seen by first. The
    /// search sees most of it a move or two later, so that is worth little in play: see `bench/search.md`.
    fn parameters() -> Parameters {
        Parameters { proof_share: 15, ..Parameters::default() }
    }

    fn evaluate(&self) -> i32 {
        self.terms().worth(&WEIGHTS)
    }

    /// Half of the 43 that search play has.
    fn usual_turns(&self) -> u32 {
        22
    }

    fn weights(&self) -> Vec<Weight> {
        WEIGHTS.list()
    }

    fn features(&self) -> Vec<i32> {
        self.terms().values()
    }

    fn code(cell: Cell) -> u16 {
        cell.bit() as u16 + 1
    }

    fn gain(&self, cell: Cell) -> i32 {
        let stones = self.stones[self.turn.index()] | 1 << cell.bit();
        if makes_four(&stones, cell.bit()) { FOUR } else { 0 }
    }

    fn noisy(&self, moves: &mut Vec<Cell>) {
        let wins = winning_cells(&self.stones[self.turn.index()], &self.empty()) & BOARDS[self.active_board()];
        if wins != 0 {
            moves.push(Cell::from_bit(wins.trailing_zeros() as usize));
        }
    }

    fn forced_end(&self) -> Option<ForcedEnd> {
        if self.winner.is_some() { None } else { Sight::new(self).end(self.turn, self.active_board()) }
    }

    fn drop_losing_moves(&self, moves: &mut Vec<Cell>) {
        let sight = Sight::new(self);
        let (side, board) = (self.turn.index(), self.active_board());
        let wins = sight.wins[side] & BOARDS[board];
        let kept = if wins != 0 { wins } else { sight.safe_cells(side, board) };
        if kept != 0 {
            moves.retain(|cell| kept >> cell.bit() & 1 == 1);
        }
    }

    fn dfpn_leaf(&self) -> DfpnLeaf {
        let (sight, board) = (Sight::new(self), self.active_board());
        let safe = || sight.safe_cells(self.turn.index(), board).count_ones();
        sight.end(self.turn, board).map_or_else(|| DfpnLeaf::Open(safe()), DfpnLeaf::End)
    }

    /// Proofs that begin much earlier do not end in a second.
    fn worth_proving(&self) -> bool {
        81 - self.empty().count_ones() >= FIRST_PROOF
    }

    /// At most one move does not send the opponent to a board where it wins at once.
    fn threatened(&self) -> bool {
        let (side, board) = (self.turn.index(), self.active_board());
        // Most often nothing wins, which is cheaper to see than all the rest.
        winning_cells(&self.stones[1 - side], &self.empty()) != 0
            && Sight::new(self).safe_cells(side, board).count_ones() < 2
    }

    fn over(&self, scratch: &mut Vec<Cell>) -> Option<Outcome> {
        if self.winner.is_none() && self.empty() != 0 { None } else { self.generate(scratch) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use agon_rules::BySide;
    use agon_search::{Limits, Objective, Searcher, TranspositionTable, score};

    use super::*;

    /// A win in thirteen moves.
    const WIN: &str = "..1...122/..2...1../..11..2.1/2.1.....1/...1....2/2..1..1../2.2...2.2/221....../1........ 1 0";

    #[test]
    fn a_proof_before_the_search_wins_and_is_the_same_every_time() {
        let position = ConnectXPosition::start().parse(WIN).expect("a position");
        let parameters = Parameters { proof_share: 50, ..ConnectXPosition::parameters() };
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1)), parameters, Objective::Win);
        let mut once = || {
            searcher.forget();
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let found = searcher.search(&position, &[], BySide::default(), 1, limits, &mut |_| {}).expect("a game");
            (found.lines, found.nodes)
        };
        let (lines, nodes) = once();
        assert!(score::is_decided(lines[0].score) && lines[0].score > 0, "{lines:?}");
        assert!(nodes < 20_000);
        assert_eq!(once(), (lines, nodes));
    }
}
