//! The web arena: play, watch, replay, analyse.
//!
//! [`serve`] runs it until it is told to stop. Pages are written here and enhanced by the small modules under `web/`; boards are
//! pictures that the games draw. What a page can do, a program can do through the JSON interface under `/api`.

mod access;
mod analysts;
mod api;
mod arena;
mod assets;
mod background;
mod blocking;
mod connections;
mod curtain;
mod external;
mod fair_play;
mod guard;
mod invite;
pub mod kits;
mod live_match;
mod logging;
mod news;
mod original;
mod pages;
mod presence;
mod rows;
mod seat;
mod state;
mod tournaments;
mod view;
mod workers;

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

use agon_entrants::Containment;
use agon_store::{Store, StoreError};
use arena::Arena;
pub use background::{Background, BeginError, NewMatch, WatchedGame};
pub use logging::{LogFormat, UnknownLogFormat};
pub use original::{CarryError, serve_original};
use thiserror::Error;

/// How the arena is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen at.
    pub bind: IpAddr,
    /// The port; 0 is any that is free.
    pub port: u16,
    /// The database; `None` keeps everything in memory.
    pub db: Option<PathBuf>,
    /// What others must know to change anything; needed if other machines can reach the address. Without one a new token is made,
    /// which only those need who would start programs here.
    pub token: Option<String>,
    /// How far bots are trusted that are not the house's.
    pub containment: Arc<Containment>,
    /// What lines of the log look like.
    pub log: LogFormat,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            bind: Ipv4Addr::LOCALHOST.into(),
            port: 8333,
            db: None,
            token: None,
            containment: Arc::new(Containment::strongest()),
            log: LogFormat::Text,
        }
    }
}

/// Why the arena could not be run.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Other machines can reach the address, and there is no token.
    #[error(
        "{0} can be reached from other machines: choose a secret and give it with --token (or AGON_TOKEN), \
         or bind to 127.0.0.1"
    )]
    NeedsToken(IpAddr),
    /// The token is empty: anybody could give it.
    #[error(
        "the token is empty, so anybody could give it: choose a longer one with --token (or AGON_TOKEN), or leave it out"
    )]
    EmptyToken,
    /// Nobody can listen there.
    #[error("cannot listen at {address} ({error}): choose another port with --port")]
    Address {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system failed.
    #[error(transparent)]
    Host(io::Error),
}

/// Runs the arena until Ctrl-C or a termination signal. `ready` is told where it listens, and the token that was made, if one was.
pub fn serve(options: Options, ready: impl FnOnce(SocketAddr, Option<&str>)) -> Result<(), ServeError> {
    if options.token.as_ref().is_some_and(|token| token.trim().is_empty()) {
        return Err(ServeError::EmptyToken);
    }
    if !options.bind.is_loopback() && options.token.is_none() {
        return Err(ServeError::NeedsToken(options.bind));
    }
    let store = match &options.db {
        Some(path) => Store::open(path).and_then(|store| store.check().map(|()| store)),
        None => Store::in_memory(),
    }?;
    logging::log_to_stderr(options.log);
    run(store, options, |address, arena| {
        ready(address, arena.access.made_token());
        stopped(arena)
    })
}

/// Runs the arena until what `ready` gives has come.
fn run<S: Future<Output = ()>>(
    store: Store,
    options: Options,
    ready: impl FnOnce(SocketAddr, Arc<Arena>) -> S,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Runtime::new().map_err(ServeError::Host)?;
    runtime.block_on(async {
        let address = SocketAddr::new(options.bind, options.port);
        let listener = tokio::net::TcpListener::bind(address).await;
        let listener = listener.map_err(|error| ServeError::Address { address, error })?;
        let address = listener.local_addr().map_err(ServeError::Host)?;
        let arena = Arena::open(store, options)?;
        Arc::clone(&arena).keep_time().map_err(ServeError::Host)?;
        let stop = ready(address, Arc::clone(&arena));
        connections::accept(listener, api::router(arena), stop).await;
        Ok(())
    })
}

/// Waits for a signal, then ends what would keep connections open.
async fn stopped(arena: Arc<Arena>) {
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            // Without it there is still Ctrl-C.
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminate => {}
    }
    // Ending a bot may wait for it.
    let _ = tokio::task::spawn_blocking(move || arena.close()).await;
}
