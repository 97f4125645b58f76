//! Matches in progress, several boards at once, and those that ended last.

use std::sync::Arc;

use agon_store::Match;
use axum::extract::State;
use maud::{Markup, PreEscaped, html};

use super::{PageError, frame::Frame};
use crate::{
    api::{apart, finished},
    arena::Arena,
    curtain,
    guard::Client,
    live_match::LiveMatch,
    view::{MatchView, in_address},
};

/// Boards on the page.
const MOST_BOARDS: usize = 24;
/// Finished matches below them.
const RECENT: u32 = 40;

/// The page.
pub(crate) async fn show(State(arena): State<Arc<Arena>>, client: Client) -> Result<Markup, PageError> {
    let live = arena.worth_watching();
    let mine = arena.matches_of(&client.id);
    let stored = |arena: &Arc<Arena>| Ok((arena.all_elsewhere()?, finished(arena, RECENT)?));
    let (elsewhere, recent) = apart(&arena, stored).await?;
    let mut elsewhere: Vec<MatchView> = elsewhere.iter().filter_map(|live| MatchView::elsewhere(live).ok()).collect();
    elsewhere.iter_mut().flat_map(|view| &mut view.seats).for_each(|seat| seat.name = curtain::name(&seat.name));
    let content = html! {
        h1 { "Watch" }
        @if !mine.is_empty() { (own(&mine, &client)) }
        section aria-labelledby="now" {
            h2 #now { "Now" }
            p data-none hidden[!live.is_empty() || !elsewhere.is_empty()] {
                "Nothing is being played. Start a match between bots: choose a game and watch."
            }
            ul .games data-live {
                @for live in live.iter().take(MOST_BOARDS) { (board(&MatchView::of(live, &live.state()))) }
                @for view in &elsewhere { (board(view)) }
            }
            p { "Let bots play: "
                @for game in agon_all::GAMES { a href={ "/play/" (game.name()) "?side=watch" } { (game.title()) } " " }
            }
        }
        section aria-labelledby="then" {
            h2 #then { "Finished" }
            (those(&recent))
        }
    };
    Ok(Frame::new("Watch").module("watch.js").page(content))
}

/// The matches in which the visitor has a seat.
pub(crate) fn own(mine: &[Arc<LiveMatch>], client: &Client) -> Markup {
    html! {
        section aria-labelledby="mine" {
            h2 #mine { "Your matches" }
            ul .matches data-mine {
                @for live in mine.iter().take(MOST_BOARDS) {
                    @let state = live.state();
                    @let names = state.names();
                    @let turn = state.open.position().turn();
                    li {
                        a href={ "/match/" (in_address(&live.id)) } { (names.first) " – " (names.second) }
                        " " span .soft {
                            (live.game.title()) ", turn " (state.open.turns().len())
                            @if state.waits_for_players() { ", waiting for a player" }
                            @else if state.seat_of(&client.id) == Some(turn) { ", your turn" }
                            @else { ", not your turn" }
                        }
                    }
                }
            }
        }
    }
}

fn board(view: &MatchView) -> Markup {
    html! {
        li data-game=(view.position.game) data-id=(view.id) {
            a .card href={ "/match/" (in_address(&view.id)) } {
                div .thumb aria-hidden="true" { (PreEscaped(&view.position.board)) }
                h3 { (view.seats[0].name) " – " (view.seats[1].name) }
                p { (view.title) ", turn " span data-turn { (view.turns.len()) } }
            }
        }
    }
}

/// A list of finished matches.
pub(crate) fn those(matches: &[Match]) -> Markup {
    html! {
        @if matches.is_empty() { p { "None yet." } }
        ul .matches {
            @for played in matches {
                li {
                    a href={ "/match/" (in_address(&played.id)) } { (curtain::name(&played.first.name)) " – " (curtain::name(&played.second.name)) }
                    " " span .result { (played.result) }
                    " " span .soft {
                        @if let Ok(game) = agon_all::find(&played.game) { (game.title()) } ", " (played.termination) ", "
                        (played.turns) " turns"
                    }
                }
            }
        }
    }
}
