//! Why an archive was not unpacked.

use std::{fmt, io, path::Path};

use agon_rules::quote;

/// An archive was not unpacked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The archive is at fault: the reason, with the name of the entry.
    #[error("{0}")]
    Refused(String),
    /// This machine could not do its part.
    #[error("{0}")]
    Host(String),
}

impl ArchiveError {
    pub(super) fn refused(reason: impl Into<String>) -> ArchiveError {
        ArchiveError::Refused(reason.into())
    }

    /// Refused because of one entry, named as it was written in the archive.
    pub(super) fn entry(name: &[u8], reason: impl fmt::Display) -> ArchiveError {
        ArchiveError::Refused(format!("entry {}: {reason}", quote(&String::from_utf8_lossy(name))))
    }

    pub(super) fn host(what: impl fmt::Display, error: io::Error) -> ArchiveError {
        ArchiveError::Host(format!("{what}: {error}"))
    }

    /// Something could not be read from the archive. Errors of the system have a number; those of the formats have none.
    pub(super) fn unreadable(what: impl fmt::Display, error: io::Error) -> ArchiveError {
        match error.raw_os_error() {
            Some(_) => ArchiveError::host(what, error),
            None => ArchiveError::Refused(format!("{what}: {error}")),
        }
    }

    /// With the archive's own name in front.
    pub(super) fn about(self, path: &Path) -> ArchiveError {
        let about = |text| format!("{}: {text}", path.display());
        match self {
            ArchiveError::Refused(text) => ArchiveError::Refused(about(text)),
            ArchiveError::Host(text) => ArchiveError::Host(about(text)),
        }
    }
}
