//! Ratings, with how sure they are.

use agon_rating::{BradleyTerry, CrossTable, Interval};
use maud::{Markup, html};

use super::Sheet;
use crate::{derive::result_of_first, ratings::matches};

/// A player and its rating.
struct Rated {
    player: usize,
    matches: u32,
    rating: Interval,
}

/// Everybody who played, the strongest first. All that the page knows of rating models is here.
fn rate(sheet: &Sheet) -> Vec<Rated> {
    let players = sheet.plan.players().len();
    let (mut table, mut counts) = (CrossTable::new(players), vec![0; players]);
    for (sides, winner) in matches(sheet.state.battles.iter()) {
        table.record(sides[0], sides[1], result_of_first(winner));
        counts[sides[0]] += 1;
        counts[sides[1]] += 1;
    }
    let Ok(ratings) = BradleyTerry::default().rate(&table) else { return Vec::new() };
    let order = ratings.ranking().into_iter().filter(|&player| counts[player] > 0);
    order.map(|player| Rated { player, matches: counts[player], rating: ratings.of(player) }).collect()
}

/// Half a letter's height of air on both ends of a bar.
const WIDTH: f64 = 240.0;

/// Ratings as a table with a bar for each.
pub(super) fn ratings(sheet: &Sheet) -> Markup {
    let rated = rate(sheet);
    if rated.is_empty() {
        return html! { p { "Nothing is played yet." } };
    }
    let low = rated.iter().map(|rated| rated.rating.low).fold(f64::INFINITY, f64::min);
    let high = rated.iter().map(|rated| rated.rating.high).fold(f64::NEG_INFINITY, f64::max);
    let x = |value: f64| ((value - low) / (high - low).max(1.0) * (WIDTH - 12.0) + 6.0).round();
    html! {
        div .scroll tabindex="0" role="group" aria-label="Ratings" {
            table .ratings {
                caption {
                    "Elo of everybody who played, by results alone and relative to the field; the bar is where the truth lies \
                     with 95 %. Forfeits do not count. Ratings decide nothing unless the format says so."
                }
                thead { tr {
                    th scope="col" { "Player" }
                    th scope="col" .number { "Rating" }
                    th scope="col" .number { "±" }
                    th scope="col" .number { "Matches" }
                    th scope="col" { span .unseen { "Bar" } }
                } }
                tbody { @for rated in &rated { tr {
                    th scope="row" { (sheet.plan.name(rated.player)) }
                    td .number { (format!("{:+.0}", rated.rating.value)) }
                    td .number { (format!("{:.0}", rated.rating.error())) }
                    td .number { (rated.matches) }
                    td .bar {
                        svg viewBox={ "0 0 " (WIDTH) " 16" } width=(WIDTH) height="16" aria-hidden="true" {
                            line .zero x1=(x(0.0)) x2=(x(0.0)) y1="0" y2="16" {}
                            line .whisker x1=(x(rated.rating.low)) x2=(x(rated.rating.high)) y1="8" y2="8" {}
                            line .whisker x1=(x(rated.rating.low)) x2=(x(rated.rating.low)) y1="4" y2="12" {}
                            line .whisker x1=(x(rated.rating.high)) x2=(x(rated.rating.high)) y1="4" y2="12" {}
                            circle .value cx=(x(rated.rating.value)) cy="8" r="4.5" {}
                        }
                    }
                } } }
            }
        }
    }
}
