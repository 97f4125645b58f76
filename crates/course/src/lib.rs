//! A course, from a folder of submissions to marks.
//!
//! A course is a folder: `course.toml` says what is asked for and what it brings ([`Course`]), `roster.csv` who takes part
//! ([`Roster`]), `submissions/` holds what was handed in, every version of it, and `course.db` the tournaments and the [`Ledger`]:
//! what came in and what the organiser decided, entry by entry, never changed. Everything else follows from these.

mod autograder;
mod config;
mod decide;
mod feedback;
mod folder;
mod formalities;
mod grade;
mod import;
mod ledger;
mod look;
mod marks;
mod page;
mod pseudonym;
mod publish;
mod repair;
mod roster;
mod similar;
mod status;

pub use autograder::{AutograderError, Host, UnknownHost, autograder};
pub use config::{
    ArchiveName, ConfigError, Course, FileSet, Judged, Penalty, PenaltyWord, Phase, Rule, Seeds, Submission, preset,
    presets,
};
pub use decide::{Decision, decide, judge_table};
pub use feedback::{FeedbackOptions, feedback};
pub use folder::{CourseError, CourseFolder, create};
pub use formalities::{Copy, Demand, Finding, Formalities, examine};
pub use grade::{GradeError, GradeOptions, Watcher, grade};
pub use import::{ImportError, Imported, Outcome, assign, import};
pub use ledger::{Entry, Event, Ledger, LedgerError, Unmatched, Version};
pub use look::{LookError, Looked, look};
pub use marks::{Breakdown, MarksError, marks, marks_csv};
pub use publish::{key_csv, publish};
pub use repair::Repair;
pub use roster::{Roster, RosterError, Student, Team, TeamFinding, TeamRule, check_teams, read_roster, teams_of};
pub use similar::{Pair, Passage, similar, similar_page};
pub use status::{Status, status};
