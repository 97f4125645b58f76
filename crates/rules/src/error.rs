//! What can be wrong with a text.

macro_rules! text_error {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
        #[error("{message}")]
        pub struct $name {
            message: String,
        }

        impl $name {
            /// `message` is a lower-case fragment that says what was expected and what was found.
            pub fn new(message: impl Into<String>) -> Self {
                Self { message: message.into() }
            }
        }
    };
}

text_error! {
    /// A position's text could not be read: where, and what was expected.
    PositionError
}
text_error! {
    /// No such variant, or not under this rule set.
    SetupError
}

/// A turn was refused: the rule that it breaks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct TurnError {
    message: String,
    unreadable: bool,
}

impl TurnError {
    /// `message` is a lower-case fragment that names the rule.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), unreadable: false }
    }

    /// The same for a text that is no turn of this board: nobody can read it, or it names places that the board does not have.
    pub fn unreadable(message: impl Into<String>) -> Self {
        Self { message: message.into(), unreadable: true }
    }

    /// Whether the text is no turn of this board, rather than one that breaks a rule.
    pub fn is_unreadable(&self) -> bool {
        self.unreadable
    }
}

/// `text` in quotes for an error message: shortened, and with control characters made visible.
pub fn quote(text: &str) -> String {
    quote_within(text, 48)
}

/// The same with at most `longest` characters of it.
pub fn quote_within(text: &str, longest: usize) -> String {
    let end = text.char_indices().nth(longest);
    let shown = visible(&text[..end.map_or(text.len(), |(end, _)| end)]);
    if end.is_some() { format!("'{shown}…'") } else { format!("'{shown}'") }
}

/// Control characters and the like as escapes. Quotes and backslashes stay as they are: people read this, no program does.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\'' | '"' | '\\') { shown.push(letter) } else { shown.extend(letter.escape_debug()) }
    }
    shown
}

/// Text from elsewhere in one line, with nothing in it that could steer a terminal: the only way in which names, evidence and what
/// programs wrote may be shown.
pub fn inert(text: &str) -> String {
    text.chars().map(|letter| if matches!(letter, '\n' | '\t') { ' ' } else { inert_letter(letter) }).collect()
}

/// The same for text of several lines.
pub fn inert_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    text.chars().map(|letter| if matches!(letter, '\n' | '\t') { letter } else { inert_letter(letter) }).collect()
}

/// A letter that does nothing is itself; one that does something has a picture.
fn inert_letter(letter: char) -> char {
    match letter {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        // Controls of eight bits, and those that turn the direction of writing or break lines.
        '\u{80}'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_reads_as_it_was_sent() {
        assert_eq!(quote(r#"{"action": 'it\'s'}"#), r#"'{"action": 'it\'s'}'"#);
        assert_eq!(quote("a\tb\u{1b}[31m\u{202e}"), r"'a\tb\u{1b}[31m\u{202e}'");
        assert_eq!(quote(&"é".repeat(49)), format!("'{}…'", "é".repeat(48)));
    }
}
