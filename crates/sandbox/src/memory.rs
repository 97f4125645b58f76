//! How much memory a bot may use where nobody says so.

use std::{fs, sync::OnceLock};

use crate::cgroup;

const MIB: u64 = 1 << 20;
/// No bot needs more by itself: the courses' machines had 16 GiB for two bots and everything else.
const MOST: u64 = 4096 * MIB;
/// No bot can do with less, however small the host is.
const LEAST: u64 = 256 * MIB;
/// Hosts of the same size, as people call it, differ by less.
const STEP: u64 = 64 * MIB;

/// Bytes of memory that this host has: what is built in, or what its control group may use. What is free at the moment does not count,
/// so that two runs on one machine agree.
pub fn host_memory() -> u64 {
    static MEMORY: OnceLock<u64> = OnceLock::new();
    *MEMORY.get_or_init(|| {
        let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let built_in = built_in(&text).unwrap_or(MOST);
        cgroup::own_limit().map_or(built_in, |limit| limit.min(built_in))
    })
}

/// Bytes of memory that this host can give each of two bots at once, up to 4 GiB; an eighth of it, and 512 MiB at least, is kept for the rest.
pub fn fair_share() -> u64 {
    share(host_memory())
}

fn share(host: u64) -> u64 {
    let kept = (host / 8).max(512 * MIB);
    let half = host.saturating_sub(kept) / 2;
    (half - half % STEP).clamp(LEAST, MOST)
}

fn built_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// An amount of memory as people write it: `2 GiB`, `2.1 GiB`, `64 MiB`.
pub fn memory_text(bytes: u64) -> String {
    let gibibytes = bytes as f64 / (1024 * MIB) as f64;
    if bytes < 1024 * MIB {
        return format!("{} MiB", bytes.div_ceil(MIB));
    }
    let text = format!("{gibibytes:.1}");
    format!("{} GiB", text.strip_suffix(".0").unwrap_or(&text))
}

/// What is said of a program that used more than it may.
pub(crate) fn too_much(used: u64, allowed: u64) -> String {
    format!("used {} of {} (--memory raises the limit)", memory_text(used), memory_text(allowed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bots_fit_beside_everything_else() {
        let mib = |host: u64| share(host * MIB) / MIB;
        assert_eq!([mib(64 << 10), mib(16 << 10), mib(16_000), mib(9600)], [4096, 4096, 4096, 4096]);
        assert_eq!([mib(8 << 10), mib(7900), mib(4 << 10), mib(2 << 10)], [3584, 3456, 1792, 768]);
        assert_eq!([mib(1 << 10), mib(100)], [256, 256]);
        assert!(fair_share() >= LEAST && fair_share() <= MOST && host_memory() > 0);
    }

    #[test]
    fn memory_is_read_and_written() {
        assert_eq!(built_in("MemFree: 1 kB\nMemTotal:       24684100 kB\n"), Some(24_684_100 * 1024));
        assert_eq!(built_in("nothing"), None);
        assert_eq!(
            [64 * MIB, 64 * MIB + 1, 2048 * MIB, 2150 * MIB].map(memory_text),
            ["64 MiB", "65 MiB", "2 GiB", "2.1 GiB"]
        );
        assert_eq!(too_much(2150 * MIB, 2048 * MIB), "used 2.1 GiB of 2 GiB (--memory raises the limit)");
    }
}
