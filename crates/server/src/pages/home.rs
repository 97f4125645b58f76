//! The first page: the games.

use std::sync::Arc;

use agon_picture::svg;
use axum::extract::State;
use maud::{Markup, PreEscaped, html};

use super::{PageError, frame::Frame, watch::own_matches};
use crate::{arena::Arena, blocking::blocking, guard::Client};

/// All games with a picture each.
pub(crate) async fn home(State(arena): State<Arc<Arena>>, client: Client) -> Result<Markup, PageError> {
    Ok(blocking(move || Ok(page(&arena, &client))).await?)
}

fn page(arena: &Arena, client: &Client) -> Markup {
    let mine = arena.matches_of(&client.id);
    let content = html! {
        div .hello {
            h1 { "Five games, any opponent" }
            p { "Play against the house, a friend or your own bot; watch bots meet; replay and analyse every match. "
                a href="/tournaments" { "Tournaments" } " are shown while they are played." }
        }
        @if !mine.is_empty() { (own_matches(&mine, client)) }
        ul .games {
            @for game in agon_all::GAMES {
                li data-game=(game.name()) {
                    a .card href={ "/play/" (game.name()) } {
                        div .thumb aria-hidden="true" {
                            @if let Ok(start) = game.open(game.variants()[0], game.rule_sets()[0]) {
                                (PreEscaped(svg::render_bare(&start.picture())))
                            }
                        }
                        h2 { (game.title()) }
                        p { (game.summary()) }
                        span .go { "Play" }
                    }
                    p .more { a href={ "/learn/" (game.name()) } { "Rules of " (game.title()) } }
                }
            }
        }
    };
    Frame::new("Play").page(content)
}
