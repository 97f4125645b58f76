//! Control groups: the kernel counts and limits what a program uses, of version 1, of version 2, or of both at once.
//!
//! A group is made for each program beside the group that this process is in, and removed when the program is gone. What a killed
//! process left behind is found by its name and removed by the next one.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom},
    os::fd::{AsFd, BorrowedFd},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{Missing, Quota};

/// How our groups are called: this, the number of the process that made it, and a running number.
const PREFIX: &str = "agon";

/// How often a group that is not empty yet is tried again, and how long between.
const REMOVALS: u32 = 200;
const BETWEEN_REMOVALS: Duration = Duration::from_millis(1);

/// Where groups can be made on this host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hierarchies {
    memory: Hierarchy,
    tasks: Hierarchy,
    /// A place in the hierarchy of version 2, which can freeze and kill a group and counts its processor time.
    unified: Option<PathBuf>,
}

/// A folder in which groups can be made.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Hierarchy {
    One(PathBuf),
    /// The unified hierarchy has the controller.
    Two,
}

impl Hierarchies {
    /// Looks where this process may make groups, and tries it. The error says what is missing.
    pub fn find() -> Result<Hierarchies, Missing> {
        let read = |path: &str, what| {
            let unreadable = |error: io::Error| Missing::Unreadable { what, reason: error.to_string() };
            fs::read_to_string(path).map_err(unreadable)
        };
        let mounts = read("/proc/self/mountinfo", "the mounts")?;
        let own = read("/proc/self/cgroup", "the own groups")?;
        let (unified, controllers) = version_two(&mounts, &own);
        let place = |name: &'static str| {
            if controllers.iter().any(|each| each == name) {
                return Ok(Hierarchy::Two);
            }
            version_one(&mounts, &own, name).map(Hierarchy::One).ok_or(Missing::Controller(name))
        };
        let places = Hierarchies { memory: place("memory")?, tasks: place("pids")?, unified };
        sweep(&places);
        // Only making a group shows that it can be made.
        drop(Group::new(&places, &Quota::BOT).map_err(|error| Missing::Group(error.to_string()))?);
        Ok(places)
    }

    /// Whether programs can be frozen: version 2 only, whose frozen programs can still be killed.
    pub fn can_freeze(&self) -> bool {
        self.unified.is_some()
    }

    /// In words.
    pub fn describe(&self) -> String {
        let of = |place: &Hierarchy| if *place == Hierarchy::Two { 2 } else { 1 };
        let freezer = if self.can_freeze() { "version 2" } else { "missing" };
        format!("memory by version {}, tasks by version {}, freezer {freezer}", of(&self.memory), of(&self.tasks))
    }

    fn folders(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = self.unified.iter().cloned().collect();
        for place in [&self.memory, &self.tasks] {
            if let Hierarchy::One(folder) = place {
                folders.push(folder.clone());
            }
        }
        folders
    }
}

/// The bytes of memory that this process may use together with whatever else is in its groups; `None` is no limit.
pub(crate) fn own_limit() -> Option<u64> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let unified = || {
        let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
        let mount = mounts.lines().find_map(|line| mount_point(line, |kind, _| kind == "cgroup2"))?;
        let folder = below(&mount, path)?;
        let groups = folder.ancestors().take_while(|group| group.starts_with(&mount.0));
        groups.filter_map(|group| number(&fs::read_to_string(group.join("memory.max")).ok()?)).min()
    };
    let first = || {
        let folder = own_folder(&mounts, &own, "memory")?;
        let groups = fs::read_to_string(folder.join("memory.stat")).ok()?;
        groups.lines().find_map(|line| number(line.strip_prefix("hierarchical_memory_limit ")?))
    };
    [unified(), first()].into_iter().flatten().min()
}

/// A folder in the unified hierarchy where this process may make groups, and the controllers that those have. That is its own, or
/// else the root: whoever has logged in as root shares his group with his shell, and only empty groups hand controllers down.
fn version_two(mounts: &str, own: &str) -> (Option<PathBuf>, Vec<String>) {
    let path = own.lines().find_map(|line| line.strip_prefix("0::"));
    let mount = mounts.lines().find_map(|line| mount_point(line, |kind, _| kind == "cgroup2"));
    let Some((path, mount)) = path.zip(mount) else { return (None, Vec::new()) };
    let folders = below(&mount, path).into_iter().chain([mount.0.clone()]).filter(|folder| is_writable(folder));
    let mut places: Vec<(PathBuf, Vec<String>)> =
        folders.map(|folder| (folder.clone(), ready_controllers(&folder))).collect();
    // The first of those that have the most.
    places.reverse();
    let best = places.into_iter().max_by_key(|(_, controllers)| controllers.len());
    best.map_or((None, Vec::new()), |(folder, controllers)| (Some(folder), controllers))
}

