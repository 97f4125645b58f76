//! A tournament as people read it: one HTML file that needs nothing but a browser, and the parts of which the arena makes its pages.

mod battles;
mod bracket;
mod decided;
mod endings;
mod history;
mod pack;
mod rated;
mod records;
mod replay;
mod standings;
mod tables;
mod text;
mod words;

use std::collections::{BTreeMap, HashMap};

use agon_picture::svg;
use base64::{Engine, engine::general_purpose::STANDARD};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::{
    battle::Battle,
    derive::{StageState, State},
    plan::{Entry, Plan},
    stored::ties,
};

pub use decided::deciding_rung;
pub use history::{coins, log_table};
pub(crate) use text::round_name;
pub use text::{clock_words, number, place_words, utc};
pub use words::format_words;

/// The style of the arena's pages.
const STYLE: &str = include_str!("../../../web/style.css");
/// What tables and brackets look like.
const TOURNAMENT_STYLE: &str = include_str!("../../../web/tournament.css");
/// What only the file needs.
const REPORT_STYLE: &str = include_str!("../../../web/report.css");
/// What makes matches replayable.
const SCRIPT: &str = include_str!("../../../web/report.js");

/// Where a reader goes to see a match.
#[derive(Clone, PartialEq, Debug)]
pub enum Replay {
    /// Nowhere.
    None,
    /// To this film of the page itself.
    Film(usize),
    /// To another page.
    Address(String),
}

/// A tournament on a page. Its parts carry no styles and no scripts, so that a page may forbid them.
pub struct Sheet<'a> {
    /// What it is.
    pub plan: &'a Plan,
    /// Where it stands.
    pub state: &'a State,
    /// Where a reader sees a match: the battle, and which match of it.
    pub replay: &'a dyn Fn(&Battle, usize) -> Replay,
    /// Battles of a stage that are listed; those beyond are counted.
    pub most_battles: usize,
}

impl Sheet<'_> {
    /// A stage: its tables, its bracket and its battles.
    pub fn stage(&self, part: usize, index: usize) -> Markup {
        let (Some(stage), Some(state)) =
            (self.plan.format.stages.get(index), self.state.parts.get(part).and_then(|state| state.stages.get(index)))
        else {
            return html! {};
        };
        html! {
            section .stage {
                h3 { (stage.name) " " span .soft { (if state.over { "" } else { "in progress" }) } }
                @if let Some(bracket) = &state.bracket { (self.bracket(part, index, bracket)) }
                @if !state.tables.is_empty() {
                    div .groups {
                        @for group in 0..state.tables.len() { (self.group_table(part, index, group)) }
                    }
                }
                (self.battle_list(self.battles_of(state)))
            }
        }
    }

    fn battles_of(&self, stage: &StageState) -> &[Battle] {
        self.state.battles.get(stage.battles.0..stage.battles.1).unwrap_or_default()
    }

    /// Every part with its stages.
    pub fn parts(&self) -> Markup {
        let several = self.plan.format.parts.len() > 1;
        html! {
            @for (index, part) in self.state.parts.iter().enumerate() {
                section .part aria-label=[several.then(|| self.plan.format.parts[index].name.as_str())] {
                    @if several { h2 { (self.plan.format.parts[index].name) } } @else { h2 { "Stages" } }
                    @for stage in 0..part.stages.len() { (self.stage(index, stage)) }
                }
            }
        }
    }
}

/// A tournament as one HTML file that needs no network. `records` are the records of its matches by the number of their battle and
/// half; a match without one is listed but cannot be replayed.
pub fn html(name: &str, plan: &Plan, log: &[Entry], state: &State, records: &BTreeMap<(u32, u8), String>) -> String {
    let records = records::parsed(records);
    let mut films = replay::Films::default();
    let film_of: HashMap<(u32, u8), usize> =
        records.iter().filter_map(|(key, record)| Some((*key, films.add(record)?))).collect();
    let replay = |battle: &Battle, index: usize| {
        let half = &battle.halves[index];
        film_of.get(&(half.number, half.half)).map_or(Replay::None, |&film| Replay::Film(film))
    };
    let sheet = Sheet { plan, state, replay: &replay, most_battles: usize::MAX };
    let content = content(name, log, &sheet, &records, &film_of);
    page(plan, content, &films).into_string()
}

fn content(
    name: &str,
    log: &[Entry],
    sheet: &Sheet,
    records: &records::Records,
    film_of: &HashMap<(u32, u8), usize>,
) -> Markup {
    let (plan, state) = (sheet.plan, sheet.state);
    html! {
        header .title {
            h1 { (plan.format.title) }
            p .lead { (text::headline(plan, state)) " " span .soft { "Known as " code { (name) } "." } }
        }
        section aria-labelledby="standings" {
            h2 #standings { (if state.is_over() { "Final standings" } else { "Standings so far" }) }
            @for tie in ties(plan, state) { p { "Tied, until the organiser decides: " (tie) "." } }
            (sheet.standings())
        }
        (sheet.parts())
        section aria-labelledby="ratings" { h2 #ratings { "Ratings" } (rated::ratings(sheet)) }
        section aria-labelledby="endings" { h2 #endings { "How matches ended" } (endings::endings(sheet, records, film_of)) }
        section aria-labelledby="format" { h2 #format { "Format" } (format_words(plan)) (words::teams(plan, log)) }
        section aria-labelledby="coins" { h2 #coins { "Coins" } (coins(plan, state, log)) }
        section aria-labelledby="log" { h2 #log { "Audit log" } (log_table(log)) }
    }
}

/// The whole document. Its policy lets nothing in but what it carries itself, whatever a team is called.
fn page(plan: &Plan, content: Markup, films: &replay::Films) -> Markup {
    let accent = agon_all::find(&plan.format.game).map_or("#2f6fde", |game| game.accent());
    let own = format!("body{{--accent:{accent};--ag-accent:{accent}}}");
    let script = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{script}'; base-uri 'none'; \
         form-action 'none'"
    );
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (plan.format.title) " · Agon" }
                @for sheet in [svg::style_sheet().as_str(), STYLE, TOURNAMENT_STYLE, REPORT_STYLE, &own] {
                    style { (PreEscaped(sheet)) }
                }
                noscript { style { ".film, .viewer { display: none }" } }
            }
            body .report {
                main #main { (content) }
                (replay::viewer())
                script #films type="application/json" { (PreEscaped(films.data())) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}
