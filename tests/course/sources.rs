//! The five sources: what a correct submission is in each of their languages.

use super::{samples::Sample, semester::Team};

/// A source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Cannon,
    Yinsh,
    Rollerball,
    Rivers,
    ConnectX,
}

pub(crate) const ALL: [Source; 5] =
    [Source::Cannon, Source::Yinsh, Source::Rollerball, Source::Rivers, Source::ConnectX];

/// The text of 2025, section 8.
pub(crate) const HONOUR: &str = "Even though I/we have taken help from the following students and LLMs in terms of \
    discussing ideas and coding practices, all my/our code is written by me/us.";

impl Source {
    pub(crate) fn preset(self) -> &'static str {
        match self {
            Source::Cannon => "col333-2019-cannon",
            Source::Yinsh => "col333-2018-yinsh",
            Source::Rollerball => "col333-2023-rollerball",
            Source::Rivers => "col333-2025-rivers",
            Source::ConnectX => "avishkar-connectx",
        }
    }

    pub(crate) fn game(self) -> &'static str {
        match self {
            Source::Cannon => "cannon",
            Source::Yinsh => "yinsh",
            Source::Rollerball => "rollerball",
            Source::Rivers => "rivers",
            Source::ConnectX => "connectx",
        }
    }

    /// The languages that the text allows, as the kits call them.
    pub(crate) fn languages(self) -> &'static [&'static str] {
        match self {
            Source::Rollerball | Source::Rivers => &["python", "cpp"],
            _ => &["python", "cpp", "java"],
        }
    }

    /// The text that everybody writes.
    pub(crate) fn report(self) -> Option<&'static str> {
        match self {
            Source::Cannon | Source::Yinsh => Some("writeup.txt"),
            Source::Rollerball => Some("Readme.md"),
            Source::Rivers => Some("report.txt"),
            Source::ConnectX => None,
        }
    }

    /// How the archive of a team is called.
    pub(crate) fn archive(self, team: &Team) -> String {
        match self {
            Source::Cannon => format!("{}.zip", team.bot),
            _ => team.by_entries(),
        }
    }

    /// What a team hands in that reads what is asked for: the kit, with its report filled in.
    pub(crate) fn correct(self, language: &str, team: &Team) -> Sample {
        let kit = Sample::kit(self.game(), language);
        match self {
            Source::ConnectX | Source::Cannon | Source::Yinsh => kit,
            Source::Rollerball => {
                let members = team.entries.iter().zip(&team.people);
                let members: String = members.map(|(entry, name)| format!("* {name}, {entry}\n")).collect();
                kit.with("Readme.md", format!("# Ours\n\n{members}\nDiscussed with: None\n"))
            }
            Source::Rivers => {
                let report = format!("{}\n{HONOUR}\nNone\nIt plays anything.\n", team.entries.join(", "));
                let kit = kit.with("report.txt", report);
                if language == "cpp" { kit.with("Makefile", "all:\n\tsh compile.sh\n") } else { kit }
            }
        }
    }
}
