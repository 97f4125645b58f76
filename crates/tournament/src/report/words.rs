//! A format in words: what was agreed before the first match.

use maud::{Markup, html};

use super::text::{clock_words, number};
use crate::{
    format::{Marks, NonStarters, Reached, Stage},
    plan::{Entry, Interventions, Plan},
    rung::Rung,
};

/// What becomes of teams that did not start.
const NON_STARTERS: &str = "A team whose bot has no turn of its own in any of its matches did not start: it goes on nowhere, comes after \
                            everybody who played";

/// What is played, by which clocks, and what decides.
pub fn format_words(plan: &Plan) -> Markup {
    let format = &plan.format;
    let game = agon_all::find(&format.game).map_or(format.game.as_str(), |game| game.title());
    html! {
        p {
            (game) ", rule set " (format.rules) ". "
            @match format.matches {
                1 => { "A battle is one match. " }
                matches => { "A battle is " (matches) " matches, with the sides swapped after each. " }
            }
            "A match is broken off as a draw after " (format.max_turns) " turns. "
            @if format.grace_ms > 0 { "An answer may come " (format.grace_ms) " ms late. " }
        }
        (parts(plan))
        ol .stages {
            @for (index, stage) in format.stages.iter().enumerate() {
                li {
                    strong { (stage.name) } ": " (stage.kind.system().words()) " "
                    @if let (Some(most), true) = (stage.advance, index + 1 < format.stages.len()) {
                        (advance_words(stage, most)) " "
                    }
                    (tie_breaks(stage))
                }
            }
        }
        @for note in &format.notes { p .note { (note) } }
        @if let Some(rung) = format.ranking { p { "The whole is ordered by " (rung_words(rung)) "." } }
        @if let Some(marks) = format.winner_leaves {
            p { "The winner of a tournament of the series sits out the rest and has " (number(marks)) " marks in all." }
        }
        @if !format.anchors.is_empty() {
            p {
                "Ratings are measured from those of the house bots: "
                (format.anchors.iter().map(|(name, rating)| format!("{name} {}", number(*rating))).collect::<Vec<_>>().join(", ")) "."
            }
        }
        @if let Some(marks) = &format.marks { p { (marks_words(marks)) } }
        @if format.non_starters == NonStarters::Last { p { (NON_STARTERS) @if format.marks.is_some() { " and gets no marks" } "." } }
    }
}

fn parts(plan: &Plan) -> Markup {
    let several = plan.format.parts.len() > 1;
    html! {
        @if several { p { "A series of " (plan.format.parts.len()) " tournaments:" } }
        ul {
            @for part in &plan.format.parts {
                li {
                    @if several { strong { (part.name) } ": " }
                    "board " code { (part.variant) } ", clock: " (clock_words(part.clock)) "."
                }
            }
        }
    }
}

fn advance_words(stage: &Stage, most: usize) -> String {
    let each = if stage.kind.system().in_groups() { " of each group" } else { "" };
    match most {
        1 => format!("The first{each} goes on."),
        most => format!("The first {most}{each} go on."),
    }
}

fn tie_breaks(stage: &Stage) -> Markup {
    html! {
        @if !stage.ties.is_empty() {
            "What decides, each only if all before it do not:"
            ol .ladder { @for rung in &stage.ties { li { (rung_words(*rung)) } } }
        }
    }
}

