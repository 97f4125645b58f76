//! Legal turns to choose from, page by page.

use std::ops::Range;

use agon_rules::{AnyPosition, TooManyTurns};

/// Longer lists are refused.
const MOST_TURNS: usize = 100_000;

/// Turns on a page.
const PAGE: usize = 40;

/// The legal turns that contain a text, of which some pages were shown. A number means one that was shown.
pub struct TurnList {
    turns: Vec<String>,
    filter: String,
    shown: usize,
}

impl TurnList {
    /// The legal turns that contain `filter`, sorted.
    ///
    /// # Errors
    /// If there are too many to list.
    pub fn find(position: &dyn AnyPosition, filter: &str) -> Result<TurnList, TooManyTurns> {
        let legal = position.legal_turns(MOST_TURNS)?;
        let wanted = |spellings: &[String]| spellings.iter().any(|text| contains(text, filter));
        let mut turns: Vec<String> = legal
            .into_iter()
            .filter(|turn| wanted(&turn.spellings))
            .filter_map(|turn| turn.spellings.into_iter().next())
            .collect();
        turns.sort_unstable();
        Ok(TurnList { turns, filter: filter.to_owned(), shown: 0 })
    }

    /// The text that was looked for.
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// All that were found.
    pub fn turns(&self) -> &[String] {
        &self.turns
    }

    /// Turns over: where in the list the next page is, which is empty at its end.
    pub fn next_page(&mut self) -> Range<usize> {
        let from = self.shown;
        self.shown = self.turns.len().min(from + PAGE);
        from..self.shown
    }

    /// The turn with this number; the first is 1.
    pub fn pick(&self, number: usize) -> Option<&str> {
        let index = number.checked_sub(1).filter(|&index| index < self.shown)?;
        self.turns.get(index).map(String::as_str)
    }

    /// How many turns have been shown.
    pub fn shown(&self) -> usize {
        self.shown
    }
}

/// Whether `part` occurs in `text` and neither cuts a number nor a word in two: `d1` is not in `d10`.
fn contains(text: &str, part: &str) -> bool {
    let (text, part) = (text.to_lowercase(), part.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase());
    let joined = |left: Option<char>, right: Option<char>| match (left, right) {
        (Some(left), Some(right)) => {
            (left.is_ascii_digit() && right.is_ascii_digit()) || (left.is_alphabetic() && right.is_alphabetic())
        }
        _ => false,
    };
    text.match_indices(&part).any(|(start, found)| {
        let (before, after) = (&text[..start], &text[start + found.len()..]);
        !joined(before.chars().next_back(), part.chars().next())
            && !joined(part.chars().next_back(), after.chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_do_not_cut_numbers() {
        assert!(contains("d9*d8-d7", "d8"));
        assert!(contains("d8h", "D8"));
        assert!(!contains("d10-d11", "d1"));
        assert!(contains("S 2 7 M 3 1", " 2  7 "));
        assert!(!contains("S 12 7 M 3 1", "2 7"));
        assert!(contains("anything", ""));
    }
}
