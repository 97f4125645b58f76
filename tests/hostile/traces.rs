//! What a program may leave behind: processes, files, control groups, mounts, descriptors.

use std::{
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::{Child, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// Folders in which messages could be left.
const SHARED: [&str; 9] = ["/tmp", "/dev/shm", "/var/tmp", "/run", "/run/lock", "/", "/usr", "/opt", "/etc"];

/// How deep control groups are looked for.
const DEEPEST: usize = 6;

/// Everything that is left of a run of agon whose bots carry a token. Processes are ended, so that the next test finds none.
pub(crate) fn left_by(pid: u32, token: &str) -> Vec<String> {
    let mut found = Vec::new();
    for process in processes_with(token) {
        found.push(format!("process {process} is left"));
        end(process);
    }
    for folder in SHARED {
        let ours = |name: &String| name.contains(token) || name.starts_with(&format!("agon-scratch-{pid}-"));
        found.extend(
            names_in(Path::new(folder)).into_iter().filter(ours).map(|name| format!("{folder}/{name} is left")),
        );
    }
    found.extend(groups_of(pid).into_iter().map(|group| format!("the group {} is left", group.display())));
    found
}

/// Processes that have a token in their command line. What is forked keeps it, whatever it calls itself.
pub(crate) fn processes_with(token: &str) -> Vec<u32> {
    let carries = |process: &u32| {
        let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let victim = format!("victim-{token}");
        !contains(&line, victim.as_bytes()) && contains(&line, token.as_bytes())
    };
    all_processes().into_iter().filter(carries).collect()
}

fn all_processes() -> Vec<u32> {
    names_in(Path::new("/proc")).iter().filter_map(|name| name.parse().ok()).collect()
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Ends a process of the test's own.
pub(crate) fn end(process: u32) {
    if let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// The names in a folder, sorted; none if it cannot be read.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| String::from_utf8_lossy(entry.file_name().as_bytes()).into_owned()).collect();
    names.sort();
    names
}

/// The control groups that a process has made.
pub(crate) fn groups_of(pid: u32) -> Vec<PathBuf> {
    let mut found = Vec::new();
    look_for_groups(Path::new("/sys/fs/cgroup"), &format!("agon-{pid}-"), DEEPEST, &mut found);
    found
}

fn look_for_groups(folder: &Path, beginning: &str, depth: usize, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        if entry.file_name().to_string_lossy().starts_with(beginning) {
            found.push(entry.path());
        } else if depth > 0 {
            look_for_groups(&entry.path(), beginning, depth - 1, found);
        }
    }
}

/// Waits until something is so; says whether it was in time.
pub(crate) fn until(patience: Duration, mut so: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    loop {
        if so() {
            return true;
        }
        if begun.elapsed() > patience {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Waits for a child, but not for ever; then it is killed.
pub(crate) fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let mut status = None;
    until(patience, || {
        status = child.try_wait().ok().flatten();
        status.is_some()
    });
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    status
}