/// What decides, in words.
pub(super) fn rung_words(rung: Rung) -> String {
    match rung {
        Rung::Points => "points, the average of all matches".to_owned(),
        Rung::Score => "won matches, drawn ones counting half".to_owned(),
        Rung::Battles => "won battles, drawn ones counting half".to_owned(),
        Rung::HeadToHead => "the battles between those that are tied".to_owned(),
        Rung::Margin => "the margin score, or own points less the opponents' where the game has none".to_owned(),
        Rung::Moves => "won matches that took fewer turns".to_owned(),
        Rung::Combined => "the sum of the places in every single game".to_owned(),
        Rung::House => "fewer points of the house bots against the team".to_owned(),
        Rung::Group => "points of the group stage".to_owned(),
        Rung::Earlier => "the score of an earlier phase".to_owned(),
        Rung::Seed => "the better seed".to_owned(),
        Rung::Rating => "the rating over all matches".to_owned(),
        Rung::Elo => "Elo, match after match".to_owned(),
        Rung::Rematch(clock) => format!("a rematch ({})", clock_words(clock)),
        Rung::Decision => "the organiser's decision".to_owned(),
        Rung::Coin => "a coin".to_owned(),
    }
}

fn marks_words(marks: &Marks) -> String {
    match marks {
        Marks::Reached { table, otherwise } => {
            let each: Vec<String> = table
                .iter()
                .map(|(reached, marks)| format!("{} {}", reached_words(*reached), number(*marks)))
                .collect();
            format!("Marks: {}; everybody else {}.", each.join(", "), number(*otherwise))
        }
        Marks::Places { table, otherwise } => {
            let each: Vec<String> = table.iter().map(|marks| number(*marks)).collect();
            format!("Marks by place: {}; everybody else {}.", each.join(", "), number(*otherwise))
        }
        Marks::Share { of, full, average } => format!(
            "Marks: a share of {} by points won, all of them for {} points{}.",
            number(*of),
            number(*full),
            if *average { " a match on average" } else { "" }
        ),
        Marks::Rank { of } => {
            format!("Marks: {} for the first place, evenly fewer for every place below.", number(*of))
        }
    }
}

/// How far a team came, in words.
pub(super) fn reached_words(reached: Reached) -> String {
    match reached {
        Reached::Winner => "winner".to_owned(),
        Reached::RunnerUp => "runner-up".to_owned(),
        Reached::Third => "third".to_owned(),
        Reached::Fourth => "fourth".to_owned(),
        Reached::RoundOf(4) => "semi-final".to_owned(),
        Reached::RoundOf(8) => "quarter-final".to_owned(),
        Reached::RoundOf(places) => format!("round of {places}"),
        Reached::Place(place) => format!("place {place}"),
        Reached::Group(place) => format!("place {place} of its group"),
        Reached::DidNotStart => "did not start".to_owned(),
    }
}

/// Letters of a digest that are enough to compare by eye.
const DIGEST_LETTERS: usize = 12;

/// A digest as it is shown.
pub(super) fn short_digest(digest: &str) -> String {
    digest.chars().take(DIGEST_LETTERS).collect()
}

/// Who entered, and what became of bots that could not be built.
pub(super) fn teams(plan: &Plan, log: &[Entry]) -> Markup {
    let interventions = Interventions::of(plan, log);
    let versions = |team: usize| interventions.versions.get(&team).into_iter().flatten();
    let scored = plan.teams.iter().any(|team| team.score.is_some());
    html! {
        details {
            summary { "Teams and their bots" }
            div .scroll tabindex="0" role="group" aria-label="Teams" {
                table {
                    caption { "Teams in the order in which they were entered; a bot is known by the digest of its content, and each that replaced it "
                    "by its own." }
                    thead { tr {
                        th scope="col" { "Team" }
                        th scope="col" { "Language" }
                        th scope="col" { "Digest" }
                        @if scored { th scope="col" .number { "Earlier score" } }
                    } }
                    tbody { @for (index, team) in plan.teams.iter().enumerate() { tr {
                        th scope="row" { (team.name) @if let Some(reason) = &team.broken { p .fault { (reason) } } }
                        td { (team.language) @for version in versions(index) { ", then " (version.language) } }
                        td {
                            code { (short_digest(&team.hash)) }
                            @for version in versions(index) { ", then " code { (short_digest(&version.hash)) } }
                        }
                        @if scored { td .number { (team.score.map_or(String::new(), number)) } }
                    } } }
                }
            }
        }
    }
}
