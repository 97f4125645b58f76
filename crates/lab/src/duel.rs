//! Games between two contenders.

use agon_rating::MatchResult;
use agon_rules::{BySide, Side};
use agon_search::Searchable;

use crate::contender::{Contender, Effort, Player};

/// A game that goes on for longer is a draw: some rule sets know no end.
const MOST_MOVES: usize = 300;

/// Two contenders at a board, who play one pair after the other.
pub struct Duel<P: Searchable> {
    players: [Player<P>; 2],
}

impl<P: Searchable> Duel<P> {
    /// Puts them at the board; the error names a parameter that does not exist.
    pub fn new(contenders: &[Contender; 2], effort: Effort) -> Result<Duel<P>, String> {
        let [first, second] = contenders;
        Ok(Duel { players: [Player::new(first, effort)?, Player::new(second, effort)?] })
    }
}

/// Plays an opening twice, each contender once on each side. Results are the first contender's.
pub fn play_pair<P: Searchable>(duel: &mut Duel<P>, start: &P, opening: &[P::Move], seed: u64) -> [MatchResult; 2] {
    [0, 1].map(|half| {
        let seats = if half == 0 { BySide::new(0, 1) } else { BySide::new(1, 0) };
        let winner = play(duel, start, opening, seats, seed ^ half);
        match winner.map(|side| seats[side]) {
            Some(0) => MatchResult::Win,
            Some(_) => MatchResult::Loss,
            None => MatchResult::Draw,
        }
    })
}

fn play<P: Searchable>(
    duel: &mut Duel<P>,
    start: &P,
    opening: &[P::Move],
    seats: BySide<usize>,
    seed: u64,
) -> Option<Side> {
    let mut position = start.clone();
    let mut history = Vec::new();
    let mut made: BySide<u32> = BySide::default();
    let make = |position: &mut P, history: &mut Vec<u64>, made: &mut BySide<u32>, m: P::Move| {
        let mover = position.turn();
        history.push(position.history_key());
        position.play(m);
        made[mover] += u32::from(position.turn() != mover);
    };
    for &m in opening {
        make(&mut position, &mut history, &mut made, m);
    }
    for (number, player) in duel.players.iter_mut().enumerate() {
        player.begin(seed << 1 | number as u64);
    }
    let mut moves = Vec::new();
    while history.len() < MOST_MOVES {
        moves.clear();
        if let Some(outcome) = position.generate(&mut moves).or_else(|| position.adjudicate(&history)) {
            return outcome.winner;
        }
        let player = &mut duel.players[seats[position.turn()]];
        let (m, _) = player.choose(&position, &history, made, &moves);
        make(&mut position, &mut history, &mut made, m);
    }
    None
}
