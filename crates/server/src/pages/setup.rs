//! Choosing what to play, and against whom.

use std::sync::Arc;

use agon_all::Entry;
use agon_originals::Original;
use agon_picture::svg;
use axum::{
    extract::{Form, Query, State},
    response::{IntoResponse, Redirect, Response},
};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use super::{PageError, frame::Frame};
use crate::{
    api::{ApiError, ApiPath, CreateMatch, Line, Reached, SeatRequest, create, how_to_enter},
    arena::Arena,
    blocking::blocking,
    guard::{Client, Reason},
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

fn find(name: &str) -> Result<&'static dyn Entry, PageError> {
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

/// How long each turn of a match between bots stays on the board.
const PACES: [(&str, &str); 5] = [
    ("0", "As fast as they can"),
    ("0.5", "Half a second a turn"),
    ("1", "A second a turn"),
    ("2", "2 seconds a turn"),
    ("5", "5 seconds a turn"),
];

/// The form.
pub(crate) async fn show(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(name): ApiPath,
    Query(from): Query<From>,
) -> Result<Markup, PageError> {
    let game = find(&name)?;
    let draw = move || {
        let reached = from.line(&name).reach()?;
        let wanted = Wanted { position: from.position, turns: from.turns, side: from.side, ..Wanted::default() };
        Ok(form(&arena, client.has_token, game, &reached, &wanted, None))
    };
    Ok(blocking(draw).await?)
}

/// The form with what was chosen before, and what was wrong with it.
fn form(
    arena: &Arena,
    has_token: bool,
    game: &dyn Original,
    reached: &Reached,
    wanted: &Wanted,
    wrong: Option<&str>,
) -> Markup {
    let board = PreEscaped(svg::render_bare(&reached.position.picture()));
    let chosen = |value: &Option<String>, other: &str| value.as_deref().unwrap_or_default() == other;
    let content = html! {
        div .setup data-setup=(game.name()) {
            div .board aria-hidden="true" data-board { (board) }
            form method="post" .panel {
                h1 { (game.title()) }
                p { (game.summary()) " " a href={ "/learn/" (game.name()) } { "Rules" } }
                @if let Some(wrong) = wrong { p .wrong role="alert" { (capitalised(wrong)) "." } }
                (sides(game, wanted.side.as_deref()))
                (opponents(arena, has_token, wanted))
                div .row {
                    (board_and_rules(reached))
                    label { "Clock"
                        select name="clock" {
                            @for (value, words) in CLOCKS {
                                option value=(value) selected[chosen(&wanted.clock, value)] { (words) }
                            }
                        }
                    }
                }
                label data-for="player" { "Your name"
                    input name="name" maxlength="40" autocomplete="nickname" placeholder="Guest"
                        value=[wanted.name.as_deref()];
                }
                @if let Some(position) = &wanted.position { input type="hidden" name="position" value=(position); }
                @if let Some(turns) = &wanted.turns { input type="hidden" name="turns" value=(turns); }
                button .primary type="submit" { "Play" }
            }
        }
    };
    Frame::new(game.title()).game(game.name()).module("setup.js").page(content)
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

fn opponents(arena: &Arena, has_token: bool, wanted: &Wanted) -> Markup {
    let opponent = wanted.opponent.as_deref().unwrap_or("house");
    let bot = |field: &str, value: &Option<String>, about: &str| {
        html! {
            select name=(field) aria-label=(about) {
                (house_bots("Levels", &agon_house::LEVELS, value))
                (house_bots("Ladder", &agon_house::LADDER, value))
                (house_bots("Styles, about as strong as adept", &agon_house::STYLES, value))
                (house_bots("Another design", &agon_house::RIVALS, value))
            }
        }
    };
    html! {
        fieldset {
            legend data-opponent { "Opponent" }
            label .choice { input type="radio" name="opponent" value="house" checked[opponent == "house"]; "A bot of the house" }
            label .sub {
                span { "Level 1 is for beginners, level 10 is " em { "master" } ". It takes up to a second for a move, or its share of the clock; all others answer at once." }
                (bot("house", &wanted.house, "Which bot of the house"))
            }
            label .choice data-for="player" { input type="radio" name="opponent" value="friend" checked[opponent == "friend"]; "A friend, by link" }
            label .choice .sub data-for="player" {
                input type="checkbox" name="casual" value="yes" checked[wanted.casual.is_some()];
                "Casual: both may ask the engine while they play"
            }
            label .choice data-for="player" { input type="radio" name="opponent" value="here" checked[opponent == "here"]; "Somebody at this screen" }
            @if arena.options.bind.is_loopback() && !has_token {
                p .hint { "Your own bot can play here too: " (how_to_enter(arena)) "." }
            }
            @if arena.options.bind.is_loopback() && has_token {
                label .choice { input type="radio" name="opponent" value="bot" checked[opponent == "bot"]; "Your own bot" }
                label .sub { "Its folder, a command (cmd:./bot) or an address (ws://host:port)"
                    input name="bot" maxlength="500" autocomplete="off" spellcheck="false" value=[wanted.bot.as_deref()];
                }
            }
        }
        fieldset data-for="watcher" {
            legend { "Second side, if you watch" }
            label .sub { "A bot of the house" (bot("second", &wanted.second, "Which bot of the house plays the second side")) }
            label .sub { "Pace"
                select name="pace" {
                    @for (value, words) in PACES {
                        option value=(value) selected[wanted.pace.as_deref().unwrap_or("1") == value] { (words) }
                    }
                }
            }
        }
    }
}

/// House bots to choose from. A beginner can beat the first level.
fn house_bots(group: &str, names: &[&str], chosen: &Option<String>) -> Markup {
    let chosen = chosen.as_deref().unwrap_or(agon_house::LEVELS[0]);
    html! {
        optgroup label=(group) {
            @for &name in names {
                option value=(name) selected[name == chosen] { (agon_house::title(name)) }
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
            label .choice { input type="radio" name="side" value="watch" checked[chosen == Some("watch")]; "Neither: two bots play, you watch" }
        }
    }
}

/// What the form says.
#[derive(Deserialize, Default)]
pub(crate) struct Wanted {
    variant: Option<String>,
    rules: Option<String>,
    opponent: Option<String>,
    house: Option<String>,
    /// The house bot that has the second side in a match that is only watched.
    second: Option<String>,
    bot: Option<String>,
    side: Option<String>,
    clock: Option<String>,
    pace: Option<String>,
    casual: Option<String>,
    name: Option<String>,
    position: Option<String>,
    turns: Option<String>,
}

impl Wanted {
    /// As the interface for programs takes it.
    fn request(&self, game: &str) -> CreateMatch {
        let house = |name: &Option<String>| SeatRequest::Bot { spec: name.clone().unwrap_or_default() };
        let me = SeatRequest::Me { name: self.name.clone() };
        let watched = self.side.as_deref() == Some("watch");
        let other = match self.opponent.as_deref().unwrap_or("house") {
            "friend" if !watched => SeatRequest::Open,
            "here" if !watched => me.clone(),
            "bot" => SeatRequest::Bot { spec: self.bot.clone().unwrap_or_default().trim().to_owned() },
            _ => house(&self.house),
        };
        let (first, second) = match self.side.as_deref() {
            Some("second") => (other, me),
            Some("watch") => (other, house(&self.second)),
            _ => (me, other),
        };
        let line = Line {
            game: game.to_owned(),
            variant: self.variant.clone(),
            rules: self.rules.clone(),
            position: self.position.clone().filter(|text| !text.is_empty()),
            turns: turns(self.turns.as_deref()),
        };
        let pace = self.pace.as_deref().and_then(|text| text.parse().ok());
        CreateMatch { line, first, second, time: self.clock.clone(), casual: self.casual.is_some(), pace }
    }
}

fn turns(text: Option<&str>) -> Vec<String> {
    let parts = text.unwrap_or_default().split(['\n', ';']);
    parts.map(|turn| turn.trim().to_owned()).filter(|turn| !turn.is_empty()).collect()
}

/// Begins the match and goes to its page. What cannot be done is said above the form, with everything still in it.
pub(crate) async fn begin(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(name): ApiPath,
    Form(wanted): Form<Wanted>,
) -> Result<Response, PageError> {
    let game = find(&name)?;
    let begin = move || {
        let request = wanted.request(&name);
        // Building a bot takes its time.
        let refusal = match create(&arena, &client, &request) {
            Ok(id) => return Ok(Redirect::to(&format!("/match/{id}")).into_response()),
            Err(refusal) => refusal,
        };
        // A board that cannot be shown is replaced by the usual one.
        let line = request.line;
        let usual = Line { variant: None, rules: None, position: None, turns: Vec::new(), ..line.clone() };
        let reached = line.reach().or_else(|_| usual.reach())?;
        let page = form(&arena, client.has_token, game, &reached, &wanted, Some(&refusal.error));
        let mut response = (refusal.status, page).into_response();
        response.extensions_mut().insert(Reason(refusal.error));
        Ok(response)
    };
    Ok(blocking(begin).await?)
}
