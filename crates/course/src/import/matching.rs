//! Whose something is that was handed in.

use std::{collections::BTreeSet, fs, io::Read};

use super::layout::Found;
use crate::{folder::distance, ledger::Ledger, roster::Team};

/// Whose it is.
pub(super) enum Matched {
    /// That of the team at this place.
    Team(usize),
    /// Nobody's, as far as can be told.
    Nobody {
        /// Teams whose it might be, the likeliest first.
        candidates: Vec<String>,
    },
}

/// So many teams are named as candidates.
const CANDIDATES: usize = 3;
/// Names that differ in more letters are not alike.
const FARTHEST: usize = 4;

/// By what the organiser has said, then by who handed it in, then by the name of the archive, then by the entry numbers in its
/// report. Whatever names two teams decides nothing.
pub(super) fn team_of(ledger: &Ledger, teams: &[Team<'_>], found: &Found, digest: &str) -> Matched {
    if let Some(assigned) = ledger.assigned(&found.called, digest)
        && let Some(place) = teams.iter().position(|team| team.name == assigned)
    {
        return Matched::Team(place);
    }
    let named = by_name(teams, stem(&found.called));
    let named = if named.is_empty() { by_words(teams, stem(&found.called)) } else { named };
    let person = by_person(teams, found);
    // Anybody can give a file any name: who hands in under the name of another team does not replace what that team handed in.
    if !named.is_empty() && !person.is_empty() && named.is_disjoint(&person) {
        let candidates = person.union(&named).map(|place| teams[*place].name.to_owned()).collect();
        return Matched::Nobody { candidates };
    }
    let ways: [&dyn Fn() -> BTreeSet<usize>; 3] =
        [&|| person.clone(), &|| named.clone(), &|| by_contents(teams, found)];
    for way in ways {
        let places = way();
        if let [only] = Vec::from_iter(&places)[..] {
            return Matched::Team(*only);
        }
    }
    Matched::Nobody { candidates: nearest(teams, found) }
}

/// Whether a name is that of a team's archive.
pub(super) fn is_teams(teams: &[Team<'_>], called: &str) -> bool {
    !by_name(teams, stem(called)).is_empty() || !by_words(teams, stem(called)).is_empty()
}

/// `bot (1).zip` is `bot`: browsers add a number to a name that they have seen before.
fn stem(called: &str) -> &str {
    let lower = called.to_lowercase();
    let ending = [".tar.gz", ".tgz", ".zip", ".tar"].into_iter().find(|ending| lower.ends_with(ending)).unwrap_or("");
    let stem = &called[..called.len() - ending.len()];
    let numbered = stem.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
    numbered.filter(|(_, number)| number.chars().all(|c| c.is_ascii_digit())).map_or(stem, |(name, _)| name)
}

fn places(teams: &[Team<'_>], is: impl Fn(&Team<'_>) -> bool) -> BTreeSet<usize> {
    teams.iter().enumerate().filter(|(_, team)| is(team)).map(|(place, _)| place).collect()
}

/// The name of a team, or of its registered bot.
fn by_name(teams: &[Team<'_>], stem: &str) -> BTreeSet<usize> {
    let exactly = places(teams, |team| team.bot() == Some(stem) || team.name == stem);
    if !exactly.is_empty() {
        return exactly;
    }
    let same = |name: &str| name.eq_ignore_ascii_case(stem);
    places(teams, |team| team.bot().is_some_and(same) || same(team.name))
}

/// Who handed it in.
fn by_person(teams: &[Team<'_>], found: &Found) -> BTreeSet<usize> {
    let same = |one: &str, other: &Option<String>| {
        other.as_ref().is_some_and(|other| one.trim().eq_ignore_ascii_case(other.trim()))
    };
    for way in [
        places(teams, |team| team.members.iter().any(|student| same(&student.entry, &found.entry))),
        places(teams, |team| {
            team.members
                .iter()
                .any(|student| found.email.is_some() && student.cells.iter().any(|cell| same(cell, &found.email)))
        }),
        places(teams, |team| team.members.iter().any(|student| same(&student.name, &found.person))),
    ] {
        if way.len() == 1 {
            return way;
        }
    }
    BTreeSet::new()
}

/// The entry numbers among the words of a name.
fn by_words(teams: &[Team<'_>], text: &str) -> BTreeSet<usize> {
    let words: BTreeSet<String> =
        text.split(|letter: char| !letter.is_ascii_alphanumeric()).map(str::to_lowercase).collect();
    places(teams, |team| team.members.iter().any(|student| words.contains(&student.entry.to_lowercase())))
}

/// As much as anybody writes before the entry numbers.
const MOST_READ: u64 = 16 << 10;

/// The entry numbers in what was written about it: text files at the top.
fn by_contents(teams: &[Team<'_>], found: &Found) -> BTreeSet<usize> {
    let read = |folder: &std::path::Path| {
        let mut all = String::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            let text = name.ends_with(".txt") || name.ends_with(".md") || name.ends_with(".toml");
            if text && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                let mut bytes = Vec::new();
                let file = fs::File::open(entry.path()).map(|file| file.take(MOST_READ));
                let _ = file.and_then(|mut file| file.read_to_end(&mut bytes));
                all.push_str(&String::from_utf8_lossy(&bytes));
                all.push('\n');
            }
        }
        all
    };
    if found.path.is_dir() {
        return by_words(teams, &read(&found.path));
    }
    let Ok(folder) = tempfile::tempdir() else { return BTreeSet::new() };
    let root = folder.path().join("unpacked");
    if agon_entrants::unpack(&found.path, &root, &agon_entrants::ArchiveLimits::default()).is_err() {
        return BTreeSet::new();
    }
    let mut text = read(&root);
    for entry in fs::read_dir(&root).into_iter().flatten().flatten().filter(|entry| entry.path().is_dir()) {
        text.push_str(&read(&entry.path()));
    }
    by_words(teams, &text)
}

/// Teams that are called almost so.
fn nearest(teams: &[Team<'_>], found: &Found) -> Vec<String> {
    let stem = stem(&found.called);
    let parts = || stem.split('_').chain([stem]);
    let near = |name: &str| parts().map(|part| distance(part, name)).min().unwrap_or(usize::MAX);
    let mut all: Vec<(usize, &str)> = teams
        .iter()
        .map(|team| {
            let people = team.members.iter().map(|student| {
                let person = found.person.as_ref().map_or(usize::MAX, |person| distance(person, &student.name));
                near(&student.entry).min(person)
            });
            let bot = team.bot().map_or(usize::MAX, near);
            (people.min().unwrap_or(usize::MAX).min(bot).min(near(team.name)), team.name)
        })
        .filter(|(far, _)| *far <= FARTHEST)
        .collect();
    all.sort();
    all.into_iter().take(CANDIDATES).map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::{Roster, Student, teams_of};

    fn roster() -> Roster {
        let student = |entry: &str, name: &str, team: &str, bot: &str, email: &str| Student {
            entry: entry.to_owned(),
            name: name.to_owned(),
            team: team.to_owned(),
            bot: bot.to_owned(),
            cells: vec![email.to_owned()],
            ..Student::default()
        };
        let students = vec![
            student("2018CS1", "Ada Lovelace", "t1", "Hex", "ada@x"),
            student("2018CS2", "Bob", "t1", "Hex", "bob@x"),
            student("2018CS3", "Cay", "t2", "hex", "cay@x"),
            student("2018CS4", "Bob", "t3", "", "bob2@x"),
        ];
        Roster { columns: vec!["email".to_owned()], students }
    }

    fn found(called: &str, person: Option<&str>, email: Option<&str>) -> Found {
        let path = "/nowhere/at/all".into();
        Found {
            path,
            called: called.to_owned(),
            person: person.map(str::to_owned),
            entry: None,
            email: email.map(str::to_owned),
        }
    }

    fn matched(found: &Found) -> Result<String, Vec<String>> {
        let folder = tempfile::tempdir().expect("a folder");
        let ledger = Ledger::open(&folder.path().join("course.db")).expect("a ledger");
        let roster = roster();
        let teams = teams_of(&roster, "");
        match team_of(&ledger, &teams, found, "digest") {
            Matched::Team(place) => Ok(teams[place].name.to_owned()),
            Matched::Nobody { candidates } => Err(candidates),
        }
    }

    #[test]
    fn an_archive_finds_its_team() {
        let of = |called| matched(&found(called, None, None));
        assert_eq!(of("Hex.zip"), Ok("t1".to_owned()), "names of bots are told apart by their capitals");
        assert_eq!(of("hex (2).zip"), Ok("t2".to_owned()));
        assert_eq!(of("2018cs2_2018cs1.ZIP"), Ok("t1".to_owned()));
        assert_eq!(of("A2-2018CS4-final.tar.gz"), Ok("t3".to_owned()));
        assert_eq!(
            of("2018CS1_2018CS3.zip"),
            Err(vec!["t1".to_owned(), "t2".to_owned(), "t3".to_owned()]),
            "two teams"
        );
        assert_eq!(of("2018CS99.zip").map_err(|near| near[0].clone()), Err("t1".to_owned()));
        assert_eq!(of("bot.zip").map_err(|near| near.is_empty()), Err(false), "hex is three letters away");
        assert_eq!(of("something-else-entirely.zip"), Err(vec![]));
    }

    #[test]
    fn who_handed_it_in_finds_the_team() {
        assert_eq!(matched(&found("bot.zip", Some("ada lovelace"), None)), Ok("t1".to_owned()));
        assert_eq!(matched(&found("bot.zip", Some("Bob"), Some("BOB2@x"))), Ok("t3".to_owned()), "there are two Bobs");
        assert_eq!(matched(&found("Hex.zip", Some("Bob"), None)), Ok("t1".to_owned()), "and one of them has this bot");
        assert!(matched(&found("my-bot.zip", Some("Bob"), None)).is_err());
    }

    #[test]
    fn nobody_hands_in_for_another_team() {
        let both = || Err(vec!["t1".to_owned(), "t2".to_owned()]);
        assert_eq!(matched(&found("Hex.zip", Some("Cay"), None)), both(), "by the name of its bot");
        assert_eq!(matched(&found("2018CS1_2018CS2.zip", None, Some("cay@x"))), both(), "by its entry numbers");
        assert_eq!(matched(&found("hex.zip", Some("Cay"), None)), Ok("t2".to_owned()));
    }
}
