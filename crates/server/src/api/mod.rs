//! The interface for programs, which the pages use too, and the way of every request.

mod analysis;
mod games;
mod lists;
mod matches;
mod pictures;
mod positions;
mod refusals;
mod rematch;
mod stream;
mod tournaments;

use std::{sync::Arc, time::Duration};

use agon_store::StoreError;
use axum::{
    Router,
    extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Json, Path, Query, Request},
    http::{StatusCode, request::Parts},
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use serde::{Serialize, de::DeserializeOwned};
use tower_http::compression::CompressionLayer;
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{arena::Arena, assets, guard, live_match::Refusal, pages};
pub(crate) use lists::finished;
pub(crate) use matches::{CreateMatch, SeatRequest, create, how_to_enter, not_played_here};
pub(crate) use positions::{Line, Reached};

/// No request is larger than this, records included.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// Why a request was refused.
#[derive(Serialize, ToSchema, Debug)]
pub(crate) struct ApiError {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    /// What was expected, what came, what to do.
    pub(crate) error: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> ApiError {
        ApiError { status, error: error.into() }
    }

    pub(crate) fn bad(error: impl ToString) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    }

    pub(crate) fn missing(what: &str) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }

    pub(crate) fn host(error: impl ToString) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let status = match &refusal {
            Refusal::NotYours => StatusCode::FORBIDDEN,
            Refusal::Stale(_) | Refusal::Over => StatusCode::CONFLICT,
            Refusal::Turn(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::TooMany | Refusal::Host(_) => StatusCode::SERVICE_UNAVAILABLE,
            // Its file and what it said are in the log.
            Refusal::Storage(error) => {
                let (status, why) = trouble(error);
                return ApiError::new(status, format!("this could not be written down, so it was not done: {why}"));
            }
        };
        ApiError::new(status, refusal.to_string())
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        let (status, why) = trouble(&error);
        tracing::error!(%error, "storage failed");
        ApiError::new(status, why)
    }
}

/// What visitors learn of trouble with the database: what it means for them, and nothing about this machine.
fn trouble(error: &StoreError) -> (StatusCode, String) {
    match error {
        StoreError::Full { .. } | StoreError::Io { .. } => (
            StatusCode::INSUFFICIENT_STORAGE,
            "the arena's disk is full, or fails: make room on the disk and try again".to_owned(),
        ),
        StoreError::Locked { .. } => (
            StatusCode::SERVICE_UNAVAILABLE,
            "another program holds the arena's database: try again in a moment".to_owned(),
        ),
        StoreError::Damaged { reason, .. } => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("what the arena's database has of it is damaged ({reason})"))
        }
        StoreError::MatchDiffers { .. } => (
            StatusCode::CONFLICT,
            "a match of this name is stored already and ended otherwise: nothing was overwritten".to_owned(),
        ),
        _ => (StatusCode::SERVICE_UNAVAILABLE, "the arena's database cannot be used: its log says why".to_owned()),
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let reason = guard::Reason(self.error.clone());
        let mut response = (self.status, Json(self)).into_response();
        response.extensions_mut().insert(reason);
        response
    }
}

/// A JSON body. What is wrong with it is said in JSON too.
pub(crate) struct ApiJson<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ApiJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<ApiJson<T>, ApiError> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(ApiJson(value)),
            Err(refusal) => Err(ApiError::new(refusal.status(), refusal.body_text())),
        }
    }
}

/// Values from the address, likewise.
pub(crate) struct ApiQuery<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for ApiQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<ApiQuery<T>, ApiError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(ApiQuery(value)),
            Err(refusal) => Err(ApiError::new(refusal.status(), refusal.body_text())),
        }
    }
}

/// A word of the path, likewise.
pub(crate) struct ApiPath(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for ApiPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<ApiPath, ApiError> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(ApiPath(value)),
            Err(refusal) => Err(ApiError::new(refusal.status(), refusal.body_text())),
        }
    }
}

#[derive(OpenApi)]
#[openapi(
    info(title = "Agon", description = "Play, watch, replay and analyse matches of board games."),
    components(schemas(ApiError))
)]
struct Document;

/// Everything that the arena answers.
pub(crate) fn router(arena: Arc<Arena>) -> Router {
    let (api, document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(games::list))
        .routes(routes!(positions::position))
        .routes(routes!(positions::preview))
        .routes(routes!(lists::list, matches::create_match))
        .routes(routes!(matches::get_match))
        .routes(routes!(matches::play_turn))
        .routes(routes!(matches::resign))
        .routes(routes!(matches::take_back))
        .routes(routes!(matches::join))
        .routes(routes!(rematch::rematch, rematch::no_rematch))
        .routes(routes!(matches::record))
        .routes(routes!(stream::events))
        .routes(routes!(stream::all_events))
        .routes(routes!(stream::stream))
        .routes(routes!(tournaments::list))
        .routes(routes!(tournaments::get_tournament))
        .routes(routes!(tournaments::events))
        .routes(routes!(analysis::analyse))
        .routes(routes!(analysis::threats))
        .routes(routes!(pictures::picture))
        .routes(routes!(pictures::replay))
        .split_for_parts();
    let document = Arc::new(document);
    let served = move || {
        let document = Arc::clone(&document);
        async move { Json((*document).clone()) }
    };
    Router::new()
        .merge(api)
        .merge(pages::router())
        .route("/api/openapi.json", get(served))
        .route("/assets/{version}/{name}", get(assets::get))
        .fallback(pages::missing)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(Arc::clone(&arena), guard::check))
        .with_state(arena)
}

/// Those who look on hear something at least this often, so that a dead connection is noticed.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(20);
