//! What happened, and what chance decided.

use maud::{Markup, html};

use super::{text::utc, words::short_digest};
use crate::{
    derive::State,
    plan::{Entry, Event, Plan},
};

/// The audit log.
pub fn log_table(log: &[Entry]) -> Markup {
    html! {
        div .scroll tabindex="0" role="group" aria-label="Audit log" {
            table .log {
                caption { "Everything that the organiser did, and when. Nothing is ever taken out of it." }
                thead { tr { th scope="col" { "When" } th scope="col" { "What" } } }
                tbody { @for entry in log { tr {
                    td .when { (utc(entry.at_ms)) }
                    td { (event_words(&entry.event)) }
                } } }
            }
        }
    }
}

/// A reason, if there is one.
fn why(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(" {reason}") }
}

fn event_words(event: &Event) -> Markup {
    html! {
        @match event {
            Event::Created { digest, .. } => { "Set up. Digest of the secret: " code { (digest) } }
            Event::Started { sandbox, memory } => {
                "Started; sandbox: " (sandbox)
                @if let Some(memory) = memory { "; memory: " (memory) " MiB a bot" }
                "."
            }
            Event::Paused { reason } => { "Paused." (why(reason)) }
            Event::Resumed { reason } => { "Resumed." (why(reason)) }
            Event::Withdrawn { team, reason, .. } => { strong { (team) } " withdrew: " (reason) }
            Event::Disqualified { team, reason, .. } => { strong { (team) } " was disqualified: " (reason) }
            Event::Reinstated { team, reason, stands } => {
                strong { (team) } " is back: " (reason)
                @if !stands.is_empty() { " What later matches were paired by stays forfeited." }
            }
            Event::Replaced { team, version, reason } => {
                strong { (team) } " plays with another bot (" (version.language) ", "
                code { (short_digest(&version.hash)) } ") from the next match on: " (reason)
            }
            Event::Void { battle, half, reason } => {
                "Match " (half + 1) " of battle number " (battle) " was declared void and played again: " (reason)
            }
            Event::Decided { order, reason } => { "A tie was decided: " (order.join(", ")) ". " (reason) }
            Event::Finished => { "Everything is played." }
        }
    }
}

/// Coins that were tossed, the digest that was published, and the secret if everything is over.
pub fn coins(plan: &Plan, state: &State, log: &[Entry]) -> Markup {
    let published = log.iter().find_map(|entry| match &entry.event {
        Event::Created { digest, .. } => Some(digest.clone()),
        _ => None,
    });
    let digest = plan.secret.digest();
    html! {
        p { "Coins are tossed with a secret. Its SHA-256 digest was published before the first match: "
            code .digest { (published.as_ref().unwrap_or(&digest)) } }
        @if state.is_over() {
            p { "The secret: " code .digest { (plan.secret.0) } }
            @if published.is_some_and(|published| published != digest) {
                p .fault { "The secret does not have the digest that was published." }
            }
        } @else { p .soft { "The secret is published when everything is played." } }
        @if state.tosses.is_empty() { p { "No coin was tossed." } } @else {
            div .scroll tabindex="0" role="group" aria-label="Coins" {
                table {
                    caption { "Coins that were tossed" }
                    thead { tr { th scope="col" { "About" } th scope="col" { "The luckiest first" } } }
                    tbody { @for toss in &state.tosses { tr {
                        th scope="row" { (toss.occasion) }
                        td { (toss.order.iter().map(|&team| plan.name(team)).collect::<Vec<_>>().join(", ")) }
                    } } }
                }
            }
        }
    }
}
