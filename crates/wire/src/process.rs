//! A bot's process and its pipes.
//!
//! Everything happens in the caller's thread: one `poll` waits for whatever comes first, a line on stdout, noise on stderr, room
//! in stdin, or the end of the caller's patience. No bot can block the referee.

mod beside;
mod body;
mod exit;
mod limits;

use std::{
    cell::Cell,
    io,
    net::TcpStream,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, ioctl_fionbio, read, write},
};

pub(crate) use body::{Body, PlainBody};
pub(crate) use exit::Exit;
pub use limits::{BotLimits, Captured};

use crate::{
    Deadline,
    bot::{BotFailure, Fault, HostError, Idle, Tasks},
    cores::Core,
    ending::not_ending,
    lines::Lines,
    transcript::{Speaker, Transcript},
};

/// How often to look whether a bot that says nothing still lives: a child of its own may hold its stdout open after it.
const GLANCE: Duration = Duration::from_secs(1);

/// How long to wait for the end of a bot that has closed its stdout: an exiting process closes its pipes a moment before its end
/// can be seen, and on a busy machine the moment may be long.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// How long to wait for the cause of death of one that is dead.
const BURIAL: Duration = Duration::from_secs(60);

/// A running bot.
#[derive(Debug)]
pub struct BotProcess {
    body: Option<Box<dyn Body>>,
    stdin: Option<OwnedFd>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    unsent: Vec<u8>,
    lines: Lines,
    noise: Captured,
    /// Bytes of stdout since the last request.
    received: usize,
    limits: BotLimits,
    ended: Option<Exit>,
    /// The core that it runs on: nobody else's as long as there are enough.
    core: Option<Core>,
    /// Whether it is stopped while it is not asked, where that is possible.
    sleeps: bool,
    /// Whether it is stopped now.
    asleep: bool,
    /// When its last turn was over, and its processor time then.
    at_rest: Option<(Instant, Duration)>,
    /// Its processor time when it was woken, and when it was last looked at. Looking is not free: the end of a rest is the beginning
    /// of a turn, and the other way round.
    at_waking: Cell<Option<Duration>>,
    last_seen: Cell<Option<Duration>>,
    /// Whether stdin is to be closed once everything is written.
    closing: bool,
    /// Where stdout is no part of the protocol: what is known of it.
    chatter: Option<beside::Chatter>,
    transcript: Option<Transcript>,
}

/// What came of waiting for a line.
enum Event {
    Line(Vec<u8>),
    /// Stdout is closed and holds no more lines.
    Closed,
    TooLate,
}

impl BotProcess {
    /// Takes the pipes of a program: its stdin, stdout and stderr.
    pub(crate) fn new(pipes: [OwnedFd; 3], body: Box<dyn Body>, limits: BotLimits) -> io::Result<BotProcess> {
        for pipe in &pipes {
            ioctl_fionbio(pipe, true)?;
        }
        let [stdin, stdout, stderr] = pipes.map(Some);
        Ok(BotProcess {
            body: Some(body),
            stdin,
            stdout,
            stderr,
            unsent: Vec::new(),
            lines: Lines::default(),
            noise: Captured::default(),
            received: 0,
            limits,
            ended: None,
            core: None,
            sleeps: false,
            asleep: false,
            at_rest: None,
            at_waking: Cell::new(None),
            last_seen: Cell::new(None),
            closing: false,
            chatter: None,
            transcript: None,
        })
    }

    /// From now on it is stopped while it is not asked.
    pub(crate) fn that_sleeps(mut self, sleeps: bool) -> BotProcess {
        self.sleeps = sleeps;
        self
    }

    /// It runs on this core.
    pub(crate) fn on(mut self, core: Option<Core>) -> BotProcess {
        self.core = core;
        self
    }

    pub(crate) fn with_transcript(mut self, transcript: Option<Transcript>) -> BotProcess {
        self.transcript = transcript;
        self
    }

    fn note(&self, speaker: Speaker, text: &str) {
        if let Some(transcript) = &self.transcript {
            transcript.add(speaker, text);
        }
    }

    /// The limits that it runs under.
    pub fn limits(&self) -> BotLimits {
        self.limits
    }

