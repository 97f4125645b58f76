//! Games that the engine plays against itself, and the quiet positions that are kept of them.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use agon_rules::{Random, RuleSet, Side, keys::mix};
use agon_search::{SearchVisitor, Searchable, Weight, score::is_decided};
use serde_json::json;

use crate::{
    Effort, LabError, Openings,
    contender::{Contender, Player},
    duel::{End, Played},
    sample_file::SampleFile,
};

/// A quiet position of a played game.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// How often each weight of the evaluation counts, seen from the side to move.
    pub counts: Vec<i32>,
    /// What the side to move got in the end: 1, 0.5 or 0.
    pub result: f64,
}

/// The quiet positions of each game, by the number of the game.
pub type Games = BTreeMap<usize, Vec<Sample>>;

/// What was played, and what it takes to fit the weights to it.
#[derive(Clone, Debug)]
pub struct Harvest {
    /// The weights that are counted.
    pub weights: Vec<Weight>,
    /// The score of a clear advantage.
    pub unit: i32,
    /// The games.
    pub games: Games,
}

/// Games of the engine against itself: give it to [`agon_search::SearchGame::start_search`]. A game depends on nothing but the seed
/// and its number, unless the effort is a time.
pub struct SelfPlay<'a> {
    /// The game's short name; only a word in the file.
    pub game: String,
    /// The variant.
    pub variant: String,
    /// The rule set.
    pub rules: RuleSet,
    /// What it may spend on a move.
    pub effort: Effort,
    /// How many games.
    pub games: usize,
    /// Where random choices begin.
    pub seed: u64,
    /// Games at once.
    pub threads: usize,
    /// The text of the openings: see [`Openings::text`].
    pub openings: String,
    /// Finished games are written here, and those found here are not played again.
    pub data: Option<&'a Path>,
    /// Shown every finished game.
    pub watch: &'a (dyn Fn(&Games) + Sync),
    /// Ends it after the games that are being played.
    pub stop: &'a AtomicBool,
}

/// Random moves after the opening: an engine that plays against itself would play the same game twice.
const RANDOM_MOVES: usize = 2;
/// Positions of one game are alike: a few say as much as all, and a long game no more than a short one.
const MOST_SAMPLES: usize = 20;

impl SearchVisitor for SelfPlay<'_> {
    type Output = Result<Harvest, LabError>;

    fn visit<P: Searchable>(self, start: P) -> Self::Output {
        let weights = start.weights();
        if weights.is_empty() {
            return Err(LabError::NoWeights(self.game.clone()));
        }
        let openings = Openings::parse(&self.openings, &start)?;
        if openings.list.is_empty() {
            return Err(LabError::NoOpenings);
        }
        let (mut games, file) = match self.data {
            Some(path) => {
                SampleFile::open(path, &self.head(&weights), weights.len()).map(|(games, file)| (games, Some(file)))?
            }
            None => (Games::new(), None),
        };
        // The same command gives the same weights, whatever else is in the file.
        games.retain(|&number, _| number < self.games);
        let shared = Mutex::new((games, file));
        let next = AtomicUsize::new(0);
        let work = || self.work(&start, &openings, &next, &shared);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Err(LabError::Defect)))
        })?;
        let games = shared.into_inner().unwrap_or_else(PoisonError::into_inner).0;
        Ok(Harvest { weights, unit: P::UNIT, games })
    }
}

impl SelfPlay<'_> {
    /// What the file begins with. Positions that were counted or played otherwise are no part of it.
    fn head(&self, weights: &[Weight]) -> serde_json::Value {
        let weights: Vec<String> = weights.iter().map(|weight| format!("{}={}", weight.name, weight.value)).collect();
        json!({
            "game": self.game,
            "variant": self.variant,
            "rules": self.rules.name(),
            "effort": self.effort.to_string(),
            "seed": self.seed,
            "weights": weights.join(","),
        })
    }

    fn work<P: Searchable>(
        &self,
        start: &P,
        openings: &Openings<P>,
        next: &AtomicUsize,
        shared: &Mutex<(Games, Option<SampleFile>)>,
    ) -> Result<(), LabError> {
        let player: Contender = "base".parse()?;
        let mut player = Player::new(start, &player, self.effort)?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games || self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if shared.lock().unwrap_or_else(PoisonError::into_inner).0.contains_key(&number) {
                continue;
            }
            let opening = &openings.list[number % openings.list.len()];
            let samples = play(&mut player, start, opening, mix(self.seed ^ mix(number as u64)));
            let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let (games, file) = &mut *guard;
            if let Some(file) = file
                && let Err(problem) = file.keep(number, &samples)
            {
                self.stop.store(true, Ordering::Relaxed);
                return Err(problem);
            }
            games.insert(number, samples);
            (self.watch)(games);
        }
    }
}

/// Plays a game to its end and keeps some of its quiet positions.
fn play<P: Searchable>(player: &mut Player<P>, start: &P, opening: &[P::Move], seed: u64) -> Vec<Sample> {
    let mut random = Random::new(seed);
    let mut game = Played::after(start, opening);
    player.begin(seed);
    let mut kept: Vec<(Side, Vec<i32>)> = Vec::new();
    let mut moves = Vec::new();
    let winner = loop {
        match game.end(&mut moves) {
            Some(End::Over(outcome)) => break outcome.winner,
            // Two who get nowhere say nothing of what would.
            Some(End::BrokenOff) => return Vec::new(),
            None => {}
        }
        if game.history.len() < opening.len() + RANDOM_MOVES {
            game.make(random.pick(&moves));
            continue;
        }
        let (m, score) = player.choose(&game.position, &game.history, game.made, &moves);
        if is_quiet(&game.position, m, score) {
            kept.push((game.position.turn(), game.position.features()));
        }
        game.make(m);
    };
    while kept.len() > MOST_SAMPLES {
        kept.remove(random.below(kept.len()));
    }
    let result = |side| winner.map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 });
    kept.into_iter().map(|(side, counts)| Sample { counts, result: result(side) }).collect()
}

/// Whether what the evaluation sees is what there is: nothing is won or lost at once.
fn is_quiet<P: Searchable>(position: &P, best: P::Move, score: Option<i32>) -> bool {
    score.is_some_and(|score| !is_decided(score)) && position.gain(best) <= 0 && !position.threatened()
}
