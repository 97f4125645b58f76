//! What can be wrong with a text.

use std::fmt;

macro_rules! text_error {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $name {
            message: String,
        }

        impl $name {
            /// `message` is a lower-case fragment that says what was expected and what was found.
            pub fn new(message: impl Into<String>) -> Self {
                Self { message: message.into() }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.message)
            }
        }

        impl std::error::Error for $name {}
    };
}

text_error! {
    /// A position's text could not be read: where, and what was expected.
    PositionError
}
text_error! {
    /// A turn was refused: the rule that it breaks.
    TurnError
}
text_error! {
    /// No such variant, or not under this rule set.
    SetupError
}

/// `text` in quotes for an error message: shortened, and with control characters made visible.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 48;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("'{shown}'")
}
