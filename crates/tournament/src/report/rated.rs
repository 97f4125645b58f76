//! Ratings, with how sure they are.

use agon_rating::Interval;
use maud::{Markup, html};

use super::Sheet;
use crate::ratings::{Rated, matches, rate};

/// How wide a bar is.
const WIDTH: f64 = 240.0;

/// Ratings as a table with a bar for each.
pub(super) fn ratings(sheet: &Sheet) -> Markup {
    let Some(Rated { ratings, players }) = rate(sheet.plan, sheet.state.battles.iter()) else {
        return html! { p { "Nothing is played yet." } };
    };
    let mut counts = vec![0; sheet.plan.players().len()];
    for player in matches(sheet.plan, sheet.state.battles.iter()).iter().flat_map(|(sides, _)| *sides) {
        counts[player] += 1;
    }
    let rated: Vec<(usize, Interval)> =
        ratings.ranking().into_iter().map(|index| (players[index], ratings.of(index))).collect();
    let low = rated.iter().map(|(_, rating)| rating.low).fold(f64::INFINITY, f64::min);
    let high = rated.iter().map(|(_, rating)| rating.high).fold(f64::NEG_INFINITY, f64::max);
    let x = |value: f64| ((value - low) / (high - low).max(1.0) * (WIDTH - 12.0) + 6.0).round();
    // Without anchors this is the middle of the field.
    let middle = sheet.plan.format.anchors.is_empty().then(|| x(sheet.plan.format.elo.start));
    let first = ratings.first_move();
    html! {
        div .scroll tabindex="0" role="group" aria-label="Ratings" {
            table .ratings {
                caption {
                    "Elo of everybody who played, by results alone; the bar is where the truth lies with 95 %. "
                    @if middle.is_none() { "House bots have the ratings that the format gives them. " }
                    "Forfeits, matches that both lost and matches of teams that did not start do not count. Ratings decide nothing unless the format says so. "
                    "Moving first was worth " (format!("{:+.0} ± {:.0}", first.value, first.error()))
                    ", and equals drew " (format!("{:.0}", 100.0 * ratings.draw_rate())) " % of their matches."
                }
                thead { tr {
                    th scope="col" { "Player" }
                    th scope="col" .number { "Rating" }
                    th scope="col" .number { "±" }
                    th scope="col" .number { "Matches" }
                    th scope="col" { span .unseen { "Bar" } }
                } }
                tbody { @for (player, rating) in &rated { tr {
                    th scope="row" { (sheet.plan.name(*player)) }
                    td .number { (format!("{:.0}", rating.value)) }
                    td .number { (format!("{:.0}", rating.error())) }
                    td .number { (counts[*player]) }
                    td .bar { (bar(middle, [rating.low, rating.value, rating.high].map(x))) }
                } } }
            }
        }
    }
}

/// A rating between its bounds, and where the middle of the field is.
fn bar(middle: Option<f64>, [low, value, high]: [f64; 3]) -> Markup {
    html! {
        svg viewBox={ "0 0 " (WIDTH) " 16" } width=(WIDTH) height="16" aria-hidden="true" {
            @if let Some(middle) = middle { line .zero x1=(middle) x2=(middle) y1="0" y2="16" {} }
            line .whisker x1=(low) x2=(high) y1="8" y2="8" {}
            line .whisker x1=(low) x2=(low) y1="4" y2="12" {}
            line .whisker x1=(high) x2=(high) y1="4" y2="12" {}
            circle .value cx=(value) cy="8" r="4.5" {}
        }
    }
}
