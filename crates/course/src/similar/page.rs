//! Pairs as a page, with both passages beside each other.

use maud::{Markup, html};

use super::{Pair, Passage};

const BESIDE: &str = ".beside{display:grid;grid-template-columns:1fr 1fr;gap:1rem}main{max-width:80rem}\
                      @media(max-width:50rem){.beside{grid-template-columns:1fr}}.code{overflow-x:auto}";

/// A page for the organiser that needs nothing but itself.
pub fn similar_page(title: &str, pairs: &[Pair]) -> String {
    let body = html! {
        h1 { "Similar submissions: " (title) }
        p {
            "Pairs to look at, for the organiser alone. That two programs are alike says nothing about why: what \
             starter kits or many submissions have is left out, but two people may read the same book."
        }
        @if pairs.is_empty() { p { "No pair is alike enough to be listed." } }
        @for pair in pairs { (section(pair)) }
    };
    crate::page::page(&format!("Similar submissions: {title}"), BESIDE, &body)
}

fn section(pair: &Pair) -> Markup {
    let [one, other] = &pair.teams;
    html! {
        h2 { (one) " and " (other) ": " (format!("{:.0} %", 100.0 * pair.share)) }
        p { (pair.common) " runs of tokens in common." }
        @for (number, [left, right]) in pair.passages.iter().enumerate() {
            h3 { "Passage " (number + 1) }
            div .beside { (passage(one, other, number, left)) (passage(other, one, number, right)) }
        }
    }
}

fn passage(team: &str, other: &str, number: usize, passage: &Passage) -> Markup {
    let label = format!("Passage {} of {team} beside {other}", number + 1);
    html! {
        div {
            p { strong { (team) } ": " code { (passage.file) } ", lines " (passage.first) " to " (passage.last) }
            div .code tabindex="0" role="region" aria-label=(label) { pre { code { (passage.text) } } }
        }
    }
}
