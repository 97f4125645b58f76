//! Suites of forced wins: positions of played games in which the side to move wins, whatever the other does.

use std::{collections::HashSet, fmt, sync::Arc};

use agon_rules::{BySide, Random, RuleSet, keys::mix};
use agon_search::{
    Dfpn, Limits, Objective, Parameters, Proof, SearchVisitor, Searchable, Searcher, TranspositionTable, score,
};

use crate::{
    ContenderError, LabError, ProblemError, SuiteError,
    contender::{Contender, Effort, Player},
    shortest::{ShortestWin, Win},
};

/// A position with a forced win of the side to move. Nothing was played before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The variant.
    pub variant: String,
    /// The rule set.
    pub rules: RuleSet,
    /// Moves of both sides until the shortest win.
    pub distance: u32,
    /// The position's text.
    pub position: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {} | {}", self.variant, self.rules, self.distance, self.position)
    }
}

impl Problem {
    /// Reads a suite: one problem a line, `variant | rule set | moves | position`. Empty lines and lines that begin with `#` do not
    /// count.
    pub fn parse_all(text: &str) -> Result<Vec<Problem>, SuiteError> {
        let counts = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let numbered = text.lines().enumerate().filter(|(_, line)| counts(line));
        numbered.map(|(number, line)| read(line).map_err(|problem| SuiteError { line: number + 1, problem })).collect()
    }
}

fn read(line: &str) -> Result<Problem, ProblemError> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [variant, rules, distance, position] = fields[..] else {
        return Err(ProblemError::Fields(line.to_owned()));
    };
    let wrong = || ProblemError::Distance(distance.to_owned());
    Ok(Problem {
        variant: variant.to_owned(),
        rules: rules.parse::<RuleSet>()?,
        distance: distance.parse().ok().filter(|&moves| moves > 0).ok_or_else(wrong)?,
        position: position.to_owned(),
    })
}

/// What the search and the prover make of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Attempt {
    /// Nodes until the search knew of a win.
    pub solved: Option<u64>,
    /// Moves until the end in the shortest win that it ever claimed.
    pub claim: Option<u32>,
    /// Nodes until the win was proven.
    pub proven: Option<u64>,
}

/// Mebibytes of table for an attempt.
const TABLE_SIZE: usize = 8;

impl Attempt {
    /// Tries a position with a search that proves nothing first, and with a proof search, each within so many nodes.
    pub fn at<P: Searchable>(position: &P, parameters: Parameters, most_nodes: u64) -> Attempt {
        let mut attempt = Attempt::default();
        let parameters = Parameters { proof_share: 0, ..parameters };
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(TABLE_SIZE)), parameters, Objective::Win);
        let limits = Limits { nodes: Some(most_nodes), ..Limits::default() };
        let report = searcher.search(position, &[], BySide::default(), 1, limits, &mut |report| {
            attempt.hear(report.lines[0].score, report.nodes);
        });
        // The last depth may have been broken off after it had found the win.
        if let Some(report) = report {
            attempt.hear(report.lines[0].score, report.nodes);
        }
        let mut prover = Dfpn::new(position, &[], most_nodes);
        attempt.proven = (prover.prove(position) == Proof::Win).then(|| prover.nodes());
        attempt
    }

    fn hear(&mut self, score: i32, nodes: u64) {
        if score >= score::PROVEN {
            let moves = score::distance(score).map(|moves| moves as u32);
            self.solved = self.solved.or(Some(nodes));
            self.claim = self.claim.min(moves).or(moves);
        }
    }
}

/// Tries the problem with this position's text.
pub struct Try<'a> {
    /// The text.
    pub position: &'a str,
    /// Changes to the game's own parameters: `name=value,name=value`.
    pub parameters: &'a str,
    /// What each way may cost.
    pub most_nodes: u64,
}

impl SearchVisitor for Try<'_> {
    type Output = Result<Attempt, LabError>;

    fn visit<P: Searchable>(self, start: P) -> Result<Attempt, LabError> {
        let wrong = |reason| LabError::Position { position: self.position.to_owned(), reason };
        let position = start.parse(self.position).map_err(wrong)?;
        let mut parameters = P::parameters();
        parameters.set_all(self.parameters).map_err(ContenderError::from)?;
        Ok(Attempt::at(&position, parameters, self.most_nodes))
    }
}

/// Nodes that a player of the games spends on a move: few, so that there are mistakes to punish.
const PLAYING_NODES: u64 = 500;
/// Random moves at the beginning, at most; and one move in so many later.
const MOST_RANDOM_MOVES: usize = 10;
const A_RANDOM_MOVE_IN: usize = 12;
/// A game that goes on for longer ends in nothing.
const MOST_MOVES: usize = 400;
/// Games that are played for each problem; the most wanted position of them is taken.
const GAMES_A_PROBLEM: u64 = 8;
/// Positions that are looked at in each game, from the end.
const LAST_POSITIONS: usize = 16;
/// Wins that take longer are not looked for.
const MOST_DISTANCE: u32 = 13;
/// Nodes that may be spent on finding the shortest win where there is one, and on looking whether there is one.
const FINDING_NODES: u64 = 3_000_000;
const GUESSING_NODES: u64 = 150_000;

