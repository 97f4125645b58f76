//! What happened in a course, and what its organiser decided: entries that are only ever added.

use std::{
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use agon_store::{Logged, Run, Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::{config::Penalty, formalities::Formalities};

/// The run of the database that is the course.
const RUN: &str = "course";

/// Something that happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A team handed something in.
    HandedIn(Version),
    /// Something came of which nobody knows whose it is.
    Unmatched {
        /// Where it is kept, below the course's folder.
        kept: String,
        /// What it was called.
        called: String,
        /// The digest of its contents.
        digest: String,
        /// Teams whose it might be, the likeliest first.
        candidates: Vec<String>,
    },
    /// The organiser said whose it is: whatever is called so and has this digest goes there when it comes again.
    Assigned {
        /// What it was called.
        called: String,
        /// The digest of its contents.
        digest: String,
        /// The team.
        team: String,
    },
    /// Another version of a team's submissions is the one that counts.
    Activated {
        /// The team.
        team: String,
        /// The version.
        version: u32,
    },
    /// The organiser decided what a finding costs.
    Settled {
        /// The team.
        team: String,
        /// The version, since another one may have other findings.
        version: u32,
        /// The rule of the finding.
        rule: String,
        /// What it costs.
        penalty: Penalty,
        /// Why.
        why: String,
    },
    /// A judge's marks.
    Judged {
        /// What for: a name of the course's `judged`.
        name: String,
        /// The team.
        team: String,
        /// The marks.
        marks: f64,
    },
    /// Marks added or taken, with the reason.
    Adjusted {
        /// The student.
        entry: String,
        /// How many.
        marks: f64,
        /// Why.
        why: String,
    },
    /// The name under which a team is published.
    Named {
        /// The team.
        team: String,
        /// Its pseudonym.
        pseudonym: String,
    },
}

/// What a team handed in at some time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Version {
    /// The team.
    pub team: String,
    /// Which one, counted from 1.
    pub version: u32,
    /// What it was called.
    pub called: String,
    /// Where it is kept as it came, below the course's folder.
    pub kept: String,
    /// The digest of its contents.
    pub digest: String,
    /// Where the mended copy is, below the course's folder; `None` if it could not be unpacked.
    pub bot: Option<String>,
    /// Why it could not be unpacked.
    pub refused: Option<String>,
    /// What was found.
    pub formalities: Formalities,
}

/// What came of which nobody has said whose it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unmatched<'a> {
    /// Where it is kept, below the course's folder.
    pub kept: &'a str,
    /// What it was called.
    pub called: &'a str,
    /// The digest of its contents.
    pub digest: &'a str,
    /// Teams whose it might be, the likeliest first.
    pub candidates: &'a [String],
}

/// An event and its time.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// What happened.
    pub event: Event,
}

/// All entries, and the database that keeps them.
pub struct Ledger {
    store: Store,
    entries: Vec<Entry>,
}

impl Ledger {
    /// Opens the ledger of a course; a new database gets one.
    ///
    /// # Errors
    /// If the database cannot be used, or an entry is not understood, as one of a newer agon.
    pub fn open(db: &Path) -> Result<Ledger, LedgerError> {
        let mut store = Store::open(db)?;
        let run =
            Run { id: RUN.to_owned(), created_ms: now(), kind: "course".to_owned(), configuration: "{}".to_owned() };
        store.create_or_resume_run(&run)?;
        let logged = store.log_of(RUN)?;
        let read = |logged: &Logged| {
            let event = serde_json::from_str(&logged.entry);
            event.map(|event| Entry { at_ms: logged.at_ms, event }).map_err(LedgerError::Entry)
        };
        let entries = logged.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Ledger { store, entries })
    }

    /// Everything, from the beginning.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Adds an entry. When this returns, it is on disk.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn add(&mut self, event: Event) -> Result<(), LedgerError> {
        let entry = serde_json::to_string(&event).map_err(LedgerError::Entry)?;
        let at_ms = now();
        self.store.append_log(RUN, &Logged { at_ms, entry })?;
        self.entries.push(Entry { at_ms, event });
        Ok(())
    }

    fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.entries.iter().map(|entry| &entry.event)
    }

    /// Everything that a team handed in, in order.
    pub fn versions(&self, team: &str) -> Vec<&Version> {
        let mut versions = Vec::new();
        for event in self.events() {
            if let Event::HandedIn(version) = event
                && version.team == team
            {
                versions.push(version);
            }
        }
        versions
    }

    /// The version of a team that counts: the latest, unless the organiser went back to another one after it came.
    pub fn active(&self, team: &str) -> Option<&Version> {
        let chosen = self.events().rev().find_map(|event| match event {
            Event::HandedIn(version) if version.team == team => Some(version.version),
            Event::Activated { team: of, version } if of == team => Some(*version),
            _ => None,
        })?;
        self.versions(team).into_iter().find(|version| version.version == chosen)
    }

    /// Whose something is, as the organiser said.
    pub fn assigned(&self, called: &str, digest: &str) -> Option<&str> {
        self.events().rev().find_map(|event| match event {
            Event::Assigned { called: name, digest: of, team } if name == called && of == digest => Some(team.as_str()),
            _ => None,
        })
    }

    /// What came of which nobody has said whose it is.
    pub fn unmatched(&self) -> Vec<Unmatched<'_>> {
        let mut found: Vec<Unmatched<'_>> = Vec::new();
        for event in self.events() {
            if let Event::Unmatched { kept, called, digest, candidates } = event
                && self.assigned(called, digest).is_none()
                && !found.iter().any(|known| known.called == called && known.digest == digest)
            {
                found.push(Unmatched { kept, called, digest, candidates });
            }
        }
        found
    }

    /// What the organiser decided about a finding, and why.
    pub fn settled(&self, team: &str, version: u32, rule: &str) -> Option<(Penalty, &str)> {
        self.events().rev().find_map(|event| match event {
            Event::Settled { team: t, version: v, rule: r, penalty, why }
                if (t.as_str(), *v, r.as_str()) == (team, version, rule) =>
            {
                Some((*penalty, why.as_str()))
            }
            _ => None,
        })
    }

    /// A judge's marks for a team.
    pub fn judged(&self, name: &str, team: &str) -> Option<f64> {
        self.events().rev().find_map(|event| match event {
            Event::Judged { name: n, team: t, marks } if n == name && t == team => Some(*marks),
            _ => None,
        })
    }

    /// What was added to or taken from a student's marks, and why.
    pub fn adjusted(&self, entry: &str) -> Vec<(f64, &str)> {
        let mut adjusted = Vec::new();
        for event in self.events() {
            if let Event::Adjusted { entry: of, marks, why } = event
                && of == entry
            {
                adjusted.push((*marks, why.as_str()));
            }
        }
        adjusted
    }

    /// The name under which a team is published.
    pub fn pseudonym(&self, team: &str) -> Option<&str> {
        self.events().find_map(|event| match event {
            Event::Named { team: of, pseudonym } if of == team => Some(pseudonym.as_str()),
            _ => None,
        })
    }

    /// All pseudonyms that are taken.
    pub(crate) fn pseudonyms(&self) -> impl Iterator<Item = &str> {
        self.events().filter_map(|event| match event {
            Event::Named { pseudonym, .. } => Some(pseudonym.as_str()),
            _ => None,
        })
    }
}

/// Why a ledger could not be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An entry.
    #[error("an entry of the course's ledger is not understood; was it written by a newer agon? ({0})")]
    Entry(#[source] serde_json::Error),
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| i64::try_from(now.as_millis()).unwrap_or(i64::MAX))
}
