//! Matches that other programs play on the same database: looked at once, and drawn once, for all who look on.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use agon_store::Live;
use serde::Serialize;
use tokio::sync::watch;
use tokio_stream::{Stream, StreamExt, wrappers::WatchStream};
use utoipa::ToSchema;

use crate::{
    api::{ApiError, not_played_here},
    arena::Arena,
    blocking::blocking,
    view::MatchView,
};

/// How often a match is looked at.
const POLL: Duration = Duration::from_millis(500);
/// Boards that are kept; then all are forgotten, and those that are still looked at are drawn again.
const MOST_BOARDS: usize = 256;

/// What is known of such matches.
#[derive(Default)]
pub(crate) struct External {
    /// Each match that somebody looks at as JSON; empty before the first look.
    watched: Mutex<HashMap<String, watch::Sender<Arc<str>>>>,
    /// Boards by the names of their matches.
    boards: Mutex<HashMap<String, Drawn>>,
}

/// A match as it stood when its board was drawn.
struct Drawn {
    live: Live,
    board: Option<Arc<BoardView>>,
}

impl External {
    fn watched(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Arc<str>>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many look on.
    pub(crate) fn subscribers(&self) -> usize {
        self.watched().values().map(watch::Sender::receiver_count).sum()
    }

    /// The board of a match, drawn if nobody has looked at it since it last changed. `None` if its record cannot be read.
    pub(crate) fn board(&self, live: &Live) -> Option<Arc<BoardView>> {
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Drawn { live: drawn, board }) = boards.get(&live.id)
            && (&drawn.first, &drawn.second, &drawn.record) == (&live.first, &live.second, &live.record)
        {
            return board.clone();
        }
        if boards.len() >= MOST_BOARDS {
            boards.clear();
        }
        let board = BoardView::of(live).map(Arc::new);
        boards.insert(live.id.clone(), Drawn { live: live.clone(), board: board.clone() });
        board
    }
}

/// The board of a match in progress, and who plays.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
pub(crate) struct BoardView {
    /// Its name; its page is `/match/` and the name.
    pub(crate) id: String,
    /// The game's short name.
    pub(crate) game: String,
    /// Who plays, the first side first.
    pub(crate) players: [String; 2],
    /// Turns that were made.
    pub(crate) turns: usize,
    /// The picture, as SVG without a style sheet of its own.
    pub(crate) board: String,
}

impl BoardView {
    fn of(live: &Live) -> Option<BoardView> {
        let view = MatchView::external(live).ok()?;
        Some(BoardView {
            id: live.id.clone(),
            game: live.game.clone(),
            players: [live.first.clone(), live.second.clone()],
            turns: view.turns.len(),
            board: view.position.board,
        })
    }
}

/// The match whenever it has changed, as JSON; the messages end with the match.
pub(crate) fn messages(arena: &Arc<Arena>, id: &str) -> impl Stream<Item = String> + Send + use<> {
    let messages = WatchStream::new(subscribe(arena, id));
    messages.filter(|message| !message.is_empty()).map(|message| message.to_string())
}

fn subscribe(arena: &Arc<Arena>, id: &str) -> watch::Receiver<Arc<str>> {
    let mut watched = arena.external.watched();
    if let Some(news) = watched.get(id) {
        return news.subscribe();
    }
    let (news, receiver) = watch::channel(Arc::from(""));
    watched.insert(id.to_owned(), news);
    tokio::spawn(keep_polling(Arc::clone(arena), id.to_owned()));
    receiver
}

/// What a look at a match has found.
enum Found {
    /// As many turns as before.
    Unchanged,
    /// Something new: how many turns there are now, and all of it.
    Changed { turns: usize, news: Arc<str> },
    /// Its end.
    Over(Option<Arc<str>>),
}

async fn keep_polling(arena: Arc<Arena>, id: String) {
    let mut turns = None;
    let mut polls = tokio::time::interval(POLL);
    loop {
        polls.tick().await;
        let (polled, asked, known) = (Arc::clone(&arena), id.clone(), turns);
        let found = blocking(move || poll(&polled, &asked, known)).await.unwrap_or(Found::Over(None));
        let mut watched = arena.external.watched();
        let Some(sender) = watched.get(&id) else { return };
        let over = matches!(found, Found::Over(_));
        match found {
            Found::Unchanged | Found::Over(None) => {}
            Found::Changed { turns: made, news } => {
                turns = Some(made);
                sender.send_replace(news);
            }
            Found::Over(Some(news)) => {
                sender.send_replace(news);
            }
        }
        if over || sender.receiver_count() == 0 {
            watched.remove(&id);
            return;
        }
    }
}

fn poll(arena: &Arena, id: &str, known: Option<usize>) -> Result<Found, ApiError> {
    let stored = arena.external_match(id)?;
    if stored.is_some_and(|live| Some(live.turns as usize) == known) {
        return Ok(Found::Unchanged);
    }
    // Everybody hears the same: nothing that only some may read.
    let view = not_played_here(arena, id, false)?;
    let news = Arc::from(serde_json::to_string(&view).unwrap_or_default());
    Ok(if view.over { Found::Over(Some(news)) } else { Found::Changed { turns: view.turns.len(), news } })
}
