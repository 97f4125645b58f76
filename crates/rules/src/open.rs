//! The open face of a game: trait objects that speak text, made from the static face once and for all.

use std::time::Duration;

use agon_picture::{Click, Picture};

use crate::{
    BySide, Clock, Ending, Game, Outcome, Planes, Position, PositionError, Random, RuleSet, SetupError, Side,
    TurnError, Visitor, perft, perft_turns,
};

/// A game, known only at run time.
pub trait AnyGame: Send + Sync {
    /// The short name.
    fn name(&self) -> &'static str;
    /// The name people read.
    fn title(&self) -> &'static str;
    /// What the players try to do, in a sentence.
    fn summary(&self) -> &'static str;
    /// What the sides are called, the one that starts first.
    fn sides(&self) -> [&'static str; 2];
    /// The accent colour, `#rrggbb`.
    fn accent(&self) -> &'static str;
    /// The rule sets, the default one first.
    fn rule_sets(&self) -> &'static [RuleSet];
    /// The variants worth listing, the default one first.
    fn variants(&self) -> &'static [&'static str];
    /// What a variant's name looks like.
    fn variant_form(&self) -> &'static str;
    /// The pieces as a position's text writes them: see [`Game::PIECES`].
    fn pieces(&self) -> &'static [(char, &'static str)];
    /// How a position's text says whose turn it is.
    fn side_words(&self) -> [&'static str; 2];
    /// What its pages teach: see [`Game::LESSONS`].
    fn lessons(&self) -> &'static str;
    /// The time control of a match where nobody chose one.
    fn clock(&self, variant: &str) -> Clock;
    /// How much later than the clock says an answer may come.
    fn grace(&self, variant: &str) -> Duration;
    /// A game from the start position.
    fn open(&self, variant: &str, rules: RuleSet) -> Result<Box<dyn AnyPosition>, SetupError>;
}

impl<G: Game> AnyGame for G {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn title(&self) -> &'static str {
        G::TITLE
    }

    fn summary(&self) -> &'static str {
        G::SUMMARY
    }

    fn pieces(&self) -> &'static [(char, &'static str)] {
        G::PIECES
    }

    fn side_words(&self) -> [&'static str; 2] {
        G::SIDE_WORDS
    }

    fn sides(&self) -> [&'static str; 2] {
        G::SIDES
    }

    fn accent(&self) -> &'static str {
        G::ACCENT
    }

    fn rule_sets(&self) -> &'static [RuleSet] {
        G::RULE_SETS
    }

    fn variants(&self) -> &'static [&'static str] {
        G::VARIANTS
    }

    fn variant_form(&self) -> &'static str {
        G::VARIANT_FORM
    }

    fn lessons(&self) -> &'static str {
        G::LESSONS
    }

    fn clock(&self, variant: &str) -> Clock {
        <G as Game>::clock(variant)
    }

    fn grace(&self, variant: &str) -> Duration {
        <G as Game>::grace(variant)
    }

    fn open(&self, variant: &str, rules: RuleSet) -> Result<Box<dyn AnyPosition>, SetupError> {
        if !G::RULE_SETS.contains(&rules) {
            return Err(SetupError::new(format!("{} has no '{rules}' rule set", G::NAME)));
        }
        G::start(variant, rules, Opener)
    }
}

struct Opener;

impl Visitor for Opener {
    type Output = Box<dyn AnyPosition>;

    fn visit<P: Position>(self, start: P) -> Self::Output {
        Box::new(Open::new(start))
    }
}

