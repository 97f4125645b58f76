//! What can be seen at a glance: cells that win, boards that nobody may send the other one to, and moves that are safe.

use agon_rules::Side;
use agon_search::ForcedEnd;

use crate::{
    Cell, ConnectXPosition,
    grid::{BITS, BOARDS, DIRECTIONS, GRID, STRIDE, bits},
};

/// A bit for each local board, or for each place within one: stones on a place lead to the board of the same number.
pub(crate) type Nine = u16;

/// For each set of places, the cells of all boards on them.
static CELLS_ON: [u128; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut bit = 0;
        while bit < BITS {
            let place = bit / STRIDE % 3 * 3 + bit % STRIDE % 3;
            if bit % STRIDE < STRIDE - 1 && set >> place & 1 == 1 {
                table[set] |= 1 << bit;
            }
            bit += 1;
        }
        set += 1;
    }
    table
};

/// The empty cells that would complete a four.
pub(crate) fn winning_cells(stones: &u128, empty: &u128) -> u128 {
    let mut cells = 0;
    for step in DIRECTIONS {
        let pairs = stones & (stones >> step);
        let threes = pairs & (stones >> (2 * step));
        let gap_third = pairs & (stones >> (3 * step));
        let gap_second = stones & (pairs >> (2 * step));
        cells |= threes << (3 * step) | threes >> step | gap_third << (2 * step) | gap_second << step;
    }
    cells & empty & GRID
}

/// The boards that hold one of the cells.
#[inline]
fn boards_with(cells: &u128) -> Nine {
    let rows = cells | cells >> STRIDE | cells >> (2 * STRIDE);
    let corners = rows | rows >> 1 | rows >> 2;
    // The corners of the three boards of a band are three bits apart.
    let band = |number: usize| {
        let three = (corners >> (3 * STRIDE * number)) as Nine & 0b100_1001;
        (three | three >> 2 | three >> 4) & 0b111
    };
    band(0) | band(1) << 3 | band(2) << 6
}

/// A position, looked at once.
pub(crate) struct Sight {
    pub(crate) empty: u128,
    /// The cells that complete a four, by side.
    pub(crate) wins: [u128; 2],
    /// The boards with such a cell: *hot* for that side.
    pub(crate) hot: [Nine; 2],
    /// The boards without space.
    full: Nine,
    /// The board that stones lead to whose own is full.
    refuge: usize,
}

impl Sight {
    pub(crate) fn new(position: &ConnectXPosition) -> Sight {
        let empty = position.empty();
        let wins = position.stones.map(|stones| winning_cells(&stones, &empty));
        let roomy = boards_with(&empty);
        Sight {
            empty,
            wins,
            hot: [boards_with(&wins[0]), boards_with(&wins[1])],
            full: !roomy & 0x1ff,
            refuge: (roomy.trailing_zeros() as usize).min(8),
        }
    }

    /// The places that lead to a board which is not hot for the other side.
    #[inline]
    fn safe_places(&self, side: usize) -> Nine {
        let hot = self.hot[1 - side];
        let safe = !hot & !self.full & 0x1ff;
        if hot >> self.refuge & 1 == 0 { safe | self.full } else { safe }
    }

    /// The cells of all boards where a stone of `side` would be safe, but for the few that change the board they lead to.
    #[inline]
    pub(crate) fn mostly_safe(&self, side: usize) -> u128 {
        self.empty & CELLS_ON[usize::from(self.safe_places(side))]
    }

    /// The cells of `board` from which `side` does not send the other one to a board where it wins at once.
    pub(crate) fn safe_cells(&self, side: usize, board: usize) -> u128 {
        let mut safe = self.mostly_safe(side) & BOARDS[board];
        // A stone changes the board that it stands in: it may fill a cell that wins there, or the whole board.
        let leads_here = 1 << board | if self.refuge == board { self.full } else { 0 };
        let staying = self.empty & BOARDS[board] & CELLS_ON[usize::from(leads_here)];
        for bit in bits(staying) {
            let left = self.empty & !(1 << bit);
            let next = usize::from(ConnectXPosition::board_after(&left, Cell::from_bit(bit).target()));
            if self.wins[1 - side] & left & BOARDS[next] == 0 {
                safe |= 1 << bit;
            } else {
                safe &= !(1 << bit);
            }
        }
        safe
    }

    /// The end that is near for `side`, who is to move in `board`.
    pub(crate) fn end(&self, side: Side, board: usize) -> Option<ForcedEnd> {
        let side = side.index();
        let here = self.empty & BOARDS[board];
        if self.wins[side] & here != 0 {
            return Some(ForcedEnd::WinIn(1));
        }
        let safe = self.safe_cells(side, board);
        if safe == 0 {
            return (here != 0).then_some(ForcedEnd::LossIn(2));
        }
        self.runs_out(side, board, safe).then_some(ForcedEnd::WinIn(3))
    }

