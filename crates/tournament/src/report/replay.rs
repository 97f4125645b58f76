//! Matches that can be replayed within the page: what they share is stored once, and each position as what changed since the one
//! before it. The page draws a position only when somebody looks at it.

use std::collections::{BTreeMap, HashMap};

use agon_picture::{Look, MarkKind, Picture, Shape, SpotShape, svg::layers};
use agon_referee::Record;
use agon_rules::AnyPosition;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::pack::packed;

/// A mark and the letter that stands for it.
const MARKS: [(MarkKind, char); 4] =
    [(MarkKind::LastFrom, 'f'), (MarkKind::LastTo, 't'), (MarkKind::Danger, 'd'), (MarkKind::Winning, 'w')];

/// Texts, each stored once and known by its number.
#[derive(Default)]
struct Texts {
    texts: Vec<String>,
    known: HashMap<String, usize>,
}

impl Texts {
    fn number(&mut self, text: String) -> usize {
        let next = self.texts.len();
        *self.known.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            next
        })
    }
}

/// All matches of a page.
#[derive(Default)]
pub(super) struct Films {
    grounds: Texts,
    labels: Texts,
    men: Texts,
    /// The numbers of men that were met, so that none is drawn twice.
    met: Vec<(Shape, Look, usize)>,
    /// Size and places of boards, as JSON.
    boards: Texts,
    films: Vec<String>,
}

impl Films {
    /// Adds a match and gives its number; `None` if the record does not follow the rules.
    pub(super) fn add(&mut self, record: &Record) -> Option<usize> {
        let (game, mut position) = record.start(agon_all::rules).ok()?;
        let mut frames = Frames { films: self, men: BTreeMap::new(), last: None };
        let mut shown = vec![frames.frame(&*position)];
        for turn in &record.turns {
            position.play(&turn.text).ok()?;
            shown.push(frames.frame(&*position));
        }
        let seconds = |time: Option<std::time::Duration>| time.map(|time| (time.as_secs_f64() * 100.0).round() / 100.0);
        let tag = |name: &str| record.tag(name).unwrap_or_default();
        let film = json!({
            "who": [tag("First"), tag("Second")],
            "sides": game.sides(),
            "round": tag("Round"),
            "clock": tag("TimeControl"),
            "result": tag("Result"),
            "points": tag("Points"),
            "end": tag("Termination"),
            "evidence": record.tag("Evidence"),
            "turns": record.turns.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>(),
            "seconds": record.turns.iter().map(|turn| seconds(turn.wall)).collect::<Vec<_>>(),
            "frames": shown,
        });
        self.films.push(packed(&film));
        Some(self.films.len() - 1)
    }

    /// Everything, as JSON that is safe within a page: nothing but letters, digits and `+/=` in quotes.
    pub(super) fn data(&self) -> String {
        let boards: Vec<Value> =
            self.boards.texts.iter().map(|text| serde_json::from_str(text).unwrap_or_default()).collect();
        let marks: BTreeMap<String, [String; 2]> = MARKS
            .iter()
            .map(|&(kind, letter)| {
                (letter.to_string(), [SpotShape::Crossing, SpotShape::Cell].map(|shape| layers::mark(kind, shape)))
            })
            .collect();
        let shared = json!({
            "grounds": self.grounds.texts,
            "labels": self.labels.texts,
            "men": self.men.texts,
            "plans": boards,
            "marks": marks,
        });
        json!({ "shared": packed(&shared), "films": self.films }).to_string()
    }
}

/// The positions of one match, one after another.
struct Frames<'a> {
    films: &'a mut Films,
    /// What stands where: the men of each place as letters.
    men: BTreeMap<usize, String>,
    /// The last position, with the numbers of its board, ground and labels.
    last: Option<(Picture, [usize; 3])>,
}

