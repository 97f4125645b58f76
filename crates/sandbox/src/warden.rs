//! The process between agon and a contained program.
//!
//! It is agon's own binary, started with a hidden command, alone in a process. It gets an order over a socket, starts the program, watches it,
//! and tells how it ended. It ends when the program does or when agon's end of the socket is closed, however agon ended, and takes
//! everything that the program started with it: in namespaces because it is their first process, elsewhere by killing them.
//!
//! It is the only place where a process is forked by hand. It has one thread, so the child may do what it likes.

use std::{
    ffi::CString,
    fs::File,
    io::{self, Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    path::PathBuf,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, fcntl_dupfd_cloexec},
    mount::{MountFlags, mount},
    process::{
        DumpableBehavior, Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus, pidfd_open, pidfd_send_signal,
        set_child_subreaper, set_dumpable_behavior, waitid,
    },
    thread::{CapabilitySet, UnshareFlags, capabilities, set_capabilities, unshare_unsafe},
};

use crate::{
    Process, Quota,
    confine::{Confinement, Pipes, become_program},
    descendants,
    family::{self, Held},
    folder::{self, COPIED, FolderError, MOUNTED, Size},
    memory,
    message::{End, FolderSource, Order, Received, Report, Request, receive, send},
    view::{LOWER, UPPER, WORK},
};

/// How often the watchdog looks where the kernel does not count memory and tasks, and where it does.
const SHORT_WATCH: Duration = Duration::from_millis(20);
const LONG_WATCH: Duration = Duration::from_millis(200);

/// The most sockets at once where the kernel does not count what it keeps for them.
const MOST_SOCKETS: u64 = 64;

/// How long to wait for a connection to a port of the program.
const CONNECTING: Duration = Duration::from_millis(500);

/// Errors of starting a program that are the program's own fault.
const ITS_OWN_FAULT: [i32; 9] = [
    libc::ENOENT,
    libc::EACCES,
    libc::ENOEXEC,
    libc::ENOTDIR,
    libc::EISDIR,
    libc::ETXTBSY,
    libc::ELOOP,
    libc::E2BIG,
    libc::ENAMETOOLONG,
];

/// The flag of `clone3` that starts a process in a control group.
const INTO_GROUP: u64 = 0x2_0000_0000;

/// The hidden command: what the process does until its end. The socket is its stdin.
pub fn warden() -> i32 {
    // Nobody may look into it or trace it, whoever he is.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let Ok(socket) = fcntl_dupfd_cloexec(io::stdin().as_fd(), 3) else { return 1 };
    match receive(&socket, true) {
        Ok(Received::Message(Request::Run(order), descriptors)) => {
            let report = match Supervised::start(*order, descriptors) {
                Ok(program) => program.watch(&socket),
                Err(report) => report,
            };
            let _ = send(&socket, &report, &[]);
            0
        }
        _ => 1,
    }
}

/// The program in the warden's care.
struct Supervised {
    order: Order,
    pid: Pid,
    handle: OwnedFd,
    /// Where the scratch folders stand when the program starts.
    before: Size,
    results: Option<OwnedFd>,
}

