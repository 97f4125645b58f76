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

use super::{ApiError, ApiPath, ApiQuery, HEARTBEAT, not_played_here, refusals};
use crate::{arena::Arena, blocking::blocking, external, guard::Client, news::News, tournaments};

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
        Some(match self {
            Topic::All => Box::pin(every_match(arena)),
            Topic::Match(id) => match of_match(arena, client, id).await.ok()? {
                MatchMessages::Own(messages) | MatchMessages::External(messages) => messages,
            },
            Topic::Tournament(name) => Box::pin(tournaments::messages(arena, name).await.ok()?),
        })
    }
}

/// What is heard of a match: how it stands, then every change.
enum MatchMessages {
    /// It is played here.
    Own(Messages),
    /// It is played by another program, or over: there is an end.
    External(Messages),
}

/// Somebody looks at a match from now on. Its clock may have waited for them.
async fn of_match(arena: &Arc<Arena>, client: &Client, id: &str) -> Result<MatchMessages, ApiError> {
    let (looked_in, client, asked) = (Arc::clone(arena), client.id.clone(), id.to_owned());
    let own = blocking(move || {
        let Some(live) = looked_in.find(&asked)? else {
            not_played_here(&looked_in, &asked, false)?;
            return Ok(None);
        };
        let visit = live.presence().enter(&client);
        live.seen_by(&client);
        let messages = WatchStream::new(live.subscribe()).map(move |news: Arc<News>| {
            // They are here as long as they listen.
            let _visit = &visit;
            news.json()
        });
        Ok(Some(Box::pin(messages) as Messages))
    });
    Ok(match own.await? {
        Some(messages) => MatchMessages::Own(messages),
        None => MatchMessages::External(Box::pin(external::messages(arena, id))),
    })
}

/// Every change of every match. Whoever is too slow misses what came meanwhile and goes on with the next change.
fn every_match(arena: &Arena) -> impl Stream<Item = String> + Send + use<> {
    BroadcastStream::new(arena.news()).filter_map(Result::ok).map(|news| news.json())
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
    ApiQuery(wanted): ApiQuery<Vec<(String, String)>>,
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
    let news = every_match(&arena).map(|message| Some(Event::default().data(message)));
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
    ApiPath(id): ApiPath,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let end = WatchStream::from_changes(arena.closed()).map(|_| None);
    let event = |message| Some(Event::default().data(message));
    let news: Pin<Box<dyn Stream<Item = Option<Event>> + Send>> = match of_match(&arena, &client, &id).await? {
        MatchMessages::Own(messages) => Box::pin(messages.map(event)),
        MatchMessages::External(messages) => Box::pin(messages.map(event).chain(tokio_stream::once(None))),
    };
    let stream = news.merge(end).take_while(Option::is_some).filter_map(|event| event.map(Ok));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}