    /// Sends a line. What does not fit into the pipe is sent while waiting for the answer. A bot that has closed its stdin is
    /// judged by what it answers.
    pub fn send(&mut self, line: &str) {
        self.received = 0;
        self.note(Speaker::Referee, line);
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
        self.write_some();
    }

    /// Lines that have arrived without being asked for.
    pub fn unasked_lines(&mut self) -> Result<Vec<String>, BotFailure> {
        let mut found = Vec::new();
        self.wait_for_events(Some(Duration::ZERO))?;
        while let Some(line) = self.lines.next() {
            let line = text_of(line)?;
            self.note(Speaker::Bot, &line);
            found.push(line);
        }
        Ok(found)
    }

    /// Lines that have arrived and wait to be taken: the first few.
    pub fn waiting_lines(&self) -> Vec<String> {
        self.lines.peek(8).map(|line| String::from_utf8_lossy(line).into_owned()).collect()
    }

    /// Closes stdin as soon as everything that was sent is written.
    pub fn close_stdin(&mut self) {
        self.closing = true;
        self.write_some();
    }

    /// Waits for the end of the process until `deadline` and gives all that it wrote to stdout. What it says with its exit code or
    /// with the signal that ended it counts only if it wrote nothing.
    pub fn output_at_exit(&mut self, deadline: Option<Deadline>, waiting_for: &str) -> Result<String, BotFailure> {
        let mut output = Vec::new();
        loop {
            match self.next_event(deadline)? {
                Event::Line(line) => {
                    let line = text_of(line)?;
                    self.note(Speaker::Bot, &line);
                    output.push(line);
                }
                Event::TooLate if output.is_empty() => {
                    return Err(Fault::Timeout(format!("no {waiting_for} in time")).into());
                }
                Event::TooLate => {
                    let what = format!("it wrote {} but did not exit in time", agon_rules::quote(&output.join(" / ")));
                    return Err(Fault::Timeout(what).into());
                }
                Event::Closed => break,
            }
        }
        // A closed stdout is not the end: the original waited for the process.
        while self.poll_exit().is_none() {
            if deadline.is_some_and(|deadline| deadline.left().is_zero()) {
                return Err(Fault::Timeout("it closed its output but did not exit in time".to_owned()).into());
            }
            self.wait_for_events(Some(Duration::from_millis(1)))?;
        }
        self.read_stderr()?;
        if output.is_empty() { Err(self.gone(waiting_for).into()) } else { Ok(output.join("\n")) }
    }

    /// How many processes and threads it consists of.
    pub fn tasks(&self) -> Option<Tasks> {
        self.body.as_ref()?.tasks()
    }

    /// Its turn is over: it may not think until the next one.
    pub(crate) fn rest(&mut self) {
        let Some(body) = &self.body else { return };
        self.asleep = self.sleeps && body.freeze(true);
        // What sleeps uses nothing.
        let seen = self.last_seen.take();
        let awake = if self.asleep { None } else { seen.or_else(|| body.cpu_time()) };
        self.at_rest = awake.map(|used| (Instant::now(), used));
    }

    /// It is asked again. Gives what it did meanwhile.
    pub(crate) fn wake(&mut self) -> Option<Idle> {
        let body = self.body.as_ref()?;
        if self.asleep {
            self.asleep = !body.freeze(false);
        }
        let (since, before) = self.at_rest.take()?;
        let used = body.cpu_time()?;
        self.at_waking.set(Some(used));
        Some(Idle { wall: since.elapsed(), cpu: used.saturating_sub(before) })
    }

    /// A connection to a port that it listens on; `None` if it does not, or not yet.
    pub(crate) fn connect(&mut self, port: u16) -> Option<TcpStream> {
        self.body.as_mut()?.connect(port)
    }

    /// Waits for a line until `deadline`; `None` is for ever. `waiting_for` is what evidence calls it.
    pub fn next_line(&mut self, deadline: Option<Deadline>, waiting_for: &str) -> Result<String, BotFailure> {
        match self.next_event(deadline)? {
            Event::Line(line) => {
                let line = text_of(line)?;
                self.note(Speaker::Bot, &line);
                Ok(line)
            }
            Event::TooLate => Err(Fault::Timeout(format!("no {waiting_for} in time")).into()),
            Event::Closed => Err(self.gone(waiting_for).into()),
        }
    }

