//! What a program may use up.

use serde::{Deserialize, Serialize};

/// What a program, with everything that it starts, may use up. Time is the caller's business.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
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

impl Limits {
    /// For a bot in a match. A JVM starts some thirty threads, PyTorch maps a gigabyte of libraries: both fit.
    pub const BOT: Limits = Limits { memory: 2 << 30, tasks: 128, scratch: 64 << 20, files: 10_000, descriptors: 512 };

    /// For building a submission.
    pub const BUILD: Limits =
        Limits { memory: 4 << 30, tasks: 512, scratch: 1 << 30, files: 50_000, descriptors: 4096 };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::BOT
    }
}
