//! The pages.

mod analyse;
mod enter;
mod frame;
mod home;
mod learn;
mod replay;
mod setup;
mod table;
mod tournaments;
mod watch;

use std::sync::Arc;

use axum::{
    Router,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use maud::html;

use crate::{
    api::ApiError,
    arena::Arena,
    guard::{Reason, RefusedForm},
    kits,
};
use frame::Frame;

/// Every page.
pub(crate) fn router() -> Router<Arc<Arena>> {
    Router::new()
        .route("/", get(home::home))
        .route("/play/{game}", get(setup::show).post(setup::begin))
        .route("/match/{id}", get(table::show))
        .route("/watch", get(watch::show))
        .route("/tournaments", get(tournaments::list))
        .route("/tournaments/{name}", get(tournaments::show))
        .route("/replay", get(replay::show).post(replay::paste))
        .route("/learn", get(learn::choose))
        .route("/learn/{game}", get(learn::show))
        .route("/kits/{game}/{file}", get(kits::download))
        .route("/enter", get(enter::show).post(enter::enter))
        .route("/analyse", get(analyse::choose))
        .route("/analyse/{game}", get(analyse::show))
}

/// A page that is not there.
pub(crate) async fn missing() -> Response {
    PageError(ApiError::missing("page")).into_response()
}

/// A request of a browser that was refused before any page could answer it; its form can be sent again.
pub(crate) fn refused(ApiError { status, error }: ApiError, form: Option<RefusedForm>) -> Response {
    let title = "That did not work";
    let content = html! {
        h1 { (title) }
        p { (crate::view::capitalised(&error)) "." }
        @if status == StatusCode::UNAUTHORIZED {
            // In another tab, so that this one keeps the form.
            p { a href="/enter" target="_blank" { "Give the token" } }
        }
        @if let Some(form) = form {
            form method="post" action=(form.action) {
                @for (name, value) in &form.fields { input type="hidden" name=(name) value=(value); }
                p { button .primary type="submit" { "Send it again" } }
            }
        }
        p { a href="/" { "All games" } }
    };
    let mut response = (status, Frame::new(title).page(content)).into_response();
    response.extensions_mut().insert(Reason(error));
    response
}

/// Why there is no page to show, as a page.
pub(crate) struct PageError(pub(crate) ApiError);

impl From<ApiError> for PageError {
    fn from(error: ApiError) -> PageError {
        PageError(error)
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let PageError(ApiError { status, error }) = self;
        let title = if status == StatusCode::NOT_FOUND { "Not found" } else { "That did not work" };
        let content = html! {
            h1 { (title) }
            p { (crate::view::capitalised(&error)) "." }
            p { a href="/" { "All games" } }
        };
        let mut response = (status, Frame::new(title).page(content)).into_response();
        response.extensions_mut().insert(Reason(error));
        response
    }
}
