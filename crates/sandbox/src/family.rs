//! The processes that a contained program consists of.

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::processes::{Process, descendants};

/// The children of a process; only this one is looked at.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// All processes below one: its children by whichever thread, their children, and so on.
pub(crate) fn below(ancestor: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut parents = vec![ancestor];
    while let Some(parent) = parents.pop() {
        for thread in threads_of(parent) {
            let text = fs::read_to_string(thread.join("children")).unwrap_or_default();
            let children = text.split_whitespace().filter_map(|word| word.parse::<u32>().ok());
            for child in children.filter(|child| !found.contains(child)).collect::<Vec<_>>() {
                found.push(child);
                parents.push(child);
            }
        }
    }
    found
}

/// Processor time of everything below a process that takes in orphans, with what has ended. Without the process itself.
pub(crate) fn time_below(ancestor: u32) -> Option<Duration> {
    let ended = Process::of(ancestor)?.children;
    Some(below(ancestor).into_iter().filter_map(time_of).fold(ended, |sum, time| sum + time))
}

/// Processor time of a process, with that of its children that have ended.
fn time_of(process: u32) -> Option<Duration> {
    let about = Process::of(process)?;
    // What threads say of themselves is exact, and forgets threads that have ended.
    let threads = threads_of(process).into_iter().filter_map(cpu_of).sum();
    Some(Duration::from_nanos(threads).max(about.own) + about.children)
}

/// Processor time of a process and everything that it has started, but for orphans.
pub fn family_time(process: u32) -> Option<Duration> {
    let own = time_of(process)?;
    Some(below(process).into_iter().filter_map(time_of).fold(own, |sum, time| sum + time))
}

/// The threads of a process, as folders.
pub(crate) fn threads_of(process: u32) -> Vec<PathBuf> {
    let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn cpu_of(thread: PathBuf) -> Option<u64> {
    fs::read_to_string(thread.join("schedstat")).ok()?.split(' ').next()?.parse().ok()
}

/// Bytes of memory that a process has to itself or shares through memory files, with the tables that tell where it is: those of a
/// terabyte that is only looked at are large.
pub(crate) fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let parts = ["RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:", "HugetlbPages:"];
    1024 * parts.into_iter().filter_map(of).sum::<u64>()
}

/// What processes hold that no folder shows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Held {
    /// Files that have no name any more, with their bytes. Several processes may hold the same one.
    files: BTreeMap<(u64, u64), u64>,
    /// Bytes of such files that are mapped.
    mapped: u64,
    /// Sockets: the kernel keeps for them what nobody has read.
    pub(crate) sockets: u64,
    /// Open files that were sent through sockets and that nobody has taken out yet: no process shows them.
    pub(crate) sent: u64,
}

impl Held {
    /// Bytes of files that have no name any more.
    pub(crate) fn nameless(&self) -> u64 {
        self.files.values().sum::<u64>() + self.mapped
    }

    /// Adds what a process holds open or mapped; of its mappings those of files in these folders. The error means that it hides them.
    pub(crate) fn add(&mut self, process: u32, folders: &[PathBuf]) -> io::Result<()> {
        match self.look_into(process, folders) {
            // Of one that has ended nobody may see anything any more, but there is nothing to see either.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && !has_ended(process) => Err(error),
            _ => Ok(()),
        }
    }

    fn look_into(&mut self, process: u32, folders: &[PathBuf]) -> io::Result<()> {
        for entry in fs::read_dir(format!("/proc/{process}/fd"))?.flatten() {
            let Ok(file) = fs::metadata(entry.path()) else { continue };
            if file.file_type().is_socket() {
                self.sockets += 1;
                self.sent += sent_through(process, &entry.file_name().to_string_lossy());
            }
            if file.is_file() && file.nlink() == 0 {
                self.files.insert((file.dev(), file.ino()), 512 * file.blocks());
            }
        }
        let ours = |line: &&str| {
            let path = line.find('/').map(|start| Path::new(&line[start..]));
            let inside = path.is_some_and(|path| folders.iter().any(|folder| path.starts_with(folder)));
            inside && line.ends_with(" (deleted)")
        };
        let maps = fs::read_to_string(format!("/proc/{process}/maps"))?;
        self.mapped += maps.lines().filter(ours).filter_map(length).sum::<u64>();
        Ok(())
    }
}

/// How many open files wait in a socket.
fn sent_through(process: u32, descriptor: &str) -> u64 {
    let about = fs::read_to_string(format!("/proc/{process}/fdinfo/{descriptor}")).unwrap_or_default();
    about.lines().find_map(|line| line.strip_prefix("scm_fds:")?.trim().parse().ok()).unwrap_or(0)
}

/// Whether a process is one in name only.
pub(crate) fn has_ended(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    // Only what still has memory says how much.
    !status.contains("VmSize:")
}

/// How long a mapping is, by its line in `/proc/N/maps`.
fn length(line: &str) -> Option<u64> {
    let (start, end) = line.split(' ').next()?.split_once('-')?;
    u64::from_str_radix(end, 16).ok()?.checked_sub(u64::from_str_radix(start, 16).ok()?)
}

/// How long everything below a process is killed again and again. What still lives then the kernel cannot end either.
const KILLING: Duration = Duration::from_secs(5);

/// Kills all descendants of this process until there are none left.
pub(crate) fn kill_descendants() {
    let end = Instant::now() + KILLING;
    while Instant::now() < end && kill_below(std::process::id()) {
        reap();
    }
}

/// Kills all descendants of a process. Says whether there were any.
pub(crate) fn kill_below(ancestor: u32) -> bool {
    let left = descendants(ancestor);
    // Stopped first, so that none starts another while we go through them.
    for signal in [Signal::STOP, Signal::KILL] {
        for (number, _) in &left {
            if let Some(pid) = i32::try_from(*number).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, signal);
            }
        }
    }
    !left.is_empty()
}

/// Takes note of every child that has ended.
pub(crate) fn reap() {
    while let Ok(Some(_)) = rustix::process::wait(rustix::process::WaitOptions::NOHANG) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_mapping_is_read() {
        assert_eq!(length("7f00-8000 rw-p 00000000 08:01 1234  /scratch/x (deleted)"), Some(0x100));
    }
}
