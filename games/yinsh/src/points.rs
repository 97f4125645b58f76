//! What the end of a match is worth.

use agon_rules::{BySide, Ending, Outcome, Reason, RuleSet, Side};

use crate::position::{Phase, YinshPosition};

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    /// The points of both sides. Everything is counted in exact fractions and divided once, so that the
    /// results are the nearest numbers to the decimal ones.
    pub(crate) fn points_for(&self, ending: Ending) -> BySide<f64> {
        let base = match ending {
            Ending::Fault(offender) => self.win_base(offender.other(), self.rings_to_count(offender)),
            Ending::Over(Outcome { winner: Some(side), reason: Reason::GOAL }) => {
                self.win_base(side, self.out[side.other().index()])
            }
            Ending::Over(Outcome { winner: Some(side), .. }) => self.stalemate_base(side),
            Ending::Over(Outcome { winner: None, .. }) => self.draw_base(),
        };
        let markers = self.marker_counts().map(i64::from);
        let share = |side: Side| match self.rules.set {
            RuleSet::Server => markers[side],
            RuleSet::Text => markers[side] - markers[side.other()],
        };
        let denominator = self.denominator();
        BySide::from_fn(|side| (base[side] + share(side) * denominator) as f64 / (1000 * denominator) as f64)
    }

    /// Points are counted in fractions of this many to the thousandth: a step in rings is worth 2 / (L - 1) points.
    fn denominator(&self) -> i64 {
        i64::from(self.rules.goal.max(2) - 1)
    }

    /// `winner` has all its rings out, the other side `rings`.
    fn win_base(&self, winner: Side, rings: u8) -> BySide<i64> {
        self.split(winner, 10_000 * self.denominator() - 2_000 * i64::from(rings))
    }

    /// `winner` has more rings out, and nobody can move.
    fn stalemate_base(&self, winner: Side) -> BySide<i64> {
        let difference = self.out[winner.index()].saturating_sub(self.out[winner.other().index()]);
        self.split(winner, 5_000 * self.denominator() + 2_000 * i64::from(difference))
    }

    /// The text values a draw with more rings out higher.
    fn draw_base(&self) -> BySide<i64> {
        let extra = match self.rules.set {
            RuleSet::Text => 100 * i64::from(self.out[0].min(self.out[1])),
            RuleSet::Server => 0,
        };
        let base = (5_000 + extra) * self.denominator();
        BySide::new(base, base)
    }

    /// The winner's points, and what is left of 10 for the loser.
    fn split(&self, winner: Side, points: i64) -> BySide<i64> {
        let rest = 10_000 * self.denominator() - points;
        BySide::from_fn(|side| if side == winner { points } else { rest })
    }

    /// The rings out that an offender keeps in the score: those it took, and none while rings are placed.
    fn rings_to_count(&self, offender: Side) -> u8 {
        match self.phase {
            Phase::Place => 0,
            _ => self.out[offender.index()].min(self.rules.goal - 1),
        }
    }
}
