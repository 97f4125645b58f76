//! How a game ends by its history, and what an ending is worth.

use agon_rules::{BySide, Ending, Outcome, Reason, RuleSet, Side};

use crate::{REPETITION, position::RiversPosition};

impl<const W: usize> RiversPosition<W> {
    /// After how many turns of both sides together a game is a draw: 500 of each by the text; the original programs stop one later.
    pub(crate) fn turn_limit(&self) -> usize {
        match self.rules {
            RuleSet::Text => 1000,
            RuleSet::Server => 1001,
        }
    }

    /// Repetition and move limits; `history` has one key for each turn made.
    pub(crate) fn history_outcome(&self, history: &[u64]) -> Option<Outcome> {
        if self.rules == RuleSet::Server && self.is_third_sample(history) {
            return Some(Outcome::draw(REPETITION));
        }
        (history.len() >= self.turn_limit()).then(|| Outcome::draw(Reason::MOVE_LIMIT))
    }

    /// Whether this and the two positions 4 and 8 turns ago are the same. Only every fourth turn is looked at, and the start
    /// position is not among them.
    fn is_third_sample(&self, history: &[u64]) -> bool {
        let made = history.len();
        let now = self.repetition_key();
        made >= 12 && made.is_multiple_of(4) && history[made - 4] == now && history[made - 8] == now
    }

    /// Stones of `side` in its score area: the n of the texts.
    pub fn home(&self, side: Side) -> u32 {
        (self.stones(side) & self.board.area[side]).len()
    }

    /// The m of the texts: stones of `side` that can reach its score area in one move. The server also counts a
    /// stone that can push another one in, and rivers that lie in the area.
    pub fn near(&self, side: Side) -> u32 {
        let area = self.board.area[side];
        let server = self.rules == RuleSet::Server;
        let outside = self.stones(side).without(area);
        let counts = |&from: &_| {
            let reaches = !(self.targets(side, from) & area).is_empty();
            let pushes_in = || self.pushable(side, from).any(|to| !(self.push_targets(from, to) & area).is_empty());
            reaches || server && pushes_in()
        };
        let stones = outside.filter(counts).count() as u32;
        let rivers = if server { (self.pieces[side] & self.rivers & area).len() } else { 0 };
        stones + rivers
    }

    /// n + m / N of a side.
    fn worth(&self, side: Side) -> f64 {
        f64::from(self.home(side)) + f64::from(self.near(side)) / f64::from(self.board.pieces)
    }

    /// The margin scores of both sides, formula 3 of the text.
    pub(crate) fn margin_scores(&self) -> BySide<f64> {
        BySide::from_fn(|side| 39.0 + self.worth(side) - self.worth(side.other()))
    }

    /// The points of both sides.
    pub(crate) fn points_for(&self, ending: Ending) -> BySide<f64> {
        let winner = match ending {
            Ending::Over(outcome) => outcome.winner,
            Ending::Fault(side) => Some(side.other()),
        };
        let Some(winner) = winner else {
            let margins = self.margin_scores();
            return BySide::from_fn(|side| 30.0 + margins[side] / 4.0);
        };
        let lost = self.board.weight * self.worth(winner.other());
        BySide::from_fn(|side| if side == winner { 100.0 - lost } else { lost })
    }
}
