//! Brackets as SVG, cut into pieces that fit on a sheet of paper.

use maud::{Markup, html};

use super::{
    Sheet,
    decided::deciding_rung,
    text::{number, round_name, shortened},
    words::rung_words,
};
use crate::{
    derive::{Bracket, Occupant, Pairing},
    rung::Rung,
};

/// Battles of a piece's first round.
const PIECE: usize = 16;
/// A box, and how far apart boxes are.
const WIDTH: usize = 216;
const GAP: usize = 28;
const ROW: usize = 20;
const PITCH: usize = 60;
/// Above the boxes: what rounds are called.
const HEAD: usize = 26;
/// About as wide as a bold letter and a bold digit of a box.
const LETTER: usize = 8;
const DIGIT: usize = 7;

/// A part of a bracket that is drawn by itself: rounds, each with what it is called.
struct Piece<'a> {
    columns: Vec<(String, &'a [Pairing])>,
}

/// Which bracket of the tournament.
#[derive(Clone, Copy)]
struct Drawing<'a> {
    sheet: &'a Sheet<'a>,
    part: usize,
    stage: usize,
}

impl Sheet<'_> {
    /// The bracket of a knockout.
    pub fn bracket(&self, part: usize, stage: usize, bracket: &Bracket) -> Markup {
        let drawing = Drawing { sheet: self, part, stage };
        let pieces = pieces(&bracket.rounds);
        let count = pieces.len();
        html! {
            @for (index, piece) in pieces.iter().enumerate() {
                @let last = index + 1 == count;
                @let title = title(piece, index, count);
                figure .bracket {
                    figcaption { (title) }
                    div .scroll tabindex="0" role="group" aria-label=(title) {
                        (drawing.drawn(piece, bracket.third_place.as_ref().filter(|_| last), &title))
                    }
                }
            }
            @if count > 0 { p .soft .key { "A bar and bold type: went on. Numbers: points of the battle, then of rematches." } }
        }
    }
}

/// What a piece is called: its rounds, and which of several pieces it is.
fn title(piece: &Piece, index: usize, count: usize) -> String {
    let names = match (piece.columns.first(), piece.columns.last()) {
        (Some((first, _)), Some((last, _))) if first != last => format!("{first} to {}", last.to_lowercase()),
        (Some((first, _)), _) => first.clone(),
        _ => String::new(),
    };
    if count > 1 { format!("{names}, piece {} of {count}", index + 1) } else { names }
}

/// Cuts a bracket: pieces of the first rounds side by side, then those of the rounds in which their winners meet.
fn pieces(rounds: &[Vec<Pairing>]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    while from < rounds.len() {
        let all = rounds[from].len();
        let size = all.clamp(1, PIECE);
        let depth = (size.ilog2() as usize + 1).min(rounds.len() - from);
        for piece in 0..all / size {
            let columns = (0..depth).map(|deeper| {
                let (round, here) = (&rounds[from + deeper], size >> deeper);
                (round_name(2 * round.len()), &round[piece * here..(piece + 1) * here])
            });
            pieces.push(Piece { columns: columns.collect() });
        }
        from += depth;
    }
    pieces
}

fn is_empty(pairing: &Pairing) -> bool {
    pairing.opponents == [Occupant::Nobody, Occupant::Nobody]
}

