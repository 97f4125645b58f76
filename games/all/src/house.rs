//! The house bots: those that live in this program, for every game.

use std::{
    str::FromStr,
    time::{Duration, Instant},
};

use agon_rules::{Random, RuleSet, Side};
use agon_search::{
    AnyEngine, EngineOptions, Limits, MCTS, Objective, Personality, Progress, Thought, TotalClock, leaves_for_depth,
};
use agon_wire::{Ask, Brain, Budget, GameSetup, Info, Onlooker, RandomBrain, Score};

/// The ladder, from the weakest to the strongest.
pub const LADDER: [&str; 5] = ["random", "greedy", "novice", "adept", "master"];

/// The levels for people; the last one is `master`.
pub const LEVELS: [&str; 10] =
    ["level1", "level2", "level3", "level4", "level5", "level6", "level7", "level8", "level9", "level10"];

/// Three ways to play at the same strength, that of `adept`.
pub const STYLES: [&str; 3] = ["aggressive", "defensive", "balanced"];

/// Bots of another design, which take what their clock allows.
pub const RIVALS: [&str; 1] = [MCTS];

/// The names of them all.
pub const NAMES: &[&str] = &[
    LADDER[0], LADDER[1], LADDER[2], LADDER[3], LADDER[4], LEVELS[0], LEVELS[1], LEVELS[2], LEVELS[3], LEVELS[4],
    LEVELS[5], LEVELS[6], LEVELS[7], LEVELS[8], LEVELS[9], STYLES[0], STYLES[1], STYLES[2], RIVALS[0],
];

/// What people call it: `Level 4`.
pub fn title(name: &str) -> String {
    if let Some(number) = name.strip_prefix("level") {
        return format!("Level {number}");
    }
    if name == MCTS {
        return name.to_uppercase();
    }
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// How long a house bot takes for a turn, in words for whoever plays against it; `None` if there is none of that name. `budget` is what it
/// begins with.
pub fn pace(name: &str, budget: Budget) -> Option<String> {
    let (name, _) = objective(name);
    if !NAMES.contains(&name) {
        return None;
    }
    if !Personality::is_master(name) && name != MCTS {
        return Some("answers at once".to_owned());
    }
    Some(match budget {
        Budget::Clocks { left, increment } => {
            let more = increment.first.as_secs_f64();
            let more = if more > 0.0 { format!(", and of the {more} s that each adds") } else { String::new() };
            format!("takes a share of its {} s for each turn{more}", left.first.as_secs_f64())
        }
        Budget::Turn(limit) => format!("takes up to {} s a turn", limit.as_secs_f64()),
        Budget::Depth(moves) if name == MCTS => {
            let leaves = leaves_for_depth(i32::try_from(moves).unwrap_or(i32::MAX));
            format!("looks at {leaves} positions for each turn")
        }
        Budget::Nodes(nodes) => format!("looks at {nodes} positions for each turn"),
        Budget::Depth(moves) => format!("looks {moves} moves ahead"),
        Budget::Unlimited => format!("takes up to {} s a turn", AT_LEISURE.as_secs_f64()),
    })
}

/// What a house bot may try to achieve, as command lines say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aim {
    /// To win; points decide only between wins that are proven.
    #[default]
    Win,
    /// As many points more than the opponent as possible.
    Points,
}

impl FromStr for Aim {
    type Err = String;

    fn from_str(text: &str) -> Result<Aim, String> {
        match text {
            "win" => Ok(Aim::Win),
            "points" => Ok(Aim::Points),
            _ => Err("expected 'win' or 'points'".to_owned()),
        }
    }
}

impl Aim {
    /// The spelling of a bot with this aim, if it is a house bot that names none itself; any other stays as it is.
    pub fn spelled(self, bot: &str) -> String {
        let thinks = Personality::NAMES.contains(&bot) || bot.strip_prefix("level:").is_some();
        if self == Aim::Points && thinks { format!("{bot}:points") } else { bot.to_owned() }
    }
}

/// A house bot's name without what it is to achieve, which may follow after a colon: `master:points`.
fn objective(name: &str) -> (&str, Objective) {
    match name.split_once(':') {
        Some((name, "points")) => (name, Objective::Points),
        Some((name, _)) => (name, Objective::Win),
        None => (name, Objective::Win),
    }
}

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
    let mut engine = crate::engine(setup.game.name(), &setup.variant, setup.rules, options).ok()?;
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

/// How long to think where nobody sets a limit.
const AT_LEISURE: Duration = Duration::from_secs(1);

impl EngineBrain {
    fn set_up(&mut self, setup: &GameSetup) {
        let knows_book = Personality::is_master(&self.name);
        let options = EngineOptions {
            personality: self.name.clone(),
            seed: self.seed,
            proofs: true,
            weighs_wins: true,
            objective: self.objective,
            book: knows_book.then(|| (crate::book(setup.game.name()), setup.variant.clone())),
            ..EngineOptions::default()
        };
        self.engine = crate::engine(setup.game.name(), &setup.variant, setup.rules, options).ok();
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
