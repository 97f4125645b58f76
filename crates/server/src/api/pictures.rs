//! Pictures and replays to hand to somebody.

use std::{fmt::Write, sync::Arc};

use agon_picture::svg;
use agon_referee::Record;
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{ApiError, ApiPath, ApiQuery, positions::Line, refusals};
use crate::{arena::Arena, blocking::blocking};

/// A position in an address.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Shown {
    /// The game's short name.
    #[param(value_type = refusals::GameName, inline)]
    game: String,
    variant: Option<String>,
    rules: Option<String>,
    /// Where it begins, as text.
    position: Option<String>,
    /// Turns from there, separated by semicolons.
    turns: Option<String>,
}

impl Shown {
    fn line(self) -> Line {
        let turns = self.turns.unwrap_or_default();
        let turns = turns.split(';').map(|turn| turn.trim().to_owned()).filter(|turn| !turn.is_empty()).collect();
        Line { game: self.game, variant: self.variant, rules: self.rules, position: self.position, turns }
    }
}

/// The picture of a position: an SVG file that stands alone.
#[utoipa::path(get, path = "/api/picture", params(Shown), responses(
    (status = 200, description = "the picture", body = String, content_type = "image/svg+xml"),
    refusals::Anything, refusals::Unacceptable,
))]
pub(crate) async fn picture(ApiQuery(shown): ApiQuery<Shown>) -> Result<Response, ApiError> {
    let draw = move || {
        let reached = shown.line().reach()?;
        Ok(svg::render(&reached.position.picture(), reached.game.accent()))
    };
    let drawn = blocking(draw).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], drawn).into_response())
}

/// A replay in one file that needs nothing else.
#[utoipa::path(get, path = "/api/matches/{id}/replay", params(("id" = String, Path)), responses(
    (status = 200, description = "the page", body = String, content_type = "text/html"),
    refusals::Anything, refusals::Missing,
))]
pub(crate) async fn replay(State(arena): State<Arc<Arena>>, ApiPath(id): ApiPath) -> Result<Response, ApiError> {
    let kept = format!("attachment; filename=\"{}.html\"", super::matches::plain_name(&id));
    let draw = move || {
        // Nothing of it is for some eyes only: it can be handed on.
        let text = super::matches::record_text(&arena, &id, false)?;
        let record = Record::parse(&text).map_err(ApiError::host)?;
        standalone(&record).map_err(ApiError::host)
    };
    let page = blocking(draw).await?;
    Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, kept)], page)
        .into_response())
}

/// Text for use inside HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Every board of the record, one shown at a time by arrow keys and buttons.
fn standalone(record: &Record) -> Result<String, String> {
    let positions = record.replay(agon_all::rules).map_err(|e| e.to_string())?;
    let (game, _) = record.start(agon_all::rules).map_err(|e| e.to_string())?;
    let tag = |name: &str| escaped(record.tag(name).unwrap_or_default());
    let title = format!("{} – {}, {}", tag("First"), tag("Second"), escaped(game.title()));
    let mut page = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title><style>{STYLE}.ag-picture{{--ag-accent:{}}}{}</style></head>\
         <body><h1>{title}</h1><p>{} ({})</p><p><button data-by=\"-1\">Back</button> <button data-by=\"1\">Forward</button> \
         <span id=\"turn\"></span></p>",
        game.accent(),
        svg::style_sheet(),
        tag("Result"),
        tag("Termination"),
    );
    for (number, position) in positions.iter().enumerate() {
        let turn = number.checked_sub(1).map_or("start", |before| &record.turns[before].text);
        let board = svg::render_bare(&position.picture());
        let _ = write!(page, "<figure data-turn=\"{}\" hidden>{board}</figure>", escaped(turn));
    }
    let _ = writeln!(page, "<script>{SCRIPT}</script></body></html>");
    Ok(page)
}

const STYLE: &str = "body{font:16px system-ui,sans-serif;margin:1rem auto;max-width:50rem;padding:0 1rem;color-scheme:light dark}\
                     figure{margin:0}svg{width:100%;max-height:80vh}h1{font-size:1.3rem}";

const SCRIPT: &str = "const f=[...document.querySelectorAll('figure')];let n=0;\
function show(k){f[n].hidden=true;n=Math.max(0,Math.min(f.length-1,k));f[n].hidden=false;\
document.getElementById('turn').textContent=n+' of '+(f.length-1)+': '+f[n].dataset.turn}\
document.addEventListener('keydown',e=>{const k={ArrowLeft:n-1,ArrowRight:n+1,Home:0,End:f.length-1}[e.key];\
if(k!==undefined){e.preventDefault();show(k)}});\
document.addEventListener('click',e=>{const b=e.target.dataset.by;if(b)show(n+Number(b))});show(0);";
