//! How well this host contains bots, what it can build, and what may disturb its clocks: everything that is looked at, what was seen,
//! and what to do about it.

mod containing;
mod languages;
mod timing;

use agon_sandbox::Host;
use serde::Serialize;

/// Something that was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// What was looked at, in a word or two; programs know it by this.
    pub name: &'static str,
    /// Whether all is well.
    pub well: bool,
    /// What was seen.
    pub seen: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Finding {
    fn well(name: &'static str, seen: impl Into<String>) -> Finding {
        Finding { name, well: true, seen: seen.into(), remedy: None }
    }

    fn bad(name: &'static str, seen: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { name, well: false, seen: seen.into(), remedy: Some(remedy.into()) }
    }
}

/// Examines this host: findings about the sandbox, the languages and the timing, by these names.
pub fn examine(host: &Host) -> [(&'static str, Vec<Finding>); 3] {
    [("sandbox", containing::findings(host)), ("languages", languages::findings()), ("timing", timing::findings())]
}
