//! A server of an original that spoke HTTP.

/// A service over HTTP, ready to be started.
pub struct HttpServer {
    /// The host to listen on.
    pub host: String,
    /// The port to listen on.
    pub port: u16,
    /// Who answers.
    pub service: Box<dyn HttpService>,
}

/// Answers HTTP requests. What carries them is not its business.
pub trait HttpService: Send + Sync {
    /// Answers one. Several may come at once.
    fn answer(&self, request: &HttpRequest<'_>) -> HttpResponse;
}

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct HttpRequest<'a> {
    /// `GET`, `POST` …
    pub method: &'a str,
    /// The path without the query.
    pub path: &'a str,
    /// The body; bytes that anyone may have sent.
    pub body: &'a [u8],
}

/// An answer: JSON unless `content_type` says otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// What the body is.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}
