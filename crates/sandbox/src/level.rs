//! How well a program is contained.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How well a program is contained, from the weakest to the strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not at all: an ordinary process.
    None,
    /// Landlock, seccomp, resource limits and a watchdog; the program sees the host's processes, but cannot touch them.
    Filters,
    /// Those, and namespaces of its own: it sees no process, network or file but what it is shown.
    Namespaces,
    /// Those, and control groups, so that memory and tasks are counted by the kernel, and the program can be frozen.
    Full,
}

impl Level {
    /// All of them, from the weakest to the strongest.
    pub const ALL: [Level; 4] = [Level::None, Level::Filters, Level::Namespaces, Level::Full];

    /// The word for command lines and records.
    pub const fn name(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Filters => "filters",
            Level::Namespaces => "namespaces",
            Level::Full => "full",
        }
    }

    /// What hostile programs can still do at this level, in sentences.
    pub fn gaps(self) -> Vec<&'static str> {
        let mut gaps = vec![
            "guess what the opponent does from how busy the processor and its caches are",
            "read whatever everybody may read in the system's folders (/usr, /opt and parts of /etc)",
        ];
        if self <= Level::Namespaces {
            gaps.push("hold more memory or processes than allowed for the moment until the watchdog looks");
            gaps.push(
                "think on the opponent's time: that is measured and reported, not prevented; what a process computes that ends \
                 unwaited for between two turns is not measured",
            );
        }
        if self <= Level::Filters {
            gaps.push("see the names and command lines of the host's processes");
            gaps.push("fill the disk of the scratch folder for the moment until the watchdog looks");
            gaps.push(
                "tell which network ports are in use; a bot that must listen can be reached by others, also on ports that it was not told",
            );
            gaps.push(
                "change modes and dates of files of the user who runs agon, though it can neither read nor write them, \
                 if agon does not run as root",
            );
            gaps.push("send signals to processes of the same user if the kernel is older than 6.12 and agon does not run as root");
        }
        if self == Level::None {
            return vec!["do everything that the user who runs agon can do"];
        }
        gaps
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no level.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected 'none', 'filters', 'namespaces' or 'full', found '{}'", .0.escape_debug())]
pub struct UnknownLevel(String);

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Level, UnknownLevel> {
        let found = Level::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}
