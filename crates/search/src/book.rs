//! Opening books: what to play where a search sees little.
//!
//! A book is a text. A line `variant NAME` begins the part for a variant; every other line is a position and what may be played there: the
//! turns that lead to it, separated by `;`, and then for each choice its weight and its turn, separated by `|`:
//!
//! ```text
//! variant standard
//!  | 3 4 4 | 1 3 3
//! 4 4; 3 4 | 2 0 4
//! ```
//!
//! Books know positions, not ways to them, and see through symmetries.

use std::collections::HashMap;

use agon_rules::{Random, keys::mix};

use crate::{BookError, BookProblem, Searchable};

/// A symmetry is used if it holds for this many moves more: then it holds for as long as a book matters.
const SYMMETRIC_PLIES: u32 = 8;

/// What may be played in each position of a book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// By the key of a position: the keys of the positions that it may lead to, with their weights.
    choices: HashMap<u64, Vec<(u64, u32)>>,
}

impl Book {
    /// Reads the part of a book for the variant that begins with `start`. The error names the line.
    pub fn parse<P: Searchable>(text: &str, variant: &str, start: &P) -> Result<Book, BookError> {
        let mut book = Book::default();
        let mut ours = false;
        for (number, line) in text.lines().enumerate() {
            if let Some(name) = line.strip_prefix("variant ") {
                ours = name.trim() == variant;
            } else if ours && !line.trim().is_empty() && !line.starts_with('#') {
                book.add(line, start).map_err(|problem| BookError { line: number + 1, problem })?;
            }
        }
        Ok(book)
    }

    fn add<P: Searchable>(&mut self, line: &str, start: &P) -> Result<(), BookProblem> {
        let mut fields = line.split('|').map(str::trim);
        let mut position = start.clone();
        let way = fields.next().unwrap_or_default();
        for turn in way.split(';').map(str::trim).filter(|turn| !turn.is_empty()) {
            play(&mut position, turn)?;
        }
        let mut choices = Vec::new();
        for field in fields {
            let (weight, turn) = field.split_once(' ').ok_or(BookProblem::NoChoice)?;
            let weight = weight.parse().ok().filter(|weight| *weight > 0).ok_or(BookProblem::NoWeight)?;
            let mut next = position.clone();
            play(&mut next, turn)?;
            choices.push((next.key(), weight));
        }
        if choices.is_empty() {
            return Err(BookProblem::NothingToPlay);
        }
        self.choices.insert(position.key(), choices);
        Ok(())
    }

    /// How many positions it knows.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// What to play; `None` where the book ends. Another seed may choose another move.
    pub fn choose<P: Searchable>(&self, position: &P, seed: u64) -> Option<P::Move> {
        if self.is_empty() {
            return None;
        }
        let mut legal = Vec::new();
        if position.generate(&mut legal).is_some() {
            return None;
        }
        let symmetries = 0..position.symmetries(SYMMETRIC_PLIES);
        let seen = |symmetry: &usize| self.choices.get(&position.transform(*symmetry).key());
        let (symmetry, choices) = symmetries.filter_map(|symmetry| Some((symmetry, seen(&symmetry)?))).next()?;
        let all: u32 = choices.iter().map(|&(_, weight)| weight).sum();
        let mut left = Random::new(mix(seed ^ position.key())).below(all as usize) as u32;
        let (goal, _) = choices.iter().find(|(_, weight)| {
            let found = left < *weight;
            left = left.saturating_sub(*weight);
            found
        })?;
        legal.into_iter().find(|&m| {
            let mut next = position.clone();
            next.play(m);
            next.transform(symmetry).key() == *goal
        })
    }
}

/// Plays a turn that is one legal move.
fn play<P: Searchable>(position: &mut P, turn: &str) -> Result<(), BookProblem> {
    let wrong = |reason| BookProblem::Turn { turn: turn.to_owned(), reason };
    let moves = position.parse_turn(turn).map_err(wrong)?;
    for m in moves {
        let mut legal = Vec::new();
        position.generate(&mut legal);
        if !legal.contains(&m) {
            return Err(BookProblem::Illegal(turn.to_owned()));
        }
        position.play(m);
    }
    Ok(())
}
