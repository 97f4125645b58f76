//! News of tournaments: looked for once for all who look on.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::Serialize;
use tokio::sync::watch;
use tokio_stream::{Stream, StreamExt, wrappers::WatchStream};

use super::one;
use crate::{api::ApiError, arena::Arena, blocking::blocking, external::BoardView};

/// How often a tournament is looked at.
const POLL: Duration = Duration::from_secs(1);

/// The news of each tournament that somebody looks at, as JSON; empty before the first look.
#[derive(Default)]
pub(crate) struct Watched(Mutex<HashMap<String, watch::Sender<Arc<str>>>>);

impl Watched {
    fn all(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Arc<str>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A tournament as those who look on get it.
#[derive(Serialize)]
struct News<'a> {
    /// Differs as soon as the tournament does.
    revision: String,
    state: &'static str,
    boards: Vec<&'a BoardView>,
}

/// The tournament whenever it has changed, as JSON.
pub(crate) async fn messages(
    arena: &Arc<Arena>,
    name: &str,
) -> Result<impl Stream<Item = String> + Send + use<>, ApiError> {
    let (asked, wanted) = (Arc::clone(arena), name.to_owned());
    blocking(move || one(&asked, &wanted).map(|_| ())).await?;
    let messages = WatchStream::new(subscribe(arena, name));
    Ok(messages.filter(|message| !message.is_empty()).map(|message| message.to_string()))
}

fn subscribe(arena: &Arc<Arena>, name: &str) -> watch::Receiver<Arc<str>> {
    let mut watched = arena.tournaments.news.all();
    if let Some(news) = watched.get(name) {
        return news.subscribe();
    }
    let (news, receiver) = watch::channel(Arc::from(""));
    watched.insert(name.to_owned(), news);
    tokio::spawn(keep_polling(Arc::clone(arena), name.to_owned()));
    receiver
}

async fn keep_polling(arena: Arc<Arena>, name: String) {
    let mut polls = tokio::time::interval(POLL);
    loop {
        polls.tick().await;
        let (polled, asked) = (Arc::clone(&arena), name.clone());
        let text = blocking(move || poll(&polled, &asked)).await.ok();
        let mut watched = arena.tournaments.news.all();
        let Some(news) = watched.get(&name) else { return };
        if let Some(text) = text {
            news.send_if_modified(|sent| {
                let changed = **sent != *text;
                *sent = text;
                changed
            });
        }
        if news.receiver_count() == 0 {
            watched.remove(&name);
            return;
        }
    }
}

fn poll(arena: &Arena, name: &str) -> Result<Arc<str>, ApiError> {
    let shown = one(arena, name)?;
    let boards = shown.boards.iter().map(|board| &**board).collect();
    let news = News { revision: shown.snapshot.revision(), state: shown.phase.word(), boards };
    Ok(Arc::from(serde_json::to_string(&news).unwrap_or_default()))
}