impl Supervised {
    fn start(order: Order, mut descriptors: Vec<OwnedFd>) -> Result<Supervised, Report> {
        let trouble = |what: &str, error: &dyn std::fmt::Display| Report::Trouble(format!("cannot {what}: {error}"));
        let group = if order.group { descriptors.pop() } else { None };
        let joins = descriptors.split_off(descriptors.len().saturating_sub(order.joins));
        let mut rest = descriptors.into_iter();
        let (Some(stdin), Some(stdout), Some(stderr)) = (rest.next(), rest.next(), rest.next()) else {
            return Err(Report::Trouble("the order came without pipes".to_owned()));
        };
        let refused = |what: &'static str| {
            move |error| match error {
                FolderError::Excess(problem) => Report::Unfit(problem),
                FolderError::Host(error) => trouble(what, &error),
            }
        };
        match order.source {
            FolderSource::Nothing => {}
            FolderSource::Copy => {
                let source =
                    rest.next().ok_or_else(|| Report::Trouble("the order came without a folder".to_owned()))?;
                folder::copy(&path_of(&source), &order.folder, order.user, COPIED)
                    .map_err(refused("copy the bot's files"))?;
            }
            FolderSource::Mount => {
                mount_folder(&order).map_err(|e| trouble("mount the bot's folder", &e))?;
                folder::adopt(&order.folder, order.user, MOUNTED).map_err(refused("prepare the bot's folder"))?;
                give_up_mounting(&order).map_err(|e| trouble("give up rights", &e))?;
            }
        }
        let results = if order.keep.is_some() { rest.next() } else { None };
        if !order.namespaces {
            set_child_subreaper(Some(rustix::process::getpid())).map_err(|e| trouble("adopt orphans", &e))?;
        }
        let confinement = Confinement::prepare(&order).map_err(Report::Trouble)?;
        let before = scratch_size(&order).map_err(|e| trouble("measure the scratch folders", &e))?;
        let pipes = Pipes { stdin, stdout, stderr };
        let pid = spawn(&order, pipes, joins, confinement, group.as_ref().map(AsFd::as_fd))?;
        let handle = pidfd_open(pid, PidfdFlags::empty()).map_err(|e| trouble("watch the bot's process", &e))?;
        Ok(Supervised { order, pid, handle, before, results })
    }

    /// Watches until the end, and takes everything with it.
    fn watch(self, socket: &OwnedFd) -> Report {
        let end = match send(socket, &Report::Started, &[]) {
            Ok(()) => self.wait(socket),
            Err(_) => None,
        };
        let end = end.unwrap_or(End::Signal(Signal::KILL.as_raw()));
        // Through its handle: its number may be somebody else's by now.
        let _ = pidfd_send_signal(&self.handle, Signal::KILL);
        self.kill_everything();
        if let (Some(results), Some(bounds), End::Exit(0)) = (&self.results, self.order.keep, &end)
            && let Err(error) = folder::copy(&self.order.folder, &path_of(results), None, bounds)
        {
            return Report::Trouble(format!("what was built cannot be kept: {error}"));
        }
        Report::Ended(end)
    }

    /// `None` if agon wants no more of it.
    fn wait(&self, socket: &OwnedFd) -> Option<End> {
        let period = if self.order.counted { LONG_WATCH } else { SHORT_WATCH };
        let timeout = Timespec { tv_sec: 0, tv_nsec: period.subsec_nanos().into() };
        let mut looked = Instant::now();
        loop {
            let mut sources = [PollFd::new(socket, PollFlags::IN), PollFd::new(&self.handle, PollFlags::IN)];
            match poll(&mut sources, Some(&timeout)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return None,
            }
            let (asked, ended) = (!sources[0].revents().is_empty(), !sources[1].revents().is_empty());
            if ended {
                return Some(self.ended());
            }
            if asked {
                self.answer(socket)?;
            }
            if looked.elapsed() >= period {
                looked = Instant::now();
                self.reap_orphans();
                if let Some(end) = self.excess() {
                    return Some(end);
                }
            }
        }
    }

    fn ended(&self) -> End {
        let status = waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED).ok().flatten();
        let signal = status.as_ref().and_then(WaitIdStatus::terminating_signal);
        let code = status.as_ref().and_then(WaitIdStatus::exit_status);
        let end = signal.map_or(End::Exit(code.unwrap_or(-1)), End::Signal);
        // It may have been quicker than the watchdog, and have been refused more memory than it may have.
        let most = if self.order.counted { 0 } else { most_memory() };
        if most >= self.order.limits.memory && end != End::Exit(0) {
            return too_much_memory(most, &self.order.limits);
        }
        end
    }

    /// Answers a request. `None` if there will be no more.
    fn answer(&self, socket: &OwnedFd) -> Option<()> {
        let Ok(Received::Message(Request::Connect(port), _)) = receive(socket, false) else { return None };
        // A program that listens on `localhost` may have chosen either.
        let hosts = [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)];
        let connect = |host| TcpStream::connect_timeout(&SocketAddr::new(host, port), CONNECTING).ok();
        let stream = hosts.into_iter().find_map(connect);
        match stream {
            Some(stream) => send(socket, &Report::Connected, &[stream.as_fd()]),
            None => send(socket, &Report::NotConnected, &[]),
        }
        .ok()
    }

    /// Orphans of the program are the warden's children now.
    fn reap_orphans(&self) {
        // The program itself stays a zombie: how it ended is still to be asked.
        for orphan in family::children(std::process::id()) {
            if let Some(pid) = i32::try_from(orphan).ok().and_then(Pid::from_raw).filter(|&pid| pid != self.pid) {
                let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
            }
        }
    }

    /// Whether the program has used more than it may.
    fn excess(&self) -> Option<End> {
        let limits = &self.order.limits;
        let used = match scratch_size(&self.order) {
            Ok(used) => used,
            Err(error) => return Some(End::Excess(format!("hides what it writes from its watchdog: {error}"))),
        };
        let made = used.files.saturating_sub(self.before.files);
        if made > limits.files {
            return Some(End::Excess(format!("made {made} files, allowed are {}", limits.files)));
        }
        let mut written = used.bytes.saturating_sub(self.before.bytes);
        if !(self.order.counted && self.order.namespaces) {
            let family = descendants(std::process::id());
            match self.held(&family) {
                Ok(held) if held.sockets > MOST_SOCKETS => {
                    let what = format!("had {} sockets, allowed are {MOST_SOCKETS}", held.sockets);
                    return Some(End::Excess(what));
                }
                Ok(held) if !self.order.namespaces && held.sent > 0 => {
                    return Some(End::Excess(format!(
                        "sent {} open files through a socket, where nobody sees them",
                        held.sent
                    )));
                }
                // A file system of its own knows also of files without a name.
                Ok(held) => written += if self.order.namespaces { 0 } else { held.nameless() },
                Err(error) => return Some(End::Excess(format!("hides its open files from its watchdog: {error}"))),
            }
            if let Some(end) = self.uncounted_excess(&family) {
                return Some(end);
            }
        }
        (written > limits.scratch).then(|| {
            End::Excess(format!("wrote {written} bytes to its scratch folder, allowed are {}", limits.scratch))
        })
    }

    /// What all processes hold together.
    fn held(&self, family: &[(u32, Process)]) -> io::Result<Held> {
        let mut all = Held::default();
        for (process, _) in family {
            all.add(*process, &self.order.writable)?;
        }
        Ok(all)
    }

    /// Where the kernel does not count memory and tasks.
    fn uncounted_excess(&self, family: &[(u32, Process)]) -> Option<End> {
        let limits = &self.order.limits;
        let memory: u64 = family.iter().map(|(process, _)| family::memory(*process)).sum();
        if memory > limits.memory {
            return Some(too_much_memory(memory, limits));
        }
        let tasks: usize = family.iter().map(|(_, process)| process.threads).sum();
        (tasks > limits.tasks as usize)
            .then(|| End::Excess(format!("had {tasks} processes and threads, allowed are {}", limits.tasks)))
    }

    fn kill_everything(&self) {
        if self.order.namespaces {
            // From the first process of a namespace this reaches all others and not itself.
            kill_all_others();
            family::reap();
        } else {
            family::kill_descendants();
        }
    }
}

