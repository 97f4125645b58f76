//! The house bots: those that live in this program, for every game.

use std::time::Duration;

use agon_rules::{Random, Side};
use agon_search::{AnyEngine, EngineOptions, Limits, Overhead};
use agon_wire::{Ask, Brain, Budget, GameSetup, RandomBrain};

/// Their names.
pub const NAMES: &[&str] = &["random", "master"];

/// The mind of a house bot. The same seed gives the same games, as far as no clock decides.
pub fn think(name: &str, seed: u64) -> Box<dyn Brain> {
    match name {
        "master" => Box::new(EngineBrain { name: name.to_owned(), engine: None, random: Random::new(seed) }),
        _ => Box::new(RandomBrain::new(seed)),
    }
}

/// Nodes that a hint is worth: a blink of an eye, and the same hint every time.
const HINT_NODES: u64 = 100_000;

/// What the engine would play in a game that goes on.
pub fn hint(setup: &GameSetup, turns: &[String]) -> Option<String> {
    let options = EngineOptions::default();
    let mut engine = crate::engine(setup.game.name(), &setup.variant, setup.rules, options).ok()?;
    engine.follow(setup.position.as_deref(), turns).ok()?;
    let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
    engine.think(1, &limits, &mut |_| {}).map(|thought| thought.turn)
}

/// Thinks with all that the engine has.
struct EngineBrain {
    name: String,
    engine: Option<Box<dyn AnyEngine>>,
    /// For a position that the engine has no answer to; it should never be asked.
    random: Random,
}

/// How long to think where nobody sets a limit.
const AT_LEISURE: Duration = Duration::from_secs(1);

impl Brain for EngineBrain {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, setup: &GameSetup, _side: Side) {
        let options = EngineOptions::default();
        self.engine = crate::engine(setup.game.name(), &setup.variant, setup.rules, options).ok();
    }

    fn choose(&mut self, ask: &Ask<'_>) -> String {
        let thought = self.engine.as_mut().and_then(|engine| {
            engine.follow(ask.position.start_text().as_deref(), ask.turns).ok()?;
            let limits = limits(ask, &**engine);
            engine.think(1, &limits, &mut |_| {})
        });
        match thought {
            Some(thought) => thought.turn,
            None => ask.position.random_turn(&mut self.random).unwrap_or_default(),
        }
    }
}

/// What an engine may use of a budget.
fn limits(ask: &Ask<'_>, engine: &dyn AnyEngine) -> Limits {
    let (usual, made) = engine.turns_usual_and_made();
    match ask.budget {
        Budget::Clocks(left) => Limits::for_clock(left[ask.side], made, usual, Overhead::default()),
        Budget::Turn(limit) => Limits::for_turn(limit, Overhead::default()),
        Budget::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        Budget::Depth(depth) => Limits { depth: i32::try_from(depth).ok(), ..Limits::default() },
        Budget::Unlimited => Limits::for_turn(AT_LEISURE, Overhead::default()),
    }
}
