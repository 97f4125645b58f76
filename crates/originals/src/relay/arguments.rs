//! Command lines as the originals have them: long names after a single dash.

use std::collections::BTreeMap;

use agon_rules::quote;

/// An option that a program knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known<'a> {
    /// Its name without dashes.
    pub name: &'a str,
    /// Whether a value follows it.
    pub has_value: bool,
}

/// A command line that cannot be understood: what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ArgumentError(pub String);

/// What was found on a command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arguments {
    /// What belongs to no option, in order.
    pub positional: Vec<String>,
    /// Options by name; those without a value have an empty one. Of two the last counts.
    pub options: BTreeMap<String, String>,
}

impl Arguments {
    /// Reads a command line. `-TL 150`, `-TL=150` and `--TL 150` mean the same.
    pub fn read(words: &[String], known: &[Known<'_>]) -> Result<Arguments, ArgumentError> {
        let mut found = Arguments::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).filter(|name| !name.is_empty())
            else {
                found.positional.push(word.clone());
                continue;
            };
            let (name, attached) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let option = known.iter().find(|option| option.name == name).ok_or_else(|| {
                let names: Vec<String> = known.iter().map(|option| format!("-{}", option.name)).collect();
                ArgumentError(format!("unknown option {}, expected one of {}", quote(word), names.join(", ")))
            })?;
            let value = match (option.has_value, attached) {
                (true, Some(value)) => value.to_owned(),
                (true, None) => words.next().cloned().ok_or_else(|| ArgumentError(format!("-{name} needs a value")))?,
                (false, None) => String::new(),
                (false, Some(_)) => return Err(ArgumentError(format!("-{name} takes no value"))),
            };
            found.options.insert(name.to_owned(), value);
        }
        Ok(found)
    }

    /// Reads a file with the same arguments, on one line or on several; there the dash of an option may be missing, so that
    /// `port 10000` and `port = 10000` are understood. `#` begins a comment.
    pub fn read_file(text: &str, known: &[Known<'_>]) -> Result<Arguments, ArgumentError> {
        let named = |word: &str| known.iter().find(|option| option.name == word.trim_start_matches('-'));
        let mut words: Vec<String> = Vec::new();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().replace('=', " ");
            let mut rest = line.split_whitespace();
            while let Some(word) = rest.next() {
                match named(word) {
                    Some(option) => {
                        words.push(format!("-{}", option.name));
                        if option.has_value {
                            words.extend(rest.next().map(str::to_owned));
                        }
                    }
                    None => words.push(word.to_owned()),
                }
            }
        }
        Arguments::read(&words, known)
    }

    /// Whether the option was given.
    pub fn has(&self, name: &str) -> bool {
        self.options.contains_key(name)
    }

    /// The option's value as a number between `least` and `most`.
    pub fn number(&self, name: &str, default: u64, least: u64, most: u64) -> Result<u64, ArgumentError> {
        self.options.get(name).map_or(Ok(default), |text| number(&format!("-{name}"), text, least, most))
    }
}

/// A number between `least` and `most`; the error says which one is meant.
pub fn number(what: &str, text: &str, least: u64, most: u64) -> Result<u64, ArgumentError> {
    let problem = || format!("{what}: expected a whole number from {least} to {most}, found {}", quote(text));
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| ArgumentError(problem()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [Known<'_>; 4] = [
        Known { name: "port", has_value: true },
        Known { name: "TL", has_value: true },
        Known { name: "LOG", has_value: true },
        Known { name: "judge", has_value: false },
    ];

    fn read(line: &str) -> Result<Arguments, ArgumentError> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Arguments::read(&words, &KNOWN)
    }

    #[test]
    fn one_dash_or_two_and_an_equals_sign() {
        for line in ["10000 -TL 120 -judge", "-judge 10000 --TL 120", "10000 --judge -TL=120"] {
            let found = read(line).expect("a command line");
            assert_eq!(found.positional, ["10000"]);
            assert_eq!(found.number("TL", 150, 1, 1000), Ok(120));
            assert!(found.has("judge") && !found.has("LOG"));
        }
        assert!(read("-TLX 1").expect_err("unknown").to_string().contains("-port, -TL, -LOG, -judge"));
        assert!(read("1 -TL").expect_err("no value").to_string().contains("needs a value"));
        assert!(
            read("-TL x")
                .expect("read")
                .number("TL", 1, 1, 9)
                .expect_err("no number")
                .to_string()
                .contains("from 1 to 9")
        );
    }

    #[test]
    fn a_file_may_be_a_command_line_or_a_list() {
        let line = Arguments::read_file("10000 2 -TL 120 -LOG port\n", &KNOWN).expect("a file");
        assert_eq!(line.positional, ["10000", "2"]);
        assert_eq!(line.options["LOG"], "port");
        let list = Arguments::read_file("# mine\nport = 10000 # here\nTL=120\njudge LOG x\n", &KNOWN).expect("a file");
        assert_eq!((list.options["port"].as_str(), list.options["TL"].as_str()), ("10000", "120"));
        assert!(list.has("judge") && list.options["LOG"] == "x");
    }
}
