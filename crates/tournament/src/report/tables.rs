//! Tables of groups, gauntlets and rounds.

use std::collections::HashMap;

use maud::{Markup, html};

use super::{Sheet, standings::tally_cells, text::number};
use crate::battle::{Battle, Spot};

/// A table with more opponents than this does not say what each brought.
const MOST_OPPONENTS: usize = 12;

impl Sheet<'_> {
    /// The table of a group, a gauntlet or a stage of rounds.
    pub fn group_table(&self, part: usize, stage: usize, group: usize) -> Markup {
        let format = &self.plan.format.stages[stage];
        let state = &self.state.parts[part].stages[stage];
        let table = &state.tables[group];
        let system = format.kind.system();
        let title = if system.in_groups() { format!("Group {}", group + 1) } else { format.name.clone() };
        let last = stage + 1 == self.plan.format.stages.len();
        let on = if last { 0 } else { format.advance.unwrap_or(usize::MAX) };
        let battles = self.battles_of(state);
        let won = won(battles, group);
        let teams: Vec<usize> = table.rows.iter().map(|row| row.team).collect();
        let mut opponents = system.columns(self.plan, &teams);
        if opponents.len() > MOST_OPPONENTS {
            opponents.clear();
        }
        html! {
            div .scroll tabindex="0" role="group" aria-label=(title) {
                table .group {
                    caption {
                        strong { (title) } ", " (if table.decided { "final" } else { "so far" })
                        @if on > 0 && on < table.rows.len() { ". → goes on" }
                        @if !opponents.is_empty() { ". On the right: points against each" }
                    }
                    thead { tr {
                        th scope="col" .number { "Place" }
                        th scope="col" { "Team" }
                        th scope="col" .number { "Points" }
                        th scope="col" .number { "Matches" }
                        th scope="col" .number { abbr title="won, drawn, lost" { "W–D–L" } }
                        @for (index, &opponent) in opponents.iter().enumerate() {
                            th scope="col" .number { abbr title=(self.plan.name(opponent)) { (self.column(opponent, index)) } }
                        }
                    } }
                    tbody { @for (index, row) in table.rows.iter().enumerate() {
                        tr .on[table.decided && index < on && row.started] {
                            td .number {
                                (row.place) @if table.decided && index < on && on < table.rows.len() && row.started { " →" }
                            }
                            th scope="row" {
                                (self.plan.name(row.team)) @if !row.started { " " span .soft { "did not start" } }
                            }
                            (tally_cells(&row.tally))
                            @for &opponent in &opponents {
                                @match won.get(&(row.team, opponent)) {
                                    _ if opponent == row.team => { td .number .self { "·" } }
                                    Some(points) => { td .number { (number(*points)) } }
                                    None => { td {} }
                                }
                            }
                        }
                    } }
                }
            }
        }
    }

    /// A column's head: a team's row, or the name of a house bot.
    fn column(&self, opponent: usize, index: usize) -> String {
        if opponent < self.plan.teams.len() { (index + 1).to_string() } else { self.plan.name(opponent).to_owned() }
    }
}

/// The points that each won against each, without rematches.
fn won(battles: &[Battle], group: usize) -> HashMap<(usize, usize), f64> {
    let mut won: HashMap<(usize, usize), f64> = HashMap::new();
    for battle in battles {
        let here = matches!(battle.place.spot, Spot::Group { group: of, .. } if of == group);
        if !here || battle.place.rematch > 0 {
            continue;
        }
        for seat in 0..2 {
            let tally = battle.tally(seat);
            if tally.matches > 0 {
                *won.entry((battle.players[seat], battle.players[1 - seat])).or_default() += tally.points;
            }
        }
    }
    won
}
