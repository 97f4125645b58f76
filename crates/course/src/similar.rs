//! Submissions that are alike: pairs for the organiser to look at. It accuses nobody.
//!
//! Sources become tokens, in which names and numbers are all the same, so that renaming hides nothing. Of the digests of all runs of
//! tokens some are chosen by their value (winnowing, as Schleimer, Wilkerson and Aiken describe it), and two submissions are as alike
//! as the share of those that they have in common. What stands in starter kits, or in many submissions, does not count.

mod page;
mod tokens;

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::{
    folder::CourseFolder,
    formalities::{Copy, Language},
    roster::teams_of,
};
use tokens::{Token, tokens};

pub use page::similar_page;

/// So many tokens in a row are compared.
const RUN: usize = 20;
/// Of so many runs in a row at least one is chosen.
const WINDOW: usize = 10;
/// Fewer chosen runs in common are chance.
const LEAST: usize = 8;
/// What more than this share of the teams have, and at least so many, is common knowledge.
const COMMON: f64 = 0.3;
const COMMON_TEAMS: usize = 4;

/// A place in a submission: a file and lines of it, from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Passage {
    /// The file.
    pub file: String,
    /// The first line.
    pub first: usize,
    /// The last one.
    pub last: usize,
    /// The lines as they are written.
    pub text: String,
}

/// Two teams whose submissions are alike.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// The teams.
    pub teams: [String; 2],
    /// What share of the smaller submission is in the other one, by chosen runs of tokens.
    pub share: f64,
    /// Chosen runs in common.
    pub common: usize,
    /// Passages that correspond, the longest first.
    pub passages: Vec<[Passage; 2]>,
}

/// Where a chosen run begins and ends.
#[derive(Clone, Copy, Debug)]
struct Spot {
    file: usize,
    first: usize,
    last: usize,
}

/// What is known of a submission in one language.
struct Prints {
    team: String,
    files: Vec<(String, String)>,
    spots: HashMap<u64, Spot>,
}