fn too_much_memory(used: u64, limits: &Quota) -> End {
    End::Memory(memory::too_much(used, limits.memory))
}

/// The most memory that a process of the program had, of those that have ended and were reaped.
#[allow(unsafe_code)]
fn most_memory() -> u64 {
    // SAFETY: all zeros is a valid value of this plain structure, which the call only fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    1024 * u64::try_from(usage.ru_maxrss).unwrap_or(0)
}

/// Kills every process that can be seen but this one.
#[allow(unsafe_code)]
fn kill_all_others() {
    // SAFETY: the call takes two numbers and touches no memory. It is made only in a process namespace of our own, whose first
    // process we are: there -1 means everything in that namespace but ourselves.
    unsafe {
        libc::kill(-1, libc::SIGKILL);
    }
}

/// Forks, and lets the child become the program.
fn spawn(
    order: &Order,
    pipes: Pipes,
    joins: Vec<OwnedFd>,
    confinement: Confinement,
    group: Option<BorrowedFd<'_>>,
) -> Result<Pid, Report> {
    let trouble = |error: &dyn std::fmt::Display| Report::Trouble(format!("cannot start a process: {error}"));
    // The child says through it why it did not become the program; if it does, the pipe is closed without a word.
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).map_err(|e| trouble(&e))?;
    match fork(group).map_err(|e| trouble(&e))? {
        None => {
            drop(reader);
            let error = become_program(order, pipes, joins, confinement);
            let _ = File::from(writer).write_all(format!("{} {error}", error.raw_os_error().unwrap_or(0)).as_bytes());
            std::process::exit(127);
        }
        Some(pid) => {
            drop((writer, pipes, joins));
            let mut problem = String::new();
            File::from(reader).read_to_string(&mut problem).map_err(|e| trouble(&e))?;
            let Some((number, problem)) = problem.split_once(' ') else { return Ok(pid) };
            let number: i32 = number.parse().unwrap_or(0);
            let what = format!("cannot start '{}': {problem}", order.program);
            Err(if ITS_OWN_FAULT.contains(&number) { Report::Unfit(what) } else { Report::Trouble(what) })
        }
    }
}

