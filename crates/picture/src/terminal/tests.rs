use super::*;
use crate::Side;
use crate::{Mark, MarkKind, Piece, Shape, Spot, SpotShape};

const PLAIN: Style = Style { unicode: true, colour: false };
const ASCII: Style = Style { unicode: false, colour: false };
const COLOUR: Style = Style { unicode: true, colour: true };

/// Three by two cells with coordinates: one man of each side, the last move, a caption.
fn small() -> Picture {
    let mut picture =
        Picture { size: (4.0, 3.0), grid: (0.5, 1.0), caption: "White to move.".to_owned(), ..Picture::default() };
    for y in 0..2 {
        for x in 0..3 {
            let at = (1.5 + x as f32, y as f32);
            let empty = Symbol::new('·', '.');
            picture.spots.push(Spot { name: format!("{x} {y}"), at, shape: SpotShape::Cell, empty });
        }
        picture.labels.push(Label { at: (0.5, y as f32), text: (2 - y).to_string() });
    }
    picture.labels.extend((0..3).map(|x| Label { at: (1.5 + x as f32, 2.0), text: ["a", "b", "c"][x].to_owned() }));
    picture.pieces.push(man(0, Side::First, Symbol::new('○', 'o')));
    picture.pieces.push(man(5, Side::Second, Symbol::new('●', 'x')));
    picture
}

fn man(spot: usize, side: Side, symbol: Symbol) -> Piece {
    Piece { spot, side, shape: Shape::Stone, name: "stone", symbol }
}

/// Takes the escape sequences out.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let head = parts.next().unwrap_or_default().to_owned();
    parts.fold(head, |sum, part| sum + part.split_once('m').expect("an escape has no end").1)
}

#[test]
fn everything_stands_in_its_place() {
    assert_eq!(render(&small(), PLAIN), " 2 ○ · ·\n 1 · · ●\n   a b c\n\nWhite to move.\n");
    assert_eq!(render(&small(), ASCII), " 2 o . .\n 1 . . x\n   a b c\n\nWhite to move.\n");
}

#[test]
fn the_grid_says_how_far_apart_places_are() {
    let mut picture = small();
    picture.grid = (0.25, 0.5);
    let text = render(&picture, PLAIN);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "  2   ○   ·   ·");
    assert_eq!((lines[1], lines[2]), ("", "  1   ·   ·   ●"));
    picture.grid = (0.0, f32::NAN);
    assert_eq!(render(&picture, PLAIN).lines().next(), Some("2 ○··"));
}

#[test]
fn the_uppermost_man_is_shown() {
    let mut picture = small();
    picture.pieces.push(man(0, Side::Second, Symbol::new('◉', '@')));
    assert!(render(&picture, ASCII).starts_with(" 2 @ . ."));
}

#[test]
fn lines_have_no_blanks_at_their_ends() {
    let mut picture = small();
    picture.spots[2].empty = Symbol::new(' ', ' ');
    picture.marks.push(Mark { spot: 2, kind: MarkKind::LastFrom });
    assert!(render(&picture, PLAIN).starts_with(" 2 ○ ·\n"));
    // In colour the mark can be seen, though the place is blank.
    assert!(without_escapes(&render(&picture, COLOUR)).starts_with(" 2 ○ ·  \n"));
}

#[test]
fn without_colour_there_are_no_escapes() {
    let mut picture = small();
    picture.marks.extend((0..4).map(|spot| Mark { spot, kind: MarkKind::Winning }));
    picture.caption = "a\x1b[31mb\u{9b}1mc".to_owned();
    picture.labels.push(Label { at: (0.5, 3.0), text: "\x1b".to_owned() });
    picture.spots[1].empty = Symbol::new('\x1b', '\x07');
    for style in [PLAIN, ASCII] {
        let text = render(&picture, style);
        assert!(text.chars().all(|character| character == '\n' || !character.is_control()), "{text:?}");
    }
}