/// A game in progress, known only at run time: a position with the history that led to it.
pub trait AnyPosition: Send + Sync {
    /// A copy.
    fn boxed(&self) -> Box<dyn AnyPosition>;
    /// The side to move.
    fn turn(&self) -> Side;
    /// The position as text.
    fn text(&self) -> String;
    /// The text that the game was set up with; `None` if it began at the start.
    fn start_text(&self) -> Option<String>;
    /// The position's key.
    fn key(&self) -> u64;
    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// Points for both sides if the match ends now like this.
    fn points(&self, ending: Ending) -> BySide<f64>;
    /// Points for both sides if neither can play: each has what it would have for its own fault, and nobody has a winner's part.
    fn points_of_two_losers(&self) -> BySide<f64> {
        BySide::from_fn(|side| self.points(Ending::Fault(side))[side])
    }
    /// The margin score of both sides if the match ends here: see [`Position::margins`].
    fn margins(&self) -> Option<BySide<f64>>;
    /// How many turns each side has made since the game, or the position that was set up, began.
    fn turns_made(&self) -> BySide<u32>;
    /// The turns played since the beginning, as the game prints them.
    fn turns(&self) -> &[String];
    /// Replaces the position; counters and repetition start fresh.
    fn set_up(&mut self, text: &str) -> Result<(), PositionError>;
    /// Plays a complete turn and gives it back as the game prints it: originals accept several spellings. A refused turn changes
    /// nothing.
    fn play(&mut self, turn: &str) -> Result<String, TurnError>;
    /// Every legal turn once, in the order of generation; none when the game is over. Gives up beyond `limit` turns.
    fn legal_turns(&self, limit: usize) -> Result<Vec<LegalTurn>, TooManyTurns>;
    /// A legal turn, chosen move by move at random; `None` when the game is over.
    fn random_turn(&self, random: &mut Random) -> Option<String>;
    /// Counts move sequences. See [`perft()`].
    fn perft(&self, depth: u32) -> u64;
    /// Counts sequences of complete turns. See [`perft_turns`].
    fn perft_turns(&self, depth: u32) -> u64;
    /// Each first move with the count below it.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
    /// Plays random moves to the end of the game and says how it ended and after how many moves.
    fn playout(&self, random: &mut Random) -> (Outcome, u32);
    /// The planes of the position.
    fn planes(&self) -> Planes;
    /// What the position looks like, with the last turn marked.
    fn picture(&self) -> Picture;
    /// What it looks like when `turn` is being entered and its first `moves` moves are made.
    fn picture_within(&self, turn: &str, moves: usize) -> Result<Picture, TurnError>;
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Box<dyn AnyPosition> {
        self.boxed()
    }
}

/// A legal turn in all its texts, with the clicks that enter it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalTurn {
    /// Every accepted canonical spelling, the printed one first.
    pub spellings: Vec<String>,
    /// The second form that the original program used, where there is one.
    pub object: Option<String>,
    /// The clicks that enter it.
    pub clicks: Vec<Click>,
    /// How many of the clicks each of its moves takes: after a move the board looks different.
    pub steps: Vec<usize>,
}

/// There are more legal turns than anyone wants to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the position has more than {0} legal turns, too many to list")]
pub struct TooManyTurns(pub usize);

/// A position with the history that led to it.
#[derive(Clone, Debug)]
pub struct Open<P: Position> {
    position: P,
    history: Vec<u64>,
    made: BySide<u32>,
    last: Vec<P::Move>,
    turns: Vec<String>,
    start_text: Option<String>,
}

impl<P: Position> Open<P> {
    /// A game that begins at `start`.
    pub fn new(start: P) -> Open<P> {
        Open {
            position: start,
            history: Vec::new(),
            made: BySide::default(),
            last: Vec::new(),
            turns: Vec::new(),
            start_text: None,
        }
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The history keys of the positions before the current one.
    pub fn history(&self) -> &[u64] {
        &self.history
    }

    /// Plays the moves of one complete legal turn.
    fn play_turn(&mut self, moves: Vec<P::Move>) -> String {
        self.made[self.position.turn()] += 1;
        let mut printed = String::new();
        for &m in &moves {
            printed = join(&printed, &self.position.move_text(m));
            self.history.push(self.position.history_key());
            self.position.play(m);
        }
        self.last = moves;
        self.turns.push(printed.clone());
        printed
    }

    /// Reads a turn and checks every rule.
    fn read_turn(&self, text: &str) -> Result<Vec<P::Move>, TurnError> {
        if let Some(outcome) = self.outcome() {
            return Err(TurnError::new(format!("the game is over ({})", outcome.reason)));
        }
        let moves = self.position.parse_turn(text)?;
        let side = self.position.turn();
        let mut position = self.position.clone();
        let mut legal = Vec::new();
        let mut complete = false;
        for &m in &moves {
            if complete {
                return Err(TurnError::new("the turn goes on after its end"));
            }
            legal.clear();
            position.generate(&mut legal);
            if !legal.contains(&m) {
                return Err(TurnError::new("not a legal move here"));
            }
            position.play(m);
            complete = position.turn() != side || is_over(&position);
        }
        if !complete {
            return Err(TurnError::new("the turn is incomplete"));
        }
        Ok(moves)
    }
}

fn is_over<P: Position>(position: &P) -> bool {
    position.generate(&mut Vec::new()).is_some()
}

/// The turns that begin with the moves so far, found by walking the moves of one side.
struct TurnLister<P: Position> {
    side: Side,
    limit: usize,
    found: Vec<LegalTurn>,
    path: Vec<(P, P::Move)>,
}

impl<P: Position> TurnLister<P> {
    fn walk(&mut self, position: &P) -> Result<(), TooManyTurns> {
        let mut moves = Vec::new();
        if position.turn() != self.side || position.generate(&mut moves).is_some() {
            return self.finish_turn();
        }
        for m in moves {
            let mut next = position.clone();
            next.play(m);
            self.path.push((position.clone(), m));
            self.walk(&next)?;
            self.path.pop();
        }
        Ok(())
    }

