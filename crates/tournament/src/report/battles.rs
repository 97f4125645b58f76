//! Lists of battles, with a way to every match.

use maud::{Markup, html};

use super::{
    Replay, Sheet,
    text::{clock_words, number, place_words},
};
use crate::battle::{Battle, Outcome};
use agon_rules::Side;

impl Sheet<'_> {
    /// Battles, each with its matches.
    pub fn battle_list(&self, battles: &[Battle]) -> Markup {
        let over = battles.iter().filter(|battle| battle.is_over()).count();
        html! {
            @if !battles.is_empty() {
                details .battles {
                    summary { "Battles: " (over) " of " (battles.len()) " played" }
                    div .scroll tabindex="0" role="group" aria-label="Battles" {
                        table {
                            caption { "Points of the two teams, in the order of their names; each match can be replayed." }
                            thead { tr {
                                th scope="col" { "Battle" }
                                th scope="col" { "Teams" }
                                th scope="col" .number { "Points" }
                                th scope="col" { "Matches" }
                            } }
                            tbody { @for battle in battles.iter().take(self.most_battles) { (self.battle_row(battle)) } }
                        }
                    }
                    @if battles.len() > self.most_battles { p .soft { "And " (battles.len() - self.most_battles) " more." } }
                }
            }
        }
    }

    fn battle_row(&self, battle: &Battle) -> Markup {
        let points = [battle.tally(0), battle.tally(1)].map(|tally| tally.points);
        let over = battle.is_over();
        let team = |seat: usize| {
            let name = self.plan.name(battle.players[seat]);
            html! { @if over && points[seat] > points[1 - seat] { strong { (name) } } @else { (name) } }
        };
        html! {
            tr {
                th scope="row" {
                    (place_words(&battle.place))
                    @if battle.place.rematch > 0 { " " span .soft { (clock_words(battle.clock)) } }
                }
                td { (team(0)) " – " (team(1)) }
                td .number { @if battle.tally(0).matches > 0 { (number(points[0])) " : " (number(points[1])) } }
                td .matches-of { @for index in 0..battle.halves.len() { (self.match_link(battle, index)) " " } }
            }
        }
    }

    /// A match: its points, and the way to it.
    pub fn match_link(&self, battle: &Battle, index: usize) -> Markup {
        let half = &battle.halves[index];
        let Some(outcome) = half.outcome else {
            return match (self.replay)(battle, index) {
                Replay::Address(address) => html! { a href=(address) { "now" } },
                _ => html! { span .soft { "to play" } },
            };
        };
        let [own, other] = in_order(battle, index, &outcome);
        let points = format!("{} : {}", number(own), number(other));
        if outcome.forfeit {
            return html! { span .soft { (points) " forfeit" } };
        }
        let [one, two] = battle.players.map(|player| self.plan.name(player));
        let spoken = format!("Replay match {} of {one} – {two}: {points}", index + 1);
        match (self.replay)(battle, index) {
            Replay::None => html! { span { (points) } },
            Replay::Film(film) => html! {
                span .unplayable { (points) }
                button .film type="button" data-film=(film) aria-label=(spoken) { (points) }
            },
            Replay::Address(address) => html! { a href=(address) aria-label=(spoken) { (points) } },
        }
    }
}

/// The points of a match in the order of the battle's players.
fn in_order(battle: &Battle, index: usize, outcome: &Outcome) -> [f64; 2] {
    let half = &battle.halves[index];
    if half.seat(Side::First) == 0 { outcome.points } else { [outcome.points[1], outcome.points[0]] }
}