/// Forks, straight into a control group if there is one. `None` in the child.
///
/// Moving a process into a group later would make the kernel wait for a quiet moment, some twenty milliseconds on some hosts.
#[allow(unsafe_code)]
fn fork(group: Option<BorrowedFd<'_>>) -> io::Result<Option<Pid>> {
    let result = match group {
        Some(group) => {
            // SAFETY: all zeros is a valid value of this plain structure: it asks for nothing.
            let mut how: libc::clone_args = unsafe { std::mem::zeroed() };
            how.flags = INTO_GROUP;
            how.exit_signal = libc::SIGCHLD as u64;
            how.cgroup = group.as_raw_fd() as u64;
            // SAFETY: `how` lives through the call and its size is told. No memory or stack is shared with the child, which
            // therefore is what `fork` makes. This process has one thread, so no lock is held by anybody who is missing in the child.
            unsafe { libc::syscall(libc::SYS_clone3, &raw const how, size_of::<libc::clone_args>()) }
        }
        // SAFETY: this process has one thread, so the child may go on as if nothing had happened.
        None => unsafe { libc::fork().into() },
    };
    match result {
        0 => Ok(None),
        pid if pid > 0 => Ok(i32::try_from(pid).ok().and_then(Pid::from_raw)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Mounts the program's folder: the host's files below, what the program changes above, in memory of limited size. Both are hidden
/// by the mount itself.
#[allow(unsafe_code)]
fn mount_folder(order: &Order) -> io::Result<()> {
    // SAFETY: the call takes a number and touches no memory. Of what this process shares with others it parts only with mounts.
    unsafe { unshare_unsafe(UnshareFlags::NEWNS)? };
    // A superuser gives the files to the program without copying them. Nobody else has the attributes for that, nor any need to.
    let kind = if order.user.is_some() { "metacopy=on" } else { "userxattr" };
    let options = CString::new(format!("lowerdir={LOWER},upperdir={UPPER},workdir={WORK},{kind}"))?;
    let flags = MountFlags::NODEV | MountFlags::NOSUID;
    Ok(mount("overlay", order.folder.as_path(), "overlay", flags, Some(options.as_c_str()))?)
}

/// What was needed only for the mount.
fn give_up_mounting(order: &Order) -> io::Result<()> {
    let mut sets = capabilities(None)?;
    // As a superuser the warden needs the others to the end.
    let needless = if order.user.is_some() { CapabilitySet::SYS_ADMIN } else { CapabilitySet::all() };
    for set in [&mut sets.effective, &mut sets.permitted, &mut sets.inheritable] {
        set.remove(needless);
    }
    Ok(set_capabilities(None, sets)?)
}

/// What the scratch folders hold: of a file system of their own the system knows it, a plain folder is gone through.
fn scratch_size(order: &Order) -> Result<Size, FolderError> {
    let mut total = Size::default();
    for path in &order.writable {
        let size = if order.namespaces {
            let all = rustix::fs::statvfs(path).map_err(io::Error::from)?;
            Size { bytes: (all.f_blocks - all.f_bfree) * all.f_frsize, files: all.f_files - all.f_ffree }
        } else {
            folder::measure(path)?
        };
        total.bytes += size.bytes;
        total.files += size.files;
    }
    Ok(total)
}

/// A folder that we hold open, wherever it is: the link leads there even where no path does.
fn path_of(folder: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()))
}
