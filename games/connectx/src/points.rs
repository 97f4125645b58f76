//! Points, and the arena's tie-break.

use agon_rules::{BySide, Ending, Side};

use crate::{Cell, ConnectXPosition, grid::SIZE};

/// Win 1, draw 0.5, loss 0. A fault is a loss.
pub(crate) fn points(ending: Ending) -> BySide<f64> {
    let winner = match ending {
        Ending::Over(outcome) => outcome.winner,
        Ending::Fault(offender) => Some(offender.other()),
    };
    BySide::from_fn(|side| match winner {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == side)),
    })
}

/// What a run of cells that are not the opponent's must reach to count once in the sub-X score.
const SUB_X: u32 = 3;

impl ConnectXPosition {
    /// The original arena's tie-break: along every row, column and diagonal, each three cells in a row that are not the
    /// opponent's count one; empty cells count for both sides.
    pub fn sub_x(&self) -> BySide<u32> {
        BySide::from_fn(|side| lines().iter().map(|line| self.sub_x_of_line(side, line)).sum())
    }

    fn sub_x_of_line(&self, side: Side, line: &[Cell]) -> u32 {
        let (mut run, mut score) = (0, 0);
        for &cell in line {
            run = if self.stone(cell) == Some(side.other()) { 0 } else { run + 1 };
            if run == SUB_X {
                score += 1;
                run = 0;
            }
        }
        score
    }
}

/// Every row, column and diagonal of at least three cells.
fn lines() -> Vec<Vec<Cell>> {
    let size = SIZE as i32;
    let line = |start: (i32, i32), step: (i32, i32)| -> Vec<Cell> {
        (0..size)
            .map(|i| (start.0 + i * step.0, start.1 + i * step.1))
            .take_while(|&(row, column)| (0..size).contains(&row) && (0..size).contains(&column))
            .map(|(row, column)| Cell::new(row as usize, column as usize))
            .collect()
    };
    let mut lines = Vec::new();
    for i in 0..size {
        lines.push(line((i, 0), (0, 1)));
        lines.push(line((0, i), (1, 0)));
        lines.push(line((0, i), (1, 1)));
        lines.push(line((0, i), (1, -1)));
        if i > 0 {
            lines.push(line((i, 0), (1, 1)));
            lines.push(line((i, size - 1), (1, -1)));
        }
    }
    lines.retain(|line| line.len() >= 3);
    lines
}
