//! The feedback as a page that needs nothing but itself.

use agon_picture::svg;
use maud::{Markup, PreEscaped, html};

use super::{Board, Feedback, MatchFeedback, PhaseFeedback};

pub(super) fn page(feedback: &Feedback<'_>) -> String {
    let style = format!("{}:root{{--ag-accent:{}}}", svg::style_sheet(), feedback.accent);
    let body = html! {
        h1 { (feedback.title) }
        p {
            "Feedback for " strong { (feedback.team) } ". It is for your team alone. "
            @if let Some(name) = feedback.pseudonym { "In what is published you are called " em { (name) } "." }
        }
        (marks(feedback))
        (form(feedback))
        @for phase in &feedback.phases { (phase_section(phase, feedback)) }
    };
    crate::page::page(&format!("Feedback for {}", feedback.team), &style, &body)
}

fn marks(feedback: &Feedback<'_>) -> Markup {
    let number = |marks: f64| format!("{marks:.*}", feedback.digits);
    html! {
        h2 { "Marks" }
        @for breakdown in &feedback.marks {
            table {
                caption { (breakdown.entry) @if !breakdown.note.is_empty() { ": " (breakdown.note) } }
                thead { tr { th scope="col" { "For" } th scope="col" .number { "Marks" } th scope="col" { "Why" } } }
                tbody {
                    @for (name, marks, why) in breakdown.parts() {
                        tr { th scope="row" { (name) } td .number { (number(marks)) } td { (why) } }
                    }
                }
                tfoot { tr { th scope="row" { "Total" } td .number { strong { (number(breakdown.total)) } } td {} } }
            }
        }
    }
}

fn form(feedback: &Feedback<'_>) -> Markup {
    html! {
        h2 { "What you handed in" }
        @match feedback.version {
            None => p { "Nothing was handed in." },
            Some(version) => {
                p { code { (version.called) } ", version " (version.version) }
                @if let Some(refused) = &version.refused { p .bad { "It could not be unpacked: " (refused) } }
                @if version.refused.is_none() && version.formalities.is_clean() { p { "Everything is as the course asks for." } }
                @if !version.formalities.is_clean() {
                    ul {
                        @for finding in &version.formalities.findings {
                            li {
                                strong { @if finding.repaired { "Mended in a copy: " } @else { "Not met: " } } (finding.found)
                                blockquote { "Section " (finding.section) ": " (finding.says) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn phase_section(phase: &PhaseFeedback, feedback: &Feedback<'_>) -> Markup {
    let count = |result: &str| phase.matches.iter().filter(|played| played.result == result).count();
    html! {
        h2 { "Phase " (phase.name) }
        @if let Some(broken) = &phase.broken { pre .bad { "Your bot could not play: " (broken) } }
        p {
            @if let Some((place, of)) = phase.place { "Place " strong { (place) } " of " (of) ": " }
            (count("won")) " won, " (count("drawn")) " drawn, " (count("lost")) " lost."
        }
        @if !phase.ranks.is_empty() {
            ul .ranks {
                @for (what, share) in &phase.ranks {
                    li {
                        "Ahead of " strong { (format!("{:.0} %", 100.0 * share)) } " of the others in " (what) " "
                        meter min="0" max="1" value=(format!("{share:.3}")) aria-label=(what) {}
                    }
                }
            }
        }
        @for played in &phase.matches { (match_section(played, &phase.name, feedback.nodes)) }
        @if phase.unlooked > 0 {
            p { (phase.unlooked) " lost matches were not analysed: there are many, and each costs time." }
        }
    }
}

fn match_section(played: &MatchFeedback, phase: &str, nodes: u64) -> Markup {
    let (used, slowest) = played.used();
    let heard = played.turns.iter().any(|(_, _, _, stderr)| !stderr.trim().is_empty());
    html! {
        details open[played.losing.is_some()] .(played.result) {
            summary {
                strong { (played.result) } " as " (played.side) " against " (played.opponent) " on " (played.variant)
                span .points { (played.points[0]) " to " (played.points[1]) }
            }
            p { "Match " (played.round) ". It ended because " (played.ended) "." }
            @if !played.evidence.is_empty() { pre .bad { (played.evidence) } }
            p {
                (played.turns.len()) " turns of yours took " (format!("{used:.2}")) " s, the slowest "
                (format!("{slowest:.3}")) " s. Clock: " (played.clock) "."
            }
            @if let Some((losing, boards)) = &played.losing {
                h3 { "The turn that lost it: turn " (losing.number + 1) ", " (losing.turn) }
                p {
                    "Your chance fell from " (format!("{:.0} %", 100.0 * losing.before)) " to "
                    (format!("{:.0} %", 100.0 * losing.after)) ": " (losing.verdict) ". Better was "
                    strong { (losing.best) } ". By the house engine with " (nodes) " nodes a position, and "
                    (losing.nodes) " for this one."
                }
                div .boards { @for board in boards { (figure(board)) } }
            }
            details {
                summary { "The end, and your turns" }
                div .boards { (figure(&Board { caption: "the last position".to_owned(), picture: played.board.clone() })) }
                div .wide tabindex="0" role="region" aria-label={ "Turns of match " (played.round) ", phase " (phase) } {
                    table {
                        thead {
                            tr {
                                th scope="col" .number { "Turn" } th scope="col" { "Played" } th scope="col" .number { "Seconds" }
                                @if heard { th scope="col" { "What your bot wrote to stderr" } }
                            }
                        }
                        tbody {
                            @for (number, turn, seconds, stderr) in &played.turns {
                                tr {
                                    td .number { (number) } td { code { (turn) } } td .number { (format!("{seconds:.3}")) }
                                    @if heard { td { pre { (stderr.trim()) } } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn figure(board: &Board) -> Markup {
    html! { figure { (PreEscaped(&board.picture)) figcaption { (board.caption) } } }
}
