//! What can be done with a program that runs in a jail.

use std::{
    fs::File,
    io,
    net::TcpStream,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    process::Child,
    sync::OnceLock,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, ioctl_fionbio},
    pipe::{PipeFlags, pipe_with},
    process::{Pid, PidfdFlags, pidfd_open},
};

use crate::{
    End, Home, Job, StartError,
    cgroup::Group,
    family, memory,
    message::{FolderSource, Received, Report, Request, receive, send, send_text},
    scratch::Scratch,
    slot::Slot,
};

/// How long the host may take to set up a jail.
const SETTING_UP: Duration = Duration::from_secs(30);

/// How long a warden may take to end everything; then it is killed itself.
const ENDING: Duration = Duration::from_secs(10);

/// How long one that could not set up its jail may take to end before its last words are read.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A program that runs in a jail.
#[derive(Debug)]
pub struct JailedProgram {
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

impl JailedProgram {
    /// A warden without an order yet, and what it uses.
    pub(crate) fn new(
        child: Child,
        socket: OwnedFd,
        memory: u64,
        group: Option<Group>,
        slot: Option<Slot>,
        scratch: Option<Scratch>,
    ) -> JailedProgram {
        JailedProgram {
            child,
            socket,
            pipes: None,
            group,
            warden: OnceLock::new(),
            program: OnceLock::new(),
            memory,
            end: None,
            _slot: slot,
            scratch,
        }
    }

    /// Gives the warden its order and waits until the program runs.
    pub(crate) fn begin(&mut self, order: &[u8], source: FolderSource, job: &Job<'_>) -> Result<(), StartError> {
        let host = |what: &'static str| move |error: io::Error| StartError::Host(format!("cannot {what}: {error}"));
        let pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(|e| host("make a pipe")(e.into()));
        let (stdin, stdout, stderr) = (pipe()?, pipe()?, pipe()?);
        let source = match job.home {
            Home::Copy(folder) if source == FolderSource::Copy => {
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

impl JailedProgram {
    /// Tells the warden to end everything, and after `patience` does so in its place.
    fn end_warden(&mut self, patience: Duration) {
        // The warden sees that nobody listens any more, and ends everything.
        let _ = rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both);
        let handle = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let handle = handle.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        let ended = |patience| handle.as_ref().is_none_or(|handle| wait_for(handle.as_fd(), patience));
        if !ended(patience) {
            tracing::warn!(warden = self.child.id(), "a warden did not end in time and is killed");
            // The first process of a namespace takes all others with it.
            family::kill_below(self.child.id());
            let _ = self.child.kill();
            if !ended(ENDING) {
                // One that even the kernel cannot end is left behind rather than waited for.
                tracing::error!(warden = self.child.id(), "a warden cannot be killed and is left behind");
            }
        }
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

impl Drop for JailedProgram {
    fn drop(&mut self) {
        self.kill();
    }
}
