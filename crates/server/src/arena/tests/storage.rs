//! What is stored before it is shown, what happens while nothing can be stored, and what ends by itself.

use std::{path::PathBuf, time::Duration};

use agon_referee::Termination;
use agon_store::{Live, Match, Run, StoreError, Wanted};

use super::{ADA, arena, begin, client, find, first_turns, made, me, wanted};
use crate::{
    api::{CreateMatch, SeatRequest, create, finished},
    arena::{Arena, MOST_INVITATIONS, PAGE},
    guard::Client,
    live_match::{LiveMatch, Refusal},
    seat,
    state::State,
};

const BOB: &str = "bob";

fn house(spec: &str) -> SeatRequest {
    SeatRequest::Bot { spec: spec.to_owned() }
}

fn full(_: &LiveMatch, _: &State) -> Result<(), StoreError> {
    Err(StoreError::Full { path: PathBuf::from("/secret/arena.db") })
}

fn room(_: &LiveMatch, _: &State) -> Result<(), StoreError> {
    Ok(())
}

fn resign(state: &mut State) -> Result<(), Refusal> {
    state.ended = Some(Termination::Resigned(agon_rules::Side::First));
    Ok(())
}

/// A finished match like this one, as if another program had stored it.
fn stored_by_another(arena: &Arena, live: &LiveMatch, run: &Run) -> Match {
    let mut state = live.state().clone();
    let _ = resign(&mut state);
    let played = live.finished(&state, &run.id).expect("it is over");
    let played = Match { result: "1-0".to_owned(), ..played };
    let mut store = arena.store();
    store.create_or_resume_run(run).expect("a run");
    store.save_match(&played).expect("a match");
    played
}

fn run(id: &str, kind: &str) -> Run {
    Run { id: id.to_owned(), created_ms: 1, kind: kind.to_owned(), configuration: "{}".to_owned() }
}

#[test]
fn a_stored_match_that_ended_otherwise_is_refused_in_words() {
    let arena = arena();
    let live = begin(&arena, &wanted(me(), me(), None));
    let played = stored_by_another(&arena, &live, &run(&format!("page-{}", live.id), PAGE));
    let refused = arena.change(&live, resign).expect_err("another end is stored");
    let refused = crate::api::ApiError::from(refused);
    assert!(refused.error.contains("ended otherwise"), "{}", refused.error);
    assert_eq!(arena.finished(&live.id), Ok(Some(played)), "nothing was overwritten");
    assert!(live.state().ended.is_none());
}

#[test]
fn a_bots_turn_is_shown_when_it_is_stored() {
    let arena = arena();
    // Nobody drives it but this test: the pace keeps the workers away.
    let wanted = CreateMatch { pace: Some(60.0), ..wanted(house("random"), house("random"), None) };
    let live = begin(&arena, &wanted);
    live.state().turn_began = std::time::Instant::now();
    live.drive(&full, &|_| panic!("nothing is announced"));
    assert_eq!((made(&live), live.is_halted()), (0, true), "a turn that is not stored is not shown");
    live.drive(&full, &|_| panic!("nothing is announced"));
    assert!(!live.retry(&full), "there is still no room");
    assert_eq!(made(&live), 0);
    assert!(live.retry(&room));
    assert_eq!((made(&live), live.is_halted()), (1, false), "the turn that waited");
    assert!(!live.awaits_bot(), "the next one has its pace from now on");
}

#[test]
fn no_clock_runs_while_nothing_can_be_stored() {
    let arena = arena();
    let live = begin(&arena, &wanted(me(), me(), Some("60")));
    let turn = first_turns(agon_all::GAMES[0].name(), 1).remove(0);
    assert!(matches!(live.play(&full, ADA, &turn, Some(0)), Err(Refusal::Storage(_))));
    assert!(live.is_halted());
    assert!(live.state().clocks().running.is_none(), "nobody's clock runs");
    // An hour without room.
    let hour = Duration::from_secs(3600);
    let ago = |at: std::time::Instant| at.checked_sub(hour).expect("the machine runs for longer, or this test does");
    {
        let mut state = live.state();
        state.turn_began = ago(state.turn_began);
        state.halted = state.halted.map(ago);
    }
    assert!(!live.expire(&room), "nobody loses on time meanwhile");
    live.play(&room, ADA, &turn, Some(0)).expect("there is room again");
    assert!(live.state().ended.is_none(), "the hour was nobody's");
    assert_eq!(made(&live), 1);
}

#[test]
fn a_clock_that_fell_while_nothing_could_be_stored_is_stored_later() {
    let arena = arena();
    let live = begin(&arena, &wanted(me(), me(), Some("0.001/turn")));
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while !live.is_halted() && live.state().ended.is_none() {
        live.expire(&full);
        assert!(std::time::Instant::now() < deadline, "it never fell");
    }
    assert!(live.state().ended.is_none() || arena.finished(&live.id) != Ok(None), "what is shown is stored");
}

