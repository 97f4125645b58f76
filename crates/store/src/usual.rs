//! The file that is used when nobody names another.

use std::{env, path::PathBuf};

/// `arena.db` in the user's data folder; `None` where there is no home.
pub fn usual_path() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")))?;
    Some(data.join("agon").join("arena.db"))
}
