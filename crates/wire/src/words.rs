//! Lines of words, where a word may hold blanks.
//!
//! Turns such as `P 2 7` and positions have blanks in them. The rule: a word that is empty or holds a blank, a control character, a double quote or a
//! backslash is written in double quotes, with `\"`, `\\` and `\n` for what would otherwise end it. Everything else is written as it is.

/// `word` as it is written in a line.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| !letter.is_whitespace() && !letter.is_control() && letter != '"' && letter != '\\';
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let mut text = String::from("\"");
    for letter in word.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            _ => text.push(letter),
        }
    }
    text.push('"');
    text
}

/// A line of words.
pub fn joined<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| quoted(word.as_ref())).collect();
    words.join(" ")
}

/// The words of a line.
pub fn split(line: &str) -> Result<Vec<String>, UnfinishedWord> {
    let mut words = Vec::new();
    let mut letters = line.chars().peekable();
    loop {
        while letters.next_if(|letter| letter.is_whitespace()).is_some() {}
        let Some(&first) = letters.peek() else { return Ok(words) };
        let mut word = String::new();
        if first == '"' {
            letters.next();
            loop {
                match letters.next().ok_or(UnfinishedWord)? {
                    '"' => break,
                    '\\' => match letters.next().ok_or(UnfinishedWord)? {
                        'n' => word.push('\n'),
                        letter => word.push(letter),
                    },
                    letter => word.push(letter),
                }
            }
        } else {
            while let Some(letter) = letters.next_if(|letter| !letter.is_whitespace()) {
                word.push(letter);
            }
        }
        words.push(word);
    }
}

/// A quoted word has no end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a quoted word has no closing quote")]
pub struct UnfinishedWord;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive() {
        for words in [
            vec!["bestmove", "P 2 7"],
            vec!["c2b3"],
            vec!["", "\"", "\\", "a\nb", "tab\there", "{\"action\":\"move\",\"from\":[3,8]}"],
            vec![],
        ] {
            assert_eq!(split(&joined(&words)).unwrap(), words);
        }
        assert_eq!(joined(["bestmove", "P 2 7"]), "bestmove \"P 2 7\"");
        assert_eq!(joined(["bestmove", "c2b3"]), "bestmove c2b3");
        assert!(!joined(["a\nb"]).contains('\n'), "a line stays a line");
    }

    #[test]
    fn an_unfinished_word_is_an_error() {
        assert_eq!(split("bestmove \"P 2 7"), Err(UnfinishedWord));
        assert_eq!(split("bestmove \"P 2\\"), Err(UnfinishedWord));
    }
}