/// The pairs of teams whose submissions share at least `threshold`, the most alike first. `starters` are texts that everybody was given,
/// with the names of their files.
pub fn similar(folder: &CourseFolder, starters: &[(String, String)], threshold: f64) -> Vec<Pair> {
    let mut all: BTreeMap<Language, Vec<Prints>> = BTreeMap::new();
    for team in teams_of(&folder.roster, "") {
        let Some(bot) = folder.ledger.active(team.name).and_then(|version| version.bot.as_ref()) else { continue };
        let Ok(copy) = Copy::of(&folder.path.join(bot), None, None) else { continue };
        let mut sources: BTreeMap<Language, Vec<(String, String)>> = BTreeMap::new();
        for file in &copy.files {
            if let (Some(language), Some(text)) = (Language::of(file), copy.text(file)) {
                sources.entry(language).or_default().push((file.clone(), text));
            }
        }
        for (language, files) in sources {
            let spots = spots(&files, language);
            all.entry(language).or_default().push(Prints { team: team.name.to_owned(), files, spots });
        }
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for (language, mut prints) in all {
        forget_common(&mut prints, starters, language);
        for (index, one) in prints.iter().enumerate() {
            pairs.extend(prints[index + 1..].iter().filter_map(|other| compare(one, other, threshold)));
        }
    }
    pairs.sort_by(|one, other| other.share.total_cmp(&one.share).then_with(|| one.teams.cmp(&other.teams)));
    pairs
}

/// The chosen runs of all files.
fn spots(files: &[(String, String)], language: Language) -> HashMap<u64, Spot> {
    let mut spots = HashMap::new();
    for (file, (_, text)) in files.iter().enumerate() {
        for (print, first, last) in chosen(&tokens(text, language)) {
            spots.entry(print).or_insert(Spot { file, first, last });
        }
    }
    spots
}

/// Digests of chosen runs with their first and last lines: the smallest of each window, the last one if several are.
fn chosen(tokens: &[Token]) -> Vec<(u64, usize, usize)> {
    let runs: Vec<(u64, usize, usize)> =
        tokens.windows(RUN).map(|run| (digest(run), run[0].line, run[RUN - 1].line)).collect();
    let mut chosen: Vec<usize> = Vec::new();
    let windows = runs.len().saturating_sub(WINDOW - 1).max(usize::from(!runs.is_empty()));
    for begin in 0..windows {
        let window = begin..(begin + WINDOW).min(runs.len());
        let least = window.rev().min_by_key(|&place| runs[place].0);
        chosen.extend(least.filter(|place| chosen.last() != Some(place)));
    }
    chosen.into_iter().map(|place| runs[place]).collect()
}

/// FNV-1a: nobody gains by making two runs collide.
fn digest(run: &[Token]) -> u64 {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for byte in run.iter().flat_map(|token| token.kind.as_bytes().iter().copied().chain([0])) {
        digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    digest
}

/// Takes out what stands in starters and what many teams have.
fn forget_common(prints: &mut [Prints], starters: &[(String, String)], language: Language) {
    let given = starters.iter().filter(|(file, _)| Language::of(file) == Some(language));
    let mut common: HashSet<u64> = HashSet::new();
    for (_, text) in given {
        // Every run, not only chosen ones: what surrounds it decides which are chosen.
        common.extend(tokens(text, language).windows(RUN).map(digest));
    }
    let mut count: HashMap<u64, usize> = HashMap::new();
    for print in prints.iter().flat_map(|prints| prints.spots.keys()) {
        *count.entry(*print).or_default() += 1;
    }
    let most = COMMON_TEAMS.max((COMMON * prints.len() as f64).ceil() as usize);
    common.extend(count.into_iter().filter(|(_, teams)| *teams > most).map(|(print, _)| print));
    for prints in prints {
        prints.spots.retain(|print, _| !common.contains(print));
    }
}

fn compare(one: &Prints, other: &Prints, threshold: f64) -> Option<Pair> {
    let shared: Vec<u64> = one.spots.keys().filter(|print| other.spots.contains_key(print)).copied().collect();
    let smaller = one.spots.len().min(other.spots.len());
    let share = shared.len() as f64 / smaller.max(1) as f64;
    if shared.len() < LEAST || share < threshold {
        return None;
    }
    let passages = passages(one, other, &shared);
    let teams = [one.team.clone(), other.team.clone()];
    Some(Pair { teams, share, common: shared.len(), passages })
}

/// So many passages are shown.
const MOST_PASSAGES: usize = 12;
/// Runs so many lines apart belong to one passage.
const GAP: usize = 3;

/// Joins runs that lie beside each other in both.
fn passages(one: &Prints, other: &Prints, shared: &[u64]) -> Vec<[Passage; 2]> {
    let mut spots: Vec<[Spot; 2]> = shared.iter().map(|print| [one.spots[print], other.spots[print]]).collect();
    spots.sort_by_key(|[a, b]| (a.file, b.file, a.first, b.first));
    let mut joined: Vec<[Spot; 2]> = Vec::new();
    for spot in spots {
        let near = |last: &Spot, next: &Spot| {
            last.file == next.file && next.first + GAP >= last.first && next.first <= last.last + GAP
        };
        match joined.last_mut() {
            Some(last) if near(&last[0], &spot[0]) && near(&last[1], &spot[1]) => {
                for (last, next) in last.iter_mut().zip(&spot) {
                    last.first = last.first.min(next.first);
                    last.last = last.last.max(next.last);
                }
            }
            _ => joined.push(spot),
        }
    }
    joined.sort_by_key(|[a, _]| (std::cmp::Reverse(a.last - a.first), a.file, a.first));
    joined.truncate(MOST_PASSAGES);
    joined.iter().map(|[a, b]| [passage(one, a), passage(other, b)]).collect()
}

fn passage(prints: &Prints, spot: &Spot) -> Passage {
    let (file, text) = &prints.files[spot.file];
    let lines: Vec<&str> = text.lines().skip(spot.first - 1).take(spot.last + 1 - spot.first).collect();
    Passage { file: file.clone(), first: spot.first, last: spot.last, text: lines.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of its own for each number.
    fn source(numbers: std::ops::Range<usize>) -> String {
        let one = |number: usize| {
            let steps: Vec<String> = (0..6)
                .map(|step| match (number + step * 7) % 5 {
                    0 => format!("    total = total + values[{step}] * weight"),
                    1 => format!("    if total > {step}: total -= values[{step}]"),
                    2 => "    for value in values: total += value".to_owned(),
                    3 => "    while total % 7 != weight: total += 1".to_owned(),
                    _ => "    values = sorted(values, key=lambda v: -v)".to_owned(),
                })
                .collect();
            format!(
                "def part{number}(values, weight, total={number}):\n{}\n    return total, '{number}'\n",
                steps.join("\n")
            )
        };
        numbers.map(one).collect()
    }

    fn prints(team: &str, text: &str) -> Prints {
        let files = vec![("bot.py".to_owned(), text.to_owned())];
        let spots = spots(&files, Language::Python);
        Prints { team: team.to_owned(), files, spots }
    }

    #[test]
    fn renaming_and_comments_hide_nothing() {
        let text = source(0..5);
        let renamed = text
            .replace("total", "s")
            .replace("values", "list_of_numbers")
            .replace("\n    return", "\n    # done\n    return");
        let pair = compare(&prints("a", &text), &prints("b", &renamed), 0.5).expect("a pair");
        assert!(pair.share > 0.99, "{}", pair.share);
        let [one, other] = &pair.passages[0];
        assert!(one.text.contains("total") && other.text.contains("list_of_numbers"), "{one:?}");
    }

    #[test]
    fn what_was_given_or_is_common_does_not_count() {
        let starter = vec![("kit.py".to_owned(), source(0..5))];
        let mut both = [prints("a", &source(0..5)), prints("b", &source(0..5))];
        forget_common(&mut both, &starter, Language::Python);
        assert!(compare(&both[0], &both[1], 0.0).is_none(), "both have the kit, and nothing else");
        let mut all: Vec<Prints> = (0..8).map(|team| prints(&team.to_string(), &source(0..5))).collect();
        forget_common(&mut all, &[], Language::Python);
        assert!(compare(&all[0], &all[1], 0.0).is_none(), "everybody has it");
    }

    #[test]
    fn different_programs_are_no_pair() {
        let other = "import sys\nclass Bot:\n    def choose(self, board):\n        best = max(board.moves, key=self.rate)\n        return best\n"
            .repeat(6);
        assert!(compare(&prints("a", &source(0..5)), &prints("b", &other), 0.2).is_none());
    }
}
