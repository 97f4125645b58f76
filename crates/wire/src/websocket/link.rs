//! The referee's end of a websocket.

use std::{
    collections::VecDeque,
    net::{TcpStream, ToSocketAddrs},
    os::fd::AsFd,
    sync::Arc,
    time::{Duration, Instant},
};

use agon_rules::quote;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use tungstenite::{HandshakeError, Message, WebSocket, client::client_with_config, error::CapacityError};

use super::{
    port::{Port, is_free},
    stream::{Metered, config, is_closed, is_idle},
};
use crate::{
    Deadline,
    bot::{BotFailure, Fault, HostError},
    ending::not_ending,
    launch::{BotCommand, Launcher},
    process::{BotLimits, BotProcess},
    program::Reach,
    transcript::Speaker,
};

/// How often to look whether a bot that says nothing still lives: a child of its own may hold its socket open after it.
const GLANCE: Duration = Duration::from_secs(1);

/// How long to wait before knocking again.
const KNOCK: Duration = Duration::from_millis(5);

/// A bot that is a websocket server, and the connection to it.
pub struct WebsocketLink {
    launcher: Arc<dyn Launcher>,
    process: Option<BotProcess>,
    port: Option<Port>,
    socket: Option<WebSocket<Metered>>,
    /// Whether something that was sent is still here.
    unsent: bool,
    /// Lines that have arrived and not been taken.
    lines: VecDeque<String>,
}

impl WebsocketLink {
    /// No connection yet.
    pub fn new(launcher: Arc<dyn Launcher>) -> WebsocketLink {
        WebsocketLink { launcher, process: None, port: None, socket: None, unsent: false, lines: VecDeque::new() }
    }

    /// Connects to the bot. One that is to be started gets a free port as the value of the option `port_option`.
    ///
    /// Its stdout is nobody's business: it is read so that it never fills up, and thrown away.
    pub fn open(&mut self, reach: &Reach, port_option: &str) -> Result<(), BotFailure> {
        let command = match reach {
            Reach::At(address) => return self.knock_at(address),
            Reach::Start(command) => command,
        };
        let started = self.start(command, port_option);
        match &started {
            // Somebody else was quicker to take the port. That is not the bot's fault; once more with another one.
            Err(BotFailure::Fault(_)) if self.lost_its_port() => self.start(command, port_option),
            _ => started,
        }
    }

    fn start(&mut self, command: &BotCommand, port_option: &str) -> Result<(), BotFailure> {
        let port = Port::choose()?;
        let number = port.number();
        self.port = Some(port);
        let mut command = command.clone();
        command.arguments.extend([port_option.to_owned(), number.to_string()]);
        command.port = Some(number);
        let mut process = self.launcher.launch(&command)?;
        process.ignore_stdout();
        let allowed = process.limits().start;
        let deadline = Instant::now() + allowed;
        let process = self.process.insert(process);
        loop {
            if let Some(stream) = process.connect(number) {
                let door = stream.peer_addr().map_or_else(|_| format!("port {number}"), |door| door.to_string());
                return self.shake_hands(stream, &door, deadline);
            }
            process.wait_beside(None, Some(KNOCK))?;
            if process.has_ended() {
                let fault = process.ending(&format!("instead of listening on port {number}"))?;
                return Err(with_last_words(fault, process).into());
            }
            if Instant::now() >= deadline {
                let seconds = allowed.as_secs_f64();
                let what = format!("does not listen on port {number}: allowed were {seconds:.3} s");
                return Err(with_last_words(Some(Fault::WouldNotStart(what)), process).into());
            }
        }
    }

    /// Whether a bot that has just ended did so because somebody else has its port.
    fn lost_its_port(&mut self) -> bool {
        let Some((process, port)) = self.process.as_mut().zip(self.port.as_ref()) else { return false };
        let words = process.last_words().unwrap_or_default().to_lowercase();
        let says_so = words.contains("in use") || words.contains("transport error");
        process.has_ended() && (says_so || !is_free(port.number()))
    }

    fn knock_at(&mut self, address: &str) -> Result<(), BotFailure> {
        let allowed = BotLimits::default().start;
        let deadline = Instant::now() + allowed;
        let unreachable = |problem: &str| Fault::WouldNotStart(format!("cannot reach ws://{address}: {problem}"));
        let doors = address.to_socket_addrs().map_err(|error| unreachable(&error.to_string()))?;
        let mut problem = "the name has no address".to_owned();
        for door in doors {
            match TcpStream::connect_timeout(&door, deadline.saturating_duration_since(Instant::now()).max(KNOCK)) {
                Ok(stream) => return self.shake_hands(stream, address, deadline),
                Err(error) => problem = error.to_string(),
            }
        }
        Err(unreachable(&problem).into())
    }

