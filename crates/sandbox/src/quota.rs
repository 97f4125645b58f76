//! What a program may use up.

use serde::{Deserialize, Serialize};

use crate::memory::fair_share;

/// What a program, with everything that it starts, may use up. Time is the caller's business.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Quota {
    /// Bytes of memory.
    pub memory: u64,
    /// Processes and threads at once.
    pub tasks: u32,
    /// Bytes that it may write to its scratch folders, besides the files that it came with.
    pub scratch: u64,
    /// Files and folders that it may make there.
    pub files: u64,
    /// Open descriptors of one process.
    pub descriptors: u64,
}

impl Quota {
    /// For a bot in a match, where nobody says how much memory it may use. A JVM starts some thirty threads, PyTorch maps a gigabyte of libraries: both fit.
    pub const BOT: Quota = Quota { memory: 2 << 30, tasks: 128, scratch: 64 << 20, files: 10_000, descriptors: 512 };

    /// For building a bot that is to have these. Compilers need more than what they make: twice the memory, and 1 GiB of files where
    /// a bot has the usual.
    pub const fn for_its_build(self) -> Quota {
        Quota {
            memory: self.memory.saturating_mul(2),
            tasks: self.tasks.saturating_mul(4),
            scratch: self.scratch.saturating_mul(16),
            files: self.files.saturating_mul(5),
            descriptors: self.descriptors.saturating_mul(8),
        }
    }
}

/// For a bot in a match on this host.
impl Default for Quota {
    fn default() -> Quota {
        Quota { memory: fair_share(), ..Quota::BOT }
    }
}
