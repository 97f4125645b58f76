//! Sources without what the compiler does not see: comments, and what stands in strings. Somebody who writes about threads does not
//! start one.

use std::{iter::Peekable, str::Chars};

/// How a language writes comments and strings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Language {
    Python,
    C,
    Java,
}

impl Language {
    /// The language of a file, by its ending.
    pub(crate) fn of(file: &str) -> Option<Language> {
        let (_, ending) = file.rsplit_once('.')?;
        Some(match ending.to_lowercase().as_str() {
            "py" | "pyw" | "pyx" => Language::Python,
            "cpp" | "cc" | "cxx" | "c" | "h" | "hpp" | "hh" | "hxx" | "ipp" => Language::C,
            "java" => Language::Java,
            _ => return None,
        })
    }
}

/// A line of source: its number, what the compiler sees of it, and how it is written. Both have their letters at the same places.
pub(crate) struct Line<'a> {
    pub number: usize,
    pub code: String,
    pub written: &'a str,
}

/// The lines of a source.
pub(crate) fn lines(text: &str, language: Language) -> Vec<Line<'_>> {
    let bare = bare(text, language);
    let lines = bare.split('\n').zip(text.split('\n')).enumerate();
    lines.map(|(index, (code, written))| Line { number: index + 1, code: code.to_owned(), written }).collect()
}

/// The text with a space for every byte of comments and of what stands in strings.
fn bare(text: &str, language: Language) -> String {
    let mut reader = Reader { rest: text.chars().peekable(), out: String::with_capacity(text.len()) };
    let mut before = ' ';
    while let Some(letter) = reader.rest.next() {
        let next = reader.rest.peek().copied();
        match (language, letter, next) {
            (Language::Python, '#', _) | (Language::C | Language::Java, '/', Some('/')) => reader.hide_line(letter),
            (Language::C | Language::Java, '/', Some('*')) => {
                reader.hide(letter);
                let star = reader.rest.next().unwrap_or('*');
                reader.hide(star);
                reader.hide_until("*/");
            }
            (Language::C, '"', _) if before == 'R' => reader.raw_string(),
            // 1'000'000 is a number.
            (Language::C, '\'', Some(next)) if before.is_ascii_hexdigit() && next.is_ascii_hexdigit() => {
                reader.out.push(letter);
            }
            (_, '"' | '\'', _) => reader.string(letter, language != Language::C),
            _ => reader.out.push(letter),
        }
        before = letter;
    }
    reader.out
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
}

impl Reader<'_> {
    fn hide(&mut self, letter: char) {
        if letter == '\n' {
            self.out.push('\n');
        } else {
            self.out.extend(std::iter::repeat_n(' ', letter.len_utf8()));
        }
    }

    fn hide_line(&mut self, first: char) {
        self.hide(first);
        while let Some(letter) = self.rest.next_if(|letter| *letter != '\n') {
            self.hide(letter);
        }
    }

    /// Hides everything, the end included.
    fn hide_until(&mut self, end: &str) {
        let mut last = String::new();
        while let Some(letter) = self.rest.next() {
            self.hide(letter);
            last.push(letter);
            if last.ends_with(end) {
                return;
            }
            if last.len() > 2 * end.len() + 4 {
                last.remove(0);
            }
        }
    }

    /// A string, of which the first mark has been read. With three marks it goes over lines.
    fn string(&mut self, mark: char, has_long: bool) {
        self.out.push(mark);
        let long = has_long && self.rest.clone().take(2).eq([mark, mark]);
        let mut marks = 0;
        if long {
            for _ in 0..2 {
                self.rest.next();
                self.out.push(mark);
            }
        }
        while let Some(&letter) = self.rest.peek() {
            if letter == '\n' && !long {
                return;
            }
            self.rest.next();
            marks = if letter == mark { marks + 1 } else { 0 };
            if letter == mark {
                self.out.push(mark);
            } else {
                self.hide(letter);
            }
            if marks == if long { 3 } else { 1 } {
                return;
            }
            if letter == '\\'
                && let Some(escaped) = self.rest.next()
            {
                self.hide(escaped);
            }
        }
    }

    /// `R"end(…)end"`, of which the first mark has been read.
    fn raw_string(&mut self) {
        self.out.push('"');
        let mut end = String::from(")");
        while let Some(letter) = self.rest.next_if(|letter| !matches!(letter, '(' | '\n')) {
            self.hide(letter);
            end.push(letter);
        }
        end.push('"');
        self.hide_until(&end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str, language: Language) -> String {
        let bare = bare(text, language);
        assert_eq!(bare.len(), text.len(), "letters stay where they are");
        bare.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_strings_are_no_code() {
        for (language, text, wanted) in [
            (Language::Python, "x = 1 # import numpy\ny", "x = 1 y"),
            (Language::Python, "x = '#'; import numpy", "x = ' '; import numpy"),
            (Language::Python, "\"\"\"\nimport numpy\nit's\n\"\"\"\ny", "\"\"\"\"\"\" y"),
            (Language::Python, "x = 'don\\'t'; y", "x = ' '; y"),
            (Language::Python, "x = 'open\nimport os", "x = ' import os"),
            (Language::C, "a /* std::thread\n */ b // fork()\nc", "a b c"),
            (Language::C, "\"/*\" a \"*/\"", "\" \" a \" \""),
            (Language::C, "int n = 1'000'000; // it's\nfork()", "int n = 1'000'000; fork()"),
            (Language::C, "R\"x(fork() )\" )x\" a", "R\" a"),
            (Language::C, "'\"' a '\\'' b", "' ' a ' ' b"),
            (Language::Java, "\"\"\"\nnew Thread\n\"\"\" a // é\nb", "\"\"\"\"\"\" a b"),
        ] {
            assert_eq!(code(text, language).replace(' ', ""), wanted.replace(' ', ""), "{text:?}");
        }
    }

    #[test]
    fn lines_keep_their_numbers_and_places() {
        let lines = lines("a\n'''é\n''' # x\nlast", Language::Python);
        assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!((lines[3].code.as_str(), lines[3].written), ("last", "last"));
    }
}