    fn shake_hands(&mut self, stream: TcpStream, address: &str, deadline: Instant) -> Result<(), BotFailure> {
        let waiting_for = "a websocket handshake";
        let limits = self.limits();
        let stream = Metered::new(stream, limits.turn)
            .map_err(|error| HostError(format!("cannot prepare a connection to {address}: {error}")))?;
        let mut attempt = client_with_config(format!("ws://{address}/"), stream, Some(config(limits.line)));
        loop {
            match attempt {
                Ok((socket, _)) => {
                    self.note(Speaker::Event, &format!("connected to ws://{address}"));
                    self.socket = Some(socket);
                    return Ok(());
                }
                Err(HandshakeError::Failure(error)) if is_closed(&error) => return Err(self.gone(waiting_for)?.into()),
                Err(HandshakeError::Failure(error)) => {
                    let what = format!("expected {waiting_for} from {address}, found something else: {error}");
                    return Err(Fault::ProtocolViolation(what).into());
                }
                Err(HandshakeError::Interrupted(half)) => {
                    let patience = deadline.saturating_duration_since(Instant::now());
                    if patience.is_zero() {
                        return Err(Fault::Timeout(format!("no websocket handshake from {address} in time")).into());
                    }
                    wait_for(&mut self.process, half.get_ref().get_ref(), patience.min(GLANCE))?;
                    attempt = half.handshake();
                }
            }
        }
    }

    /// The limits that the bot runs under.
    pub fn limits(&self) -> BotLimits {
        self.process.as_ref().map(BotProcess::limits).unwrap_or_default()
    }

    /// The bot's process, if we started it.
    pub fn process(&self) -> Option<&BotProcess> {
        self.process.as_ref()
    }

    /// The same, to do something with.
    pub fn process_mut(&mut self) -> Option<&mut BotProcess> {
        self.process.as_mut()
    }

    /// What the bot wrote to stderr since the last call.
    pub fn take_stderr(&mut self) -> String {
        self.process.as_mut().map_or(String::new(), |process| process.take_stderr().text())
    }

    /// Sends a message. What the network does not take at once is sent while waiting for the answer. A bot that has closed the
    /// connection is judged by what it answers.
    pub fn send(&mut self, text: &str) {
        self.note(Speaker::Referee, text);
        let allowance = self.limits().turn;
        if let Some(socket) = &mut self.socket {
            socket.get_mut().allow(allowance);
            self.unsent = socket.send(Message::text(text)).is_err_and(|error| is_idle(&error));
        }
    }

    /// Lines that have arrived without being asked for.
    pub fn unasked_lines(&mut self, waiting_for: &str) -> Result<Vec<String>, BotFailure> {
        if let Some(process) = &mut self.process {
            process.wait_beside(None, Some(Duration::ZERO))?;
        }
        while self.read(waiting_for)? {}
        let lines: Vec<String> = self.lines.drain(..).collect();
        lines.iter().for_each(|line| self.note(Speaker::Bot, line));
        Ok(lines)
    }

