//! The lexical part of records: tags, words and comments, as PGN has them.

use agon_wire::words;

/// `[Name "value"]`. PGN knows the escapes `\"` and `\\`; JSON adds those for line ends and other control characters.
pub(crate) fn tag(name: &str, value: &str) -> String {
    format!("[{name} {}]\n", serde_json::Value::from(value))
}

/// A part of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Tag(String, String),
    Comment(String),
    /// A word without quotes: a turn, a move number or the result.
    Word(String),
    /// A word in quotes: always a turn.
    Quoted(String),
}

/// The tokens of a record, each with its line number. A mistake is the last of them.
pub(crate) struct Tokens<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text, line: 1 }
    }

    /// Takes the next `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn token(&mut self, first: char) -> Result<Token, &'static str> {
        match first {
            '[' => {
                let end = end_of_tag(self.rest).ok_or("a tag has no end")?;
                let tag = self.take(end);
                read_tag(&tag[1..tag.len() - 1]).ok_or("expected [Name \"value\"]")
            }
            '{' => {
                let end = self.rest.find('}').ok_or("a comment has no end")?;
                Ok(Token::Comment(self.take(end + 1)[1..end].to_owned()))
            }
            '"' => {
                let end = end_of_quoted(self.rest).ok_or("a quoted turn has no closing quote")?;
                let words = words::split(self.take(end)).map_err(|_| "a quoted turn has no closing quote")?;
                Ok(Token::Quoted(words.concat()))
            }
            _ => {
                let end = self.rest.find(|letter: char| letter.is_whitespace() || letter == '{');
                Ok(Token::Word(self.take(end.unwrap_or(self.rest.len())).to_owned()))
            }
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = (usize, Result<Token, &'static str>);

    fn next(&mut self) -> Option<Self::Item> {
        self.take(self.rest.len() - self.rest.trim_start().len());
        let line = self.line;
        let token = self.token(self.rest.chars().next()?);
        if token.is_err() {
            self.rest = "";
        }
        Some((line, token))
    }
}

/// The name and the value of a tag, given what is between its brackets.
fn read_tag(inside: &str) -> Option<Token> {
    let (name, value) = inside.trim().split_once(char::is_whitespace)?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let value = serde_json::from_str(value).ok()?;
    name.chars().all(plain).then(|| Token::Tag(name.to_owned(), value))
}

/// How long the tag is that `text` begins with. A `]` within quotes does not end it.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b']' if !quoted => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// How long the quoted word is that `text` begins with.
fn end_of_quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}
