//! Making opening books: search finds the candidates; what it expects of them and games from each decide.

use std::{
    collections::HashSet,
    fmt::Write,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use agon_rating::MatchResult;
use agon_rules::{BySide, keys::mix};
use agon_search::{
    Limits, Objective, SearchVisitor, Searchable, Searcher, TranspositionTable, score::win_chance, turns_of,
};

use crate::{Contender, Duel, Effort, LabError, play_pair};

/// What a book is made from: give it to [`agon_search::SearchGame::start_search`].
pub struct MakeBook<'a> {
    /// Positions up to so many moves from the start are looked at.
    pub plies: usize,
    /// So many moves of each are followed at most.
    pub width: usize,
    /// Positions that the search looks at to find them.
    pub nodes: u64,
    /// Pairs of games that are played from each candidate, and the nodes for each of their moves.
    pub pairs: usize,
    /// Nodes of each move in these games.
    pub game_nodes: u64,
    /// At most so many positions: those nearest to the start.
    pub most_positions: usize,
    /// Where random choices begin.
    pub seed: u64,
    /// Positions at once.
    pub threads: usize,
    /// Shown how many positions of the ply are done, and how many there are.
    pub watch: &'a (dyn Fn(usize, usize, usize) + Sync),
    /// Ends it after the positions that are being looked at.
    pub stop: &'a AtomicBool,
}

/// A move of the book, and what it scores by search and games: from 0 to 1.
struct Choice<M> {
    m: M,
    share: f64,
}

/// A choice that scores so much less than the best one is left out.
const WORSE: f64 = 0.08;

/// What a deep search expects counts as much as so many games of its quick players: a dozen games say little.
const GAMES_OF_SEARCH: f64 = 32.0;

impl SearchVisitor for MakeBook<'_> {
    type Output = Result<String, LabError>;

    fn visit<P: Searchable>(self, start: P) -> Self::Output {
        let mut text = String::new();
        let mut seen = HashSet::from([canonical(&start)]);
        let mut ply: Vec<Vec<P::Move>> = vec![Vec::new()];
        let mut count = 0;
        for depth in 0..self.plies {
            ply.truncate(self.most_positions.saturating_sub(count));
            count += ply.len();
            let found = self.look_at_all(&start, &ply, depth)?;
            let mut next = Vec::new();
            for (way, choices) in ply.iter().zip(found) {
                if !choices.is_empty() {
                    write_line(&mut text, &start, way, &choices);
                }
                for choice in choices {
                    let way: Vec<P::Move> = way.iter().copied().chain([choice.m]).collect();
                    if seen.insert(canonical(&after(&start, &way))) {
                        next.push(way);
                    }
                }
            }
            ply = next;
        }
        Ok(text)
    }
}

impl MakeBook<'_> {
    fn look_at_all<P: Searchable>(
        &self,
        start: &P,
        ways: &[Vec<P::Move>],
        depth: usize,
    ) -> Result<Vec<Vec<Choice<P::Move>>>, LabError> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let found = Mutex::new(ways.iter().map(|_| Vec::new()).collect::<Vec<_>>());
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(way) = ways.get(number).filter(|_| !self.stop.load(Ordering::Relaxed)) else { return };
                        let choices = self.look_at(start, way);
                        found.lock().unwrap_or_else(PoisonError::into_inner)[number] = choices;
                        (self.watch)(depth, done.fetch_add(1, Ordering::Relaxed) + 1, ways.len());
                    }
                });
            }
        });
        if self.stop.load(Ordering::Relaxed) {
            return Err(LabError::BookStopped);
        }
        Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// What may be played after `way`: the best moves by search that also do well in games.
    fn look_at<P: Searchable>(&self, start: &P, way: &[P::Move]) -> Vec<Choice<P::Move>> {
        let position = after(start, way);
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(8)), P::parameters(), Objective::Win);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let Some(report) = searcher.search(&position, &[], BySide::default(), self.width, limits, &mut |_| {}) else {
            return Vec::new();
        };
        let best = report.lines[0].score;
        let good = report.lines.iter().filter(|line| best - line.score <= P::UNIT / 4);
        // Moves that lead to the same position seen from elsewhere are one choice.
        let mut seen = HashSet::new();
        let mut choices: Vec<Choice<P::Move>> = good
            .filter_map(|line| Some((line.moves.first().copied()?, win_chance(line.score, P::UNIT))))
            .filter(|&(m, _)| seen.insert(canonical(&after(&position, &[m]))))
            .map(|(m, expected)| Choice { m, share: self.try_out(start, way, m, expected) })
            .collect();
        choices.sort_by(|a, b| b.share.total_cmp(&a.share));
        let most = choices.first().map_or(0.0, |choice| choice.share);
        choices.retain(|choice| choice.share + WORSE >= most);
        choices
    }

    /// What a move scores for the side that plays it: by the search, which expects so much, and in games between equals.
    fn try_out<P: Searchable>(&self, start: &P, way: &[P::Move], m: P::Move, expected: f64) -> f64 {
        // A little noise, or all games would be the same.
        let Ok(contender) = "skill=0:0:15:0".parse::<Contender>() else { return expected };
        let Ok(mut duel) = Duel::new(start, &[contender.clone(), contender], Effort::Nodes(self.game_nodes)) else {
            return expected;
        };
        let opening: Vec<P::Move> = way.iter().copied().chain([m]).collect();
        let mover = after(start, way).turn();
        let mut score = GAMES_OF_SEARCH * expected;
        for pair in 0..self.pairs {
            let [one, other] = play_pair(&mut duel, start, &opening, mix(self.seed ^ mix(pair as u64))).results;
            // The first contender has the first side in the first game only.
            let of_first_side = MatchResult::score(one) + 1.0 - MatchResult::score(other);
            score += if mover == agon_rules::Side::First { of_first_side } else { 2.0 - of_first_side };
        }
        score / (GAMES_OF_SEARCH + (2 * self.pairs) as f64)
    }
}

fn after<P: Searchable>(start: &P, way: &[P::Move]) -> P {
    let mut position = start.clone();
    way.iter().for_each(|&m| position.play(m));
    position
}

/// The same for positions that are the same up to a symmetry.
fn canonical<P: Searchable>(position: &P) -> u64 {
    let keys = (0..position.symmetries(8)).map(|symmetry| position.transform(symmetry).key());
    keys.min().unwrap_or_else(|| position.key())
}

/// Weights grow with the share of the points: a choice that scores ten hundredths more is chosen about three times as often.
fn write_line<P: Searchable>(text: &mut String, start: &P, way: &[P::Move], choices: &[Choice<P::Move>]) {
    text.push_str(&turns_of(start, way).join("; "));
    let position = after(start, way);
    let most = choices.iter().map(|choice| choice.share).fold(0.0, f64::max);
    for choice in choices {
        let weight = (10.0 * (11.0 * (choice.share - most)).exp()).round().max(1.0);
        let _ = write!(text, " | {weight:.0} {}", position.move_text(choice.m));
    }
    text.push('\n');
}
