//! Tournaments: the list, and a page for each.

use std::sync::Arc;

use agon_store::Live;
use agon_tournament::{report, ties};
use axum::extract::State;
use maud::{Markup, PreEscaped, html};

use super::{PageError, frame::Frame};
use crate::{
    api::Named,
    arena::Arena,
    tournaments::{self, BoardView, Phase, Seen},
    view::{capitalised, in_address},
};

/// All tournaments.
pub(crate) async fn list(State(arena): State<Arc<Arena>>) -> Result<Markup, PageError> {
    let all = tournaments::all(&arena).await?;
    let content = html! {
        h1 { "Tournaments" }
        @if all.is_empty() {
            p { "None yet. Whoever holds one in this arena's database sees it here: "
                code { "agon tournament new --help" } "." }
        }
        ul .matches {
            @for (seen, phase) in &all {
                li {
                    a href={ "/tournaments/" (in_address(&seen.name)) } { (seen.plan.format.title) }
                    " " span .soft {
                        (game_title(seen)) ", " (seen.plan.teams.len()) " teams, " (phase.word())
                        @let (played, known) = seen.matches();
                        @if *phase != Phase::Over { ", " (played) " of " (known) " matches" }
                    }
                }
            }
        }
    };
    Ok(Frame::new("Tournaments").page(content))
}

fn game_title(seen: &Seen) -> &str {
    agon_all::find(&seen.plan.format.game).map_or(seen.plan.format.game.as_str(), |game| game.title())
}

/// One tournament.
pub(crate) async fn show(State(arena): State<Arc<Arena>>, Named(name): Named) -> Result<Markup, PageError> {
    let (seen, live) = tournaments::one(&arena, &name).await?;
    let title = &seen.plan.format.title;
    let content = html! {
        article data-tournament=(seen.name) data-revision=(seen.revision()) {
            h1 { (title) }
            (status(&seen, &live))
            section aria-labelledby="now" hidden[live.is_empty()] data-now {
                h2 #now { "Now" }
                ul .games data-live { @for live in &live { @if let Some(view) = BoardView::of(live) { (board(&view)) } } }
            }
            div data-refresh="course" { (PreEscaped(seen.content(|sheet| course(&seen, sheet).into_string()))) }
        }
    };
    let frame = Frame::new(title).game(&seen.plan.format.game).module("tournament.js");
    Ok(frame.page(content))
}

fn status(seen: &Seen, live: &[Live]) -> Markup {
    let (played, known) = seen.matches();
    let phase = seen.phase(live.len());
    html! {
        div data-refresh="status" {
            p .lead {
                (game_title(seen)) ", " (seen.plan.teams.len()) " teams. "
                strong { (capitalised(phase.word())) } ": " (played) " of " (known) " matches"
                @if phase == Phase::Over { "." } @else { " that are known so far." }
            }
            @if phase != Phase::Over {
                progress max=(known.max(1)) value=(played) aria-label="Matches" {}
            }
            @for tie in ties(&seen.plan, &seen.state) { p { "Tied, until the organiser decides: " (tie) "." } }
        }
    }
}

fn board(view: &BoardView) -> Markup {
    html! {
        li data-game=(view.game) data-id=(view.id) {
            a .card href={ "/match/" (in_address(&view.id)) } {
                div .thumb aria-hidden="true" { (PreEscaped(&view.board)) }
                h3 { (view.players[0]) " – " (view.players[1]) }
                p { "Turn " span data-turn { (view.turns) } }
            }
        }
    }
}

/// What changes with results and with the log.
fn course(seen: &Seen, sheet: &report::Sheet) -> Markup {
    html! {
        section aria-labelledby="standings" {
            h2 #standings { (if seen.state.is_over() { "Final standings" } else { "Standings so far" }) }
            (sheet.standings())
        }
        (sheet.parts())
        section aria-labelledby="format" { h2 #format { "Format" } (report::format_words(&seen.plan)) }
        section aria-labelledby="coins" { h2 #coins { "Coins" } (report::coins(&seen.plan, &seen.state, &seen.log)) }
        section aria-labelledby="log" { h2 #log { "Audit log" } (report::log_table(&seen.log)) }
    }
}
