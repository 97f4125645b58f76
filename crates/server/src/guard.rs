//! Who may ask for what, and how often.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    extract::{ConnectInfo, Form, FromRequest, FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::Instrument;

use crate::{
    api::{ApiError, MOST_BYTES},
    arena::Arena,
    invite::{digest, word},
    pages,
};

/// The cookie that says which browser this is.
const COOKIE: &str = "agon";
/// Letters of its value: 130 bits.
const SECRET_LETTERS: usize = 26;

/// Nothing but our own files, no script and no style inside pages, and nobody may frame them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The browser or program that asks.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    /// The digest of its secret.
    pub(crate) id: String,
    /// Whether it has given the token.
    pub(crate) has_token: bool,
    /// Where it is; `None` is this program.
    pub(crate) address: Option<IpAddr>,
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Client, ApiError> {
        parts.extensions.get::<Client>().cloned().ok_or_else(|| ApiError::host("the request has no client"))
    }
}

/// How often one address may ask.
#[derive(Default)]
pub(crate) struct RateLimits {
    buckets: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

/// So many changes at once, and so many a second after that.
const BURST: f64 = 400.0;
const RATE: f64 = 100.0;
/// Addresses that are remembered; then all are forgotten, which is kind to everybody.
const MOST_ADDRESSES: usize = 10_000;

impl RateLimits {
    fn allows(&self, address: IpAddr) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MOST_ADDRESSES {
            buckets.clear();
        }
        let now = Instant::now();
        let (left, since) = buckets.entry(address).or_insert((BURST, now));
        *left = (*left + RATE * now.duration_since(*since).as_secs_f64()).min(BURST);
        *since = now;
        if *left < 1.0 {
            return false;
        }
        *left -= 1.0;
        true
    }
}

/// How long a request may take to arrive, and to be answered. Streams of events only begin within that time.
const PATIENCE: Duration = Duration::from_secs(20);

/// The header with the name of a request, which its lines in the log have too.
const REQUEST_ID: &str = "x-request-id";
/// Letters of a name that we give.
const REQUEST_ID_LETTERS: usize = 12;
/// Names that somebody in front of the arena gives are not longer, and consist of letters, digits and `-._`.
const MOST_REQUEST_ID: usize = 64;

/// Characters of an address or a reason that are worth a place in the log.
const MOST_LOGGED: usize = 200;

/// Everything passes here, on its way in and out.
pub(crate) async fn check(State(arena): State<Arc<Arena>>, mut request: Request, next: Next) -> Response {
    let id = request_id(request.headers());
    // The address without its query, where a token may be, and without what would look like another line.
    let path: String = request.uri().path().chars().take(MOST_LOGGED).flat_map(char::escape_debug).collect();
    let span = tracing::info_span!("request", %id, method = %request.method(), %path);
    let mut response = answer(&arena, &mut request, next).instrument(span.clone()).await;
    if response.status().is_client_error() || response.status().is_server_error() {
        span.in_scope(|| log_refusal(&response));
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    protect(response)
}

/// What a request is called: as somebody in front of the arena called it, or by a new name.
fn request_id(headers: &HeaderMap) -> String {
    let plain = |id: &&str| {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
        (1..=MOST_REQUEST_ID).contains(&id.len()) && id.bytes().all(known)
    };
    let given = headers.get(REQUEST_ID).and_then(|value| value.to_str().ok()).filter(plain);
    given.map_or_else(|| word(REQUEST_ID_LETTERS).unwrap_or_default(), str::to_owned)
}

/// Why a request was refused, for the log.
#[derive(Clone)]
pub(crate) struct Reason(pub(crate) String);

fn log_refusal(response: &Response) {
    let status = response.status().as_u16();
    let reason = response.extensions().get::<Reason>();
    let reason = reason.map(|Reason(sentence)| sentence.chars().take(MOST_LOGGED).collect::<String>());
    tracing::info!(status, reason, "refused");
}

async fn answer(arena: &Arena, request: &mut Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let (secret, fresh) = match cookie(request.headers(), COOKIE).filter(|text| text.len() == SECRET_LETTERS) {
        Some(secret) => (Some(secret), false),
        None => (word(SECRET_LETTERS), true),
    };
    let Some(secret) = secret else {
        return ApiError::host("the system has no randomness to give").into_response();
    };
    let id = digest(&secret);
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
    let client = Client { has_token: arena.access.knows(request.headers(), &id), id, address };
    let page = wants_page(request);
    if let Err(refusal) = admit(arena, request, changes, &client) {
        let fields = if page { fields(&refusal, std::mem::take(request)).await } else { None };
        return refuse_and_close(refusal, page, fields);
    }
    request.extensions_mut().insert(client);
    // All of it is read, whatever is done with it: what is left unread would end the connection, now and then.
    let request = match tokio::time::timeout(PATIENCE, with_body(std::mem::take(request))).await {
        Ok(Ok(request)) => request,
        Ok(Err(refusal)) => return refuse_and_close(refusal, page, None),
        Err(_) => return refuse_and_close(too_slow(), page, None),
    };
    let Ok(mut response) = tokio::time::timeout(PATIENCE, next.run(request)).await else {
        return too_slow().into_response();
    };
    // Whoever only reads needs no name yet; a page needs one before its first move.
    let is_page =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    // Whoever is redirected has just given the token.
    if fresh && (changes || is_page || response.status().is_redirection()) {
        let value = format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000");
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    }
    response
}

/// The request with its body at hand.
async fn with_body(request: Request) -> Result<Request, ApiError> {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, MOST_BYTES).await.map_err(|_| {
        let sentence = format!("the request broke off, or has more than the {MOST_BYTES} bytes that are read");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
    })?;
    Ok(Request::from_parts(parts, bytes.into()))
}