    /// Whether a safe stone of `side` sends the other one to a board where it neither wins nor has a safe move. Only what is so before
    /// the stone is placed; where the stone fills its board, stones fall elsewhere than before, and nothing is said.
    fn runs_out(&self, side: usize, board: usize, safe: u128) -> bool {
        let other = 1 - side;
        let alive = boards_with(&(self.mostly_safe(other) | self.wins[other]));
        let dead = !alive & !self.full & !(1 << board) & 0x1ff;
        if dead == 0 || (self.empty & BOARDS[board]).count_ones() < 2 {
            return false;
        }
        let lead = |target: usize| if self.full >> target & 1 == 1 { self.refuge } else { target };
        bits(safe).any(|bit| {
            let next = lead(Cell::from_bit(bit).target());
            dead >> next & 1 == 1 && self.safe_cells(other, next) == 0
        })
    }
}

/// The fours that one side may still complete.
pub(crate) struct Lines {
    /// Those with two stones.
    pub(crate) pairs: u32,
    /// Those with one.
    pub(crate) singles: u32,
}

impl Lines {
    pub(crate) fn new(stones: &u128, empty: &u128) -> Lines {
        let mut lines = Lines { pairs: 0, singles: 0 };
        let free = stones | empty;
        for step in DIRECTIONS {
            // Every bit stands for the four cells in line that begin there; the stones in them are added up bit by bit.
            let next = stones >> step;
            let (odd, both) = (stones ^ next, stones & next);
            let (far_odd, far_both) = (odd >> (2 * step), both >> (2 * step));
            let open = free & (free >> step);
            let open = open & (open >> (2 * step));
            let singles = open & (odd ^ far_odd) & !(both | far_both);
            let pairs = open & (odd & far_odd | (both ^ far_both) & !(odd | far_odd));
            lines.singles += singles.count_ones();
            lines.pairs += pairs.count_ones();
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use agon_rules::{Position, Random};
    use agon_search::{Searchable, minimax::wins};

    use super::*;

    /// Shows every position of random games that is not over. The later ones are full of fours to come, and of full boards.
    fn wander(games: u64, mut look: impl FnMut(&ConnectXPosition)) {
        for game in 0..games {
            let (mut random, mut position, mut moves) = (Random::new(game), ConnectXPosition::start(), Vec::new());
            while position.generate(&mut moves).is_none() {
                look(&position);
                // Who always plays safe goes on for longer.
                position.drop_losing_moves(&mut moves);
                position.play(random.pick(&moves));
                moves.clear();
            }
        }
    }

    fn forced(position: &ConnectXPosition, moves: u32, side: Side) -> bool {
        wins(position, &mut Vec::new(), moves, side)
    }

    #[test]
    fn ends_are_seen_truly() {
        let mut seen = [0; 4];
        wander(60, |position| {
            let (us, them) = (position.turn, position.turn.other());
            let (at_once, lost) = (forced(position, 1, us), forced(position, 2, them));
            match position.forced_end() {
                Some(ForcedEnd::WinIn(1)) => assert!(at_once, "{}", position.text()),
                Some(ForcedEnd::LossIn(2)) => assert!(lost, "{}", position.text()),
                Some(ForcedEnd::WinIn(3)) => assert!(!at_once && forced(position, 3, us), "{}", position.text()),
                None => assert!(!at_once && !lost, "{}", position.text()),
                other => panic!("{other:?} in {}", position.text()),
            }
            let kind = match position.forced_end() {
                Some(ForcedEnd::WinIn(moves)) => moves,
                Some(ForcedEnd::LossIn(_)) => 2,
                None => 0,
            };
            seen[kind] += 1;
        });
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }

    #[test]
    fn moves_are_dropped_that_lose_at_once_and_no_others() {
        wander(60, |position| {
            let (mut all, us) = (Vec::new(), position.turn);
            position.generate(&mut all);
            let mut kept = all.clone();
            position.drop_losing_moves(&mut kept);
            assert!(!kept.is_empty());
            let after = |cell: Cell| {
                let mut next = position.clone();
                next.play(cell);
                next
            };
            let wins = |cell: &Cell| after(*cell).winner == Some(us);
            let safe = |cell: &Cell| !forced(&after(*cell), 1, us.other());
            let mut best: Vec<Cell> = all.iter().copied().filter(wins).collect();
            if best.is_empty() {
                best = all.iter().copied().filter(safe).collect();
            }
            assert_eq!(kept, if best.is_empty() { all } else { best }, "{}", position.text());
        });
    }
}
