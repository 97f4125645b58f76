//! The lexical part of records: tags, words and comments, as PGN has them.

use agon_wire::words;

/// `[Name "value"]`.
pub(crate) fn tag(name: &str, value: &str) -> String {
    let value: String = value.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A part of a movetext.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Tag(String, String),
    Comment(String),
    Word(String),
}

/// The tokens of a record, each with its line number.
pub(crate) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, (usize, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    let line_of = |rest: &str| 1 + text[..text.len() - rest.len()].matches('\n').count();
    loop {
        rest = rest.trim_start();
        let line = line_of(rest);
        let Some(first) = rest.chars().next() else { return Ok(found) };
        let fail = |problem: &str| Err((line, problem.to_owned()));
        match first {
            '[' => {
                let Some((inside, after)) = tag_end(rest) else { return fail("a tag has no end") };
                let pair = words::split(inside).ok();
                let Some([name, value]) = pair.as_deref() else {
                    return fail("expected [Name \"value\"]");
                };
                found.push((line, Token::Tag(name.clone(), value.clone())));
                rest = after;
            }
            '{' => {
                let Some((inside, after)) = rest[1..].split_once('}') else { return fail("a comment has no end") };
                found.push((line, Token::Comment(inside.to_owned())));
                rest = after;
            }
            _ => {
                let end = word_end(rest);
                let words = words::split(&rest[..end]);
                let Ok([word]) = words.as_deref() else {
                    return fail("a quoted turn has no closing quote");
                };
                found.push((line, Token::Word(word.clone())));
                rest = &rest[end..];
            }
        }
    }
}

/// The inside of the tag that `text` begins with, and what follows it. A `]` within quotes does not end it.
fn tag_end(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return Some((&text[1..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

/// Where the word that `text` begins with ends.
fn word_end(text: &str) -> usize {
    let mut quoted = false;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => {
                quoted = !quoted;
                if !quoted {
                    return at + 1;
                }
            }
            _ if !quoted && (letter.is_whitespace() || letter == '{') => return at,
            _ => {}
        }
    }
    text.len()
}
