//! An arena beside another program: its matches on pages of this machine only, for as long as the program runs.

use std::{
    net::SocketAddr,
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use agon_entrants::Containment;
use agon_store::{Live, Store};
use tokio::sync::Notify;

use crate::{
    Options, ServeError,
    api::{CreateMatch, Line, SeatRequest, create},
    arena::Arena,
    guard::Client,
    view::{MatchView, in_address},
};

/// A running arena on a free port; it ends when this is dropped.
pub struct Background {
    address: SocketAddr,
    arena: Arc<Arena>,
    stop: Arc<Notify>,
    thread: Option<JoinHandle<()>>,
}

/// A match to be played on its page.
#[derive(Clone, Debug)]
pub struct Wish {
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

/// How long pages get to hear of the end.
const LAST_LOOK: Duration = Duration::from_secs(3);
/// How often to look whether they have.
const GLANCE: Duration = Duration::from_millis(20);

impl Background {
    /// Starts it. The bots of its matches are contained like this.
    pub fn start(containment: Containment) -> Result<Background, ServeError> {
        let store = Store::in_memory().map_err(ServeError::Store)?;
        let (stop, (sender, started)) = (Arc::new(Notify::new()), mpsc::channel());
        let told = Arc::clone(&stop);
        let thread = thread::Builder::new().name("arena".to_owned()).spawn(move || {
            let ready = sender.clone();
            let options = Options { port: 0, containment: Arc::new(containment), ..Options::default() };
            let run = crate::run(store, options, |address, arena| {
                let _ = ready.send(Ok((address, arena)));
                async move { told.notified().await }
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

    /// Begins a match and gives its name. The error says what is wrong with the wish.
    pub fn begin(&self, wish: Wish) -> Result<String, String> {
        let [first, second] = wish.bots.map(|bot| bot.map_or(SeatRequest::Open, |spec| SeatRequest::Bot { spec }));
        let line = Line {
            game: wish.game,
            variant: Some(wish.variant),
            rules: Some(wish.rules),
            position: wish.position,
            turns: wish.turns,
        };
        // Whoever runs this program says who plays.
        let organiser = Client { id: "nobody".to_owned(), has_token: true, address: None };
        let wanted = CreateMatch { line, first, second, time: wish.time, casual: false, pace: None };
        create(&self.arena, &organiser, &wanted).map_err(|refusal| refusal.error)
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
        let deadline = Instant::now() + LAST_LOOK;
        while self.arena.elsewhere.lookers() > 0 && Instant::now() < deadline {
            thread::sleep(GLANCE);
        }
        self.arena.close();
        self.stop.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
