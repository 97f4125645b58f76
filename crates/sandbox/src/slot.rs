//! Users that nobody is: when agon runs as root, each contained program is one of them, so that programs cannot touch each other.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// Numbers that no distribution gives to anybody.
const FIRST: u32 = 60_706;
const COUNT: u32 = 400;

/// Where it is written down which of them are taken. The locks of a killed process are gone with it.
const LOCKS: &str = "/run/agon";

/// A user for one program.
#[derive(Debug)]
pub(crate) struct Slot {
    user: u32,
    _lock: File,
}

impl Slot {
    /// Takes a user that no other program has.
    pub(crate) fn take() -> io::Result<Slot> {
        let folder = Path::new(LOCKS);
        fs::create_dir_all(folder)?;
        for number in 0..COUNT {
            let lock = File::options().create(true).append(true).open(folder.join(format!("user-{number}")))?;
            if lock.try_lock().is_ok() {
                return Ok(Slot { user: FIRST + number, _lock: lock });
            }
        }
        Err(io::Error::other(format!("all {COUNT} users for contained programs are taken: see {LOCKS}")))
    }

    pub(crate) fn user(&self) -> u32 {
        self.user
    }
}
