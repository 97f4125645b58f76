//! A board to think at: any position, both sides, the engine on demand.

use axum::extract::Query;
use maud::{Markup, PreEscaped, html};

use super::{
    PageError,
    frame::Frame,
    setup::{From, board_and_rules},
};
use crate::{
    api::{ApiError, ApiPath},
    blocking::blocking,
    view::PositionView,
};

/// The games to choose from.
pub(crate) async fn choose() -> Markup {
    let content = html! {
        h1 { "Analyse" }
        p { "Set up any position, try turns for both sides, and ask the engine." }
        ul .matches {
            @for game in agon_all::GAMES { li { a href={ "/analyse/" (game.name()) } { (game.title()) } } }
        }
    };
    Frame::new("Analyse").page(content)
}

/// The board of one game.
pub(crate) async fn show(ApiPath(name): ApiPath, Query(from): Query<From>) -> Result<Markup, PageError> {
    Ok(blocking(move || page(&name, &from)).await?)
}

fn page(name: &str, from: &From) -> Result<Markup, ApiError> {
    let game = agon_all::find(name).map_err(|_| ApiError::missing("game"))?;
    let line = from.line(name);
    let start = line.position.clone();
    let turns = line.turns.clone();
    let reached = line.reach()?;
    let view = PositionView::of(game, &reached.variant, &reached.rules.to_string(), &*reached.position);
    let editing = serde_json::json!({ "pieces": game.pieces(), "sideWords": game.side_words(), "sides": game.sides() });
    let state = serde_json::json!({ "view": view, "start": start, "turns": turns, "editing": editing }).to_string();
    let content = html! {
        div .table data-analysis data-state=(state) {
            div .board data-board { (PreEscaped(&view.board)) }
            div .panel {
                h1 { (game.title()) }
                p .status role="status" data-status { (view.caption) }
                div .actions data-actions {}
                div .choices data-tools role="group" aria-label="Tools for editing" hidden {}
                ol .lines data-lines {}
                form .typed data-typed {
                    label { "Turn as text" input name="turn" autocomplete="off" spellcheck="false"; }
                    button type="submit" { "Play" }
                }
                ol .turns data-turns {}
                form method="get" .editor {
                    label { "Position" textarea name="position" rows="3" spellcheck="false" data-position { (view.position) } }
                    div .row {
                        (board_and_rules(&reached))
                    }
                    button type="submit" { "Set up" }
                }
            }
        }
    };
    Ok(Frame::new(&format!("Analyse {}", game.title())).game(game.name()).module("analyse.js").wide().page(content))
}
