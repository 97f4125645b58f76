//! Records that somebody brings along.

use std::sync::Arc;

use agon_referee::Record;
use agon_store::Match;
use axum::extract::{Form, State};
use maud::{Markup, html};
use serde::Deserialize;

use super::{PageError, frame::Frame, table::table, watch::finished_matches};
use crate::{
    api::{ApiError, finished},
    arena::Arena,
    blocking::blocking,
    view::MatchView,
};

/// Finished matches on the page.
const RECENT: u32 = 40;

/// The form.
pub(crate) async fn show(State(arena): State<Arc<Arena>>) -> Result<Markup, PageError> {
    Ok(blocking(move || Ok(page(&finished(&arena, RECENT)?))).await?)
}

fn page(recent: &[Match]) -> Markup {
    let content = html! {
        h1 { "Replay" }
        form method="post" .panel data-drop {
            label { "Paste a record, or drop its file here"
                textarea name="record" rows="10" required spellcheck="false" {}
            }
            p { label { "Or choose a file" input type="file" data-file accept=".txt,.pgn,text/plain"; } }
            button .primary type="submit" { "Replay" }
        }
        h2 { "Finished here" }
        (finished_matches(recent))
    };
    Frame::new("Replay").module("replay.js").page(content)
}

/// What the form says.
#[derive(Deserialize)]
pub(crate) struct Pasted {
    record: String,
}

/// The record as a match that can be walked through.
pub(crate) async fn paste(Form(pasted): Form<Pasted>) -> Result<Markup, PageError> {
    let replay = move || {
        let record = Record::parse(&pasted.record);
        let record = record.map_err(|e| ApiError::bad(format!("the record cannot be read: {e}")))?;
        let view = MatchView::recorded("", &record).map_err(ApiError::bad)?;
        Ok(table(&view, &serde_json::to_string(&view).unwrap_or_default(), [false, false]))
    };
    Ok(blocking(replay).await?)
}
