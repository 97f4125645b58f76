//! Giving the arena's token.

use std::sync::Arc;

use axum::{
    extract::{Form, Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use maud::html;
use serde::Deserialize;

use super::{PageError, frame::Frame};
use crate::{api::ApiError, arena::Arena, blocking::blocking, guard::Client};

/// What the link says.
#[derive(Deserialize)]
pub(crate) struct Link {
    token: Option<String>,
}

/// The form; a link that has the token lets the browser in at once.
pub(crate) async fn show(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Query(link): Query<Link>,
) -> Result<Response, PageError> {
    if let Some(token) = link.token {
        return enter(State(arena), client, Form(Given { token })).await;
    }
    let content = html! {
        h1 { "Enter" }
        form method="post" .panel {
            label { "The arena's token" input type="password" name="token" required autocomplete="current-password"; }
            p { button .primary type="submit" { "Enter" } }
        }
    };
    Ok(Frame::new("Enter").page(content).into_response())
}

/// What the form says.
#[derive(Deserialize)]
pub(crate) struct Given {
    token: String,
}

/// Lets the browser in, and takes the token out of its address line.
pub(crate) async fn enter(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Form(given): Form<Given>,
) -> Result<Response, PageError> {
    let enter = move || Ok(arena.access.enter(&given.token, &client.id, &mut arena.store())?);
    if blocking(enter).await? {
        return Ok(Redirect::to("/").into_response());
    }
    let sentence = "this is not the arena's token; without --token it is a new one whenever the arena is started";
    Err(ApiError::new(StatusCode::FORBIDDEN, sentence).into())
}
