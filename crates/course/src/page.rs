//! Pages that need nothing but themselves.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("../../../web/feedback.css");

/// A page with this title; `style` comes after what all of them have.
pub(crate) fn page(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { main { (body) } }
        }
    };
    page.into_string()
}
