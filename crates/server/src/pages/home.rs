//! The first page: the games.

use agon_rules::svg;
use maud::{Markup, PreEscaped, html};

use super::frame::Frame;

/// All games with a picture each.
pub(crate) async fn home() -> Markup {
    let content = html! {
        div .hello {
            h1 { "Five games, any opponent" }
            p { "Play against the house, a friend or your own bot; watch bots meet; replay and analyse every match. "
                a href="/tournaments" { "Tournaments" } " are shown while they are played." }
        }
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
