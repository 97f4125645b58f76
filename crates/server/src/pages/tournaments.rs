//! Tournaments: the list, and a page for each.

use std::sync::Arc;

use agon_tournament::{report, ties};
use axum::extract::State;
use maud::{Markup, PreEscaped, html};

use super::{PageError, frame::Frame};
use crate::{
    api::ApiPath,
    arena::Arena,
    blocking::blocking,
    external::BoardView,
    tournaments::{self, Phase, Shown, Snapshot},
    view::{capitalised, in_address},
};

/// All tournaments.
pub(crate) async fn list(State(arena): State<Arc<Arena>>) -> Result<Markup, PageError> {
    Ok(blocking(move || Ok(list_page(&tournaments::all(&arena)?))).await?)
}

fn list_page(all: &[(Arc<Snapshot>, Phase)]) -> Markup {
    let content = html! {
        h1 { "Tournaments" }
        @if all.is_empty() {
            p { "None yet. Whoever holds one in this arena's database sees it here: "
                code { "agon tournament new --help" } "." }
        }
        ul .matches {
            @for (snapshot, phase) in all {
                li {
                    a href={ "/tournaments/" (in_address(&snapshot.name)) } { (snapshot.plan.format.title) }
                    " " span .soft {
                        (game_title(snapshot)) ", " (snapshot.plan.teams.len()) " teams, " (phase.word())
                        @let (played, known) = snapshot.matches();
                        @if *phase != Phase::Over { ", " (played) " of " (known) " matches" }
                    }
                }
            }
        }
    };
    Frame::new("Tournaments").page(content)
}

fn game_title(snapshot: &Snapshot) -> &str {
    agon_all::find(&snapshot.plan.format.game).map_or(snapshot.plan.format.game.as_str(), |game| game.title())
}

/// One tournament.
pub(crate) async fn show(State(arena): State<Arc<Arena>>, ApiPath(name): ApiPath) -> Result<Markup, PageError> {
    Ok(blocking(move || Ok(page(&tournaments::one(&arena, &name)?))).await?)
}

fn page(shown: &Shown) -> Markup {
    let (snapshot, boards) = (&shown.snapshot, &shown.boards);
    let title = &snapshot.plan.format.title;
    let content = html! {
        article data-tournament=(snapshot.name) data-revision=(snapshot.revision()) {
            h1 { (title) }
            (status(snapshot, shown.phase))
            section aria-labelledby="now" hidden[boards.is_empty()] data-now {
                h2 #now { "Now" }
                ul .games data-live { @for view in boards { (board(view)) } }
            }
            div data-refresh="course" { (PreEscaped(snapshot.content(|sheet| course(snapshot, sheet).into_string()))) }
        }
    };
    Frame::new(title).game(&snapshot.plan.format.game).module("tournament.js").page(content)
}

fn status(snapshot: &Snapshot, phase: Phase) -> Markup {
    let (played, known) = snapshot.matches();
    html! {
        div data-refresh="status" {
            p .lead {
                (game_title(snapshot)) ", " (snapshot.plan.teams.len()) " teams. "
                strong { (capitalised(phase.word())) } ": " (played) " of " (known) " matches"
                @if phase == Phase::Over { "." } @else { " that are known so far." }
            }
            @if phase != Phase::Over {
                progress max=(known.max(1)) value=(played) aria-label="Matches" {}
            }
            @for tie in ties(&snapshot.plan, &snapshot.state) { p { "Tied, until the organiser decides: " (tie) "." } }
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
fn course(snapshot: &Snapshot, sheet: &report::Sheet) -> Markup {
    html! {
        section aria-labelledby="standings" {
            h2 #standings { (if snapshot.state.is_over() { "Final standings" } else { "Standings so far" }) }
            (sheet.standings())
        }
        (sheet.parts())
        section aria-labelledby="format" { h2 #format { "Format" } (report::format_words(&snapshot.plan)) }
        section aria-labelledby="coins" { h2 #coins { "Coins" } (report::coins(&snapshot.plan, &snapshot.state, &snapshot.log)) }
        section aria-labelledby="log" { h2 #log { "Audit log" } (report::log_table(&snapshot.log)) }
    }
}
