//! Words that people write in a format.

use agon_rules::quote;

/// A word that is none of those that mean something here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected one of {expected}, found {}", quote(.found))]
pub struct UnknownWord {
    /// Those that do.
    pub expected: String,
    /// The one that was written.
    pub found: String,
}

/// An enum whose values are words in a format, and stored under their names.
macro_rules! word_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$each])* $variant,)* }

        impl std::str::FromStr for $name {
            type Err = $crate::words::UnknownWord;

            fn from_str(text: &str) -> Result<$name, $crate::words::UnknownWord> {
                match text {
                    $($word => Ok($name::$variant),)*
                    _ => Err($crate::words::UnknownWord {
                        expected: [$($word,)*].join(", "),
                        found: text.to_owned(),
                    }),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($name::$variant => $word,)* })
            }
        }
    };
}

pub(crate) use word_enum;
