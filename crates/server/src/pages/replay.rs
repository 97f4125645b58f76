//! Records from elsewhere.

use std::sync::Arc;

use agon_referee::Record;
use axum::extract::{Form, State};
use maud::{Markup, html};
use serde::Deserialize;

use super::{PageError, frame::Frame, table::table, watch::those};
use crate::{
    api::{ApiError, apart, finished},
    arena::Arena,
    view::MatchView,
};

/// Finished matches on the page.
const RECENT: u32 = 40;

/// The form.
pub(crate) async fn show(State(arena): State<Arc<Arena>>) -> Result<Markup, PageError> {
    let recent = apart(&arena, |arena| finished(arena, RECENT)).await?;
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
        (those(&recent))
    };
    Ok(Frame::new("Replay").module("replay.js").page(content))
}

/// What the form says.
#[derive(Deserialize)]
pub(crate) struct Pasted {
    record: String,
}

/// The record as a match that can be walked through.
pub(crate) async fn paste(Form(pasted): Form<Pasted>) -> Result<Markup, PageError> {
    let record = Record::parse(&pasted.record).map_err(|e| ApiError::bad(format!("the record cannot be read: {e}")))?;
    let view = MatchView::recorded("", &record).map_err(ApiError::bad)?;
    let title = format!("{} – {}, {}", view.seats[0].name, view.seats[1].name, view.title);
    let frame = Frame::new(&title).game(&view.position.game).module("match.js").wide();
    Ok(frame.page(table(&view, &[false, false])))
}