    /// Waits for a line until `deadline`; `None` is for ever. No line means that it is too late.
    pub fn line_until(&mut self, deadline: Option<Deadline>, waiting_for: &str) -> Result<Option<String>, BotFailure> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                self.note(Speaker::Bot, &line);
                return Ok(Some(line));
            }
            // Looked at before reading: what it said before it ended is heard.
            let ended = self.process.as_mut().is_some_and(BotProcess::has_ended);
            if self.read(waiting_for)? {
                continue;
            }
            if ended {
                return Err(self.gone(waiting_for)?.into());
            }
            let patience = deadline.map(|deadline| deadline.left());
            match (patience, &self.socket) {
                (Some(Duration::ZERO), _) => return Ok(None),
                (patience, Some(socket)) => {
                    // Rarely does the network not take what is sent: then it is offered again and again.
                    let most = if self.unsent { KNOCK } else { GLANCE };
                    wait_for(
                        &mut self.process,
                        socket.get_ref(),
                        patience.map_or(most, |patience| patience.min(most)),
                    )?;
                }
                (_, None) => return Err(self.gone(waiting_for)?.into()),
            }
        }
    }

    /// The same, but being too late is a fault.
    pub fn next_line(&mut self, deadline: Option<Deadline>, waiting_for: &str) -> Result<String, BotFailure> {
        let line = self.line_until(deadline, waiting_for)?;
        line.ok_or_else(|| Fault::Timeout(format!("no {waiting_for} in time")).into())
    }

    /// Takes the next message, if one has arrived. Says whether there was any.
    fn read(&mut self, waiting_for: &str) -> Result<bool, BotFailure> {
        let limits = self.limits();
        let Some(socket) = &mut self.socket else { return Err(self.gone(waiting_for)?.into()) };
        if self.unsent {
            self.unsent = socket.flush().is_err_and(|error| is_idle(&error));
        }
        match socket.read() {
            Ok(Message::Text(text)) => {
                self.take_lines(text.as_str())?;
                Ok(true)
            }
            Ok(Message::Binary(bytes)) => {
                let what = format!("a binary message of {} bytes, expected text", bytes.len());
                Err(Fault::ProtocolViolation(what).into())
            }
            Ok(Message::Close(_)) => Err(self.gone(waiting_for)?.into()),
            // Pings are answered by the next read.
            Ok(_) => Ok(true),
            Err(error) if is_idle(&error) && socket.get_ref().is_exhausted() => {
                let limit = limits.turn;
                Err(Fault::OutputFlood(format!("more than {limit} bytes of messages in one turn")).into())
            }
            Err(error) if is_idle(&error) => Ok(false),
            Err(error) if is_closed(&error) => Err(self.gone(waiting_for)?.into()),
            Err(tungstenite::Error::Capacity(CapacityError::MessageTooLong { max_size, .. })) => {
                Err(Fault::OutputFlood(format!("a message of more than {max_size} bytes")).into())
            }
            Err(tungstenite::Error::Utf8(_)) => {
                Err(Fault::ProtocolViolation("a text message that is not UTF-8".to_owned()).into())
            }
            Err(error) => Err(Fault::ProtocolViolation(format!("bytes that are no websocket: {error}")).into()),
        }
    }

    /// A message is usually one line. Some bots put several into one.
    fn take_lines(&mut self, text: &str) -> Result<(), BotFailure> {
        for line in text.lines().filter(|line| !line.is_empty()) {
            if line.chars().any(|letter| letter.is_control() && letter != '\t') {
                let what = format!("a message with control characters in it: {}", quote(line));
                return Err(Fault::ProtocolViolation(what).into());
            }
            self.lines.push_back(line.to_owned());
        }
        Ok(())
    }

    /// The connection is closed: has the bot ended, and how?
    fn gone(&mut self, waiting_for: &str) -> Result<Fault, BotFailure> {
        self.socket = None;
        let instead = format!("instead of sending {waiting_for}");
        let Some(process) = &mut self.process else {
            return Ok(Fault::ProtocolViolation(format!("closed the connection {instead}")));
        };
        let lives_on = || Fault::ClosedOutput(format!("closed the connection {instead}, and lives on"));
        Ok(process.ending(&instead)?.unwrap_or_else(lives_on))
    }

    /// Says `farewell`, closes the connection, and sees that nothing of a bot that we started goes on running. `will_go` is whether
    /// the bot can be expected to go by itself, so that it is worth waiting for. Gives what was left on stderr.
    pub fn finish(&mut self, farewell: Option<&str>, will_go: bool) -> String {
        if let Some(farewell) = farewell {
            self.send(farewell);
        }
        if let Some(socket) = &mut self.socket {
            let _ = socket.close(None);
            let _ = socket.flush();
        }
        let Some(mut process) = self.process.take() else { return String::new() };
        if !will_go {
            process.kill();
        }
        process.finish(None).text()
    }

    fn note(&self, speaker: Speaker, text: &str) {
        if let Some(transcript) = self.launcher.transcript() {
            transcript.add(speaker, text);
        }
    }
}

/// Waits until there is something to read, and reads the pipes of the process meanwhile.
fn wait_for(process: &mut Option<BotProcess>, socket: &Metered, patience: Duration) -> Result<(), BotFailure> {
    if let Some(process) = process {
        return process.wait_beside(Some(socket.as_fd()), Some(patience));
    }
    not_ending()?;
    let timeout =
        Timespec { tv_sec: patience.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: patience.subsec_nanos().into() };
    match poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(HostError(format!("cannot wait for a bot: {error}")).into()),
    }
}

fn with_last_words(fault: Option<Fault>, process: &BotProcess) -> Fault {
    let what = fault.map_or("it is gone".to_owned(), |fault| fault.evidence());
    let words = process.last_words().map_or(String::new(), |words| format!("; its last words: {}", quote(&words)));
    Fault::WouldNotStart(what + &words)
}
