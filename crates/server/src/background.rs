//! An arena beside another program: its matches on pages of this machine only, for as long as the program runs.

mod watched;

use std::{
    net::SocketAddr,
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use agon_entrants::Containment;
use agon_store::{Live, Store};
use thiserror::Error;
use tokio::sync::Notify;

use crate::{
    LogFormat, Options, ServeError,
    api::{ApiError, CreateMatch, Line, SeatRequest, create},
    arena::Arena,
    guard::Client,
    logging,
    view::{MatchView, in_address},
};

pub use watched::WatchedGame;

/// A running arena on a free port; it ends when this is dropped.
pub struct Background {
    address: SocketAddr,
    arena: Arc<Arena>,
    stop: Arc<Notify>,
    thread: Option<JoinHandle<()>>,
}

/// A match to be played on its page.
#[derive(Clone, Debug)]
pub struct NewMatch {
    /// The game's short name.
    pub game: String,
    /// The variant.
    pub variant: String,
    /// The rule set.
    pub rules: String,
    /// The position that it begins with, if not the start.
    pub position: Option<String>,
    /// The turns that were played before.
    pub turns: Vec<String>,
    /// The bot of each side; `None` is whoever sits down.
    pub bots: [Option<String>; 2],
    /// The clock, if people have one too.
    pub time: Option<String>,
}

/// Why a match could not be begun.
#[derive(Debug, Error)]
pub enum BeginError {
    /// It is no match that can be played.
    #[error("{0}")]
    Unfit(String),
    /// The host could not do its part.
    #[error("{0}")]
    Host(String),
}

/// How long pages get to hear of the end.
const LINGER: Duration = Duration::from_secs(3);
/// How often to look whether they have.
const POLL: Duration = Duration::from_millis(20);

impl Background {
    /// Starts it. The bots of its matches are contained like this.
    pub fn start(containment: Containment) -> Result<Background, ServeError> {
        let store = Store::in_memory()?;
        logging::log_to_stderr(LogFormat::Text);
        let (stop, (sender, started)) = (Arc::new(Notify::new()), mpsc::channel());
        let stopped = Arc::clone(&stop);
        let thread = thread::Builder::new().name("arena".to_owned()).spawn(move || {
            let ready = sender.clone();
            let options = Options { port: 0, containment: Arc::new(containment), ..Options::default() };
            let run = crate::run(store, options, |address, arena| {
                let _ = ready.send(Ok((address, arena)));
                async move { stopped.notified().await }
            });
            if let Err(error) = run {
                // Only heard if it never began.
                let _ = sender.send(Err(error));
            }
        });
        let thread = thread.map_err(ServeError::Host)?;
        let gone = |_| ServeError::Host(std::io::Error::other("the arena's thread ended"));
        let (address, arena) = started.recv().map_err(gone)??;
        Ok(Background { address, arena, stop, thread: Some(thread) })
    }

    /// The address of a match's page.
    pub fn page(&self, id: &str) -> String {
        format!("http://{}/match/{}", self.address, in_address(id))
    }

    /// Begins a match and gives its name.
    pub fn begin(&self, wanted: NewMatch) -> Result<String, BeginError> {
        let [first, second] = wanted.bots.map(|bot| bot.map_or(SeatRequest::Open, |spec| SeatRequest::Bot { spec }));
        let line = Line {
            game: wanted.game,
            variant: Some(wanted.variant),
            rules: Some(wanted.rules),
            position: wanted.position,
            turns: wanted.turns,
        };
        // Whoever runs this program says who plays.
        let organiser = Client { id: "nobody".to_owned(), has_token: true, address: None };
        let request = CreateMatch { line, first, second, time: wanted.time, casual: false, pace: None };
        create(&self.arena, &organiser, &request).map_err(|ApiError { status, error }| {
            if status.is_server_error() { BeginError::Host(error) } else { BeginError::Unfit(error) }
        })
    }

    /// How a match ended and its record, once it is over.
    pub fn ended(&self, id: &str) -> Option<(String, String)> {
        let live = self.arena.find(id).ok().flatten();
        let goes_on = live.is_some_and(|live| live.state().ended.is_none());
        if goes_on {
            return None;
        }
        let played = self.arena.finished(id).ok().flatten()?;
        let view = MatchView::finished(&played).ok()?;
        Some((view.position.outcome.map(|outcome| outcome.sentence).unwrap_or_default(), played.record))
    }

    /// Shows a match that this program plays as it is now. Who looks on can do without it, the match cannot: nothing is reported.
    pub fn show(&self, live: &Live) {
        let _ = self.arena.store().save_live(live);
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let deadline = Instant::now() + LINGER;
        while self.arena.external.subscribers() > 0 && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        self.arena.close();
        self.stop.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