#[test]
fn colour_changes_nothing_but_the_colour() {
    let mut picture = small();
    picture.marks.push(Mark { spot: 0, kind: MarkKind::LastTo });
    let text = render(&picture, COLOUR);
    assert_eq!(without_escapes(&text), render(&picture, PLAIN));
    assert!(text.contains("\x1b[1;7m○\x1b[0m"), "{text:?}");
    assert!(text.contains("\x1b[94m●\x1b[0m"), "{text:?}");
    for line in text.lines().filter(|line| line.contains('\x1b')) {
        assert!(line.ends_with("\x1b[0m"), "left open: {line:?}");
    }
}

#[test]
fn every_mark_can_be_seen_in_colour() {
    use MarkKind::{Danger, LastFrom, LastTo, Winning};
    let mut texts = vec![render(&small(), COLOUR)];
    for kind in [LastFrom, LastTo, Danger, Winning] {
        let mut picture = small();
        picture.marks.push(Mark { spot: 5, kind });
        texts.push(render(&picture, COLOUR));
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 5);
}

#[test]
fn ascii_means_ascii() {
    let mut picture = small();
    picture.caption = "“Naïve” – 3 × 4 → ♔…".to_owned();
    picture.labels[0].text = "é".to_owned();
    picture.pieces[0].symbol = Symbol::new('♔', '♔');
    let text = render(&picture, ASCII);
    assert!(text.is_ascii());
    assert!(text.starts_with(" ? ? . .\n"));
    assert!(text.ends_with("\n\"Na?ve\" - 3 x 4 -> ?...\n"), "{text}");
}

#[test]
fn wide_characters_give_way() {
    let mut picture = small();
    for wide in ['⚪', '⚫', '界', '🙂', '\u{301}', '\u{200d}'] {
        picture.pieces[0].symbol = Symbol::new(wide, 'o');
        assert!(render(&picture, PLAIN).starts_with(" 2 o · ·\n"), "{wide:?}");
    }
    for narrow in ['○', '●', '■', '□', '♔', '♟', '│', '⬡', 'é'] {
        assert!(is_narrow(narrow), "{narrow:?}");
    }
}

#[test]
fn labels_never_cover_spots_nor_touch_each_other() {
    let mut picture = small();
    let label = |at: Point, text: &str| Label { at, text: text.to_owned() };
    picture.labels = vec![label((1.5, 0.0), "z"), label((0.5, 1.0), "10"), label((2.5, 1.0), "a long one")];
    picture.labels.extend([label((1.5, 2.0), "10"), label((2.5, 2.0), "11")]);
    assert_eq!(render(&picture, PLAIN), "   ○ · ·\n10 · · ●\n  10 11\n\nWhite to move.\n");
    picture.labels.push(label((2.0, 2.0), "7"));
    assert_eq!(render(&picture, PLAIN), "   ○ · ·\n10 · · ●\n  10 11\n\nWhite to move.\n");
}

#[test]
fn a_label_beside_a_spot_steps_aside() {
    let mut picture = small();
    picture.labels = vec![Label { at: (1.0, 0.0), text: "2".to_owned() }];
    assert!(render(&picture, PLAIN).starts_with(" 2 ○ · ·\n"));
    // With no room to step aside, touching is better than nothing.
    picture.labels = vec![Label { at: (0.6, 0.0), text: "200".to_owned() }];
    assert!(render(&picture, PLAIN).starts_with("200○ · ·\n"));
}

#[test]
fn captions_keep_their_lines() {
    let mut picture = small();
    picture.caption = "One.  \nTwo.\n\n".to_owned();
    assert!(render(&picture, PLAIN).ends_with("c\n\nOne.\nTwo.\n"));
    picture.caption.clear();
    assert!(render(&picture, PLAIN).ends_with("a b c\n"));
    assert_eq!(render(&Picture::default(), PLAIN), "");
}

#[test]
fn far_and_negative_places_do_no_harm() {
    let mut picture = small();
    picture.spots[0].at = (1e30, f32::INFINITY);
    picture.spots[1].at = (-5.0, f32::NAN);
    picture.labels.push(Label { at: (-3.0, -3.0), text: "far away".to_owned() });
    assert!(render(&picture, PLAIN).len() < 10_000);
}
