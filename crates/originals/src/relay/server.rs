//! The server: hands on what two clients say to each other.

use std::{
    io::{self, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use agon_rules::{AnyPosition, BySide, Ending, RuleSet, Side};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{
    Console,
    connection::{Connection, Trouble},
    message::{Message, Received},
    verdict::Offence,
};
use crate::{FirstLine, RelayGame};

/// The clients of the originals take whatever is there for one message. A quick first turn must not reach the second player
/// together with the message before it, so nothing is sent for so long after that one.
const SETTLING: Duration = Duration::from_millis(300);

/// What a server is told.
#[derive(Clone, Debug)]
pub struct RelayOptions {
    /// The board.
    pub variant: String,
    /// What the clients are told that each player has for the whole game.
    pub seconds: u64,
    /// How many clients to wait for. Only the first two play.
    pub clients: usize,
    /// How long to wait for each client, and for each message.
    pub patience: Duration,
    /// Whether the server judges: how much later than the clock says a message may arrive, each time.
    pub judge: Option<Duration>,
}

/// A server that is ready for its clients.
pub struct RelayServer<'a> {
    /// The game.
    pub game: &'static dyn RelayGame,
    /// What it was told.
    pub options: RelayOptions,
    /// Where it writes.
    pub console: &'a mut dyn Console,
    /// The file in which every message is kept.
    pub log: Option<Box<dyn Write>>,
}

/// How a server's work ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerEnd {
    /// With a last message of a client, or with a verdict of its own.
    Finished,
    /// A client did not come, fell silent, went away or talked nonsense.
    ClientFailed(String),
    /// The log could not be written.
    LogFailed(String),
}

/// Waits for `count` clients, up to `patience` for each. Gives those that came.
pub fn accept_clients(listener: &TcpListener, count: usize, patience: Duration) -> io::Result<Vec<TcpStream>> {
    listener.set_nonblocking(true)?;
    let mut clients = Vec::new();
    let mut deadline = Instant::now() + patience;
    while clients.len() < count {
        let rest = deadline.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            break;
        }
        let timeout = Timespec { tv_sec: rest.as_secs() as i64, tv_nsec: rest.subsec_nanos().into() };
        match poll(&mut [PollFd::new(listener, PollFlags::IN)], Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        match listener.accept() {
            Ok((client, _)) => {
                clients.push(client);
                deadline = Instant::now() + patience;
            }
            // A client that is gone again before it could be greeted was none.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted
                ) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(clients)
}

impl<'a> RelayServer<'a> {
    /// Waits for the clients and carries their messages until the game is over. An error is this machine's fault.
    pub fn run(self, listener: TcpListener) -> io::Result<ServerEnd> {
        let patience = self.options.patience;
        let clients = accept_clients(&listener, self.options.clients, patience)?;
        // Whoever comes now is refused.
        drop(listener);
        let mut connections = Vec::new();
        for client in clients {
            connections.push(Connection::new(client, patience)?);
        }
        if connections.len() < 2 {
            return Ok(refuse(connections));
        }
        let spectators = connections.split_off(2);
        let (Some(second), Some(first)) = (connections.pop(), connections.pop()) else {
            return Err(io::Error::other("two clients came and are gone"));
        };
        let mut table = Table::new(self, BySide::new(first, second));
        let end = table.play();
        let end = table.log_problem.take().map_or(end, ServerEnd::LogFailed);
        table.close();
        drop(spectators);
        Ok(end)
    }
}

/// There are too few clients: tells those who came.
fn refuse(connections: Vec<Connection>) -> ServerEnd {
    let came = connections.len();
    for mut connection in connections {
        let _ = connection.send(&Message::kill("ERROR IN INITIALIZATION"));
        connection.close();
    }
    ServerEnd::ClientFailed(format!("{came} of 2 clients came in time, so there is no game"))
}

/// A game between two clients, as the server sees it.
pub(super) struct Table<'a> {
    pub(super) game: &'static dyn RelayGame,
    pub(super) options: RelayOptions,
    pub(super) console: &'a mut dyn Console,
    log: Option<Box<dyn Write>>,
    log_problem: Option<String>,
    pub(super) connections: BySide<Connection>,
    /// When the clients have surely taken their first message.
    settled: Instant,
    /// The position, as long as the turns are legal.
    pub(super) position: Option<Box<dyn AnyPosition>>,
}

