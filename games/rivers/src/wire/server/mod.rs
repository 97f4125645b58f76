//! The original's web server: one game at a time, two bots that ask for it over HTTP. The README says where it differs.

mod game;
mod journal;
mod options;
mod routes;

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use agon_originals::{HttpRequest, HttpResponse, HttpServer, HttpService, ServeError};
use agon_rules::{AnyGame, Clock};

use crate::Rivers;
use game::OnlineGame;
use journal::Journal;
use options::Options;

/// How often to look whether a clock has fallen.
const TICK: Duration = Duration::from_millis(50);

/// Prepares the server for `agon server`.
pub(super) fn start(arguments: &[String]) -> Result<HttpServer, ServeError> {
    let options = Options::read(arguments).map_err(ServeError::Usage)?;
    if options.host == options::HERE {
        let note = "Only this machine can connect; --host 0.0.0.0 lets others in.";
        let _ = writeln!(io::stderr(), "{note}");
    }
    let journal = Journal::open(options.log.as_deref())?;
    let hall = Arc::new(Mutex::new(Hall { time: options.time, journal, game: None, last_id: 0 }));
    if let Some(size) = options.size {
        locked(&hall).create(size);
    }
    watch_clocks(&hall);
    Ok(HttpServer { host: options.host, port: options.port, service: Box::new(Service(hall)) })
}

/// Where the game is played.
struct Hall {
    /// What each player has; by the size of the board if nobody chose.
    time: Option<Duration>,
    journal: Journal,
    game: Option<OnlineGame>,
    /// The number in the last game's name.
    last_id: u64,
}

impl Hall {
    /// A new game in the place of the current one.
    fn create(&mut self, size: &'static str) -> &mut OnlineGame {
        // The original's names are seconds, so that two games of the same second had the same one.
        self.last_id = unix_time().as_secs().max(self.last_id + 1);
        let time = self.time.unwrap_or_else(|| match AnyGame::clock(&Rivers, size) {
            Clock::Total(time) | Clock::PerMove(time) => time,
            Clock::PerMoveByLanguage { native, .. } => native,
        });
        let id = format!("game_{}", self.last_id);
        self.journal.say(&format!("Created new game {id} with board size {size}"));
        self.game.insert(OnlineGame::new(id, size, time))
    }
}

struct Service(Arc<Mutex<Hall>>);

impl HttpService for Service {
    fn answer(&self, request: &HttpRequest<'_>) -> HttpResponse {
        routes::answer(&mut locked(&self.0), request, Instant::now())
    }
}

/// A request that panicked must not end the server.
fn locked(hall: &Mutex<Hall>) -> MutexGuard<'_, Hall> {
    hall.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Clocks fall even if nobody asks. Ends with the service.
fn watch_clocks(hall: &Arc<Mutex<Hall>>) {
    let hall = Arc::downgrade(hall);
    thread::spawn(move || {
        while let Some(hall) = hall.upgrade() {
            {
                let hall = &mut *locked(&hall);
                if let Some(game) = &mut hall.game {
                    game.look_at_clocks(Instant::now(), &mut hall.journal);
                }
            }
            drop(hall);
            thread::sleep(TICK);
        }
    });
}

fn unix_time() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests;