fn too_slow() -> ApiError {
    let sentence = format!("the request was not complete after {} s", PATIENCE.as_secs());
    ApiError::new(StatusCode::REQUEST_TIMEOUT, sentence)
}

/// Refuses a request that was not read to its end, and says that the connection ends with it.
fn refuse_and_close(refusal: ApiError, page: bool, fields: Option<RefusedForm>) -> Response {
    let mut response = if page { pages::refused(refusal, fields) } else { refusal.into_response() };
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Whether somebody looks at a browser's window for the answer, and not a program.
fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepts.is_some_and(|kinds| kinds.contains("text/html")) && !request.uri().path().starts_with("/api/")
}

/// What a form said that can be sent again when the reason of the refusal is gone. Nothing that another site wrote is sent again.
async fn fields(refusal: &ApiError, request: Request) -> Option<RefusedForm> {
    if !matches!(refusal.status, StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS) {
        return None;
    }
    let action = request.uri().path().to_owned();
    let read = async { Form::<Vec<(String, String)>>::from_request(with_body(request).await.ok()?, &()).await.ok() };
    let Form(fields) = tokio::time::timeout(PATIENCE, read).await.ok()??;
    // A page must not carry a secret.
    let fields = fields.into_iter().filter(|(name, _)| name != "token").collect();
    Some(RefusedForm { action, fields })
}

/// A form that was refused.
pub(crate) struct RefusedForm {
    /// Where it is sent.
    pub(crate) action: String,
    pub(crate) fields: Vec<(String, String)>,
}

fn admit(arena: &Arena, request: &Request, changes: bool, client: &Client) -> Result<(), ApiError> {
    let headers = request.headers();
    if arena.options.bind.is_loopback() && !names_this_machine(headers) {
        // Another site may have pointed its name at this machine.
        return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, "this server is only known as localhost"));
    }
    if !changes {
        return Ok(());
    }
    if client.address.is_some_and(|address| !arena.limits.allows(address)) {
        return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a moment"));
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > MOST_BYTES) {
        // Said at once: nobody should have to send it all to learn that it is too much.
        let sentence = format!("the request has {} bytes, at most {MOST_BYTES} are read", length.unwrap_or_default());
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, sentence));
    }
    if is_cross_origin(headers) {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "this request was made by another site's page"));
    }
    // At /enter the token is given.
    if !arena.access.guards_changes() || client.has_token || request.uri().path() == "/enter" {
        return Ok(());
    }
    Err(ApiError::new(
        StatusCode::UNAUTHORIZED,
        "this needs the arena's token: open /enter, or send it as a bearer token",
    ))
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

fn names_this_machine(headers: &HeaderMap) -> bool {
    let Some(host) = host(headers) else { return true };
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name).trim_matches(['[', ']']);
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn is_cross_origin(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return true;
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let origin = origin.to_str().unwrap_or_default();
    let name = origin.split_once("://").map_or("", |(_, name)| name);
    host(headers) != Some(name)
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned())
}

fn protect(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
