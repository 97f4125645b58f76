//! Matches in progress, several boards at once, and those that ended last.

use std::sync::Arc;

use agon_originals::Original;
use agon_store::Match;
use axum::extract::State;
use maud::{Markup, PreEscaped, html};

use super::{PageError, frame::Frame};
use crate::{
    api::{ApiError, finished},
    arena::Arena,
    blocking::blocking,
    curtain,
    external::BoardView,
    guard::Client,
    live_match::LiveMatch,
    view::in_address,
};

/// Boards on the page.
const MOST_BOARDS: usize = 24;
/// Finished matches below them.
const RECENT: u32 = 40;

/// The page.
pub(crate) async fn show(State(arena): State<Arc<Arena>>, client: Client) -> Result<Markup, PageError> {
    Ok(blocking(move || page(&arena, &client)).await?)
}

fn page(arena: &Arena, client: &Client) -> Result<Markup, ApiError> {
    let (live, mine) = (arena.worth_watching(), arena.matches_of(&client.id));
    let external: Vec<Arc<BoardView>> =
        arena.external_matches()?.iter().filter_map(|live| arena.external.board(live)).collect();
    let recent = finished(arena, RECENT)?;
    let content = html! {
        h1 { "Watch" }
        @if !mine.is_empty() { (own_matches(&mine, client)) }
        section aria-labelledby="now" {
            h2 #now { "Now" }
            p data-none hidden[!live.is_empty() || !external.is_empty()] {
                "Nothing is being played. Start a match between bots: choose a game and watch."
            }
            ul .games data-live {
                @for live in live.iter().take(MOST_BOARDS) {
                    @let news = live.news();
                    @let view = &news.view;
                    @let names = [view.seats[0].name.as_str(), view.seats[1].name.as_str()];
                    (board(&view.id, live.game, &view.position.board, names, view.turns.len()))
                }
                @for view in &external {
                    @if let Ok(game) = agon_all::find(&view.game) {
                        @let [first, second] = view.players.each_ref().map(|name| curtain::name(name));
                        (board(&view.id, game, &view.board, [&first, &second], view.turns))
                    }
                }
            }
            p { "Let bots play: "
                @for game in agon_all::GAMES { a href={ "/play/" (game.name()) "?side=watch" } { (game.title()) } " " }
            }
        }
        section aria-labelledby="then" {
            h2 #then { "Finished" }
            (finished_matches(&recent))
        }
    };
    Ok(Frame::new("Watch").module("watch.js").page(content))
}

/// The matches in which the visitor has a seat.
pub(crate) fn own_matches(mine: &[Arc<LiveMatch>], client: &Client) -> Markup {
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

fn board(id: &str, game: &dyn Original, board: &str, players: [&str; 2], turns: usize) -> Markup {
    html! {
        li data-game=(game.name()) data-id=(id) {
            a .card href={ "/match/" (in_address(id)) } {
                div .thumb aria-hidden="true" { (PreEscaped(board)) }
                h3 { (players[0]) " – " (players[1]) }
                p { (game.title()) ", turn " span data-turn { (turns) } }
            }
        }
    }
}

/// A list of finished matches.
pub(crate) fn finished_matches(matches: &[Match]) -> Markup {
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
