//! The page of a match: played, looked at, or looked at again.

use std::sync::Arc;

use axum::extract::State;
use maud::{Markup, PreEscaped, html};

use super::{PageError, frame::Frame};
use crate::{
    api::{Named, apart, not_played_here},
    arena::Arena,
    guard::Client,
    view::{MatchView, capitalised, in_address},
};

/// The page of a match.
pub(crate) async fn show(
    State(arena): State<Arc<Arena>>,
    client: Client,
    Named(id): Named,
) -> Result<Markup, PageError> {
    let look = move |arena: &Arc<Arena>| match arena.find(&id)? {
        Some(live) => {
            live.seen_by(&client.id);
            let state = live.state();
            let mine = state.setting.seats.iter().map(|seat| seat.belongs_to(&client.id)).collect();
            Ok((MatchView::of(&live, &state), mine))
        }
        None => Ok((not_played_here(arena, &id, client.has_token)?, vec![false, false])),
    };
    let (view, seats) = apart(&arena, look).await?;
    let title = format!("{} – {}, {}", view.seats[0].name, view.seats[1].name, view.title);
    let frame = Frame::new(&title).game(&view.position.game).module("match.js").wide();
    Ok(frame.page(table(&view, &seats)))
}

/// The board and what stands around it. The module finds everything by its `data-` attributes.
pub(crate) fn table(view: &MatchView, mine: &[bool]) -> Markup {
    let state = serde_json::to_string(view).unwrap_or_default();
    let mine: Vec<String> = (1..).zip(mine).filter(|(_, mine)| **mine).map(|(side, _)| side.to_string()).collect();
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
