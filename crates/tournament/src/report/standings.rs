//! Standings: final ones with places and marks, or how it stands so far.

use maud::{Markup, html};

use super::{Sheet, text::number, words::reached_words};
use crate::{battle::Tally, standings::Standing};

impl Sheet<'_> {
    /// Places and marks if everything is played, else what everybody won so far.
    pub fn standings(&self) -> Markup {
        match &self.state.standings {
            Some(standings) => self.final_standings(standings),
            None => self.so_far(),
        }
    }

    fn final_standings(&self, standings: &[Standing]) -> Markup {
        let parts = &self.plan.format.parts;
        let marked = self.plan.format.marks.is_some();
        html! {
            div .scroll tabindex="0" role="group" aria-label="Final standings" {
                table .standings {
                    caption { "Places" @if marked { " and marks" } ". Teams that share a place are listed by points." }
                    thead { tr {
                        th scope="col" .number { "Place" }
                        th scope="col" { "Team" }
                        @if marked { th scope="col" .number { "Marks" } }
                        @for part in parts { th scope="col" { (if parts.len() > 1 { &part.name } else { "Reached" }) } }
                        th scope="col" .number { "Points" }
                        th scope="col" .number { "Matches" }
                        th scope="col" .number { abbr title="won, drawn, lost" { "W–D–L" } }
                    } }
                    tbody { @for standing in standings { (self.standing(standing, marked)) } }
                }
            }
        }
    }

    fn standing(&self, standing: &Standing, marked: bool) -> Markup {
        html! {
            tr .first[standing.place == 1] {
                td .number { (standing.place) }
                th scope="row" {
                    (self.plan.name(standing.team))
                    @match standing.out {
                        Some(true) => { " " span .soft { "disqualified" } }
                        Some(false) => { " " span .soft { "withdrawn" } }
                        None => {}
                    }
                }
                @if marked { td .number { strong { (standing.marks.map_or(String::new(), number)) } } }
                @for part in &standing.parts {
                    td {
                        @match part {
                            Some(part) => {
                                (reached_words(part.reached))
                                @if let (Some(marks), true) = (part.marks, standing.parts.len() > 1) {
                                    ", " (number(marks))
                                }
                            }
                            None => { span .soft { "did not play" } }
                        }
                    }
                }
                (tally_cells(&standing.tally))
            }
        }
    }

    fn so_far(&self) -> Markup {
        let mut tallies = vec![Tally::default(); self.plan.teams.len()];
        for battle in &self.state.battles {
            for seat in 0..2 {
                if let Some(tally) = tallies.get_mut(battle.players[seat]) {
                    tally.add(&battle.tally(seat));
                }
            }
        }
        let mut order: Vec<usize> = (0..tallies.len()).collect();
        order.sort_by(|&a, &b| tallies[b].points.total_cmp(&tallies[a].points));
        html! {
            div .scroll tabindex="0" role="group" aria-label="Standings so far" {
                table .standings {
                    caption { "All matches so far, by points. Places are given when everything is played." }
                    thead { tr {
                        th scope="col" { "Team" }
                        th scope="col" .number { "Points" }
                        th scope="col" .number { "Matches" }
                        th scope="col" .number { abbr title="won, drawn, lost" { "W–D–L" } }
                    } }
                    tbody {
                        @for team in order {
                            tr { th scope="row" { (self.plan.name(team)) } (tally_cells(&tallies[team])) }
                        }
                    }
                }
            }
        }
    }
}

/// Points, matches, and how they ended.
pub(super) fn tally_cells(tally: &Tally) -> Markup {
    html! {
        td .number { (number(tally.points)) }
        td .number { (tally.matches) }
        td .number { (tally.wins) "–" (tally.draws) "–" (tally.losses()) }
    }
}
