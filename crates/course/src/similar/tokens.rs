//! Sources as tokens that renaming does not change.

use crate::formalities::{Language, bare_lines};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    /// What it is: a word of the language or a sign as it is, `n` for a number, `v` for any other name.
    pub kind: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Words that say what a program does; all other names are the author's.
const WORDS: &str = "and as assert async auto await break case catch class const continue def del do elif else enum except finally for \
    from global goto if import in is lambda namespace new nonlocal not operator or pass private public raise return sizeof static \
    struct super switch template this throw throws try typedef typename using virtual void while with yield";

pub(super) fn tokens(text: &str, language: Language) -> Vec<Token> {
    let mut tokens = Vec::new();
    for line in bare_lines(text, language) {
        let mut rest = line.code.as_str();
        while let Some(letter) = rest.chars().next() {
            let end = match letter {
                _ if letter.is_whitespace() => {
                    rest = rest.trim_start();
                    continue;
                }
                _ if is_name(letter) => rest.find(|letter| !is_name(letter)).unwrap_or(rest.len()),
                _ => letter.len_utf8(),
            };
            let (token, after) = rest.split_at(end);
            tokens.push(Token { kind: kind(token), line: line.number });
            rest = after;
        }
    }
    tokens
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn kind(token: &str) -> String {
    let first = token.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() {
        "n".to_owned()
    } else if !is_name(first) || WORDS.split_whitespace().any(|word| word == token) {
        token.to_owned()
    } else {
        "v".to_owned()
    }
}
