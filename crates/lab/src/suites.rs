//! The suite of a game: problems of all its variants and rule sets.

use std::{fs, path::Path};

use agon_rules::keys::mix;

use crate::{Attempt, LabError, MakeProblems, Problem, Start, Try};

/// What suite is wanted of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedSuite {
    /// The game's short name.
    pub game: String,
    /// How many problems, over all variants and rule sets.
    pub count: usize,
    /// Where random choices begin.
    pub seed: u64,
    /// Nodes that the search and the prover may spend on a problem.
    pub nodes: u64,
}

impl WantedSuite {
    /// Makes the suite, as text. `too_hard` is told of problems that are not taken, because they are not solved.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn make(&self, too_hard: &mut dyn FnMut(&Problem, &Attempt)) -> Result<String, LabError> {
        let game = agon_all::find(&self.game)?;
        let rules = |variant| game.rule_sets().iter().map(move |&rules| (variant, rules));
        let each: Vec<_> = game.variants().iter().flat_map(|&variant| rules(variant)).collect();
        let mut suite = Vec::new();
        for (number, &(variant, rules)) in each.iter().enumerate() {
            // The first ones get one more where the count cannot be shared out evenly.
            let count = (self.count + each.len() - 1 - number) / each.len();
            let seed = mix(self.seed ^ mix(number as u64));
            let (most_nodes, suite) = (self.nodes, &mut suite);
            let too_hard = &mut *too_hard;
            let make = MakeProblems { variant, rules, seed, count, most_nodes, suite, too_hard };
            let start = Start { game: self.game.clone(), variant: variant.to_owned(), rules };
            start.search(make)??;
        }
        Ok(self.head() + &suite.iter().map(|problem| format!("{problem}\n")).collect::<String>())
    }

    fn head(&self) -> String {
        let WantedSuite { game, count, seed, nodes } = self;
        format!(
            "# Forced wins of the side to move: variant | rule set | moves of both sides until the win | position\n\
             # Positions of games that the engine played against itself with few nodes and some random moves, no two of one game. A search\n\
             # that looks at everything has found the distances; few first moves win as quickly. Nothing was played before.\n\
             # Made by: agon lab suite {game} --count {count} --seed {seed} --nodes {nodes} (another engine plays other games, and so makes another suite)\n"
        )
    }
}

impl Problem {
    /// Reads the suite in a file.
    ///
    /// # Errors
    /// If the file cannot be read, or holds something else.
    pub fn read_all(file: &Path) -> Result<Vec<Problem>, LabError> {
        let text = fs::read_to_string(file).map_err(|reason| LabError::Suite { file: file.to_owned(), reason })?;
        Problem::parse_all(&text).map_err(|problem| LabError::InSuite { file: file.to_owned(), problem })
    }

    /// Tries it with changes to the game's own parameters, within so many nodes each way.
    ///
    /// # Errors
    /// If the game has no such position, or the search no such parameter.
    pub fn attempt(&self, game: &str, parameters: &str, most_nodes: u64) -> Result<Attempt, LabError> {
        let start = Start { game: game.to_owned(), variant: self.variant.clone(), rules: self.rules };
        start.search(Try { position: &self.position, parameters, most_nodes })?
    }
}
