//! The server of a game's original that spoke HTTP: it answers, and here its requests are carried to it.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use agon_originals::{HttpRequest, HttpResponse, HttpServer, HttpService};
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    response::Response,
};
use thiserror::Error;
use tokio::{net::TcpListener, runtime, time::timeout};

/// The longest body that is read.
const LONGEST_BODY: usize = 1 << 20;

/// How long a client may take to send its body.
const PATIENCE: Duration = Duration::from_secs(30);

/// The server of an original cannot be reached by anybody.
#[derive(Debug, Error)]
pub enum CarryError {
    /// The host does not start it.
    #[error("cannot start the server: {0}")]
    Start(#[source] io::Error),
    /// Nobody can listen there.
    #[error("cannot listen on {host}:{port}: {reason}")]
    Listen {
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// Why not.
        #[source]
        reason: io::Error,
    },
    /// It is not known where it listens.
    #[error("cannot find out the server's address: {0}")]
    Address(#[source] io::Error),
}

/// Carries requests to a service until `wait` returns. `ready` is told where it listens.
///
/// # Errors
/// If the host fails, or somebody else listens there.
pub fn serve_original(
    server: HttpServer,
    ready: impl FnOnce(SocketAddr),
    wait: impl FnOnce(),
) -> Result<(), CarryError> {
    let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(CarryError::Start)?;
    let HttpServer { host, port, service } = server;
    let listener = runtime.block_on(TcpListener::bind((host.as_str(), port)));
    let listener = listener.map_err(|reason| CarryError::Listen { host, port, reason })?;
    ready(listener.local_addr().map_err(CarryError::Address)?);
    let service: Arc<dyn HttpService> = Arc::from(service);
    let router = Router::new().fallback(carry).with_state(service);
    runtime.spawn(async move { axum::serve(listener, router).await });
    wait();
    runtime.shutdown_background();
    Ok(())
}

async fn carry(State(service): State<Arc<dyn HttpService>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let announced = head.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > LONGEST_BODY as u64) {
        return refusal(413, "the body is too long");
    }
    let body = match timeout(PATIENCE, to_bytes(body, LONGEST_BODY)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return refusal(413, "the body is too long or broken off"),
        Err(_) => return refusal(408, "the body did not come in time"),
    };
    // A service may wait for its turn: not on a thread that others need.
    let answer = tokio::task::spawn_blocking(move || {
        service.answer(&HttpRequest { method: head.method.as_str(), path: head.uri.path(), body: &body })
    });
    match answer.await {
        Ok(answer) => response(answer),
        Err(_) => refusal(500, "the server failed"),
    }
}

fn refusal(status: u16, error: &str) -> Response {
    let body = serde_json::json!({ "error": error });
    response(HttpResponse { status, content_type: "application/json", body: format!("{body}\n") })
}

fn response(answer: HttpResponse) -> Response {
    let built = Response::builder()
        .status(answer.status)
        .header(header::CONTENT_TYPE, answer.content_type)
        .body(Body::from(answer.body));
    built.unwrap_or_else(|_| {
        let mut failed = Response::new(Body::empty());
        *failed.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        failed
    })
}
