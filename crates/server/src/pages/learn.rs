//! The rules with pictures and positions to play with, the protocol, and the starter kits.

use std::iter;

use agon_originals::Original;
use agon_picture::svg;
use agon_wire::UGI;
use maud::{Markup, PreEscaped, html};

use super::{PageError, frame::Frame};
use crate::{
    api::{ApiError, Line, Named},
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
pub(crate) async fn show(Named(name): Named) -> Result<Markup, PageError> {
    let game = agon_all::find(&name).map_err(|_| ApiError::missing("game"))?;
    let lessons = game.lessons();
    let content = html! {
        article .lessons {
            h1 { (game.title()) }
            p .lead { (game.summary()) }
            p { a .button.primary href={ "/play/" (game.name()) } { "Play" } }
            @for block in blocks(lessons) { (rendered(game, &block)) }
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
    Ok(Frame::new(&format!("Learn {}", game.title())).game(game.name()).page(content))
}

fn protocols(game: &dyn Original) -> String {
    let names: Vec<&str> =
        iter::once(&UGI).chain(game.protocols().iter().copied()).map(|protocol| protocol.name).collect();
    names.join(", ")
}

/// A part of a lesson.
#[derive(Debug, PartialEq)]
enum Block<'a> {
    Heading(&'a str),
    Paragraph(String),
    List(Vec<&'a str>),
    Board(Vec<(&'a str, &'a str)>),
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let line = line.trim_end();
        let went_on = std::mem::replace(&mut goes_on, true);
        if let Some(heading) = line.strip_prefix("## ") {
            blocks.push(Block::Heading(heading));
            goes_on = false;
        } else if let Some(board) = line.strip_prefix("board: ") {
            blocks.push(Block::Board(board.split(" | ").filter_map(|part| part.split_once('=')).collect()));
            goes_on = false;
        } else if line.is_empty() {
            goes_on = false;
        } else if let Some(item) = line.strip_prefix("- ") {
            match blocks.last_mut().filter(|_| went_on) {
                Some(Block::List(items)) => items.push(item),
                _ => blocks.push(Block::List(vec![item])),
            }
        } else {
            match blocks.last_mut().filter(|_| went_on) {
                Some(Block::Paragraph(text)) => {
                    text.push(' ');
                    text.push_str(line);
                }
                _ => blocks.push(Block::Paragraph(line.to_owned())),
            }
        }
    }
    blocks
}

/// Emphasis and code within a line.
fn inline(text: &str) -> Markup {
    let mut rest = text;
    html! {
        @while let Some(at) = rest.find(['*', '`']) {
            @let mark = &rest[at..=at];
            @let (before, after) = (&rest[..at], &rest[at + 1..]);
            (before)
            @if let Some(end) = after.find(mark) {
                @if mark == "*" { em { (&after[..end]) } } @else { code { (&after[..end]) } }
                ({ rest = &after[end + 1..]; "" })
            } @else {
                (mark)
                ({ rest = after; "" })
            }
        }
        (rest)
    }
}

fn rendered(game: &dyn Original, block: &Block<'_>) -> Markup {
    match block {
        Block::Heading(text) => html! { h2 { (text) } },
        Block::Paragraph(text) => html! { p { (inline(text)) } },
        Block::List(items) => html! { ul { @for item in items { li { (inline(item)) } } } },
        Block::Board(parts) => match board(game, parts) {
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
            let text = game.lessons();
            let blocks = blocks(text);
            assert!(blocks.iter().filter(|block| matches!(block, Block::Heading(_))).count() >= 6, "{}", game.name());
            let boards =
                blocks.iter().filter_map(|block| if let Block::Board(parts) = block { Some(parts) } else { None });
            for parts in boards {
                let caption = parts.iter().any(|(key, text)| *key == "caption" && !text.is_empty());
                assert!(caption, "{}: a board without a caption: {parts:?}", game.name());
                board(*game, parts).unwrap_or_else(|error| panic!("{}: {parts:?}: {error}", game.name()));
            }
        }
    }

    #[test]
    fn lessons_are_split_into_blocks() {
        let text = "## One\nSome *words*\nand more.\n\n- a\n- b\nboard: position=x 1 | caption=See.\n";
        let expected = vec![
            Block::Heading("One"),
            Block::Paragraph("Some *words* and more.".to_owned()),
            Block::List(vec!["a", "b"]),
            Block::Board(vec![("position", "x 1"), ("caption", "See.")]),
        ];
        assert_eq!(blocks(text), expected);
        assert_eq!(inline("a *b* `c<` d* e").into_string(), "a <em>b</em> <code>c&lt;</code> d* e");
    }
}
