//! Games between two contenders.

use agon_rating::MatchResult;
use agon_rules::{BySide, Ending, Outcome, Side};
use agon_search::Searchable;

use crate::{
    ContenderError,
    contender::{Contender, Effort, Player},
};

/// A game that goes on for longer is broken off, and counts as a draw, where the rules know no end.
const MOST_MOVES: usize = 300;

/// A game in progress.
pub(crate) struct Played<P: Searchable> {
    pub(crate) position: P,
    pub(crate) history: Vec<u64>,
    pub(crate) made: BySide<u32>,
}

impl<P: Searchable> Played<P> {
    /// A game that began with these moves.
    pub(crate) fn after(start: &P, opening: &[P::Move]) -> Played<P> {
        let mut game = Played { position: start.clone(), history: Vec::new(), made: BySide::default() };
        opening.iter().for_each(|&m| game.make(m));
        game
    }

    /// Plays a move, which is legal.
    pub(crate) fn make(&mut self, m: P::Move) {
        let mover = self.position.turn();
        self.history.push(self.position.history_key());
        self.position.play(m);
        self.made[mover] += u32::from(self.position.turn() != mover);
    }

    /// How the game has ended, if it has; otherwise `moves` are the legal ones.
    pub(crate) fn end(&self, moves: &mut Vec<P::Move>) -> Option<End> {
        moves.clear();
        let outcome = self.position.generate(moves).or_else(|| self.position.adjudicate(&self.history));
        let too_long = self.history.len() >= self.position.move_limit().unwrap_or(MOST_MOVES);
        outcome.map(End::Over).or_else(|| too_long.then_some(End::BrokenOff))
    }
}

/// How a game has ended.
pub(crate) enum End {
    /// By the rules, with a winner or as a draw.
    Over(Outcome),
    /// It went on for too long.
    BrokenOff,
}

/// Two contenders at a board, who play one pair after the other.
pub struct Duel<P: Searchable> {
    players: [Player<P>; 2],
}

impl<P: Searchable> Duel<P> {
    /// Puts them at the board of `start`; the error names a parameter that does not exist.
    pub fn new(start: &P, contenders: &[Contender; 2], effort: Effort) -> Result<Duel<P>, ContenderError> {
        let [first, second] = contenders;
        Ok(Duel { players: [Player::new(start, first, effort)?, Player::new(start, second, effort)?] })
    }
}

/// What a pair of games came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    /// Results of the first contender.
    pub results: [MatchResult; 2],
    /// The points of the course that the first and the second contender made in both games together. A game that was broken off brings none.
    pub points: [f64; 2],
}

/// Plays an opening twice, each contender once on each side.
pub fn play_pair<P: Searchable>(duel: &mut Duel<P>, start: &P, opening: &[P::Move], seed: u64) -> Pair {
    let mut points = [0.0; 2];
    let results = [0, 1].map(|half| {
        let seats = if half == 0 { BySide::new(0, 1) } else { BySide::new(1, 0) };
        let game = play(duel, start, opening, seats, seed ^ half);
        let Some(outcome) = game.outcome else { return MatchResult::Draw };
        let scored = game.played.position.points(Ending::Over(outcome), game.played.made);
        Side::BOTH.into_iter().for_each(|side| points[seats[side]] += scored[side]);
        match outcome.winner.map(|side| seats[side]) {
            Some(0) => MatchResult::Win,
            Some(_) => MatchResult::Loss,
            None => MatchResult::Draw,
        }
    });
    Pair { results, points }
}

/// A game at its end; without an outcome if it was broken off.
struct Finished<P: Searchable> {
    played: Played<P>,
    outcome: Option<Outcome>,
}

fn play<P: Searchable>(
    duel: &mut Duel<P>,
    start: &P,
    opening: &[P::Move],
    seats: BySide<usize>,
    seed: u64,
) -> Finished<P> {
    let mut game = Played::after(start, opening);
    for (number, player) in duel.players.iter_mut().enumerate() {
        player.begin(seed << 1 | number as u64);
    }
    let mut moves = Vec::new();
    loop {
        match game.end(&mut moves) {
            Some(End::Over(outcome)) => return Finished { played: game, outcome: Some(outcome) },
            Some(End::BrokenOff) => return Finished { played: game, outcome: None },
            None => {}
        }
        let player = &mut duel.players[seats[game.position.turn()]];
        let (m, _) = player.choose(&game.position, &game.history, game.made, &moves);
        game.make(m);
    }
}
