//! Connections: how many there may be, from everywhere and from one address, and how long a request may take to arrive.

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

/// How long somebody may take to send the head of a request. Connections that wait for the next one end after this too.
const HEAD: Duration = Duration::from_secs(10);
/// How long answers that are under way may take when the arena closes.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Connections from everywhere, and from one address unless that is this machine.
const MOST_CONNECTIONS: usize = 8_000;
const MOST_FROM_ONE: usize = 200;
/// How long to wait when the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(100);

/// Takes connections until `stop`.
pub(crate) async fn accept(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    allow_many_files();
    let open = Arc::new(Open::default());
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, address)) => {
                if let Some(permit) = Permit::take(&open, address.ip()) {
                    serve(stream, address, router.clone(), permit, &graceful);
                }
            }
            Err(error) => {
                tracing::error!(%error, "a connection could not be taken");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(LAST_WORDS, graceful.shutdown()).await;
}

fn serve(stream: TcpStream, address: SocketAddr, router: Router, permit: Permit, graceful: &GracefulShutdown) {
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
        let _permit = permit;
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

/// How many connections each address has.
#[derive(Default)]
struct Open(Mutex<HashMap<IpAddr, usize>>);

/// The right to one connection; given back when it is dropped.
struct Permit {
    open: Arc<Open>,
    address: IpAddr,
}

impl Permit {
    /// A permit, if there is one left. Who gets none is not answered: an answer would take a connection.
    fn take(open: &Arc<Open>, address: IpAddr) -> Option<Permit> {
        let mut counts = open.0.lock().unwrap_or_else(PoisonError::into_inner);
        let most = if address.is_loopback() { MOST_CONNECTIONS } else { MOST_FROM_ONE };
        let all: usize = counts.values().sum();
        let own = counts.entry(address).or_default();
        if all >= MOST_CONNECTIONS || *own >= most {
            return None;
        }
        *own += 1;
        Some(Permit { open: Arc::clone(open), address })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut counts = self.open.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = counts.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_cannot_take_all_connections() {
        let open = Arc::new(Open::default());
        let greedy: IpAddr = [10, 0, 0, 1].into();
        let mut permits: Vec<Permit> = (0..MOST_FROM_ONE).filter_map(|_| Permit::take(&open, greedy)).collect();
        assert_eq!(permits.len(), MOST_FROM_ONE);
        assert!(Permit::take(&open, greedy).is_none());
        assert!(Permit::take(&open, [10, 0, 0, 2].into()).is_some());
        permits.pop();
        assert!(Permit::take(&open, greedy).is_some());
    }
}
