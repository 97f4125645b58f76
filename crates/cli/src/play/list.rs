//! The list of legal turns, page by page.

use agon_rules::{AnyPosition, TooManyTurns};

use crate::{describe, show::MOST_TURNS};

/// Turns on a page.
const PAGE: usize = 40;

/// The turns that a `list` found, of which some pages were shown. A number means one that was shown.
pub(super) struct TurnList {
    turns: Vec<String>,
    filter: String,
    shown: usize,
}

impl TurnList {
    /// The legal turns that contain `filter`, sorted.
    pub(super) fn find(position: &dyn AnyPosition, filter: &str) -> Result<TurnList, TooManyTurns> {
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

    /// The next page, and what to do about the rest.
    pub(super) fn page(&mut self) -> String {
        let (from, total) = (self.shown, self.turns.len());
        if total == 0 {
            return format!("No legal turn contains {}; `list` shows all of them.\n", agon_rules::quote(&self.filter));
        }
        if from == total {
            return "That was the whole list.\n".to_owned();
        }
        self.shown = total.min(from + PAGE);
        let items = (from..self.shown).map(|i| (i + 1, self.turns[i].as_str()));
        let mut text = if from > 0 { String::new() } else { format!("{}:\n", self.headline()) };
        text.push_str(&describe::columns(items));
        if self.shown < total {
            let rest = total - self.shown;
            text.push_str(&format!(
                "{rest} more: `more` shows the next ones, `list TEXT` only those that contain TEXT.\n"
            ));
        }
        text
    }

    fn headline(&self) -> String {
        let turns = describe::count(self.turns.len(), "legal turn");
        if self.filter.is_empty() { turns } else { format!("{turns} with {}", agon_rules::quote(&self.filter)) }
    }

    /// The turn with this number.
    pub(super) fn pick(&self, number: usize) -> Option<&str> {
        let index = number.checked_sub(1).filter(|&index| index < self.shown)?;
        self.turns.get(index).map(String::as_str)
    }

    /// How many turns have been shown.
    pub(super) fn shown(&self) -> usize {
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