/// Makes problems of one variant and rule set.
pub struct MakeProblems<'a> {
    /// The variant.
    pub variant: &'a str,
    /// The rule set.
    pub rules: RuleSet,
    /// Where random choices begin.
    pub seed: u64,
    /// How many are wanted.
    pub count: usize,
    /// What the search and the prover may spend on each; a problem that is too hard for one of them is told to `too_hard`.
    pub most_nodes: u64,
    /// The problems so far, of this variant and others: distances that are rare among them are wanted.
    pub suite: &'a mut Vec<Problem>,
    /// Told of problems that are not taken, because they are not solved.
    pub too_hard: &'a mut dyn FnMut(&Problem, &Attempt),
}

impl SearchVisitor for MakeProblems<'_> {
    type Output = Result<(), ContenderError>;

    fn visit<P: Searchable>(mut self, start: P) -> Result<(), ContenderError> {
        let player: Contender = "base".parse()?;
        let mut player = Player::new(&start, &player, Effort::Nodes(PLAYING_NODES))?;
        for number in 0..self.count as u64 {
            let seed = |game| mix(self.seed ^ mix(number * GAMES_A_PROBLEM + game));
            let games: Vec<Vec<P>> = (0..GAMES_A_PROBLEM).map(|game| play(&start, &mut player, seed(game))).collect();
            let found: Vec<Problem> = games.iter().filter_map(|game| self.best_of(game)).collect();
            let best = found.into_iter().min_by_key(|problem| self.rank(problem.distance));
            self.suite.extend(best);
        }
        Ok(())
    }
}

impl MakeProblems<'_> {
    /// How little a distance is wanted: rare ones first, and among them long ones. Two moves make little difference.
    fn rank(&self, distance: u32) -> (usize, std::cmp::Reverse<u32>) {
        let group = |distance: u32| distance.div_ceil(2);
        let same = self.suite.iter().filter(|problem| group(problem.distance) == group(distance));
        (same.count(), std::cmp::Reverse(distance))
    }

    /// The most wanted problem of a game.
    fn best_of<P: Searchable>(&mut self, game: &[P]) -> Option<Problem> {
        let mut seen = HashSet::new();
        let mut wins: Vec<(&P, Win, Attempt)> = Vec::new();
        for position in game.iter().rev().filter(|position| seen.insert(position.key())).take(LAST_POSITIONS) {
            let attempt = Attempt::at(position, P::parameters(), self.most_nodes);
            // A win that is known is worth a long look; who knows none looks for one that the search does not see.
            let (moves, nodes) = attempt.claim.map_or((MOST_DISTANCE, GUESSING_NODES), |claim| (claim, FINDING_NODES));
            let win = ShortestWin::find(position, moves, nodes);
            wins.extend(win.filter(is_special).map(|win| (position, win, attempt)));
        }
        wins.sort_by_key(|(_, win, _)| self.rank(win.distance));
        wins.into_iter().find_map(|(position, win, attempt)| self.accept(position, win.distance, &attempt))
    }

    fn accept<P: Searchable>(&mut self, position: &P, distance: u32, attempt: &Attempt) -> Option<Problem> {
        let problem =
            Problem { variant: self.variant.to_owned(), rules: self.rules, distance, position: position.text() };
        if attempt.solved.is_none() || attempt.proven.is_none() {
            (self.too_hard)(&problem, attempt);
            return None;
        }
        let new = self.suite.iter().all(|known| known.position != problem.position);
        new.then_some(problem)
    }
}

/// Whether a win takes some finding: few first moves win as quickly.
fn is_special(win: &Win) -> bool {
    win.solutions < win.choices && (win.solutions == 1 || 4 * win.solutions <= win.choices)
}

/// The positions of a game that the player plays against itself, with a mistake now and then.
fn play<P: Searchable>(start: &P, player: &mut Player<P>, seed: u64) -> Vec<P> {
    let mut random = Random::new(seed);
    let random_moves = random.below(MOST_RANDOM_MOVES + 1);
    player.begin(seed);
    let (mut position, mut history, mut seen) = (start.clone(), Vec::new(), Vec::new());
    let mut moves = Vec::new();
    while seen.len() < MOST_MOVES {
        moves.clear();
        if position.generate(&mut moves).is_some() || position.adjudicate(&history).is_some() {
            break;
        }
        let at_random = seen.len() < random_moves || random.below(A_RANDOM_MOVE_IN) == 0;
        let m = if at_random {
            random.pick(&moves)
        } else {
            player.choose(&position, &history, BySide::default(), &moves).0
        };
        seen.push(position.clone());
        history.push(position.history_key());
        position.play(m);
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_read_as_they_are_written() {
        let text = "# forced wins\n\nsmall | text | 3 | 12/4s7 circle\nlarge | server | 10 | x/y/z 1 0 \n";
        let problems = Problem::parse_all(text).unwrap();
        assert_eq!((problems.len(), problems[1].distance, problems[1].rules), (2, 10, RuleSet::Server));
        assert_eq!(problems[0].to_string(), "small | text | 3 | 12/4s7 circle");
        for (text, message) in [
            ("small | text | 3", "line 1: expected variant | rule set"),
            ("# x\nsmall | text | 0 | a", "line 2: expected a number of moves, found '0'"),
            ("small | house | 1 | a", "unknown rule set 'house'"),
        ] {
            let problem = Problem::parse_all(text).unwrap_err().to_string();
            assert!(problem.contains(message), "{problem}");
        }
    }
}
