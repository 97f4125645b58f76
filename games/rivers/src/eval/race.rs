//! The race: how many turns each piece needs to its score area, with the rivers as they lie.

use agon_rules::Side;
use smallvec::SmallVec;

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
}

impl Race {
    /// Looks at the race of `side`: from its empty goals backwards, one turn after the other.
    pub(super) fn of<const W: usize>(position: &RiversPosition<W>, side: Side) -> Race {
        let board = position.board;
        let (area, walls) = (board.area[side], board.walls[side]);
        let open = !(position.occupied() | walls);
        let stones = position.stones(side);
        let rivers = position.pieces[side] & position.rivers;
        let mut race = Race { pieces: [0; FAR + 1], missing: i32::from(board.goal) - (stones & area).len() as i32 };
        // A river that lies in the area has only to be turned over.
        race.pieces[1] = (rivers & area).len() as i32;
        let water = Water::still(position, side);
        // What each river does by itself; those that lead to where the search is are taken out.
        let mut streams: SmallVec<[(Cell, CellSet<W>, [Cell; 2]); 32]> = SmallVec::new();
        for river in position.rivers.without(walls) {
            let (reached, ends) = water.stream(river);
            streams.push((river, reached, ends));
        }
        let mut found = race.pieces[1];
        let mut leading = CellSet::EMPTY;
        let (mut frontier, mut seen) = (area & open, area);
        for turns in 1..=FAR {
            // A river leads there by itself, or to another one that does.
            loop {
                let before = streams.len();
                streams.retain(|(river, reached, ends)| {
                    let leads = !(*reached & frontier).is_empty() || ends.iter().any(|&end| leading.contains(end));
                    if leads {
                        leading.insert(*river);
                    }
                    !leads
                });
                if streams.len() == before {
                    break;
                }
            }
            let next = beside(frontier | leading).without(walls | seen);
            let arriving = (stones & next).len() as i32;
            race.pieces[turns] += arriving;
            found += arriving;
            if turns < FAR {
                race.pieces[turns + 1] += (rivers & next).len() as i32;
            }
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

#[cfg(test)]
mod tests {
    use agon_rules::{Position, Random, RuleSet};

    use super::*;

    /// The turns by which pieces arrive, found slowly: every cell asks where it leads, one turn after the other.
    fn slowly<const W: usize>(position: &RiversPosition<W>, side: Side) -> [i32; FAR + 1] {
        let board = position.board;
        let walls = board.walls[side];
        let water = Water::still(position, side);
        let mut turns = [0; FAR + 1];
        turns[1] = (position.pieces[side] & position.rivers & board.area[side]).len() as i32;
        let mut reached = board.area[side].without(position.occupied());
        let mut known = board.area[side];
        for turn in 1..=FAR {
            let leads = |cell: Cell| {
                let near = board.neighbours[cell.index()].without(walls);
                let carried = water.through_rivers(near & position.rivers);
                !((near.without(position.occupied()) | carried) & reached).is_empty()
            };
            let mut next = CellSet::EMPTY;
            (!(known | walls)).filter(|&cell| leads(cell)).for_each(|cell| next.insert(cell));
            turns[turn] += (position.stones(side) & next).len() as i32;
            if turn < FAR {
                turns[turn + 1] += (position.pieces[side] & position.rivers & next).len() as i32;
            }
            known |= next;
            reached = next.without(position.occupied());
        }
        turns
    }

    fn check<const W: usize>(start: &RiversPosition<W>, seed: u64) -> usize {
        let (mut position, mut moves) = (start.clone(), Vec::new());
        let mut random = Random::new(seed);
        let mut arriving = 0;
        for _ in 0..150 {
            if position.generate(&mut moves).is_some() {
                break;
            }
            for side in Side::BOTH {
                let (race, slow) = (Race::of(&position, side), slowly(&position, side));
                for turns in 1..=FAR {
                    let expected = slow[..=turns].iter().sum::<i32>().min(race.missing);
                    assert_eq!(race.within(turns), expected, "{side:?} within {turns}: {position:?}");
                    arriving += expected as usize;
                }
            }
            position.play(random.pick(&moves));
            moves.clear();
        }
        arriving
    }

    #[test]
    fn the_race_is_what_a_slow_search_finds() {
        let mut arriving = 0;
        for seed in 0..6 {
            arriving += check(&RiversPosition::small(RuleSet::Text), seed);
            arriving += check(&RiversPosition::medium(RuleSet::Text), seed);
            arriving += check(&RiversPosition::large(RuleSet::Text), seed);
        }
        assert!(arriving > 1000, "only {arriving} arrivals were seen");
    }
}
