//! What a position is worth, for the search.

use agon_rules::{Position, Side};
use agon_search::Searchable;

use crate::{Kind, Move, RollerballPosition, board::squares, moves::attacks};

/// By the numbers of [`Kind`]: pawn, rook, bishop, king, knight.
const WORTH: [i32; 5] = [100, 350, 450, 0, 320];
/// Each square that a man attacks.
const MOBILITY: i32 = 4;

impl RollerballPosition {
    fn worth(&self, side: Side) -> i32 {
        let tables = self.tables();
        let occupied = self.occupied();
        let mut worth = 0;
        for kind in Kind::ALL {
            let men = self.men(side, kind);
            worth += men.count_ones() as i32 * WORTH[kind as usize];
            if matches!(kind, Kind::Rook | Kind::Bishop | Kind::Knight) {
                let reach: u32 = squares(men).map(|from| attacks(tables, kind, from, occupied).count_ones()).sum();
                worth += reach as i32 * MOBILITY;
            }
        }
        worth
    }
}

impl Searchable for RollerballPosition {
    const USUAL_TURNS: u32 = 45;

    fn evaluate(&self) -> i32 {
        self.worth(self.turn()) - self.worth(self.turn().other())
    }

    fn code(m: Move) -> u16 {
        m.code()
    }

    /// What it captures and what the pawn becomes; of equal captures the one by the lesser man first.
    fn gain(&self, m: Move) -> i32 {
        let prize = self.man(m.to()).map_or(0, |(_, kind)| 8 * WORTH[kind as usize] - WORTH[m.kind() as usize] / 8);
        let promotion = m.promotion().map_or(0, |kind| 8 * (WORTH[kind as usize] - WORTH[Kind::Pawn as usize]));
        prize + promotion
    }

    fn threatened(&self) -> bool {
        self.in_check()
    }

    fn pass(&self) -> Option<Self> {
        (!self.in_check()).then(|| self.passed())
    }
}
