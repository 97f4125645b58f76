//! News of tournaments: looked for once for all who look on.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use agon_store::Live;
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::one;
use crate::{arena::Arena, view::MatchView};

/// How often a tournament is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// The news of each tournament that somebody looks at.
#[derive(Default)]
pub(crate) struct Watched(Mutex<HashMap<String, watch::Sender<Arc<str>>>>);

impl Watched {
    fn all(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Arc<str>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A match of a tournament in progress.
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
    /// `None` if its record cannot be read.
    pub(crate) fn of(live: &Live) -> Option<BoardView> {
        let view = MatchView::elsewhere(live).ok()?;
        Some(BoardView {
            id: live.id.clone(),
            game: live.game.clone(),
            players: [live.first.clone(), live.second.clone()],
            turns: view.turns.len(),
            board: view.position.board,
        })
    }
}

/// What those who look on are told.
#[derive(Serialize)]
struct News {
    /// Differs as soon as the tournament does.
    revision: String,
    state: &'static str,
    boards: Vec<BoardView>,
}

/// The tournament whenever it has changed.
pub(crate) fn look(arena: &Arc<Arena>, name: &str) -> watch::Receiver<Arc<str>> {
    let mut watched = arena.tournaments.news.all();
    if let Some(news) = watched.get(name) {
        return news.subscribe();
    }
    let (news, receiver) = watch::channel(Arc::from(""));
    watched.insert(name.to_owned(), news);
    tokio::spawn(keep_looking(Arc::clone(arena), name.to_owned()));
    receiver
}

async fn keep_looking(arena: Arc<Arena>, name: String) {
    let mut told: Arc<str> = Arc::from("");
    let mut looks = tokio::time::interval(LOOK);
    loop {
        looks.tick().await;
        let found = one(&arena, &name).await.ok();
        let text = found.map(|(seen, live)| {
            let boards: Vec<BoardView> = live.iter().filter_map(BoardView::of).collect();
            let news = News { revision: seen.revision(), state: seen.phase(live.len()).word(), boards };
            Arc::<str>::from(serde_json::to_string(&news).unwrap_or_default())
        });
        let mut watched = arena.tournaments.news.all();
        let Some(news) = watched.get(&name) else { return };
        if let Some(text) = text.filter(|text| *text != told) {
            told = Arc::clone(&text);
            news.send_replace(text);
        }
        if news.receiver_count() == 0 {
            watched.remove(&name);
            return;
        }
    }
}
