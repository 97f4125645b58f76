//! Matches that other programs play on the same database: looked at once for all who look on.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::watch;

use crate::{
    api::{apart, not_played_here},
    arena::Arena,
    news::News,
};

/// How often a match is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// The news of each match that somebody looks at.
#[derive(Default)]
pub(crate) struct Elsewhere(Mutex<HashMap<String, watch::Sender<Arc<News>>>>);

impl Elsewhere {
    fn watched(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Arc<News>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many look on.
    pub(crate) fn lookers(&self) -> usize {
        self.watched().values().map(watch::Sender::receiver_count).sum()
    }
}

/// The match whenever it has changed; the news end with the match.
pub(crate) fn look(arena: &Arc<Arena>, id: &str) -> watch::Receiver<Arc<News>> {
    let mut watched = arena.elsewhere.watched();
    if let Some(news) = watched.get(id) {
        return news.subscribe();
    }
    let (news, receiver) = watch::channel(News::plain(String::new()));
    watched.insert(id.to_owned(), news);
    tokio::spawn(keep_looking(Arc::clone(arena), id.to_owned()));
    receiver
}

async fn keep_looking(arena: Arc<Arena>, id: String) {
    let mut turns = None;
    let mut looks = tokio::time::interval(LOOK);
    loop {
        looks.tick().await;
        let asked = id.clone();
        // Everybody hears the same: nothing that only some may read.
        let view = apart(&arena, move |arena| not_played_here(arena, &asked, false)).await.ok();
        let over = view.as_ref().is_none_or(|view| view.over);
        let mut watched = arena.elsewhere.watched();
        let Some(news) = watched.get(&id) else { return };
        if let Some(view) = view.filter(|view| turns.replace(view.turns.len()) != Some(view.turns.len()) || over) {
            news.send_replace(News::plain(serde_json::to_string(&view).unwrap_or_default()));
        }
        if over || news.receiver_count() == 0 {
            watched.remove(&id);
            return;
        }
    }
}
