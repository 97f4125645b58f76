//! What every page has around it.

use maud::{DOCTYPE, Markup, html};

use crate::assets;

/// The frame of a page.
pub(crate) struct Frame<'a> {
    title: &'a str,
    game: Option<&'a str>,
    module: Option<&'a str>,
    wide: bool,
}

impl<'a> Frame<'a> {
    pub(crate) fn new(title: &'a str) -> Frame<'a> {
        Frame { title, game: None, module: None, wide: false }
    }

    /// The game whose colour it takes.
    pub(crate) fn game(self, game: &'a str) -> Frame<'a> {
        Frame { game: Some(game), ..self }
    }

    /// The module that makes it live.
    pub(crate) fn module(self, module: &'a str) -> Frame<'a> {
        Frame { module: Some(module), ..self }
    }

    /// As wide as the window.
    pub(crate) fn wide(self) -> Frame<'a> {
        Frame { wide: true, ..self }
    }

    /// The whole page.
    pub(crate) fn page(self, content: Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Agon" }
                    link rel="icon" href=(assets::path("icon.svg")) type="image/svg+xml";
                    link rel="stylesheet" href=(assets::path("board.css"));
                    link rel="stylesheet" href=(assets::path("style.css"));
                    @if self.module == Some("tournament.js") {
                        link rel="stylesheet" href=(assets::path("tournament.css"));
                    }
                    @if let Some(module) = self.module {
                        script type="module" src=(assets::path(module)) {}
                    }
                }
                body data-game=[self.game] {
                    a .skip href="#main" { "To the content" }
                    header {
                        a .brand href="/" { "Agon" }
                        nav aria-label="Site" {
                            a href="/watch" { "Watch" }
                            a href="/tournaments" { "Tournaments" }
                            a href="/replay" { "Replay" }
                            a href="/analyse" { "Analyse" }
                            a href="/learn" { "Learn" }
                        }
                    }
                    main #main .wide[self.wide] { (content) }
                }
            }
        }
    }
}
