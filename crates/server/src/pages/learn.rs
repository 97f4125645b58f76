//! The rules with pictures and positions to play with, the protocol, and the starter kits.

use std::iter;

use agon_originals::Original;
use agon_picture::svg;
use agon_wire::UGI;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Event, Parser, Tag, TagEnd, html::push_html};

use super::{PageError, frame::Frame};
use crate::{
    api::{ApiError, ApiPath, Line},
    blocking::blocking,
    kits,
    view::capitalised,
};

/// The games to choose from.
pub(crate) async fn choose() -> Markup {
    let content = html! {
        h1 { "Learn" }
        ul .matches {
            @for game in agon_all::GAMES {
                li { a href={ "/learn/" (game.name()) } { (game.title()) } " " span .soft { (game.summary()) } }
            }
        }
    };
    Frame::new("Learn").page(content)
}

/// The lessons of one game.
pub(crate) async fn show(ApiPath(name): ApiPath) -> Result<Markup, PageError> {
    let game = agon_all::find(&name).map_err(|_| ApiError::missing("game"))?;
    Ok(blocking(move || Ok(page(game))).await?)
}

fn page(game: &dyn Original) -> Markup {
    let lessons = game.lessons();
    let content = html! {
        article .lessons {
            h1 { (game.title()) }
            p .lead { (game.summary()) }
            p { a .button.primary href={ "/play/" (game.name()) } { "Play" } }
            @for part in parts(lessons) { (rendered(game, &part)) }
            h2 #bots { "Write a bot" }
            p {
                "A starter kit is a bot that plays legal random moves, ready to be made better. "
                code { "agon check" } " tries it as a referee would; "
                code { "agon match " (game.name()) " ./mybot random" } " plays it."
            }
            ul {
                @for kit in kits::of(game.name()) {
                    li { a href={ "/kits/" (game.name()) "/" (kit) ".zip" } download { (capitalised(&kit)) } }
                }
            }
            p { "The protocols that bots may speak: " (protocols(game)) "." }
        }
    };
    Frame::new(&format!("Learn {}", game.title())).game(game.name()).page(content)
}

fn protocols(game: &dyn Original) -> String {
    let names: Vec<&str> =
        iter::once(&UGI).chain(game.protocols().iter().copied()).map(|protocol| protocol.name).collect();
    names.join(", ")
}

/// A part of a lesson.
#[derive(Debug, PartialEq)]
enum Part<'a> {
    /// Markdown.
    Text(&'a str),
    /// A position to look at and to play with. It has a line of its own: `board: position=… | turns=… | caption=…`.
    Board(Vec<(&'a str, &'a str)>),
}

/// Boards are no Markdown: what is in them may look like emphasis.
fn parts(lessons: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut begin, mut end) = (0, 0);
    for line in lessons.split_inclusive('\n') {
        let start = end;
        end += line.len();
        if let Some(board) = line.trim_end().strip_prefix("board: ") {
            parts.push(Part::Text(&lessons[begin..start]));
            parts.push(Part::Board(board.split(" | ").filter_map(|part| part.split_once('=')).collect()));
            begin = end;
        }
    }
    parts.push(Part::Text(&lessons[begin..]));
    parts.retain(|part| !matches!(part, Part::Text(text) if text.trim().is_empty()));
    parts
}

fn markup_of<'a>(events: impl Iterator<Item = Event<'a>>) -> Markup {
    // A lesson has no HTML: what looks like it is text.
    let plain = |event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        event => event,
    };
    let mut markup = String::new();
    push_html(&mut markup, events.map(plain));
    PreEscaped(markup)
}

/// Emphasis and code within a line.
fn inline(text: &str) -> Markup {
    let is_frame = |event: &Event| matches!(event, Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph));
    markup_of(Parser::new(text).filter(|event| !is_frame(event)))
}

fn rendered(game: &dyn Original, part: &Part<'_>) -> Markup {
    match part {
        Part::Text(text) => markup_of(Parser::new(text)),
        Part::Board(parts) => match board(game, parts) {
            Ok(board) => board,
            // A test reads every lesson; this is for those who write one.
            Err(error) => html! { p .wrong { (error) } },
        },
    }
}

fn line(game: &dyn Original, parts: &[(&str, &str)]) -> Line {
    let part = |name: &str| parts.iter().find(|(key, _)| key.trim() == name).map(|(_, value)| (*value).to_owned());
    let turns = part("turns").unwrap_or_default();
    Line {
        game: game.name().to_owned(),
        variant: part("variant"),
        rules: part("rules"),
        position: part("position"),
        turns: turns.split(';').map(|turn| turn.trim().to_owned()).filter(|turn| !turn.is_empty()).collect(),
    }
}

fn board(game: &dyn Original, parts: &[(&str, &str)]) -> Result<Markup, String> {
    let reached = line(game, parts).reach().map_err(|refusal| refusal.error)?;
    let caption = parts.iter().find(|(key, _)| *key == "caption").map_or("", |(_, text)| text);
    let picture = reached.position.picture();
    let drawn = svg::render_bare(&picture);
    let over = reached.position.outcome().is_some();
    Ok(html! {
        figure .lesson {
            // One picture with one description: its points cannot be chosen here, so their names would only be in the way.
            div role="img" aria-label=(picture.caption) { div aria-hidden="true" { (PreEscaped(drawn)) } }
            figcaption {
                (inline(caption)) " "
                @if !over {
                    form method="get" action={ "/play/" (game.name()) } {
                        input type="hidden" name="variant" value=(reached.variant);
                        input type="hidden" name="rules" value=(reached.rules);
                        input type="hidden" name="position" value=(reached.position.text());
                        button type="submit" { "Try it" }
                    }
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_of_every_lesson_can_be_drawn() {
        for game in agon_all::GAMES {
            let parts = parts(game.lessons());
            let text: String = parts.iter().map(|part| rendered(*game, part).into_string()).collect();
            assert!(text.matches("<h2>").count() >= 6 && text.contains("<li>"), "{}", game.name());
            for part in &parts {
                let Part::Board(parts) = part else { continue };
                let caption = parts.iter().any(|(key, text)| *key == "caption" && !text.is_empty());
                assert!(caption, "{}: a board without a caption: {parts:?}", game.name());
                board(*game, parts).unwrap_or_else(|error| panic!("{}: {parts:?}: {error}", game.name()));
            }
        }
    }

    #[test]
    fn lessons_are_markdown_and_boards() {
        let text = "## One\nSome *words*\nand <b>more</b>.\n\n- a\n- b\nboard: position=x*1*2 | caption=See.\nEnd.\n";
        let parts = parts(text);
        let [Part::Text(before), Part::Board(board), Part::Text(after)] = &parts[..] else { panic!("{parts:?}") };
        assert_eq!(*board, [("position", "x*1*2"), ("caption", "See.")]);
        let shown = markup_of(Parser::new(before)).into_string().replace('\n', " ");
        let expected =
            "<h2>One</h2> <p>Some <em>words</em> and &lt;b&gt;more&lt;/b&gt;.</p> <ul> <li>a</li> <li>b</li> </ul> ";
        assert_eq!((shown.as_str(), *after), (expected, "End.\n"));
        assert_eq!(inline("a *b* `c<` d* e").into_string(), "a <em>b</em> <code>c&lt;</code> d* e");
    }
}
