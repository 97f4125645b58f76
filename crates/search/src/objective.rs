//! What a search tries to achieve, and what the end of a game is worth to it.

use agon_rules::{BySide, Ending, Outcome, Side};

use crate::{
    Searchable,
    score::{DECIDED, MOST_ESTIMATE, loss_in, win_in},
};

/// What a search tries to achieve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// To win, and soon.
    #[default]
    Win,
    /// As many of the course's points more than the opponent as possible; a win is still worth more than any draw.
    Points,
}

/// How many turns each side has made in the game; points may depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TurnsMade(BySide<u32>);

impl TurnsMade {
    /// Turns that were made before the search.
    pub(crate) fn new(made: BySide<u32>) -> TurnsMade {
        TurnsMade(made)
    }

    /// After a move of `mover`, when `next` is to move: a turn is complete when the other side is to move.
    pub(crate) fn after(mut self, mover: Side, next: Side) -> TurnsMade {
        self.0[mover] += u32::from(mover != next);
        self
    }
}

/// In what points are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PointScale {
    Tenths,
    /// Where proven wins are compared.
    Hundredths,
}

/// What the end of a game at `ply` is worth to the side to move there.
pub(crate) fn final_score<P: Searchable>(
    position: &P,
    outcome: Outcome,
    ply: usize,
    made: TurnsMade,
    objective: Objective,
    scale: PointScale,
) -> i32 {
    let side = position.turn();
    if objective == Objective::Points {
        let points = position.points(Ending::Over(outcome), made.0);
        let scale = if scale == PointScale::Hundredths { 100.0 } else { 10.0 };
        // Every formula stays below the room between a decided score and a proven one.
        let margin = ((points[side] - points[side.other()]) * scale).round().clamp(-14_000.0, 14_000.0) as i32;
        return match outcome.winner {
            Some(winner) if winner == side => DECIDED + 1 + margin.max(0),
            Some(_) => -DECIDED - 1 + margin.min(0),
            None => margin.clamp(-MOST_ESTIMATE, MOST_ESTIMATE),
        };
    }
    match outcome.winner {
        Some(winner) if winner == side => win_in(ply),
        Some(_) => loss_in(ply),
        None => 0,
    }
}