impl<'a> Table<'a> {
    fn new(server: RelayServer<'a>, connections: BySide<Connection>) -> Table<'a> {
        let RelayServer { game, options, console, log } = server;
        let position = game.game().open(&options.variant, RuleSet::Server).ok();
        Table { game, options, console, log, log_problem: None, connections, settled: Instant::now(), position }
    }

    fn play(&mut self) -> ServerEnd {
        for side in Side::BOTH {
            let line = FirstLine { side, variant: self.options.variant.clone(), seconds: self.options.seconds };
            let init = Message::init(self.game.first_line(&line));
            self.send(side, &init);
        }
        self.settled = Instant::now() + SETTLING;
        self.show();
        match self.options.judge {
            None => self.relay(),
            Some(allowance) => self.judge(allowance),
        }
    }

    /// Hands on without looking, as the original does. Whoever is not to move is not listened to: what it says waits.
    fn relay(&mut self) -> ServerEnd {
        let mut side = Side::First;
        loop {
            match self.connections[side].receive(Instant::now() + self.options.patience) {
                Ok(received) => {
                    self.record_received(side, &received);
                    self.follow(&received.message);
                    let sent = self.send(side.other(), &received.message);
                    if received.message.is_last() {
                        return ServerEnd::Finished;
                    }
                    if !sent {
                        return self.stopped(side.other(), "could not be reached");
                    }
                }
                Err(Trouble::Silence) => return self.silent(side),
                Err(Trouble::Gone(reason) | Trouble::Garbage(reason)) => return self.stopped(side, &reason),
            }
            side = side.other();
        }
    }

    /// Plays a turn on our own board, which only serves to show it and to know the scores.
    fn follow(&mut self, message: &Message) {
        let turn = message.data.trim();
        if let Some(position) = self.position.as_mut().filter(|_| message.has_turn()) {
            match position.play(turn) {
                Ok(_) => self.show(),
                Err(rule) => {
                    let turn = agon_rules::quote(turn);
                    self.console
                        .tell(&format!("the game cannot be followed any further: {turn} is no legal turn ({rule})"));
                    self.position = None;
                }
            }
        }
    }

    /// A client said nothing for too long. The original wrote down only the silence of the second one.
    fn silent(&mut self, side: Side) -> ServerEnd {
        let client = side.index();
        self.console.print(&format!("ERROR : TIMEOUT ON CLIENT NETWORK{client} END"));
        self.send(side.other(), &Message::kill("TIMEOUT ON CLIENT NETWORK"));
        if side == Side::Second {
            self.record("None", client);
        }
        let seconds = self.options.patience.as_secs_f64();
        ServerEnd::ClientFailed(format!("client {client} said nothing for {seconds} s"))
    }

    /// A client is gone or talks nonsense. The original waited for it for ever; here the other one is told, with the scores that
    /// the rules give, where the game could be followed.
    pub(super) fn stopped(&mut self, side: Side, reason: &str) -> ServerEnd {
        let points = self.position.as_ref().map(|position| position.points(Ending::Fault(side)));
        let verdict = Message::kill(Offence::UnexpectedStop.text(side, points));
        self.record_decision(&verdict);
        self.send(side.other(), &verdict);
        let _ = self.connections[side].send(&verdict);
        ServerEnd::ClientFailed(format!("client {}: {reason}", side.index()))
    }

    /// Sends a message; a client that cannot be reached is named as the original names it.
    pub(super) fn send(&mut self, side: Side, message: &Message) -> bool {
        thread::sleep(self.settled.saturating_duration_since(Instant::now()));
        let sent = self.connections[side].send(message).is_ok();
        if !sent {
            self.console.print(&format!("ERROR : COULD NOT SEND DATA TO CLIENT {}", side.index()));
        }
        sent
    }

    pub(super) fn show(&mut self) {
        if let Some(position) = &self.position {
            self.console.show(&self.options.variant, &**position);
        }
    }

    pub(super) fn record_received(&mut self, side: Side, received: &Received) {
        self.record(&received.line(), side.index());
    }

    fn record(&mut self, text: &str, client: usize) {
        let blank = self.game.before_sender();
        self.console.print(&format!("{text}{blank}Received from client {client}"));
        self.write_log(&format!("{text} Received from client {client}\n"));
    }

    /// A message of the server's own that ends the game.
    pub(super) fn record_decision(&mut self, message: &Message) {
        let blank = self.game.before_sender();
        self.console.print(&format!("{message}{blank}Decided by the server"));
        self.write_log(&format!("{message} Decided by the server\n"));
    }

    /// Every line is written at once, so that a killed server leaves a whole log.
    fn write_log(&mut self, line: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = log.write_all(line.as_bytes()).and_then(|()| log.flush())
        {
            self.log_problem.get_or_insert_with(|| format!("cannot write the log: {error}"));
        }
    }

    fn close(self) {
        self.connections.first.close();
        self.connections.second.close();
    }
}
