//! Choosing what to play, and against whom.

use std::sync::Arc;

use agon_all::house;
use agon_rules::svg;
use agon_wire::Original;
use axum::{
    extract::{Form, Query, State},
    response::Redirect,
};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use super::{PageError, frame::Frame};
use crate::{
    api::{ApiError, CreateMatch, Line, Named, Reached, SeatRequest, create},
    arena::Arena,
    guard::Client,
    view::capitalised,
};

/// Where the game begins, if not at the start.
#[derive(Deserialize, Default)]
pub(crate) struct From {
    variant: Option<String>,
    rules: Option<String>,
    position: Option<String>,
    /// Turns, separated by lines or semicolons.
    turns: Option<String>,
    /// The side that is chosen beforehand.
    side: Option<String>,
}

impl From {
    /// The line that leads there.
    pub(crate) fn line(&self, game: &str) -> Line {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        Line {
            game: game.to_owned(),
            variant: given(&self.variant),
            rules: given(&self.rules),
            position: given(&self.position),
            turns: turns(self.turns.as_deref()),
        }
    }
}

fn find(name: &str) -> Result<&'static dyn Original, PageError> {
    agon_all::find(name).map_err(|_| PageError(ApiError::missing("game")))
}

/// Clocks that people choose from: what they say, and what they mean.
const CLOCKS: [(&str, &str); 6] = [
    ("", "No clock"),
    ("60+1", "1 minute, 1 second a turn"),
    ("180+2", "3 minutes, 2 seconds a turn"),
    ("600+5", "10 minutes, 5 seconds a turn"),
    ("120", "2 minutes in all"),
    ("2/turn", "2 seconds for each turn"),
];

/// The form.
pub(crate) async fn show(
    State(arena): State<Arc<Arena>>,
    Named(name): Named,
    Query(from): Query<From>,
) -> Result<Markup, PageError> {
    let game = find(&name)?;
    let reached = from.line(&name).reach()?;
    let board = PreEscaped(svg::render_bare(&reached.position.picture()));
    let content = html! {
        div .setup {
            div .board aria-hidden="true" { (board) }
            form method="post" .panel {
                h1 { (game.title()) }
                p { (game.summary()) " " a href={ "/learn/" (game.name()) } { "Rules" } }
                (opponents(&arena))
                (sides(game, from.side.as_deref()))
                div .row {
                    (board_and_rules(&reached))
                    label { "Clock"
                        select name="clock" {
                            @for (value, words) in CLOCKS { option value=(value) { (words) } }
                        }
                    }
                }
                label { "Your name"
                    input name="name" maxlength="40" autocomplete="nickname" placeholder="Guest";
                }
                @if let Some(position) = &from.position { input type="hidden" name="position" value=(position); }
                @if let Some(turns) = &from.turns { input type="hidden" name="turns" value=(turns); }
                button .primary type="submit" { "Play" }
            }
        }
    };
    Ok(Frame::new(game.title()).game(game.name()).page(content))
}

/// The choice of a board and a rule set.
pub(crate) fn board_and_rules(reached: &Reached) -> Markup {
    let (game, chosen) = (reached.game, &reached.variant);
    html! {
        label { "Board"
            select name="variant" {
                @for &variant in game.variants() { option value=(variant) selected[chosen == variant] { (variant) } }
                @if !game.variants().contains(&chosen.as_str()) { option value=(chosen) selected { (chosen) } }
            }
        }
        label { "Rules"
            select name="rules" {
                @for rules in game.rule_sets() { option value=(rules) selected[reached.rules == *rules] { (rules) } }
            }
        }
    }
}

fn opponents(arena: &Arena) -> Markup {
    html! {
        fieldset {
            legend { "Opponent" }
            label .choice { input type="radio" name="opponent" value="house" checked; "A bot of the house" }
            label .sub {
                span { "Level 1 is for beginners, level 10 is " em { "master" } ". It takes up to a second for a move, or its share of the clock; all others answer at once." }
                select name="house" aria-label="Which bot of the house" {
                    (house_bots("Levels", &house::LEVELS))
                    (house_bots("Ladder", &house::LADDER))
                    (house_bots("Styles, about as strong as adept", &house::STYLES))
                    (house_bots("Another design", &house::RIVALS))
                }
            }
            label .choice { input type="radio" name="opponent" value="friend"; "A friend, by link" }
            label .choice { input type="radio" name="opponent" value="here"; "Somebody at this screen" }
            @if arena.options.bind.is_loopback() {
                label .choice { input type="radio" name="opponent" value="bot"; "Your own bot" }
                label .sub { "Its folder, a command (cmd:./bot) or an address (ws://host:port)"
                    input name="bot" maxlength="500" autocomplete="off" spellcheck="false";
                }
            }
        }
    }
}

/// House bots to choose from. A beginner can beat the first level.
fn house_bots(group: &str, names: &[&str]) -> Markup {
    html! {
        optgroup label=(group) {
            @for &name in names {
                option value=(name) selected[name == house::LEVELS[0]] { (house::title(name)) }
            }
        }
    }
}

fn sides(game: &dyn Original, chosen: Option<&str>) -> Markup {
    let [first, second] = game.sides().map(capitalised);
    html! {
        fieldset {
            legend { "Your side" }
            label .choice { input type="radio" name="side" value="first" checked[chosen.is_none_or(|side| side == "first")]; (first) ", moves first" }
            label .choice { input type="radio" name="side" value="second" checked[chosen == Some("second")]; (second) }
            label .choice { input type="radio" name="side" value="watch" checked[chosen == Some("watch")]; "Neither: the opponent plays itself, you watch" }
        }
    }
}

/// What the form says.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    variant: Option<String>,
    rules: Option<String>,
    opponent: String,
    house: Option<String>,
    bot: Option<String>,
    side: Option<String>,
    clock: Option<String>,
    name: Option<String>,
    position: Option<String>,
    turns: Option<String>,
}

fn turns(text: Option<&str>) -> Vec<String> {
    let parts = text.unwrap_or_default().split(['\n', ';']);
    parts.map(|turn| turn.trim().to_owned()).filter(|turn| !turn.is_empty()).collect()
}

/// Begins the match and goes to its page.
pub(crate) async fn begin(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Named(name): Named,
    Form(wanted): Form<Wanted>,
) -> Result<Redirect, PageError> {
    find(&name)?;
    let me = SeatRequest::Me { name: wanted.name.clone() };
    let other = match wanted.opponent.as_str() {
        "friend" => SeatRequest::Open,
        "here" => me.clone(),
        "bot" => SeatRequest::Bot { spec: wanted.bot.clone().unwrap_or_default().trim().to_owned() },
        "house" => SeatRequest::Bot { spec: wanted.house.clone().unwrap_or_default() },
        bot => SeatRequest::Bot { spec: bot.to_owned() },
    };
    let (first, second) = match wanted.side.as_deref() {
        Some("second") => (other, me),
        Some("watch") => (other.clone(), other),
        _ => (me, other),
    };
    let line = Line {
        game: name,
        variant: wanted.variant,
        rules: wanted.rules,
        position: wanted.position.filter(|text| !text.is_empty()),
        turns: turns(wanted.turns.as_deref()),
    };
    let request = CreateMatch { line, first, second, time: wanted.clock };
    let created = tokio::task::spawn_blocking(move || create(&arena, &client, &request)).await;
    let id = created.map_err(ApiError::host)??;
    Ok(Redirect::to(&format!("/match/{id}")))
}
