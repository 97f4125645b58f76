//! One stream of events for everything that a browser looks at: a browser opens few connections to one host, however many tabs it has.

use std::{convert::Infallible, pin::Pin, sync::Arc};

use axum::{
    extract::State,
    response::sse::{Event, KeepAlive, Sse},
};
use tokio_stream::{
    Stream, StreamExt, StreamMap,
    wrappers::{BroadcastStream, WatchStream},
};

use super::{ApiError, Asked, HEARTBEAT, Named, apart, not_played_here, refusals};
use crate::{arena::Arena, elsewhere, guard::Client, news::News, tournaments};

/// What one stream can be about; a browser with more tabs than that hears nothing in some.
const MOST_TOPICS: usize = 200;

type Messages = Pin<Box<dyn Stream<Item = String> + Send>>;

/// What somebody wants to hear of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Topic {
    /// A match.
    Match(String),
    /// A tournament.
    Tournament(String),
    /// Every match that is played here.
    All,
}

impl Topic {
    fn of(kind: &str, name: &str) -> Option<Topic> {
        match (kind, name) {
            ("match", id) => Some(Topic::Match(id.to_owned())),
            ("tournament", name) => Some(Topic::Tournament(name.to_owned())),
            ("all", "") => Some(Topic::All),
            _ => None,
        }
    }

    /// The name of its events.
    fn event(&self) -> String {
        let (kind, name) = match self {
            Topic::Match(id) => ("match", id.as_str()),
            Topic::Tournament(name) => ("tournament", name.as_str()),
            Topic::All => ("all", ""),
        };
        // Line ends would end the event's name.
        format!("{kind}:{}", name.replace(['\r', '\n'], " "))
    }

    /// How it stands, then every change; none if there is no such thing.
    async fn messages(&self, arena: &Arc<Arena>, client: &Client) -> Option<Messages> {
        let text = |news: Arc<News>| news.now();
        Some(match self {
            Topic::All => Box::pin(BroadcastStream::new(arena.news()).filter_map(Result::ok).map(text)),
            Topic::Match(id) => match of_match(arena, client, id).await.ok()? {
                Told::Here(news) => news,
                Told::Elsewhere(news) => Box::pin(news.filter(|news| !news.is_empty()).map(text)),
            },
            Topic::Tournament(name) => {
                tournaments::one(arena, name).await.ok()?;
                let news = WatchStream::new(tournaments::look(arena, name));
                Box::pin(news.filter(|news| !news.is_empty()).map(|news| news.to_string()))
            }
        })
    }
}

/// The news of a match.
enum Told {
    /// It is played here: how it stands, then every change.
    Here(Messages),
    /// It is played by another program, or over.
    Elsewhere(WatchStream<Arc<News>>),
}

/// Somebody looks at a match from now on. Its clock may have waited for them.
async fn of_match(arena: &Arc<Arena>, client: &Client, id: &str) -> Result<Told, ApiError> {
    let (client, id) = (client.id.clone(), id.to_owned());
    let look = move |arena: &Arc<Arena>| {
        let Some(live) = arena.find(&id)? else {
            not_played_here(arena, &id, false)?;
            return Ok((None, id));
        };
        let here = live.presence().enter(&client);
        live.seen_by(&client);
        let news = WatchStream::new(live.subscribe()).map(move |news: Arc<News>| {
            // They are here as long as they listen.
            let _here = &here;
            news.now()
        });
        Ok((Some(Box::pin(news) as Messages), id))
    };
    let (here, id) = apart(arena, look).await?;
    Ok(match here {
        Some(news) => Told::Here(news),
        None => Told::Elsewhere(WatchStream::new(elsewhere::look(arena, &id))),
    })
}

/// Several matches and tournaments at once, as server-sent events: `match=ID`, `tournament=NAME` and `all=` in the address, as often as
/// needed. Each event is named after what it is about, as in `match:ID`; what does not exist is left out.
#[utoipa::path(get, path = "/api/stream", params(
    ("match" = Option<String>, Query, description = "a match; may be given more than once"),
    ("tournament" = Option<String>, Query, description = "a tournament; may be given more than once"),
    ("all" = Option<String>, Query, description = "if it is there, and empty: every match that is played here"),
), responses(
    (status = 200, description = "events without end", body = String, content_type = "text/event-stream"),
    refusals::Anything, refusals::Unacceptable,
))]
pub(crate) async fn stream(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Asked(wanted): Asked<Vec<(String, String)>>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    if wanted.len() > MOST_TOPICS {
        return Err(ApiError::bad(format!("{} topics: a stream has at most {MOST_TOPICS}", wanted.len())));
    }
    let mut topics: StreamMap<String, Messages> = StreamMap::new();
    for (kind, name) in &wanted {
        let topic = Topic::of(kind, name).ok_or_else(|| {
            let sentence = format!("expected match=ID, tournament=NAME or all=, found {}", agon_rules::quote(kind));
            ApiError::bad(sentence)
        })?;
        if let Some(messages) = topic.messages(&arena, &client).await {
            topics.insert(topic.event(), messages);
        }
    }
    let news = topics.map(|(event, message)| Some(Event::default().event(event).data(message)));
    // Without a topic there is nothing to tell, and the stream still lives.
    let news = news.chain(tokio_stream::pending());
    let end = WatchStream::from_changes(arena.closed()).map(|_| None);
    let stream = news.merge(end).take_while(Option::is_some).filter_map(|event| event.map(Ok));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}

/// Every match whenever it changes, as server-sent events.
#[utoipa::path(get, path = "/api/events", responses(
    (status = 200, description = "events without end", body = String, content_type = "text/event-stream"),
    refusals::Anything,
))]
pub(crate) async fn all_events(State(arena): State<Arc<Arena>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    // Whoever is too slow misses what came meanwhile and goes on with the next change.
    let news = BroadcastStream::new(arena.news()).filter_map(Result::ok);
    let news = news.map(|news| Some(Event::default().data(news.now())));
    let end = WatchStream::from_changes(arena.closed()).map(|_| None);
    let stream = news.merge(end).take_while(Option::is_some).filter_map(|event| event.map(Ok));
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

/// The match whenever it changes, as server-sent events.
#[utoipa::path(get, path = "/api/matches/{id}/events", params(("id" = String, Path)), responses(
    (status = 200, description = "events without end", body = String, content_type = "text/event-stream"),
    refusals::Anything, refusals::Missing,
))]
pub(crate) async fn events(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Named(id): Named,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let end = WatchStream::from_changes(arena.closed()).map(|_| None);
    let news: Pin<Box<dyn Stream<Item = Option<Event>> + Send>> = match of_match(&arena, &client, &id).await? {
        Told::Here(news) => Box::pin(news.map(|news| Some(Event::default().data(news)))),
        Told::Elsewhere(news) => {
            let news = news.filter(|news| !news.is_empty());
            Box::pin(news.map(|news| Some(Event::default().data(news.now()))).chain(tokio_stream::once(None)))
        }
    };
    let stream = news.merge(end).take_while(Option::is_some).filter_map(|event| event.map(Ok));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}
