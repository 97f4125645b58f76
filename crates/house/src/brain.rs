//! How house bots think.

use std::time::{Duration, Instant};

use agon_rules::{Random, RuleSet, Side};
use agon_search::{AnyEngine, EngineOptions, Limits, MCTS, Objective, Personality, Progress, Thought, TotalClock};
use agon_wire::{Ask, Brain, Budget, GameSetup, Info, Onlooker, RandomBrain, Score};

use crate::names::{AT_LEISURE, LADDER, objective};

/// The mind of a house bot. The same seed gives the same games, as far as no clock decides.
pub fn think(name: &str, seed: u64) -> Box<dyn Brain> {
    let (name, objective) = objective(name);
    if !Personality::NAMES.contains(&name) && name != MCTS {
        return Box::new(RandomBrain::new(seed));
    }
    Box::new(EngineBrain {
        name: name.to_owned(),
        objective,
        seed,
        engine: None,
        prepared_for: None,
        clock: TotalClock::default(),
        random: Random::new(seed),
    })
}

/// Nodes that a hint is worth: a blink of an eye, and the same hint every time.
const HINT_NODES: u64 = 100_000;

/// What the engine would play in a game that goes on.
pub fn hint(setup: &GameSetup, turns: &[String]) -> Option<String> {
    let options = EngineOptions::default();
    let mut engine = agon_all::find(setup.game.name()).ok()?.engine(&setup.variant, setup.rules, options).ok()?;
    engine.follow(setup.position.as_deref(), turns).ok()?;
    let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
    engine.think(1, &limits, &mut |_| {}).map(|thought| thought.turn)
}

/// Thinks with what the engine has; how much of it depends on who it is.
struct EngineBrain {
    /// Which player of the house it is.
    name: String,
    objective: Objective,
    /// Where its mistakes begin.
    seed: u64,
    engine: Option<Box<dyn AnyEngine>>,
    /// The variant and rule set that the engine is ready for, while it has not played.
    prepared_for: Option<(String, RuleSet)>,
    clock: TotalClock,
    /// For a position that the engine has no answer to; it should never be asked.
    random: Random,
}

/// How long to search only to warm up: long enough to be kept off the core once, where that happens.
const WARM_UP: Duration = Duration::from_millis(15);

impl EngineBrain {
    fn set_up(&mut self, setup: &GameSetup) {
        let Ok(game) = agon_all::find(setup.game.name()) else { return };
        let knows_book = Personality::is_master(&self.name);
        let options = EngineOptions {
            personality: self.name.clone(),
            seed: self.seed,
            proofs: true,
            weighs_wins: true,
            objective: self.objective,
            book: knows_book.then(|| (game.book(), setup.variant.clone())),
            ..EngineOptions::default()
        };
        self.engine = game.engine(&setup.variant, setup.rules, options).ok();
    }
}

impl Brain for EngineBrain {
    fn name(&self) -> String {
        match self.objective {
            Objective::Win => self.name.clone(),
            Objective::Points => format!("{}:points", self.name),
        }
    }

    fn prepare(&mut self, setup: &GameSetup) {
        self.set_up(setup);
        self.prepared_for = Some((setup.variant.clone(), setup.rules));
        if let Some(engine) = &mut self.engine {
            // The first search of a process meets memory that nobody has touched and a machine that may be busy: both is better found
            // out before the clock runs.
            engine.think(1, &Limits { hard: Some(WARM_UP), ..Limits::default() }, &mut |_| {});
            engine.forget();
        }
    }

    fn new_game(&mut self, setup: &GameSetup, _side: Side) {
        let prepared_for = self.prepared_for.take();
        if prepared_for != Some((setup.variant.clone(), setup.rules)) {
            self.set_up(setup);
        }
        self.clock = TotalClock::default();
    }

    fn choose(&mut self, ask: &Ask<'_>) -> String {
        self.think(ask, Onlooker { tell: &mut |_| {}, stop: None, until_stopped: false })
    }

    fn think(&mut self, ask: &Ask<'_>, onlooker: Onlooker<'_>) -> String {
        let asked = Instant::now();
        if let Budget::Clocks { left, increment } = ask.budget {
            self.clock.turn_begins(left[ask.side], increment[ask.side]);
        }
        let clock = &mut self.clock;
        // What is chosen at random was not thought about: there is nothing to tell.
        let thinks = self.name != LADDER[0];
        let thought = self.engine.as_mut().and_then(|engine| {
            engine.follow(ask.position.start_text().as_deref(), ask.turns).ok()?;
            let limits = match onlooker.until_stopped {
                true => Limits::default(),
                false => limits(ask.budget, asked.elapsed(), clock, engine.progress()),
            };
            let limits = Limits { stop: onlooker.stop, ..limits };
            let mut told = 0;
            let thought = engine.think(1, &limits, &mut |thought| {
                told = thought.nodes;
                if thinks {
                    (onlooker.tell)(&info(thought));
                }
            });
            clock.turn_ends(asked.elapsed(), &limits);
            if let Some(thought) = thought.as_ref().filter(|thought| thinks && (thought.nodes != told || told == 0)) {
                (onlooker.tell)(&info(thought));
            }
            thought
        });
        match thought {
            Some(thought) => thought.turn,
            None => ask.position.random_turn(&mut self.random).unwrap_or_default(),
        }
    }
}

/// A thought as bots report it.
fn info(thought: &Thought) -> Info {
    let line = &thought.lines[0];
    let time = thought.time.max(Duration::from_micros(1));
    // What comes from the book was not thought about.
    let score = (thought.depth > 0).then(|| match line.end {
        Some(end) => {
            let turns = i32::try_from(end.turns).unwrap_or(i32::MAX);
            Score::Mate(if line.score > 0 { turns } else { -turns })
        }
        None => Score::Estimate(line.cents),
    });
    Info {
        depth: u32::try_from(thought.depth).ok(),
        seldepth: u32::try_from(thought.deepest).ok(),
        score,
        nodes: Some(thought.nodes),
        nps: Some((thought.nodes as f64 / time.as_secs_f64()) as u64),
        time: Some(thought.time),
        pv: line.turns[..line.complete].to_vec(),
    }
}

/// What an engine may use of a budget, when so much of it was spent already.
fn limits(budget: Budget, spent: Duration, clock: &TotalClock, progress: Progress) -> Limits {
    match budget {
        // What is spent before the search is a cost of the turn, and reserved like the others.
        Budget::Clocks { .. } => Limits::for_clock(clock, progress),
        Budget::Turn(limit) => Limits::for_turn(limit.saturating_sub(spent)),
        Budget::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        Budget::Depth(depth) => Limits { depth: i32::try_from(depth).ok(), ..Limits::default() },
        Budget::Unlimited => Limits::for_turn(AT_LEISURE),
    }
}
