//! What lies between a player and a server: a client waits for both.

use std::{
    collections::VecDeque,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use agon_rules::quote;

use super::{
    Console,
    client::{ClientEnd, ClientOptions},
    connection::{Connection, Trouble},
    message::Message,
    player::{Heard, Player},
};
use crate::{FirstLine, RelayGame};

/// How long to look in one direction before looking in the other.
const GLANCE: Duration = Duration::from_millis(100);
/// More of a line than this is not shown.
const LONGEST_SHOWN: usize = 1000;

/// What connects a player and a server.
pub(super) struct Line<'a> {
    pub(super) connection: Connection,
    pub(super) player: Player,
    /// Messages that came before they were wanted.
    pub(super) early: VecDeque<Message>,
    pub(super) options: ClientOptions<'a>,
    pub(super) console: &'a mut dyn Console,
}

/// Why waiting ended without what was waited for.
pub(super) enum Broken {
    Trouble(Trouble),
    /// The client was told to stop.
    Stopped,
}

impl Line<'_> {
    /// Waits for the server's first message.
    pub(super) fn begin(&mut self, game: &dyn RelayGame) -> Result<FirstLine, ClientEnd> {
        let failed = |console: &mut dyn Console, reason: String| {
            console.print("ERROR IN SETTING UP CONNECTIONS. SORRY");
            ClientEnd::Failed(reason)
        };
        let message = match self.receive() {
            Ok(message) => message,
            Err(Broken::Stopped) => return Err(ClientEnd::Failed("stopped before the game began".to_owned())),
            Err(Broken::Trouble(trouble)) => {
                self.console.print("ERROR : TIMEOUT ON SERVER END");
                return Err(failed(self.console, reason_of(trouble, self.options.patience)));
            }
        };
        if message.action == "KILLPROC" {
            self.console.print(&format!("ERROR : {} ,ON OTHER CLIENT", shown(&message.meta)));
            return Err(failed(self.console, format!("the server refused the game: {}", shown(&message.meta))));
        }
        if message.action != "INIT" {
            let found = quote(&message.to_string());
            return Err(failed(self.console, format!("expected the server's INIT, found {found}")));
        }
        game.read_first_line(&message.data).map_err(|problem| failed(self.console, problem.to_string()))
    }

    pub(super) fn receive(&mut self) -> Result<Message, Broken> {
        if let Some(message) = self.early.pop_front() {
            return Ok(message);
        }
        let deadline = Instant::now() + self.options.patience;
        loop {
            if self.options.stop.load(Ordering::Relaxed) {
                return Err(Broken::Stopped);
            }
            match self.connection.receive(deadline.min(Instant::now() + GLANCE)) {
                Ok(received) => return Ok(received.message),
                Err(Trouble::Silence) if Instant::now() < deadline => {}
                Err(trouble) => return Err(Broken::Trouble(trouble)),
            }
        }
    }

    /// Waits for the player's line until `deadline`, and looks meanwhile whether the server has something to say that ends the game.
    pub(super) fn next_line(&mut self, deadline: Instant) -> Result<Heard, Broken> {
        loop {
            let heard = self.player.next_line(deadline.min(Instant::now() + GLANCE));
            if heard != Heard::Nothing || Instant::now() >= deadline {
                return Ok(heard);
            }
            if self.options.stop.load(Ordering::Relaxed) {
                return Err(Broken::Stopped);
            }
            if self.early.is_empty() {
                let glance = self.connection.glance().map_err(Broken::Trouble)?;
                self.early.extend(glance.map(|received| received.message));
            }
            if self.early.front().is_some_and(Message::is_last) {
                return Ok(Heard::Nothing);
            }
        }
    }
}

pub(super) fn reason_of(trouble: Trouble, patience: Duration) -> String {
    match trouble {
        Trouble::Silence => format!("the server said nothing for {} s", patience.as_secs_f64()),
        Trouble::Gone(reason) => format!("the server is gone: {reason}"),
        Trouble::Garbage(reason) => format!("the server talks nonsense: {reason}"),
    }
}

/// Text from elsewhere, with nothing in it that could steer a terminal.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(LONGEST_SHOWN).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
