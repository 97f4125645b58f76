//! Giving the token of an arena that others can reach.

use std::sync::Arc;

use axum::{
    extract::{Form, State},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{PageError, frame::Frame};
use crate::{api::ApiError, arena::Arena, guard};

/// The form.
pub(crate) async fn show() -> Markup {
    let content = html! {
        h1 { "Enter" }
        form method="post" .panel {
            label { "The arena's token" input type="password" name="token" required autocomplete="current-password"; }
            p { button .primary type="submit" { "Enter" } }
        }
    };
    Frame::new("Enter").page(content)
}

/// What the form says.
#[derive(Deserialize)]
pub(crate) struct Given {
    token: String,
}

/// Lets the browser in.
pub(crate) async fn enter(State(arena): State<Arc<Arena>>, Form(given): Form<Given>) -> Result<Response, PageError> {
    match &arena.options.token {
        Some(token) if guard::equal(token, &given.token) => {
            Ok(([(header::SET_COOKIE, guard::token_cookie(token))], Redirect::to("/")).into_response())
        }
        Some(_) => Err(ApiError::new(StatusCode::FORBIDDEN, "this is not the arena's token").into()),
        None => Ok(Redirect::to("/").into_response()),
    }
}