    fn next_event(&mut self, deadline: Option<Deadline>) -> Result<Event, BotFailure> {
        loop {
            let line = self.lines.next();
            // A line that is too long is a fault whether its end has come yet or not: the verdict must not depend on that.
            if line.as_ref().map_or(self.lines.waiting(), Vec::len) > self.limits.line {
                let limit = self.limits.line;
                return Err(Fault::OutputFlood(format!("a line of more than {limit} bytes")).into());
            }
            if let Some(line) = line {
                return Ok(Event::Line(line));
            }
            if self.received > self.limits.turn {
                let limit = self.limits.turn;
                return Err(Fault::OutputFlood(format!("more than {limit} bytes of output in one turn")).into());
            }
            if self.stdout.is_none() {
                let rest = self.lines.rest();
                return Ok(if rest.is_empty() { Event::Closed } else { Event::Line(rest) });
            }
            let patience = deadline.map(|deadline| deadline.left());
            if patience == Some(Duration::ZERO) {
                return Ok(Event::TooLate);
            }
            if self.poll_exit().is_some() {
                self.read_stdout()?;
                self.stdout = None;
                continue;
            }
            self.wait_for_events(Some(patience.map_or(GLANCE, |patience| patience.min(GLANCE))))?;
        }
    }

    /// One `poll`: reads what there is, writes what fits.
    fn wait_for_events(&mut self, patience: Option<Duration>) -> Result<(), BotFailure> {
        self.wait_beside(None, patience)
    }

    /// The same, but it also ends when there is something to read from `socket`, which is left to the caller.
    pub(crate) fn wait_beside(
        &mut self,
        socket: Option<BorrowedFd<'_>>,
        patience: Option<Duration>,
    ) -> Result<(), BotFailure> {
        not_ending()?;
        let timeout = patience.map(|time| Timespec {
            tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: time.subsec_nanos().into(),
        });
        let mut pipes = Vec::with_capacity(4);
        pipes.extend(socket.map(|socket| PollFd::from_borrowed_fd(socket, PollFlags::IN)));
        if let Some(stdout) = &self.stdout {
            pipes.push(PollFd::new(stdout, PollFlags::IN));
        }
        if let Some(stderr) = &self.stderr {
            pipes.push(PollFd::new(stderr, PollFlags::IN));
        }
        if let Some(stdin) = self.stdin.as_ref().filter(|_| !self.unsent.is_empty()) {
            pipes.push(PollFd::new(stdin, PollFlags::OUT));
        }
        match poll(&mut pipes, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(HostError(format!("cannot wait for a bot: {error}")).into()),
        }
        self.read_stdout()?;
        self.read_stderr()?;
        self.write_some();
        Ok(())
    }

    fn read_stdout(&mut self) -> Result<(), BotFailure> {
        let lines = &mut self.lines;
        let received = &mut self.received;
        let open = drain(&self.stdout, |bytes| {
            lines.add(bytes);
            *received += bytes.len();
        })?;
        if !open {
            self.stdout = None;
        }
        self.take_chatter();
        Ok(())
    }

    fn read_stderr(&mut self) -> Result<(), BotFailure> {
        let noise = &mut self.noise;
        let limit = self.limits.stderr;
        let transcript = &self.transcript;
        let open = drain(&self.stderr, |bytes| {
            noise.add(bytes, limit);
            if let Some(transcript) = transcript {
                transcript.add_bytes_of(Speaker::Stderr, &String::from_utf8_lossy(bytes));
            }
        })?;
        if !open {
            self.stderr = None;
        }
        Ok(())
    }

    fn write_some(&mut self) {
        while let Some(stdin) = self.stdin.as_ref().filter(|_| !self.unsent.is_empty()) {
            match write(stdin, &self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => {
                    self.stdin = None;
                    self.unsent.clear();
                }
            }
        }
        if self.closing && self.unsent.is_empty() {
            self.stdin = None;
        }
    }

