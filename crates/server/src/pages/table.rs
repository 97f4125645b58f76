//! The page of a match: played, looked at, or looked at again.

use std::sync::Arc;

use axum::extract::State;
use maud::{Markup, PreEscaped, html};

use super::{PageError, frame::Frame};
use crate::{
    api::{ApiError, ApiPath, not_played_here},
    arena::Arena,
    blocking::blocking,
    guard::Client,
    view::{MatchView, capitalised, in_address},
};

/// The page of a match.
pub(crate) async fn show(
    State(arena): State<Arc<Arena>>,
    client: Client,
    ApiPath(id): ApiPath,
) -> Result<Markup, PageError> {
    let look = move || {
        let Some(live) = arena.find(&id)? else {
            let view = not_played_here(&arena, &id, client.has_token)?;
            return Ok(table(&view, &serde_json::to_string(&view).map_err(ApiError::host)?, [false, false]));
        };
        live.seen_by(&client.id);
        let mine = live.state().setting.seats.each_ref().map(|seat| seat.belongs_to(&client.id));
        let news = live.news();
        Ok(table(&news.view, &news.json(), mine))
    };
    Ok(blocking(look).await?)
}

/// The page of a match as it stands; `state` is the same as JSON, and `mine` says which seats the visitor has.
pub(crate) fn table(view: &MatchView, state: &str, mine: [bool; 2]) -> Markup {
    let title = format!("{} – {}, {}", view.seats[0].name, view.seats[1].name, view.title);
    let frame = Frame::new(&title).game(&view.position.game).module("match.js").wide();
    frame.page(board_and_panel(view, state, mine))
}

/// The board and what stands around it. The module finds everything by its `data-` attributes.
fn board_and_panel(view: &MatchView, state: &str, mine: [bool; 2]) -> Markup {
    let mine: Vec<String> = (1..).zip(mine).filter(|(_, mine)| *mine).map(|(side, _)| side.to_string()).collect();
    html! {
        div .table data-match=(view.id) data-mine=(mine.join(" ")) data-state=(state) {
            div .board data-board { (PreEscaped(&view.position.board)) }
            div .panel {
                h1 .players {
                    @for (index, seat) in view.seats.iter().enumerate() {
                        span .player data-player=(index + 1) {
                            span .side { (capitalised(&view.sides[index])) }
                            span .name { @if seat.open { "waiting for a player" } @else { (seat.name) } }
                            span .clock data-clock=(index + 1) {}
                            @if let Some(pace) = &seat.pace { span .pace { (pace) } }
                        }
                    }
                }
                p .status role="status" data-status { (view.position.caption) }
                div .actions data-actions {}
                form .typed data-typed hidden {
                    label { "Turn as text" input name="turn" autocomplete="off" spellcheck="false"; }
                    button type="submit" { "Send" }
                }
                div data-curve {}
                ol .lines data-lines {}
                ol .turns data-turns {
                    @for turn in &view.turns { li { (turn.text) } }
                }
                details .notes data-notes hidden { summary { "What the bot wrote" } pre tabindex="0" {} }
                div .tools data-tools {
                    @if !view.id.is_empty() {
                        a .button href={ "/api/matches/" (in_address(&view.id)) "/record" } download { "Record" }
                        a .button href={ "/api/matches/" (in_address(&view.id)) "/replay" } download { "Replay as a page" }
                    }
                }
            }
        }
    }
}
