//! One end of a connection.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    time::{Duration, Instant},
};

use super::message::{Message, MessageReader, Received};

/// How long a peer that was told the last message may take to hang up.
const FAREWELL: Duration = Duration::from_millis(500);
/// So much of what it still says meanwhile is thrown away.
const MOST_FAREWELL: usize = 1 << 20;

/// A connection that carries messages.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    reader: MessageReader,
}

/// Why no message came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// Nothing, or not all of it, in time.
    Silence,
    /// The other end is gone.
    Gone(String),
    /// Something else than a message.
    Garbage(String),
}

impl Connection {
    /// Takes a socket; what is written to it must be taken within `patience`.
    pub(super) fn new(stream: TcpStream, patience: Duration) -> io::Result<Connection> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(patience.max(Duration::from_millis(1))))?;
        Ok(Connection { stream, reader: MessageReader::default() })
    }

    /// Sends a message with one write.
    pub(super) fn send(&mut self, message: &Message) -> io::Result<()> {
        self.stream.write_all(message.to_string().as_bytes())
    }

    /// Waits for a message until `deadline`. What follows it stays for the next call.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Received, Trouble> {
        loop {
            match self.reader.next_message() {
                Ok(Some(received)) => return Ok(received),
                Ok(None) => {}
                Err(garbage) => return Err(Trouble::Garbage(garbage.0)),
            }
            let rest = deadline.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return Err(Trouble::Silence);
            }
            self.read_some(rest)?;
        }
    }

    /// A message that is there already.
    pub(super) fn glance(&mut self) -> Result<Option<Received>, Trouble> {
        match self.receive(Instant::now() + Duration::from_micros(100)) {
            Ok(received) => Ok(Some(received)),
            Err(Trouble::Silence) => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    /// Waits for the next bytes.
    fn read_some(&mut self, patience: Duration) -> Result<(), Trouble> {
        let gone = |error: io::Error| Trouble::Gone(error.to_string());
        // A timeout of zero means none, and the kernel counts in microseconds.
        self.stream.set_read_timeout(Some(patience.max(Duration::from_micros(100)))).map_err(gone)?;
        let mut buffer = [0; 4096];
        match self.stream.read(&mut buffer) {
            Ok(0) if self.reader.is_waiting() => {
                Err(Trouble::Gone("the connection was closed in the middle of a message".to_owned()))
            }
            Ok(0) => Err(Trouble::Gone("the connection was closed".to_owned())),
            Ok(count) => {
                self.reader.add(&buffer[..count]);
                Ok(())
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => Ok(()),
                _ => Err(gone(error)),
            },
        }
    }

    /// Hangs up in a way that loses nothing: a socket that is closed with unread bytes in it takes back what it sent last.
    pub(super) fn close(mut self) {
        let _ = self.stream.shutdown(Shutdown::Write);
        let deadline = Instant::now() + FAREWELL;
        let mut buffer = [0; 4096];
        let mut thrown_away = 0;
        while thrown_away < MOST_FAREWELL {
            let rest = deadline.saturating_duration_since(Instant::now());
            if rest.is_zero() || self.stream.set_read_timeout(Some(rest)).is_err() {
                return;
            }
            match self.stream.read(&mut buffer) {
                Ok(0) | Err(_) => return,
                Ok(count) => thrown_away += count,
            }
        }
    }
}