    fn finish_turn(&mut self) -> Result<(), TooManyTurns> {
        if self.found.len() == self.limit {
            return Err(TooManyTurns(self.limit));
        }
        let mut turn =
            LegalTurn { spellings: vec![String::new()], object: None, clicks: Vec::new(), steps: Vec::new() };
        for (position, m) in &self.path {
            let parts = position.spellings(*m);
            turn.spellings =
                turn.spellings.iter().flat_map(|start| parts.iter().map(move |part| join(start, part))).collect();
            let clicks = position.clicks(*m);
            turn.steps.push(clicks.len());
            turn.clicks.extend(clicks);
        }
        if let [(position, m)] = self.path.as_slice() {
            turn.object = position.object_text(*m);
        }
        self.found.push(turn);
        Ok(())
    }
}

fn join(start: &str, part: &str) -> String {
    if start.is_empty() { part.to_owned() } else { format!("{start} {part}") }
}

impl<P: Position> AnyPosition for Open<P> {
    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn turn(&self) -> Side {
        self.position.turn()
    }

    fn text(&self) -> String {
        self.position.text()
    }

    fn start_text(&self) -> Option<String> {
        self.start_text.clone()
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.generate(&mut Vec::new()).or_else(|| self.position.adjudicate(&self.history))
    }

    fn points(&self, ending: Ending) -> BySide<f64> {
        self.position.points(ending, self.made)
    }

    fn margins(&self) -> Option<BySide<f64>> {
        self.position.margins()
    }

    fn turns_made(&self) -> BySide<u32> {
        self.made
    }

    fn turns(&self) -> &[String] {
        &self.turns
    }

    fn set_up(&mut self, text: &str) -> Result<(), PositionError> {
        let position = self.position.parse(text)?;
        let start_text = Some(position.text());
        *self = Open { start_text, ..Open::new(position) };
        Ok(())
    }

    fn play(&mut self, turn: &str) -> Result<String, TurnError> {
        let moves = self.read_turn(turn)?;
        Ok(self.play_turn(moves))
    }

    fn legal_turns(&self, limit: usize) -> Result<Vec<LegalTurn>, TooManyTurns> {
        let mut lister = TurnLister { side: self.turn(), limit, found: Vec::new(), path: Vec::new() };
        if self.outcome().is_none() {
            lister.walk(&self.position)?;
        }
        Ok(lister.found)
    }

    fn random_turn(&self, random: &mut Random) -> Option<String> {
        let side = self.turn();
        let mut position = self.position.clone();
        let mut text = String::new();
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return None;
        }
        while position.turn() == side && position.generate(&mut moves).is_none() {
            let m = random.pick(&moves);
            text = join(&text, &position.move_text(m));
            position.play(m);
            moves.clear();
        }
        Some(text)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    fn perft_turns(&self, depth: u32) -> u64 {
        perft_turns(&self.position, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let mut moves = Vec::new();
        self.position.generate(&mut moves);
        let below = |m| {
            let mut next = self.position.clone();
            next.play(m);
            (self.position.move_text(m), perft(&next, depth.saturating_sub(1)))
        };
        moves.into_iter().map(below).collect()
    }

    fn playout(&self, random: &mut Random) -> (Outcome, u32) {
        let mut position = self.position.clone();
        let mut history = self.history.clone();
        let mut moves = Vec::new();
        loop {
            moves.clear();
            if let Some(outcome) = position.generate(&mut moves).or_else(|| position.adjudicate(&history)) {
                return (outcome, (history.len() - self.history.len()) as u32);
            }
            history.push(position.history_key());
            position.play(random.pick(&moves));
        }
    }

    fn planes(&self) -> Planes {
        Planes::of(&self.position)
    }

    fn picture(&self) -> Picture {
        let mut picture = self.position.picture(&self.last);
        // A position does not know the game so far, so it cannot know that the game ended by it.
        if !is_over(&self.position)
            && let Some(outcome) = self.position.adjudicate(&self.history)
        {
            let result = match outcome.winner {
                Some(side) => format!("{} wins", picture.looks[side.index()].name),
                None => "a draw".to_owned(),
            };
            picture.caption = format!("The game is over ({}): {result}.", outcome.reason);
        }
        picture
    }

    fn picture_within(&self, turn: &str, moves: usize) -> Result<Picture, TurnError> {
        let made: Vec<P::Move> = self.read_turn(turn)?.into_iter().take(moves).collect();
        let mut position = self.position.clone();
        made.iter().for_each(|&m| position.play(m));
        Ok(position.picture(&made))
    }
}