/// The folder of this process in the hierarchy of version 1 that has `controller`, if it may make groups there.
fn version_one(mounts: &str, own: &str, controller: &str) -> Option<PathBuf> {
    own_folder(mounts, own, controller).filter(|folder| is_writable(folder))
}

fn own_folder(mounts: &str, own: &str, controller: &str) -> Option<PathBuf> {
    let named = |list: &str| list.split(',').any(|name| name == controller);
    let path = own.lines().find_map(|line| {
        let (list, path) = line.split_once(':')?.1.split_once(':')?;
        named(list).then_some(path)
    })?;
    let mount =
        mounts.lines().find_map(|line| mount_point(line, |kind, options| kind == "cgroup" && named(options)))?;
    below(&mount, path)
}

/// In a container the mount shows a part of the hierarchy only, whose root is where we are.
fn below(mount: &(PathBuf, String), path: &str) -> Option<PathBuf> {
    let (point, root) = mount;
    let rest = Path::new(path).strip_prefix(root).unwrap_or(Path::new(""));
    Some(point.join(rest)).filter(|folder| folder.is_dir())
}

/// The mount point and the root of a line of `mountinfo`, if its kind and options are `wanted`.
fn mount_point(line: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<(PathBuf, String)> {
    let (before, after) = line.split_once(" - ")?;
    let before: Vec<&str> = before.split(' ').collect();
    let after: Vec<&str> = after.split(' ').collect();
    wanted(after.first()?, after.get(2)?)
        .then(|| Some((PathBuf::from(before.get(4)?), (*before.get(3)?).to_owned())))?
}

fn is_writable(folder: &Path) -> bool {
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok()
}

/// The controllers of version 2 that groups made in `folder` have. Where they are there but not handed down, they are asked for.
fn ready_controllers(folder: &Path) -> Vec<String> {
    let words = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(folder.join(name)).unwrap_or_default();
        text.split_whitespace().map(str::to_owned).collect()
    };
    let offered = words("cgroup.controllers");
    for name in ["memory", "pids"] {
        if offered.iter().any(|each| each == name) {
            hand_down(folder, name);
        }
    }
    let mut ready = words("cgroup.subtree_control");
    ready.retain(|name| ["memory", "pids"].contains(&name.as_str()));
    ready
}

/// Asks for a controller in the groups below. The kernel refuses that to a group that has processes of its own and is not the root: if
/// it is ours alone, this process goes into a group below it first.
fn hand_down(folder: &Path, controller: &str) {
    let ask = || fs::write(folder.join("cgroup.subtree_control"), format!("+{controller}"));
    if !ask().is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy) {
        return;
    }
    let leaf = folder.join(format!("{PREFIX}-{}-self", std::process::id()));
    if fs::create_dir(&leaf).is_err() || fs::write(leaf.join("cgroup.procs"), "0").is_err() || ask().is_err() {
        let _ = fs::write(folder.join("cgroup.procs"), "0");
        let _ = fs::remove_dir(&leaf);
    }
}

/// Removes groups whose makers are dead.
fn sweep(places: &Hierarchies) {
    for folder in places.folders() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let maker = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_prefix('-')?.split_once('-'));
            let maker = maker.and_then(|(maker, _)| maker.parse::<i32>().ok()).and_then(Pid::from_raw);
            if maker.is_some_and(|maker| rustix::process::test_kill_process(maker) == Err(rustix::io::Errno::SRCH)) {
                empty(&entry.path());
            }
        }
    }
}

/// Kills what is in a group and removes it.
fn empty(folder: &Path) {
    for _ in 0..REMOVALS {
        if fs::write(folder.join("cgroup.kill"), "1").is_err() {
            let members = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
            for member in members.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)) {
                let _ = kill_process(member, Signal::KILL);
            }
        }
        match fs::remove_dir(folder) {
            Ok(()) => return,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(_) => thread::sleep(BETWEEN_REMOVALS),
        }
    }
}

/// The groups of one program: one folder in each hierarchy that counts something.
#[derive(Debug)]
pub(crate) struct Group {
    folders: Vec<PathBuf>,
    /// To start the program in.
    unified: Option<File>,
    /// To join by whoever is to become the program.
    joins: Vec<File>,
    processor: Option<File>,
    freezer: Option<File>,
    memory_events: PathBuf,
    memory_peak: PathBuf,
}

