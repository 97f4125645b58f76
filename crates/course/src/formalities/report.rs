//! What reports, write-ups and read-mes must say.

use super::Copy;

/// The lines of a file, or what is wrong: no such file, no such line.
fn line(copy: &Copy<'_>, file: &str, number: usize) -> Result<String, String> {
    let text = copy.text(file).ok_or_else(|| format!("no {file}"))?;
    let count = text.lines().count();
    let line = text.lines().nth(number - 1);
    line.map(|line| line.trim().to_owned()).ok_or_else(|| format!("{file} has {count} lines, so no line {number}"))
}

pub(super) fn line_is(copy: &Copy<'_>, file: &str, number: usize, one_of: &[String]) -> Option<String> {
    match line(copy, file, number) {
        Err(problem) => Some(problem),
        Ok(line) if one_of.contains(&line) => None,
        Ok(line) => Some(format!(
            "line {number} of {file} is {} instead of one of {}",
            agon_rules::quote(&line),
            one_of.join(", ")
        )),
    }
}

pub(super) fn says_something(copy: &Copy<'_>, file: &str, number: usize) -> Option<String> {
    match line(copy, file, number) {
        Err(problem) => Some(problem),
        Ok(line) if line.is_empty() => {
            Some(format!("line {number} of {file} is empty; who discussed with nobody writes None"))
        }
        Ok(_) => None,
    }
}

/// The endings of sources, whichever language the number names.
const SOURCES: [&str; 6] = ["cpp", "cc", "cxx", "c", "java", "py"];

pub(super) fn language(copy: &Copy<'_>, file: &str, languages: &[String]) -> Option<String> {
    let first = match line(copy, file, 1) {
        Err(problem) => return Some(problem),
        Ok(line) => line,
    };
    let number = first.parse().ok().filter(|number: &usize| (1..=languages.len()).contains(number));
    let Some(number) = number else {
        let most = languages.len();
        return Some(format!("line 1 of {file} is {} instead of a number from 1 to {most}", agon_rules::quote(&first)));
    };
    let (name, endings) = languages[number - 1].split_once(':').unwrap_or((&languages[number - 1], ""));
    let ending = |file: &String| file.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
    let found: Vec<String> = copy.files.iter().filter_map(ending).filter(|e| SOURCES.contains(&e.as_str())).collect();
    let fits =
        found.is_empty() || endings.is_empty() || found.iter().any(|found| endings.split(',').any(|e| e == found));
    (!fits).then(|| format!("line 1 of {file} says {number}, which is {name}, but there is no file in {name}"))
}

/// Editors put typographic marks where plain ones stood.
fn plain(text: &str) -> String {
    let letters = text.chars().map(|letter| match letter {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2018}' | '\u{2019}' => '\'',
        other => other,
    });
    let text: String = letters.collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_matches('"').to_owned()
}

pub(super) fn begins(copy: &Copy<'_>, file: &str, number: usize, with: &str) -> Option<String> {
    let line = match line(copy, file, number) {
        Err(problem) => return Some(problem),
        Ok(line) => plain(&line),
    };
    let with = plain(with);
    if line.starts_with(&with) {
        return None;
    }
    let same = line.split(' ').zip(with.split(' ')).take_while(|(found, wanted)| found == wanted).count();
    let (found, wanted) = (line.split(' ').nth(same), with.split(' ').nth(same).unwrap_or_default());
    let found = found.map_or("the line ends".to_owned(), |word| format!("there is {}", agon_rules::quote(word)));
    Some(format!(
        "line {number} of {file} is not word for word: at word {} {found} instead of {}",
        same + 1,
        agon_rules::quote(wanted)
    ))
}

pub(super) fn entries(copy: &Copy<'_>, file: &str, number: usize) -> Option<String> {
    let line = match line(copy, file, number) {
        Err(problem) => return Some(problem),
        Ok(line) => line,
    };
    let mut found: Vec<String> =
        line.split([',', ';']).map(|word| word.trim().to_lowercase()).filter(|word| !word.is_empty()).collect();
    let entry = |word: &String| word.chars().any(|c| c.is_ascii_digit()) && !word.contains(' ');
    if found.is_empty() || !found.iter().all(entry) {
        let line = agon_rules::quote(&line);
        return Some(format!("line {number} of {file} is {line} instead of entry numbers with commas between them"));
    }
    let team = copy.team?;
    let mut wanted: Vec<String> = team.entries().iter().map(|entry| entry.to_lowercase()).collect();
    found.sort();
    wanted.sort();
    let right = team.entries().join(", ");
    (found != wanted).then(|| format!("line {number} of {file} says {line}, and the team of the roster is {right}"))
}

pub(super) fn members(copy: &Copy<'_>, file: &str) -> Option<String> {
    let Some(text) = copy.text(file) else { return Some(format!("no {file}")) };
    let text = text.to_lowercase();
    let mut missing = Vec::new();
    for student in copy.team?.active() {
        let entry = student.entry.to_lowercase();
        let whole = |at: usize| {
            let inside = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
            !inside(text[..at].chars().next_back()) && !inside(text[at + entry.len()..].chars().next())
        };
        if !text.match_indices(&entry).any(|(at, _)| whole(at)) {
            missing.push(format!("the entry number {}", student.entry));
        }
        // People leave out middle names and change their order. Who checks at home has told only the entry numbers.
        if !student.name.is_empty()
            && !student.name.split_whitespace().any(|part| part.len() > 1 && text.contains(&part.to_lowercase()))
        {
            missing.push(format!("the name {}", student.name));
        }
    }
    (!missing.is_empty()).then(|| format!("{file} does not have {}", missing.join(", ")))
}

pub(super) fn collaborators(copy: &Copy<'_>, file: &str) -> Option<String> {
    let Some(text) = copy.text(file) else { return Some(format!("no {file}")) };
    let text = text.to_lowercase();
    let said = text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "none")
        || ["discuss", "collaborat", "worked with", "talked"].iter().any(|word| text.contains(word));
    (!said).then(|| format!("{file} says neither with whom the team discussed nor None"))
}

/// What our starter kits have where students are to write something of their own.
const PLACEHOLDERS: [&str; 3] = ["ENTRY-NUMBER", "Here stood, in the course", "YOUR-NAME"];

pub(super) fn placeholders(copy: &Copy<'_>) -> Option<String> {
    let texts = copy.files.iter().filter(|file| file.ends_with(".txt") || file.ends_with(".md"));
    let found = texts.filter_map(|file| {
        let text = copy.text(file)?;
        let place = PLACEHOLDERS.iter().find(|placeholder| text.contains(**placeholder))?;
        Some(format!("{file} still says {}", agon_rules::quote(place)))
    });
    let found: Vec<String> = found.collect();
    (!found.is_empty()).then(|| found.join("; "))
}
