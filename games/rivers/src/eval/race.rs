//! The race: how many turns each piece needs to its score area, with the rivers as they lie.

use agon_rules::Side;

use crate::{
    board::beside,
    flow::Water,
    position::RiversPosition,
    set::{Cell, CellSet},
};

/// Turns that are counted: those that come later are judged by how far they have to walk. The sum of all turns was tried too, and did harm:
/// it is too easily changed by one river.
const FAR: usize = 3;

/// How many pieces of a side need how many turns.
pub(super) struct Race {
    /// By turns; nobody needs none.
    pieces: [i32; FAR + 1],
    /// Stones that are still to arrive.
    pub(super) missing: i32,
    /// Empty cells beside the empty cells of the area: the doors.
    pub(super) doors: i32,
}

impl Race {
    /// Looks at the race of `side`: from its empty goals backwards, one turn after the other.
    pub(super) fn of<const W: usize>(position: &RiversPosition<W>, side: Side) -> Race {
        let board = position.board;
        let (area, walls) = (board.area[side], board.walls[side]);
        let open = !(position.occupied() | walls);
        let stones = position.stones(side);
        let rivers = position.pieces[side] & position.rivers;
        let mut race =
            Race { pieces: [0; FAR + 1], missing: i32::from(board.goal) - (stones & area).len() as i32, doors: 0 };
        // A river that lies in the area has only to be turned over.
        race.pieces[1] = (rivers & area).len() as i32;
        let water = Water::still(position, side);
        let mut rides: Vec<(Cell, CellSet<W>)> = Vec::new();
        rides.extend(position.rivers.without(walls).map(|river| (river, water.through_rivers(CellSet::of(river)))));
        let (mut frontier, mut seen) = (area & open, area);
        let mut found = race.pieces[1];
        for turns in 1..=FAR {
            let mut next = beside(frontier);
            rides.retain(|(river, ends)| {
                let leads_there = !(*ends & frontier).is_empty();
                if leads_there {
                    next |= board.neighbours[river.index()];
                }
                !leads_there
            });
            next = next.without(walls | seen);
            if turns == 1 {
                race.doors = (next & open).len() as i32;
            }
            let arriving = (stones & next).len() as i32;
            race.pieces[turns] += arriving;
            if turns < FAR {
                race.pieces[turns + 1] += (rivers & next).len() as i32;
            }
            found += arriving;
            frontier = next & open;
            seen |= next;
            // Enough have been found: those behind them do not matter.
            if frontier.is_empty() || found >= race.missing {
                break;
            }
        }
        race
    }

    /// How many of the pieces that are still needed arrive within so many turns.
    pub(super) fn within(&self, turns: usize) -> i32 {
        self.pieces[..=turns].iter().sum::<i32>().min(self.missing)
    }
}