impl Frames<'_> {
    /// A position: its board, ground and labels by number, its marks, what changed on it, and its caption.
    fn frame(&mut self, position: &dyn AnyPosition) -> Value {
        let picture = position.picture();
        let [board, ground, labels] = self.numbers(&picture);
        if self.last.as_ref().is_some_and(|(_, [before, ..])| *before != board) {
            self.men.clear();
        }
        let frame = json!([board, ground, labels, marks(&picture), self.changes(&picture), picture.caption]);
        self.last = Some((picture, [board, ground, labels]));
        frame
    }

    /// Board, ground and labels by number. Most positions share them with the one before: nothing is drawn then.
    fn numbers(&mut self, picture: &Picture) -> [usize; 3] {
        let films = &mut *self.films;
        let mut draw = |known: Option<[usize; 3]>, board: bool, ground: bool, labels: bool| {
            let known = |same: bool, index: usize| known.filter(|_| same).map(|numbers| numbers[index]);
            [
                known(board, 0).unwrap_or_else(|| films.boards.number(places(picture))),
                known(board && ground, 1).unwrap_or_else(|| films.grounds.number(layers::ground(picture))),
                known(labels, 2).unwrap_or_else(|| films.labels.number(layers::labels(picture))),
            ]
        };
        match &self.last {
            None => draw(None, false, false, false),
            Some((last, numbers)) => draw(
                Some(*numbers),
                last.size == picture.size && last.spots == picture.spots,
                last.regions == picture.regions && last.lines == picture.lines && last.looks == picture.looks,
                last.labels == picture.labels,
            ),
        }
    }

    /// The letter of a man: `a` and those that follow it, never a digit or a comma.
    fn letter(&mut self, shape: Shape, look: Look) -> Option<char> {
        let met =
            self.films.met.iter().find(|(known, of, _)| *known == shape && *of == look).map(|(.., number)| *number);
        let number = met.unwrap_or_else(|| {
            let number = self.films.men.number(layers::man(shape, look));
            self.films.met.push((shape, look, number));
            number
        });
        char::from_u32('a' as u32 + number as u32)
    }

    /// The places that look different now: `12a,13,40bc` has one man on 12, none on 13 and two on 40.
    fn changes(&mut self, picture: &Picture) -> String {
        let mut now: BTreeMap<usize, String> = BTreeMap::new();
        for piece in &picture.pieces {
            let letter = self.letter(piece.shape, picture.looks[piece.side.index()]);
            now.entry(piece.spot).or_default().extend(letter);
        }
        let gone = self.men.keys().filter(|spot| !now.contains_key(spot)).map(|spot| (*spot, ""));
        let come = now.iter().filter(|(spot, men)| self.men.get(spot) != Some(men));
        let mut changed: Vec<(usize, &str)> = gone.chain(come.map(|(spot, men)| (*spot, men.as_str()))).collect();
        changed.sort_unstable();
        let text: Vec<String> = changed.iter().map(|(spot, men)| format!("{spot}{men}")).collect();
        let text = text.join(",");
        self.men = now;
        text
    }
}

/// Size and places of a board.
fn places(picture: &Picture) -> String {
    let spots: Vec<Value> = picture
        .spots
        .iter()
        .map(|spot| {
            let [x, y] = layers::scaled(spot.at);
            json!([x, y, u8::from(spot.shape == SpotShape::Cell)])
        })
        .collect();
    json!({ "size": layers::scaled(picture.size), "spots": spots }).to_string()
}

/// The marked places: `f12t14`.
fn marks(picture: &Picture) -> String {
    let letter = |kind: MarkKind| MARKS.iter().find(|(known, _)| *known == kind).map_or(' ', |(_, letter)| *letter);
    picture.marks.iter().map(|mark| format!("{}{}", letter(mark.kind), mark.spot)).collect()
}

/// Where a match is shown.
pub(super) fn viewer() -> Markup {
    html! {
        dialog .viewer aria-labelledby="viewer-title" data-viewer {
            form method="dialog" { button .close aria-label="Close" { "×" } }
            h2 #viewer-title data-title {}
            div .table {
                div .board data-board {}
                div .panel {
                    div .actions {
                        button type="button" data-go="first" { "First" }
                        button type="button" data-go="back" { "Back" }
                        button type="button" data-go="next" { "Next" }
                        button type="button" data-go="last" { "Last" }
                        button type="button" data-go="play" { "Play" }
                        button type="button" data-go="flip" { "Flip" }
                    }
                    div .players data-players {}
                    p .status role="status" data-caption {}
                    ol .turns data-turns tabindex="0" aria-label="Turns" {}
                    p .soft data-end {}
                }
            }
        }
    }
}