#[test]
fn only_what_is_idle_is_put_away() {
    let arena = arena();
    let invitation = begin(&arena, &wanted(me(), SeatRequest::Open, Some("60"))).id.clone();
    let timed = begin(&arena, &wanted(me(), me(), Some("60"))).id.clone();
    let watched = begin(&arena, &wanted(me(), me(), None));
    let _tab = watched.subscribe();
    let stale = begin(&arena, &wanted(me(), me(), None)).id.clone();
    std::thread::yield_now();
    arena.sweep(Duration::ZERO);
    let mut left: Vec<String> = arena.live().iter().map(|live| live.id.clone()).collect();
    left.sort();
    let mut expected = vec![timed, watched.id.clone()];
    expected.sort();
    assert_eq!(left, expected, "an invitation's clock does not run");
    assert!(find(&arena, &invitation).is_some() && find(&arena, &stale).is_some(), "the store has them");
}

#[test]
fn what_nobody_goes_on_with_ends() {
    let arena = arena();
    let invitation = begin(&arena, &wanted(me(), SeatRequest::Open, Some("60"))).id.clone();
    let match_of_two = begin(&arena, &wanted(me(), me(), None));
    // A program that was killed long ago, and one that plays now.
    let other = |id: &str, updated_ms: i64| Live {
        id: id.to_owned(),
        kind: "terminal".to_owned(),
        updated_ms,
        ..match_of_two.stored(&match_of_two.state())
    };
    arena.store().save_live(&other("killed/1.1", 5)).expect("room");
    arena.store().save_live(&other("now/1.1", crate::live_match::now_ms())).expect("room");
    let ids = || {
        let mut ids: Vec<String> = arena.stored_in_progress().expect("rows").into_iter().map(|live| live.id).collect();
        ids.sort();
        ids
    };
    assert!(!ids().contains(&"killed/1.1".to_owned()), "{:?}", ids());
    assert!(ids().contains(&"now/1.1".to_owned()), "{:?}", ids());
    // The rows were written in this millisecond, perhaps.
    std::thread::sleep(Duration::from_millis(2));
    arena.end_invitations(Duration::ZERO);
    assert!(find(&arena, &invitation).is_none(), "nobody followed it");
    arena.end_abandoned(Duration::ZERO);
    assert!(ids().is_empty(), "{:?}", ids());
    let played = arena.finished(&match_of_two.id).expect("it can be read").expect("it was given up");
    assert_eq!(played.termination, "timeout");
}

#[test]
fn one_address_holds_some_open_invitations() {
    let arena = arena();
    let invitation = wanted(me(), SeatRequest::Open, Some("60"));
    let first = begin(&arena, &invitation);
    for _ in 1..MOST_INVITATIONS {
        begin(&arena, &invitation);
    }
    let refused = create(&arena, &client(ADA), &invitation).expect_err("too many");
    assert_eq!(refused.status, 429, "{}", refused.error);
    let other = Client { address: Some([10, 0, 0, 2].into()), ..client(ADA) };
    assert!(create(&arena, &other, &invitation).is_ok(), "others may");
    arena
        .change(&first, |state| {
            state.setting.seats[1] = seat::Seat::Person { name: "Bob".to_owned(), owner: Some(BOB.to_owned()) };
            Ok(())
        })
        .expect("somebody sits down");
    begin(&arena, &invitation);
}

#[test]
fn house_bots_are_known_however_they_are_written() {
    for spec in ["master", "master:points", "level:3", "level3:points"] {
        assert!(seat::is_house(spec), "{spec}");
    }
    for spec in ["cmd:true", "ws://127.0.0.1:1", "/etc", "nobody", "master:wine"] {
        assert!(!seat::is_house(spec), "{spec}");
    }
}

#[test]
fn only_the_arena_says_what_is_private() {
    let arena = arena();
    let [cup, hidden] = [0, 1].map(|_| begin(&arena, &wanted(me(), me(), None)));
    stored_by_another(&arena, &cup, &run("private-cup", "match"));
    stored_by_another(&arena, &hidden, &run("private-x", PAGE));
    let found = finished(&arena, 9).map_err(|refusal| refusal.error).expect("a list");
    assert_eq!(found.iter().map(|played| &played.id).collect::<Vec<_>>(), [&cup.id]);
    assert_eq!(arena.all_finished(&Wanted::default(), 9).map(|all| all.len()), Ok(2));
}

#[test]
fn visitors_do_not_see_where_the_database_is() {
    let path = PathBuf::from("/secret/arena.db");
    for error in [
        StoreError::Full { path: path.clone() },
        StoreError::Locked { path: path.clone() },
        StoreError::Damaged { path: path.clone(), reason: "a row".to_owned() },
        StoreError::ReadOnly { path },
    ] {
        let refused = crate::api::ApiError::from(Refusal::Storage(error.clone()));
        let read = crate::api::ApiError::from(error.clone());
        assert!(!refused.error.contains("secret") && !read.error.contains("secret"), "{}", refused.error);
        let full = matches!(error, StoreError::Full { .. });
        assert_eq!(refused.error.contains("make room"), full, "{}", refused.error);
    }
}
