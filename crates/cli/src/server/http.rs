//! Carries HTTP requests to a service.

use std::{
    io::{self, Write},
    net::SocketAddr,
    sync::{Arc, mpsc},
    time::Duration,
};

use agon_originals::{HttpRequest, HttpResponse, HttpServer, HttpService, ServeError};
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    response::Response,
};
use tokio::{net::TcpListener, runtime, time::timeout};

use crate::error::CliError;

/// The longest body that is read.
const LONGEST_BODY: usize = 1 << 20;

/// How long a client may take to send its body.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) fn run(
    start: fn(&[String]) -> Result<HttpServer, ServeError>,
    arguments: &[String],
) -> Result<(), CliError> {
    let server = match start(arguments) {
        Ok(server) => server,
        Err(ServeError::Usage(usage)) if asks_for_help(arguments) => {
            println!("{usage}");
            return Ok(());
        }
        Err(ServeError::Usage(problem) | ServeError::Protocol(problem)) => return Err(CliError::Input(problem)),
        Err(ServeError::Io(error)) => return Err(CliError::Host(error.to_string())),
    };
    let host = |what: &str, error: io::Error| CliError::Host(format!("cannot {what}: {error}"));
    // Only Ctrl-C or a signal to end comes through here.
    let (stop, stopped) = mpsc::channel();
    let on_signal = move || {
        let _ = stop.send(());
    };
    ctrlc::set_handler(on_signal).map_err(|e| CliError::Host(format!("cannot wait for Ctrl-C: {e}")))?;
    let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|e| host("start the server", e))?;
    let place = (server.host.as_str(), server.port);
    let listener = runtime.block_on(TcpListener::bind(place));
    let listener = listener.map_err(|e| host(&format!("listen on {}:{}", server.host, server.port), e))?;
    let address = listener.local_addr().map_err(|e| host("find out the server's address", e))?;
    announce(address);
    let service: Arc<dyn HttpService> = Arc::from(server.service);
    let router = Router::new().fallback(carry).with_state(service);
    runtime.spawn(async move { axum::serve(listener, router).await });
    let _ = stopped.recv();
    runtime.shutdown_background();
    Ok(())
}

fn asks_for_help(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| argument == "--help" || argument == "-h")
}

/// A closed stdout does not stop a server.
fn announce(address: SocketAddr) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "http://{address}").and_then(|()| out.flush());
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