impl Group {
    /// Makes a group with these limits.
    pub(crate) fn new(places: &Hierarchies, limits: &Quota) -> io::Result<Group> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = format!("{PREFIX}-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut group = Group {
            folders: Vec::new(),
            unified: None,
            joins: Vec::new(),
            processor: None,
            freezer: None,
            memory_events: PathBuf::new(),
            memory_peak: PathBuf::new(),
        };
        let two = places.unified.as_ref().map(|folder| folder.join(&name));
        if let Some(folder) = &two {
            group.make(folder)?;
            group.unified = Some(File::open(folder)?);
            group.processor = Some(File::open(folder.join("cpu.stat"))?);
            group.freezer = Some(OpenOptions::new().write(true).open(folder.join("cgroup.freeze"))?);
        }
        let folder = match &places.memory {
            Hierarchy::One(folder) => group.join(&folder.join(&name))?,
            Hierarchy::Two => two.clone().unwrap_or_default(),
        };
        if places.memory == Hierarchy::Two {
            fs::write(folder.join("memory.max"), limits.memory.to_string())?;
            // All of it is killed, not the process that happens to be largest. Neither file is there on every kernel.
            let _ = fs::write(folder.join("memory.oom.group"), "1");
            let _ = fs::write(folder.join("memory.swap.max"), "0");
            group.memory_events = folder.join("memory.events");
            group.memory_peak = folder.join("memory.peak");
        } else {
            fs::write(folder.join("memory.limit_in_bytes"), limits.memory.to_string())?;
            let _ = fs::write(folder.join("memory.memsw.limit_in_bytes"), limits.memory.to_string());
            let _ = fs::write(folder.join("memory.swappiness"), "0");
            group.memory_events = folder.join("memory.oom_control");
            group.memory_peak = folder.join("memory.max_usage_in_bytes");
        }
        let folder = match &places.tasks {
            Hierarchy::One(folder) => group.join(&folder.join(&name))?,
            Hierarchy::Two => two.unwrap_or_default(),
        };
        fs::write(folder.join("pids.max"), limits.tasks.to_string())?;
        Ok(group)
    }

    fn make(&mut self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder)?;
        self.folders.push(folder.to_owned());
        Ok(())
    }

    /// Makes a group of version 1. It is joined through `tasks`: that moves one thread, for which the kernel need not stop every
    /// other process of the host from forking, as it must for `cgroup.procs`.
    fn join(&mut self, folder: &Path) -> io::Result<PathBuf> {
        self.make(folder)?;
        self.joins.push(OpenOptions::new().write(true).open(folder.join("tasks"))?);
        Ok(folder.to_owned())
    }

    /// The folder to start the program in, and the files through which it joins the rest.
    pub(crate) fn descriptors(&self) -> (Option<BorrowedFd<'_>>, Vec<BorrowedFd<'_>>) {
        (self.unified.as_ref().map(AsFd::as_fd), self.joins.iter().map(AsFd::as_fd).collect())
    }

    /// Processor time that everything in the group has used.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let text = read_again(self.processor.as_ref()?).ok()?;
        let used = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
        used.trim().parse().ok().map(Duration::from_micros)
    }

    /// How many processes are in it.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let list = self.folders.first().and_then(|folder| fs::read_to_string(folder.join("cgroup.procs")).ok());
        list.unwrap_or_default().lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// Whether the kernel has killed something in it for want of memory.
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(&self.memory_events).unwrap_or_default();
        counter(&events, "oom_kill") > 0
    }

    /// The most bytes of memory that it had at once, if this kernel says so.
    pub(crate) fn most_memory(&self) -> Option<u64> {
        fs::read_to_string(&self.memory_peak).ok()?.trim().parse().ok()
    }

    /// Stops everything in it, or lets it go on. Says whether that is possible.
    pub(crate) fn freeze(&self, frozen: bool) -> bool {
        let text: &[u8] = if frozen { b"1" } else { b"0" };
        self.freezer.as_ref().is_some_and(|freezer| rustix::io::write(freezer, text).is_ok())
    }

    /// Kills everything in it.
    pub(crate) fn kill(&self) {
        for folder in &self.folders {
            let _ = fs::write(folder.join("cgroup.kill"), "1");
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.joins.clear();
        for folder in &self.folders {
            empty(folder);
        }
    }
}

fn counter(events: &str, name: &str) -> u64 {
    let of = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
    events.lines().find_map(of).unwrap_or(0)
}

fn read_again(mut file: &File) -> io::Result<String> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "30 24 0:26 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
31 24 0:27 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct
32 24 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
";

    #[test]
    fn hierarchies_are_told_apart() {
        let find = |name: &'static str| {
            let named =
                move |kind: &str, options: &str| kind == "cgroup" && options.split(',').any(|each| each == name);
            MOUNTS.lines().find_map(|line| mount_point(line, named)).map(|(point, _)| point)
        };
        assert_eq!(find("memory"), Some(PathBuf::from("/sys/fs/cgroup/memory")));
        assert_eq!(find("cpuacct"), Some(PathBuf::from("/sys/fs/cgroup/cpu")));
        assert_eq!(find("acct"), None);
        let two = MOUNTS.lines().find_map(|line| mount_point(line, |kind, _| kind == "cgroup2"));
        assert_eq!(two, Some((PathBuf::from("/sys/fs/cgroup/unified"), "/".to_owned())));
    }

    #[test]
    fn counters_are_found_by_their_whole_name() {
        let events = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        assert_eq!(counter(events, "oom_kill"), 3);
        assert_eq!(counter("max 12\n", "max"), 12);
        assert_eq!(counter("", "max"), 0);
    }
}
