//! Who plays: a design, its parameters, and how much it may think.

use std::{fmt, str::FromStr, sync::Arc, time::Duration};

use agon_rules::{BySide, Random};
use agon_search::{
    Evaluator, Limits, Mcts, Objective, Parameters, Personality, Searchable, Searcher, Skill, TranspositionTable,
};

use crate::{ContenderError, EffortError};

/// How a contender searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Design {
    /// Principal variation search.
    Pvs,
    /// Monte-Carlo tree search.
    Mcts,
    /// Plain alpha-beta to a fixed depth, with the same evaluation: what the engine must beat.
    AlphaBeta(i32),
    /// Any legal move.
    Random,
}

/// How a contender is held back.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Restraint {
    /// Like a player of the house.
    Personality(String),
    /// In numbers.
    Skill(Skill),
}

/// What a contender may spend on a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Effort {
    /// Nodes: the same everywhere and every time.
    Nodes(u64),
    /// Plies.
    Depth(i32),
    /// Time of its thread on a core.
    Time(Duration),
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Effort::Depth(depth) => write!(f, "depth={depth}"),
            Effort::Time(time) => write!(f, "time={}", time.as_secs_f64()),
        }
    }
}

impl FromStr for Effort {
    type Err = EffortError;

    fn from_str(text: &str) -> Result<Effort, EffortError> {
        let wrong = || EffortError(text.to_owned());
        let (kind, number) = text.split_once('=').ok_or_else(wrong)?;
        match kind {
            "nodes" => number.parse().ok().filter(|&nodes| nodes > 0).map(Effort::Nodes),
            "depth" => number.parse().ok().filter(|&depth| depth > 0).map(Effort::Depth),
            "time" => {
                let seconds = number.parse().ok().filter(|seconds| (1e-4..=3600.0).contains(seconds));
                seconds.map(|seconds| Effort::Time(Duration::from_secs_f64(seconds)))
            }
            _ => None,
        }
        .ok_or_else(wrong)
    }
}

/// One who plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Contender {
    /// As it was named.
    pub name: String,
    /// How it searches.
    pub design: Design,
    /// Changes to the game's own parameters.
    pub parameters: String,
    /// Changes to the weights of its evaluation.
    weights: String,
    restraint: Restraint,
    /// What it tries to achieve.
    pub objective: Objective,
    /// Whether points decide between wins that it has proven, as they do for house bots.
    pub weighs_wins: bool,
    /// What it may spend, if not what everybody may.
    pub effort: Option<Effort>,
}

impl FromStr for Contender {
    type Err = ContenderError;

    /// `base`, `mcts`, `random`, `alphabeta4`, or parameters: `quiescence=0,reductions=0`; also `points`, `weighs_wins` and `nodes=N`, all separated by
    /// commas.
    fn from_str(text: &str) -> Result<Contender, ContenderError> {
        let mut contender = Contender {
            name: text.to_owned(),
            design: Design::Pvs,
            parameters: String::new(),
            weights: String::new(),
            restraint: Restraint::Skill(Skill::FULL),
            objective: Objective::Win,
            weighs_wins: false,
            effort: None,
        };
        for word in text.split(',').map(str::trim) {
            match word {
                "" | "base" => {}
                "mcts" => contender.design = Design::Mcts,
                "random" => contender.design = Design::Random,
                "points" => contender.objective = Objective::Points,
                "weighs_wins" => contender.weighs_wins = true,
                _ if word.starts_with("alphabeta") => {
                    let depth = word["alphabeta".len()..].parse().map_err(|_| unknown(word))?;
                    contender.design = Design::AlphaBeta(depth);
                }
                _ if ["nodes=", "depth=", "time="].iter().any(|kind| word.starts_with(kind)) => {
                    contender.effort = Some(word.parse()?);
                }
                _ if Personality::NAMES.contains(&word) => {
                    contender.restraint = Restraint::Personality(word.to_owned());
                }
                _ if word.starts_with("skill=") => {
                    contender.restraint = Restraint::Skill(word["skill=".len()..].parse()?);
                }
                _ => contender.change(word)?,
            }
        }
        Ok(contender)
    }
}

impl Contender {
    /// Changes a parameter of the search, or a weight of the evaluation: which weights there are depends on the game.
    fn change(&mut self, word: &str) -> Result<(), ContenderError> {
        let name = word.split_once('=').ok_or_else(|| unknown(word))?.0;
        let changes = if Parameters::LIST.iter().any(|parameter| parameter.name == name) {
            Parameters::default().set_all(word)?;
            &mut self.parameters
        } else {
            &mut self.weights
        };
        changes.push_str(word);
        changes.push(',');
        Ok(())
    }
}