impl Drawing<'_> {
    fn drawn(self, piece: &Piece, third: Option<&Pairing>, title: &str) -> Markup {
        let first = piece.columns.first().map_or(0, |(_, battles)| battles.len());
        let columns = piece.columns.len();
        let width = columns * (WIDTH + GAP) - GAP + 4;
        let below = if third.is_some() { PITCH + HEAD } else { 0 };
        let height = HEAD + first * PITCH + below;
        html! {
            svg .bracket-tree role="img" aria-label=(title) viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) {
                @for (column, (name, battles)) in piece.columns.iter().enumerate() {
                    text .round x=(column * (WIDTH + GAP) + 2) y="16" { (name) }
                    @for (index, pairing) in battles.iter().enumerate() {
                        @let at = (column * (WIDTH + GAP) + 2, middle(column, index));
                        @if !is_empty(pairing) {
                            (self.battle(pairing, at))
                            @if column + 1 < columns { (branch(at, middle(column + 1, index / 2))) }
                        }
                    }
                }
                @if let Some(third) = third {
                    @let x = (columns - 1) * (WIDTH + GAP) + 2;
                    @let y = HEAD + first * PITCH + PITCH / 2;
                    text .round x=(x) y=(y - ROW - 4) { "Third place" }
                    (self.battle(third, (x, y + 4)))
                }
            }
        }
    }

    /// A battle around the middle of its left edge.
    fn battle(self, pairing: &Pairing, (x, y): (usize, usize)) -> Markup {
        let bye = pairing.opponents.contains(&Occupant::Nobody);
        let rung = deciding_rung(self.sheet.plan, self.sheet.state, self.part, self.stage, pairing);
        let note = rung.filter(|rung| !matches!(rung, Rung::Points | Rung::Score | Rung::Battles)).map(short);
        html! {
            @if bye {
                @let occupant = if pairing.opponents[0] == Occupant::Nobody { pairing.opponents[1] } else { pairing.opponents[0] };
                rect .box x=(x) y=(y - ROW / 2) width=(WIDTH) height=(ROW) rx="5" {}
                (self.line(occupant, None, false, (x, y - ROW / 2)))
            } @else {
                rect .box x=(x) y=(y - ROW) width=(WIDTH) height=(2 * ROW) rx="5" {}
                line .between x1=(x) x2=(x + WIDTH) y1=(y) y2=(y) {}
                @for seat in 0..2 {
                    @let won = pairing.opponents[seat] == pairing.winner && matches!(pairing.winner, Occupant::Team(_));
                    (self.line(pairing.opponents[seat], Some(pairing), won, (x, y - ROW + seat * ROW)))
                }
                @if let Some(note) = note { text .note x=(x + 8) y=(y + ROW + 11) { (note) } }
            }
        }
    }

    /// One line of a box, from its top left corner.
    fn line(self, occupant: Occupant, pairing: Option<&Pairing>, won: bool, (x, y): (usize, usize)) -> Markup {
        html! {
            @match occupant {
                Occupant::Team(team) => {
                    @let name = self.sheet.plan.name(team);
                    @let points = pairing.map_or("bye".to_owned(), |pairing| self.points(pairing, team));
                    @let letters = (WIDTH - 25 - DIGIT * points.chars().count().min(16)) / LETTER;
                    @if won { rect .won x=(x) y=(y + 2) width="4" height=(ROW - 4) {} }
                    text .team .winner[won] x=(x + 9) y=(y + 14) { title { (name) } (shortened(name, letters)) }
                    text .points[pairing.is_some()] .note[pairing.is_none()] .winner[won] x=(x + WIDTH - 8) y=(y + 14) text-anchor="end" {
                        (points)
                    }
                }
                Occupant::Open => { text .note x=(x + 9) y=(y + 14) { "open" } }
                Occupant::Nobody => {}
            }
        }
    }

    /// What a team won in each battle, rematches after the first.
    fn points(self, pairing: &Pairing, team: usize) -> String {
        let ladder = &self.sheet.plan.format.stages[self.stage].ties;
        let by_score = ladder.iter().find(|rung| matches!(rung, Rung::Points | Rung::Score)) == Some(&Rung::Score);
        let battles = pairing.battles.iter().filter_map(|&index| self.sheet.state.battles.get(index));
        let points = battles.map(|battle| battle.tally(usize::from(battle.players[1] == team)));
        let played = points.filter(|tally| tally.matches > 0);
        let texts: Vec<String> =
            played.map(|tally| number(if by_score { tally.score() } else { tally.points })).collect();
        texts.join(" · ")
    }
}

/// A line from a battle to the one that its winner plays next.
fn branch((x, y): (usize, usize), to: usize) -> Markup {
    let right = x + WIDTH;
    html! { path .branch d=(format!("M{right} {y}h{}V{to}h{}", GAP / 2, GAP / 2)) {} }
}

/// The middle of a battle's box.
fn middle(column: usize, index: usize) -> usize {
    HEAD + ((2 * index + 1) << column) * PITCH / 2
}

/// What decided, in few words.
fn short(rung: Rung) -> String {
    match rung {
        Rung::Rematch(_) => "by a rematch".to_owned(),
        Rung::Decision => "the organiser decided".to_owned(),
        Rung::Coin => "a coin decided".to_owned(),
        Rung::Seed => "the better seed".to_owned(),
        Rung::Margin | Rung::HeadToHead => rung_words(rung),
        _ => format!("by {}", rung_words(rung)),
    }
}
