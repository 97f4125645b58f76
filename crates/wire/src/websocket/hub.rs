//! A websocket server: the bot's end.

use std::{
    collections::VecDeque,
    io,
    net::{SocketAddr, TcpListener},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use tungstenite::{
    HandshakeError, Message, WebSocket, accept_with_config,
    handshake::{
        MidHandshake,
        server::{NoCallback, ServerHandshake},
    },
};

use super::stream::{Metered, config, is_idle};

/// Connections at a time.
const MOST_GUESTS: usize = 64;

/// Bytes of one message.
const LONGEST_MESSAGE: usize = 64 << 10;

/// Bytes that one guest may send before the others are heard.
const AT_A_TIME: usize = 256 << 10;

/// How long a guest may take to say that it wants a websocket.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Hears what anybody says and tells everybody.
pub struct WebsocketHub {
    listener: TcpListener,
    guests: Vec<Guest>,
    heard: VecDeque<String>,
}

/// Somebody who has connected.
enum Guest {
    Arriving { half: Box<MidHandshake<ServerHandshake<Metered, NoCallback>>>, since: Instant },
    Here { socket: Box<WebSocket<Metered>>, unsent: bool },
}

type Handshake = Result<WebSocket<Metered>, HandshakeError<ServerHandshake<Metered, NoCallback>>>;

impl WebsocketHub {
    /// Listens; port 0 is any free one.
    pub fn listen(host: &str, port: u16) -> io::Result<WebsocketHub> {
        let listener = TcpListener::bind((host, port))?;
        listener.set_nonblocking(true)?;
        Ok(WebsocketHub { listener, guests: Vec::new(), heard: VecDeque::new() })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Waits for a text message from anybody.
    pub fn next_message(&mut self) -> io::Result<String> {
        loop {
            if let Some(message) = self.heard.pop_front() {
                return Ok(message);
            }
            self.wait()?;
            self.let_in();
            let guests = std::mem::take(&mut self.guests);
            self.guests = guests.into_iter().filter_map(|guest| guest.attend(&mut self.heard)).collect();
        }
    }

    /// Tells every guest. One that does not listen is shown the door when too much waits for it.
    pub fn say(&mut self, text: &str) {
        self.guests.retain_mut(|guest| match guest {
            Guest::Arriving { .. } => true,
            Guest::Here { socket, unsent } => match socket.send(Message::text(text)) {
                Ok(()) => true,
                Err(error) => {
                    *unsent = is_idle(&error);
                    *unsent
                }
            },
        });
    }

    fn wait(&self) -> io::Result<()> {
        let mut places = vec![PollFd::new(&self.listener, PollFlags::IN)];
        let mut somebody_arrives = false;
        for guest in &self.guests {
            places.push(match guest {
                Guest::Arriving { half, .. } => {
                    somebody_arrives = true;
                    PollFd::new(half.get_ref().get_ref(), PollFlags::IN)
                }
                Guest::Here { socket, unsent: false } => PollFd::new(socket.get_ref(), PollFlags::IN),
                Guest::Here { socket, unsent: true } => PollFd::new(socket.get_ref(), PollFlags::IN | PollFlags::OUT),
            });
        }
        // Whoever takes too long to arrive is noticed even if nothing else happens.
        let timeout = somebody_arrives.then_some(Timespec { tv_sec: 1, tv_nsec: 0 });
        match poll(&mut places, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn let_in(&mut self) {
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    self.make_room();
                    if self.guests.len() < MOST_GUESTS
                        && let Ok(stream) = Metered::new(stream, AT_A_TIME)
                    {
                        self.guests.extend(accepted(
                            accept_with_config(stream, Some(config(LONGEST_MESSAGE))),
                            Instant::now(),
                        ));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // The guest has gone already, or this program has too many files open: it is not worth ending for.
                Err(_) => {
                    std::thread::sleep(Duration::from_millis(10));
                    return;
                }
            }
        }
    }

    /// When the house is full, whoever has stood longest in the door must leave.
    fn make_room(&mut self) {
        if self.guests.len() >= MOST_GUESTS
            && let Some(index) = self.guests.iter().position(|guest| matches!(guest, Guest::Arriving { .. }))
        {
            self.guests.remove(index);
        }
    }
}

/// The guest after a part of the handshake; `None` if it wants no websocket.
fn accepted(handshake: Handshake, since: Instant) -> Option<Guest> {
    match handshake {
        Ok(socket) => Some(Guest::Here { socket: Box::new(socket), unsent: false }),
        Err(HandshakeError::Interrupted(half)) if since.elapsed() < HANDSHAKE => {
            Some(Guest::Arriving { half: Box::new(half), since })
        }
        Err(_) => None,
    }
}

impl Guest {
    /// Hears what has arrived. `None` if the guest is gone, or speaks no websocket.
    fn attend(self, heard: &mut VecDeque<String>) -> Option<Guest> {
        let here = match self {
            Guest::Arriving { half, since } => accepted(half.handshake(), since)?,
            here @ Guest::Here { .. } => here,
        };
        let Guest::Here { mut socket, mut unsent } = here else { return Some(here) };
        if unsent {
            match socket.flush() {
                Ok(()) => unsent = false,
                Err(error) if is_idle(&error) => {}
                Err(_) => return None,
            }
        }
        socket.get_mut().allow(AT_A_TIME);
        loop {
            match socket.read() {
                Ok(Message::Text(text)) => heard.push_back(text.as_str().to_owned()),
                Ok(Message::Close(_)) => {
                    let _ = socket.flush();
                    return None;
                }
                // What is no text means nothing here.
                Ok(_) => {}
                Err(error) if is_idle(&error) => return Some(Guest::Here { socket, unsent }),
                Err(_) => return None,
            }
        }
    }
}