    /// Stdout is closed: has the bot ended, and how?
    fn gone(&mut self, waiting_for: &str) -> Fault {
        self.wait_for_exit();
        let instead = format!("instead of sending {waiting_for}");
        let lives_on = || Fault::ClosedOutput(format!("closed its output {instead}, and lives on"));
        self.ended.clone().map_or_else(lives_on, |exit| exit.fault(&instead))
    }

    /// How it ended, if it is about to end or has ended by itself with an exit code or a signal that says failure.
    pub fn failure(&mut self) -> Option<Fault> {
        self.wake();
        self.wait_for_exit();
        let exit = self.ended.clone().filter(|exit| *exit != Exit::Code(0))?;
        Some(exit.fault("instead of playing"))
    }

    /// Gives it a moment to end.
    fn wait_for_exit(&mut self) {
        let (patience, end) = (Instant::now() + LAST_BREATH, Instant::now() + BURIAL);
        while self.poll_exit().is_none() && Instant::now() < end {
            if Instant::now() >= patience && !self.body.as_ref().is_some_and(|body| body.is_dying()) {
                break;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Looks whether the bot has ended.
    fn poll_exit(&mut self) -> Option<Exit> {
        if self.ended.is_none() {
            self.ended = self.body.as_mut().and_then(|body| body.ended());
        }
        self.ended.clone()
    }

    /// What was written to stderr since the last call.
    pub fn take_stderr(&mut self) -> Captured {
        std::mem::take(&mut self.noise)
    }

    /// Processor time of everything that it consists of, at the beginning of a turn, and at its end.
    pub fn cpu_time(&self) -> Option<Duration> {
        let known = self.at_waking.take();
        if known.is_none() {
            self.last_seen.set(self.body.as_ref()?.cpu_time());
        }
        known.or_else(|| self.last_seen.get())
    }

    /// Says `farewell`, closes stdin, gives the bot a moment to go, and kills what is left of it.
    pub fn finish(&mut self, farewell: Option<&str>) -> Captured {
        self.wake();
        if let Some(farewell) = farewell {
            self.send(farewell);
        }
        let deadline = Instant::now() + self.limits.quit;
        if self.ended.is_none() {
            self.write_some();
            self.stdin = None;
            self.unsent.clear();
            // Reading on until the pipes close lets it finish what it is writing; what it says to nobody is not kept.
            while (self.stdout.is_some() || self.stderr.is_some()) && self.poll_exit().is_none() {
                let patience = deadline.saturating_duration_since(Instant::now());
                if patience.is_zero() || self.wait_for_events(Some(patience.min(Duration::from_millis(5)))).is_err() {
                    break;
                }
                self.lines = Lines::default();
            }
        }
        self.kill();
        let _ = self.read_stderr();
        self.take_stderr()
    }

    /// Ends the bot and everything that it has started at once.
    pub fn kill(&mut self) {
        if let Some(mut body) = self.body.take() {
            body.kill();
        }
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads what is there; says whether the pipe is still open.
fn drain(pipe: &Option<OwnedFd>, mut take: impl FnMut(&[u8])) -> Result<bool, BotFailure> {
    let Some(pipe) = pipe else { return Ok(false) };
    let mut buffer = [0; 16 << 10];
    // A bot that writes faster than we read must not keep us here: a few buffers at a time.
    for _ in 0..16 {
        match read(pipe.as_fd(), &mut buffer[..]) {
            Ok(0) => return Ok(false),
            Ok(count) => take(&buffer[..count]),
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Ok(true),
            Err(error) => return Err(HostError(format!("cannot read from a bot: {error}")).into()),
        }
    }
    Ok(true)
}

/// A line as text. What is no text is no protocol.
fn text_of(line: Vec<u8>) -> Result<String, BotFailure> {
    let text = String::from_utf8(line).map_err(|error| {
        let shown = String::from_utf8_lossy(error.as_bytes()).into_owned();
        Fault::ProtocolViolation(format!("a line that is not UTF-8 text: {}", agon_rules::quote(&shown)))
    })?;
    if text.chars().any(|letter| letter.is_control() && letter != '\t') {
        let shown = agon_rules::quote(&text);
        return Err(Fault::ProtocolViolation(format!("a line with control characters in it: {shown}")).into());
    }
    Ok(text)
}
