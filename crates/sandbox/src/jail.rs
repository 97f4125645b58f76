//! Starting a program in a jail, and what can be done with it then.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    net::TcpStream,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, ioctl_fionbio},
    net::{AddressFamily, SocketFlags, SocketType, socketpair},
    pipe::{PipeFlags, pipe_with},
    process::{Pid, PidfdFlags, pidfd_open},
};

use crate::{
    End, Level, Limits,
    cgroup::{Group, Places},
    family,
    folder::{self, Bounds, COPIED, FolderError},
    memory,
    message::{Fill, LONGEST, Order, Received, Report, Request, receive, send, send_text, written},
    scratch::Scratch,
    slot::Slot,
    view::{self, FOLDER, Rooms},
};

/// How long the host may take to set up a jail.
const SETTING_UP: Duration = Duration::from_secs(30);

/// How long a warden may take to end everything; then it is killed itself.
const ENDING: Duration = Duration::from_secs(10);

/// How long one that could not set up its jail may take to end before its last words are read.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Room for the program's own changes to the folders of the file system besides what is counted.
const SLACK: u64 = 1 << 20;

/// The folder that a program starts in.
#[derive(Clone, Copy, Debug)]
pub enum Home<'a> {
    /// A private copy of this folder, which the program may change: where the host can, a view of it whose changes are kept apart.
    Copy(&'a Path),
    /// This folder itself, to look at only, together with these.
    Shown(&'a Path, &'a [PathBuf]),
}

/// Where what a program makes is kept.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// An empty folder.
    pub folder: &'a Path,
    /// How much may be in it then.
    pub bounds: Bounds,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The program: a name to look up, or a path.
    pub program: &'a str,
    /// Its arguments.
    pub arguments: &'a [String],
    /// Its environment, besides what every program gets.
    pub environment: &'a BTreeMap<String, String>,
    /// Where it starts.
    pub home: Home<'a>,
    /// Where what the program leaves in its copy is kept, if it ends with code 0.
    pub results: Option<Results<'a>>,
    /// The core to run on.
    pub core: Option<usize>,
    /// The port that it may listen on.
    pub port: Option<u16>,
    /// What it may use up.
    pub limits: Limits,
}

/// Why a program was not started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartError {
    /// It is no program that can be run here: its own fault.
    Unfit(String),
    /// The host could not do its part.
    Host(String),
}

/// How to make jails of one level.
#[derive(Clone, Debug)]
pub struct Jail {
    pub(crate) level: Level,
    pub(crate) bubblewrap: Option<PathBuf>,
    pub(crate) groups: Option<Places>,
    pub(crate) privileged: bool,
    /// Whether folders can be mounted instead of copied.
    pub(crate) mounts: bool,
}

/// The program that wardens are: this one, unless somebody says otherwise.
static WARDEN: OnceLock<PathBuf> = OnceLock::new();

/// Says which program wardens are, for programs that are not agon. Only the first word counts.
pub fn set_warden(program: PathBuf) {
    let _ = WARDEN.set(program);
}

fn warden() -> io::Result<PathBuf> {
    WARDEN.get().cloned().map_or_else(std::env::current_exe, Ok)
}

impl Jail {
    /// Its level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether its programs can be frozen.
    pub fn can_freeze(&self) -> bool {
        self.groups.as_ref().is_some_and(Places::can_freeze)
    }

    /// Starts a program. It runs when this returns.
    pub fn start(&self, job: &Job<'_>) -> Result<Inmate, StartError> {
        self.set_up(job).map_err(|error| match error {
            StartError::Host(problem) => StartError::Host(format!("sandbox '{}': {problem}", self.level)),
            unfit @ StartError::Unfit(_) => unfit,
        })
    }