fn unknown(word: &str) -> ContenderError {
    ContenderError::Unknown(word.to_owned())
}

/// Mebibytes of table for each contender: enough for the short searches of a contest, and small enough to be cleared often.
const TABLE_SIZE: usize = 8;

/// A contender at the board.
pub(crate) struct Player<P: Searchable> {
    design: Design,
    searcher: Searcher<P>,
    effort: Effort,
    random: Random,
}

impl<P: Searchable> Player<P> {
    /// Somebody to play from `start`.
    pub(crate) fn new(start: &P, contender: &Contender, effort: Effort) -> Result<Player<P>, ContenderError> {
        let mut parameters = match contender.design {
            Design::AlphaBeta(_) => {
                Parameters { table: 0, history: 0, continuation: 0, killers: 0, ..Parameters::exact() }
            }
            Design::Pvs | Design::Mcts | Design::Random => P::parameters(),
        };
        let personality = match &contender.restraint {
            Restraint::Personality(name) => Personality::of::<P>(name).ok_or_else(|| unknown(name))?,
            Restraint::Skill(skill) => Personality { skill: *skill, ..Personality::MASTER },
        };
        for changes in [personality.parameters, &contender.parameters] {
            parameters.set_all(changes)?;
        }
        let weights = format!("{},{}", personality.weights, contender.weights);
        let effort = match contender.design {
            Design::AlphaBeta(depth) => Effort::Depth(depth),
            _ => contender.effort.unwrap_or(effort),
        };
        let mut searcher =
            Searcher::new(Arc::new(TranspositionTable::new(TABLE_SIZE)), parameters, contender.objective);
        searcher.evaluate_with(Evaluator::by_weights(start, &weights)?);
        searcher.hold_back(personality.skill);
        if contender.weighs_wins {
            searcher.weigh_wins();
        }
        Ok(Player { design: contender.design, searcher, effort, random: Random::new(0) })
    }

    /// A new game: it depends on nothing that was before.
    pub(crate) fn begin(&mut self, seed: u64) {
        self.searcher.forget();
        self.searcher.set_seed(seed);
        self.random = Random::new(seed);
    }

    /// A move in a position that is not over, and what it thinks of the position.
    pub(crate) fn choose(
        &mut self,
        position: &P,
        history: &[u64],
        made: BySide<u32>,
        legal: &[P::Move],
    ) -> (P::Move, Option<i32>) {
        match self.design {
            Design::Random => (self.random.pick(legal), None),
            Design::Mcts => (self.sample(position, history).unwrap_or(legal[0]), None),
            Design::Pvs | Design::AlphaBeta(_) => {
                let report = self.searcher.search(position, history, made, 1, self.limits(), &mut |_| {});
                let line = report.map(|report| report.lines.into_iter().next().expect("a line"));
                let best = line.as_ref().and_then(|line| line.moves.first().copied());
                (best.unwrap_or(legal[0]), line.map(|line| line.score))
            }
        }
    }

    fn limits(&self) -> Limits {
        match self.effort {
            Effort::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            Effort::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
            Effort::Time(time) => Limits { cpu: true, hard: Some(time), ..Limits::default() },
        }
    }

    fn sample(&self, position: &P, history: &[u64]) -> Option<P::Move> {
        let mut tree = Mcts::new(position.clone(), history);
        match self.effort {
            Effort::Nodes(nodes) => tree.grow(nodes),
            Effort::Depth(depth) => tree.grow(4u64.saturating_pow(depth.unsigned_abs())),
            Effort::Time(time) => {
                let start = agon_search::thread_time();
                while agon_search::thread_time().saturating_sub(start) < time && tree.proven().is_none() {
                    tree.grow(64);
                }
            }
        }
        tree.best_move()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contenders_are_named_by_what_they_change() {
        let plain: Contender = "base".parse().unwrap();
        assert_eq!((plain.design, plain.parameters.as_str()), (Design::Pvs, ""));
        let changed: Contender = "killers=0,nodes=500,points".parse().unwrap();
        assert_eq!(changed.parameters, "killers=0,");
        assert_eq!((changed.effort, changed.objective), (Some(Effort::Nodes(500)), Objective::Points));
        assert_eq!("alphabeta4".parse::<Contender>().unwrap().design, Design::AlphaBeta(4));
        for wrong in ["magic", "killers=9", "nodes=0", "alphabetax", "time=-1"] {
            assert!(wrong.parse::<Contender>().is_err(), "{wrong}");
        }
    }
}
