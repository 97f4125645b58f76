//! The doors of the arena: who comes in, how many, and how long they may take to say what they want.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::arena::log;

/// How long somebody may take to send the head of a request. Connections that wait for the next one end after this too.
const HEAD: Duration = Duration::from_secs(10);
/// How long answers that are under way may take when the arena closes.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Connections from everywhere, and from one address unless that is this machine.
const MOST_CONNECTIONS: usize = 8_000;
const MOST_FROM_ONE: usize = 200;
/// How long to wait when the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(100);

/// Lets people in until `stop`.
pub(crate) async fn keep(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    allow_many_files();
    let crowd = Arc::new(Crowd::default());
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, address)) => {
                if let Some(place) = Place::take(&crowd, address.ip()) {
                    attend(stream, address, router.clone(), place, &graceful);
                }
            }
            Err(error) => {
                log(&format!("a connection could not be taken: {error}"));
                tokio::time::sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(LAST_WORDS, graceful.shutdown()).await;
}

fn attend(stream: TcpStream, address: SocketAddr, router: Router, place: Place, graceful: &GracefulShutdown) {
    // Turns are small and people wait for them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(address));
        router.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        let _place = place;
        // Whatever went wrong went wrong at the other end: it was slow, or is gone.
        let _ = connection.await;
    });
}

/// Every spectator is an open file; the system usually allows few, but more if asked.
fn allow_many_files() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = MOST_CONNECTIONS as u64 + 1_000;
    if current.is_some_and(|current| current < wanted) {
        let most = maximum.map_or(wanted, |maximum| maximum.min(wanted));
        // Without it there are fewer connections, and each that cannot be taken is reported.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum });
    }
}

/// Who is here.
#[derive(Default)]
struct Crowd(Mutex<HashMap<IpAddr, usize>>);

/// A connection's place in the crowd.
struct Place {
    crowd: Arc<Crowd>,
    address: IpAddr,
}

impl Place {
    /// A place, if there is one left. Who gets none is not answered: an answer would take a place.
    fn take(crowd: &Arc<Crowd>, address: IpAddr) -> Option<Place> {
        let mut here = crowd.0.lock().unwrap_or_else(PoisonError::into_inner);
        let most = if address.is_loopback() { MOST_CONNECTIONS } else { MOST_FROM_ONE };
        let all: usize = here.values().sum();
        let own = here.entry(address).or_default();
        if all >= MOST_CONNECTIONS || *own >= most {
            return None;
        }
        *own += 1;
        Some(Place { crowd: Arc::clone(crowd), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut here = self.crowd.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = here.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                here.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_cannot_take_all_places() {
        let crowd = Arc::new(Crowd::default());
        let greedy: IpAddr = [10, 0, 0, 1].into();
        let mut places: Vec<Place> = (0..MOST_FROM_ONE).filter_map(|_| Place::take(&crowd, greedy)).collect();
        assert_eq!(places.len(), MOST_FROM_ONE);
        assert!(Place::take(&crowd, greedy).is_none());
        assert!(Place::take(&crowd, [10, 0, 0, 2].into()).is_some());
        places.pop();
        assert!(Place::take(&crowd, greedy).is_some());
    }
}