    fn set_up(&self, job: &Job<'_>) -> Result<Inmate, StartError> {
        let host = |what: &str| {
            let what = what.to_owned();
            move |error: io::Error| StartError::Host(format!("cannot {what}: {error}"))
        };
        refuse_unspeakable(job)?;
        let (fill, size) = self.filling(job.home).map_err(|error| match error {
            FolderError::Excess(problem) => StartError::Unfit(problem),
            FolderError::Host(error) => host("look into the bot's folder")(error),
        })?;
        let pair = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None);
        let (socket, far_end) = pair.map_err(|e| host("make a socket")(e.into()))?;
        let slot = if self.privileged { Some(Slot::take().map_err(host("take a user"))?) } else { None };
        let scratch = match self.level {
            Level::Filters => Some(Scratch::new(slot.as_ref()).map_err(host("make a scratch folder"))?),
            _ => None,
        };
        let group = self.groups.as_ref().map(|places| Group::new(places, &job.limits)).transpose();
        let group = group.map_err(host("make a control group"))?;
        let order = self.order(job, fill, slot.as_ref(), scratch.as_ref(), group.as_ref());
        let order = written(&order).map_err(host("write the order"))?.map_err(|length| {
            StartError::Unfit(format!(
                "its command line and environment take {length} bytes, at most {LONGEST} are possible"
            ))
        })?;
        let child = self.start_warden(job, fill, size, far_end).map_err(host("start a warden"))?;
        let mut inmate = Inmate {
            child,
            socket,
            pipes: None,
            group,
            warden: OnceLock::new(),
            program: OnceLock::new(),
            memory: job.limits.memory,
            end: None,
            _slot: slot,
            scratch,
        };
        inmate.give(&order, fill, job)?;
        Ok(inmate)
    }

    /// How a program's folder is filled, and how much room that takes in the jail. What is mounted takes none.
    fn filling(&self, home: Home<'_>) -> Result<(Fill, u64), FolderError> {
        let Home::Copy(folder) = home else { return Ok((Fill::Nothing, 0)) };
        // Only a superuser can give the program files that are somebody else's; of a copy it may change everything.
        let mounts = self.mounts && self.bubblewrap.is_some() && (self.privileged || folder::is_ours(folder)?);
        Ok(if mounts { (Fill::Mount, 0) } else { (Fill::Copy, folder::weigh(folder, COPIED)?.bytes) })
    }

    fn start_warden(&self, job: &Job<'_>, fill: Fill, size: u64, socket: OwnedFd) -> io::Result<Child> {
        let warden = warden()?;
        let mut command = match &self.bubblewrap {
            Some(bubblewrap) => {
                let mut command = Command::new(bubblewrap);
                let shown = match job.home {
                    Home::Copy(_) => Vec::new(),
                    Home::Shown(folder, others) => [&[folder.to_owned()], others].concat(),
                };
                let folder = size + size / 4 + job.limits.scratch + SLACK;
                let mounted = match job.home {
                    Home::Copy(source) if fill == Fill::Mount => Some(source.to_owned()),
                    _ => None,
                };
                let rooms = Rooms { folder, mounted, limits: job.limits, shown, privileged: self.privileged };
                command.args(view::bubblewrap(&rooms, &warden));
                command
            }
            None => {
                let mut command = Command::new(warden);
                command.arg(crate::WARDEN_COMMAND);
                command
            }
        };
        command.env_clear().stdin(socket).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
    }

    fn order(
        &self,
        job: &Job<'_>,
        fill: Fill,
        slot: Option<&Slot>,
        scratch: Option<&Scratch>,
        group: Option<&Group>,
    ) -> Order {
        let (folder, mut temporary, names) = match scratch {
            Some(scratch) => (scratch.folder.join("bot"), scratch.folder.join("tmp"), scratch.folder.join("names")),
            None => (PathBuf::from(FOLDER), PathBuf::from("/tmp"), PathBuf::from(view::NAMES)),
        };
        let mut readable = view::readable();
        let mut writable = vec![folder.clone(), temporary.clone()];
        if scratch.is_none() {
            writable.push(PathBuf::from("/dev/shm"));
        }
        let start = match job.home {
            Home::Copy(_) => folder.clone(),
            Home::Shown(start, others) => {
                let shown = [&[start.to_owned()], others].concat();
                // A folder of the host that is shown in place of one of the jail's own, `/tmp` above all, cannot be written to, and what
                // others write there is not the program's doing.
                if scratch.is_none() {
                    writable.retain(|own| !shown.iter().any(|shown| own.starts_with(shown)));
                }
                if !writable.contains(&temporary) {
                    temporary.clone_from(&folder);
                }
                readable.extend(shown);
                start.to_owned()
            }
        };
        let mut environment: BTreeMap<String, String> = [
            ("PATH", format!("{}:{}", view::search_path(), names.display())),
            ("HOME", folder.display().to_string()),
            ("TMPDIR", temporary.display().to_string()),
            ("LANG", "C.UTF-8".to_owned()),
            ("USER", "bot".to_owned()),
            ("LOGNAME", "bot".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        environment.extend(job.environment.clone());
        let (unified, joins) = group.map(Group::descriptors).unwrap_or_default();
        Order {
            program: job.program.to_owned(),
            arguments: job.arguments.to_vec(),
            environment,
            folder: start,
            fill,
            keep: job.results.map(|results| results.bounds),
            readable,
            writable,
            user: slot.map(Slot::user).filter(|_| open_to_all(job.home)),
            core: job.core,
            limits: job.limits,
            port: job.port,
            namespaces: self.bubblewrap.is_some(),
            counted: group.is_some(),
            group: unified.is_some(),
            joins: joins.len(),
        }
    }
}

/// No program can be told a text with a NUL in it.
fn refuse_unspeakable(job: &Job<'_>) -> Result<(), StartError> {
    let texts = [job.program].into_iter().chain(job.arguments.iter().map(String::as_str));
    let variables = job.environment.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
    match texts.chain(variables).find(|text| text.contains('\0')) {
        Some(_) => Err(StartError::Unfit("its command line or environment has a NUL character in it".to_owned())),
        None => Ok(()),
    }
}

/// Whether everybody may look at a folder that is shown. If not, the program stays the user that agon is, without a superuser's
/// rights: somebody who names a command wants it to see what he sees.
fn open_to_all(home: Home<'_>) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let open = |folder: &Path| fs::metadata(folder).is_ok_and(|folder| folder.permissions().mode() & 0o5 == 0o5);
    match home {
        Home::Copy(_) => true,
        Home::Shown(folder, others) => open(folder) && others.iter().all(|other| open(other)),
    }
}

/// A program that runs in a jail.
#[derive(Debug)]
pub struct Inmate {
    child: Child,
    socket: OwnedFd,
    pipes: Option<[OwnedFd; 3]>,
    group: Option<Group>,
    /// The numbers of the warden and of the program on the host, once they were looked for.
    warden: OnceLock<u32>,
    program: OnceLock<u32>,
    /// Bytes that it may use.
    memory: u64,
    end: Option<End>,
    _slot: Option<Slot>,
    scratch: Option<Scratch>,
}

impl Inmate {
    /// Gives the warden its order and waits until the program runs.
    fn give(&mut self, order: &[u8], fill: Fill, job: &Job<'_>) -> Result<(), StartError> {
        let host = |what: &'static str| move |error: io::Error| StartError::Host(format!("cannot {what}: {error}"));
        let pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(|e| host("make a pipe")(e.into()));
        let (stdin, stdout, stderr) = (pipe()?, pipe()?, pipe()?);
        let source = match job.home {
            Home::Copy(folder) if fill == Fill::Copy => {
                Some(File::open(folder).map_err(host("open the bot's folder"))?)
            }
            _ => None,
        };
        let results = job.results.map(|results| File::open(results.folder)).transpose();
        let results = results.map_err(host("open the folder for results"))?;
        let (unified, joins) = self.group.as_ref().map(Group::descriptors).unwrap_or_default();
        let mut descriptors: Vec<BorrowedFd<'_>> = vec![stdin.0.as_fd(), stdout.1.as_fd(), stderr.1.as_fd()];
        descriptors.extend(source.as_ref().map(AsFd::as_fd));
        descriptors.extend(results.as_ref().map(AsFd::as_fd));
        descriptors.extend(joins);
        descriptors.extend(unified);
        // If the warden is gone already, its last words say more than the failure to send; without an order it would wait for ever.
        let sent = send_text(&self.socket, order, &descriptors);
        let report = if sent.is_ok() { self.next_report(SETTING_UP) } else { None };
        drop(descriptors);
        match report {
            Some((Report::Started, _)) => {
                self.pipes = Some([stdin.1, stdout.0, stderr.0]);
                Ok(())
            }
            Some((Report::Unfit(problem), _)) => Err(StartError::Unfit(problem)),
            Some((Report::Trouble(problem), _)) => Err(StartError::Host(problem)),
            _ => {
                let problem = sent.err().map_or("its warden did not answer".to_owned(), |error| error.to_string());
                Err(StartError::Host(format!("the jail was not set up: {}", self.last_words().unwrap_or(problem))))
            }
        }
    }

    /// What the warden, or bubblewrap in its place, wrote before it ended.
    fn last_words(&mut self) -> Option<String> {
        let stderr = self.child.stderr.take()?;
        self.end_warden(LAST_WORDS);
        // Whoever may still hold the other end, nobody waits for it.
        ioctl_fionbio(&stderr, true).ok()?;
        let mut said = [0; 4096];
        let count = rustix::io::read(&stderr, &mut said).ok()?;
        let said = String::from_utf8_lossy(&said[..count]);
        said.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
    }

    fn next_report(&self, patience: Duration) -> Option<(Report, Vec<OwnedFd>)> {
        // Whoever sends us a signal must not make it look as if the jail were broken.
        wait_for(self.socket.as_fd(), patience);
        match receive(&self.socket, false) {
            Ok(Received::Message(report, descriptors)) => Some((report, descriptors)),
            _ => None,
        }
    }

    /// Its stdin, stdout and stderr, once.
    pub fn take_pipes(&mut self) -> Option<[OwnedFd; 3]> {
        self.pipes.take()
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<End> {
        if self.end.is_none() {
            let end = match receive(&self.socket, false) {
                Ok(Received::Nothing) => return None,
                Ok(Received::Message(Report::Ended(end), _)) => end,
                Ok(Received::Message(Report::Trouble(problem), _)) => End::Excess(problem),
                Ok(Received::Message(..)) => return None,
                // A warden that is gone without a word was killed with everything else.
                Ok(Received::Closed) | Err(_) => End::Signal(libc::SIGKILL),
            };
            self.end = Some(self.with_reason(end));
        }
        self.end.clone()
    }

    /// The kernel kills for want of memory without saying so to the program.
    fn with_reason(&self, end: End) -> End {
        let badly = matches!(end, End::Signal(_) | End::Exit(1..));
        match &self.group {
            Some(group) if badly && group.ran_out_of_memory() => {
                End::Memory(memory::too_much(group.most_memory().unwrap_or(self.memory), self.memory))
            }
            _ => end,
        }
    }

    /// Whether the program is no more, though the warden has not said so yet: it tells only when everything else is gone too, which may take a
    /// while on a busy machine.
    pub fn is_dying(&self) -> bool {
        self.program().is_none_or(family::has_ended)
    }

    /// Processor time that it has used, with everything that it started.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.group.as_ref().and_then(Group::cpu_time).or_else(|| family::time_below(self.warden()?))
    }

    /// How many processes it consists of, and how many threads they have together.
    pub fn tasks(&self) -> Option<(usize, usize)> {
        let processes = match &self.group {
            Some(group) => group.processes(),
            None => family::below(self.warden()?),
        };
        let threads = processes.iter().map(|&process| family::threads_of(process).len());
        Some((processes.len(), threads.sum()))
    }

    /// The warden's number on the host: the child of bubblewrap where there is one.
    fn warden(&self) -> Option<u32> {
        if self.warden.get().is_none() {
            let started = self.child.id();
            let _ =
                self.warden.set(if self.scratch.is_some() { started } else { *family::children(started).first()? });
        }
        self.warden.get().copied()
    }

    /// The program's number on the host: the warden's first child.
    fn program(&self) -> Option<u32> {
        if self.program.get().is_none() {
            let _ = self.program.set(*family::children(self.warden()?).first()?);
        }
        self.program.get().copied()
    }

    /// Stops it where it is, or lets it go on. Says whether that is possible.
    pub fn freeze(&self, frozen: bool) -> bool {
        self.group.as_ref().is_some_and(|group| group.freeze(frozen))
    }

    /// A connection to a port that it listens on, in its own network. `None` if nobody listens there yet.
    pub fn connect(&mut self, port: u16) -> Option<TcpStream> {
        if self.end.is_some() {
            return None;
        }
        send(&self.socket, &Request::Connect(port), &[]).ok()?;
        match self.next_report(SETTING_UP)? {
            (Report::Connected, descriptors) => descriptors.into_iter().next().map(TcpStream::from),
            (Report::Ended(end), _) => {
                self.end = Some(self.with_reason(end));
                None
            }
            _ => None,
        }
    }

    /// Ends it and everything that it started. When this returns nothing of it is left.
    pub fn kill(&mut self) {
        if let Some(group) = &self.group {
            group.kill();
        }
        self.end_warden(ENDING);
        self.group = None;
        self.scratch = None;
    }
}

impl Inmate {
    /// Tells the warden to end everything, and after `patience` does so in its place.
    fn end_warden(&mut self, patience: Duration) {
        // The warden sees that nobody listens any more, and ends everything.
        let _ = rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both);
        let handle = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let handle = handle.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        let ended = |patience| handle.as_ref().is_none_or(|handle| wait_for(handle.as_fd(), patience));
        if !ended(patience) {
            // The first process of a namespace takes all others with it.
            family::kill_below(self.child.id());
            let _ = self.child.kill();
            ended(ENDING);
        }
        // One that even the kernel cannot end is left behind rather than waited for.
        let _ = self.child.try_wait();
    }
}

/// Waits until there is something to read. Says whether there is.
fn wait_for(source: BorrowedFd<'_>, patience: Duration) -> bool {
    let end = Instant::now() + patience;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let timeout =
            Timespec { tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: left.subsec_nanos().into() };
        match poll(&mut [PollFd::from_borrowed_fd(source, PollFlags::IN)], Some(&timeout)) {
            Err(Errno::INTR) if !left.is_zero() => {}
            found => return found.is_ok_and(|count| count > 0),
        }
    }
}

impl Drop for Inmate {
    fn drop(&mut self) {
        self.kill();
    }
}
