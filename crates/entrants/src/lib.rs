//! What somebody hands in, up to a bot that can be sent into matches.
//!
//! A submission is a folder, a single file or an archive ([`unpack`]). Its [`Manifest`] says how it is built and run; where there is
//! none, the game recognises the form that its original asked for. A [`Workshop`] builds it, once for each content. A [`BotSpec`] is
//! what somebody wrote to name a bot, and an [`Entrant`] is the bot.

mod archive;
mod built;
mod containment;
mod manifest;
mod misplaced;
mod named;
mod roster;

pub use archive::{ArchiveError, ArchiveLimits, is_archive, submission_folder, unpack};
pub use built::{Built, Workshop, build_cache};
pub use containment::{Containment, NotOffered, memory_tag};
pub use manifest::{Manifest, ManifestError};
pub use misplaced::{file_names, misnamed, misplaced, shown_name};
pub use named::{same_bot, text_only};
pub use roster::{BotSpec, Entrant, RosterError, older_lines, usual_rules};
