//! What goes in comes out, once.

use super::{run, sample, store_with_run};
use crate::{Bot, BotRef, Live, Logged, Match, Progress, Resume, Run, Saved, Store, StoreError, Tally};

#[test]
fn a_match_comes_back_as_it_went_in() {
    let mut store = store_with_run("r");
    let saved = sample("r", 3, 1, "0-1");
    assert_eq!(store.save_match(&saved), Ok(Saved::New));
    assert_eq!(store.match_by_id("r-3-1"), Ok(Some(saved.clone())));
    assert_eq!(store.record("r-3-1"), Ok(Some(saved.record)));
    assert_eq!(store.match_by_id("r-3-0"), Ok(None));
    assert_eq!(store.record("r-3-0"), Ok(None));
}

#[test]
fn extreme_numbers_come_back() {
    let mut store = store_with_run("r");
    let saved = Match {
        battle: u32::MAX,
        turns: u32::MAX,
        started_ms: i64::MIN,
        duration_ms: i64::MAX,
        first_points: f64::MIN_POSITIVE,
        second_points: -f64::MAX,
        ..sample("r", 0, 0, "1/2-1/2")
    };
    store.save_match(&saved).unwrap();
    assert_eq!(store.match_by_id(&saved.id), Ok(Some(saved)));
}

#[test]
fn runs_and_bots_come_back() {
    let mut store = store_with_run("r");
    let later = Run { created_ms: 5, kind: "tournament".into(), ..run("later") };
    store.create_or_resume_run(&later).unwrap();
    assert_eq!(store.run_by_id("later"), Ok(Some(later.clone())));
    assert_eq!(store.run_by_id("never"), Ok(None));
    assert_eq!(store.recent_runs(10), Ok(vec![later.clone(), run("r")]));
    assert_eq!(store.recent_runs(1), Ok(vec![later]));

    let bot = Bot {
        hash: "aaaa".into(),
        name: "ann".into(),
        game: "some game".into(),
        protocol: "ugi".into(),
        language: "C++".into(),
        first_seen_ms: 17,
    };
    let copy = Bot { name: "copy".into(), first_seen_ms: 18, ..bot.clone() };
    assert_eq!(store.save_bot(&bot), Ok(Saved::New));
    assert_eq!(store.save_bot(&copy), Ok(Saved::AlreadyThere));
    assert_eq!(store.bot_by_hash("aaaa"), Ok(Some(bot.clone())));
    assert_eq!(store.bot_by_hash("bbbb"), Ok(None));
    assert_eq!(store.bots(), Ok(vec![bot]));
}

#[test]
fn hostile_text_is_stored_verbatim() {
    let megabytes = "\u{1F3B2}\0'\"; DROP TABLE matches; --\r\n".repeat(100_000);
    let texts = [
        "",
        "\0",
        "a\0b",
        "it's \"quoted\" `so`",
        "'); DROP TABLE matches; --",
        "?1 :id %s",
        "e\u{301}\u{202E}\u{FEFF}",
    ];
    for text in texts.into_iter().chain([megabytes.as_str()]) {
        let mut store = Store::in_memory().unwrap();
        let begun = Run { kind: text.into(), configuration: text.into(), ..run(text) };
        assert_eq!(store.create_or_resume_run(&begun), Ok(Resume::New));
        assert_eq!(store.create_or_resume_run(&begun), Ok(Resume::Resumed));
        assert_eq!(store.run_by_id(text), Ok(Some(begun)));
        let saved = Match {
            id: text.into(),
            game: text.into(),
            variant: text.into(),
            rules: text.into(),
            first: BotRef { name: text.into(), hash: text.into() },
            termination: text.into(),
            evidence: text.into(),
            record: text.into(),
            ..sample(text, 0, 0, "1-0")
        };
        assert_eq!(store.save_match(&saved), Ok(Saved::New));
        assert_eq!(store.save_match(&saved), Ok(Saved::AlreadyThere));
        assert_eq!(store.match_by_id(text), Ok(Some(saved)));
        assert_eq!(store.tally(text, text).unwrap().wins, 1);
    }
}

#[test]
fn a_match_is_stored_once_and_never_changed() {
    let mut store = store_with_run("r");
    let saved = sample("r", 0, 0, "1-0");
    assert_eq!(store.save_match(&saved), Ok(Saved::New));
    assert_eq!(store.save_match(&saved), Ok(Saved::AlreadyThere));

    let other = Match { result: "0-1".into(), record: "else".into(), ..saved.clone() };
    assert_eq!(
        store.save_match(&other).unwrap_err().to_string(),
        "match \"r-0-0\" is already stored with other content (result, record): nothing was overwritten; use another id"
    );
    let twin = Match { id: "twin".into(), ..saved.clone() };
    assert_eq!(
        store.save_match(&twin).unwrap_err().to_string(),
        "half 0 of battle 0 of run \"r\" is already stored as match \"r-0-0\": nothing was overwritten"
    );
    assert_eq!(store.matches_of("r"), Ok(vec![saved]));
}

#[test]
fn every_field_counts_as_content() {
    let mut store = store_with_run("r");
    store.create_or_resume_run(&run("s")).unwrap();
    let saved = sample("r", 0, 0, "1-0");
    store.save_match(&saved).unwrap();
    type Change = fn(&mut Match);
    let changes: [(&str, Change); 17] = [
        ("run", |m| m.run = "s".into()),
        ("battle", |m| m.battle += 1),
        ("half", |m| m.half = 1),
        ("game", |m| m.game.push('x')),
        ("variant", |m| m.variant.push('x')),
        ("rules", |m| m.rules.push('x')),
        ("first bot", |m| m.first.name.push('x')),
        ("second bot", |m| m.second.hash.push('x')),
        ("result", |m| m.result = "0-1".into()),
        ("points of the first side", |m| m.first_points += 0.5),
        ("points of the second side", |m| m.second_points += 0.5),
        ("termination", |m| m.termination.push('x')),
        ("evidence", |m| m.evidence.push('x')),
        ("turns", |m| m.turns += 1),
        ("start", |m| m.started_ms += 1),
        ("duration", |m| m.duration_ms += 1),
        ("record", |m| m.record.push('x')),
    ];
    for (field, change) in changes {
        let mut other = saved.clone();
        change(&mut other);
        let refusal = StoreError::MatchDiffers { id: saved.id.clone(), fields: vec![field] };
        assert_eq!(store.save_match(&other), Err(refusal));
    }
}

#[test]
fn values_that_no_match_has_are_refused() {
    let mut store = store_with_run("r");
    let good = sample("r", 0, 0, "1-0");
    let cases = [
        (Match { half: 2, ..good.clone() }, "a battle has halves 0 and 1, not 2"),
        (Match { result: "*".into(), ..good.clone() }, "the result is 1-0, 0-1, 1/2-1/2 or 0-0, not \"*\""),
        (Match { first_points: f64::NAN, ..good.clone() }, "points are finite numbers, not NaN and -0.1"),
        (Match { second_points: f64::INFINITY, ..good.clone() }, "points are finite numbers, not 7.25 and inf"),
        (Match { duration_ms: -1, ..good }, "a match cannot take -1 ms"),
    ];
    for (bad, reason) in cases {
        let sentence = store.save_match(&bad).unwrap_err().to_string();
        assert_eq!(sentence, format!("match \"r-0-0\" cannot be stored: {reason}"));
    }
    assert_eq!(
        store.save_match(&sample("s\n", 0, 0, "1-0")).unwrap_err().to_string(),
        "run \"s\\n\" is not stored: create it before saving its matches"
    );
    assert_eq!(store.recent_matches(9), Ok(vec![]));
}

#[test]
fn a_run_is_resumed_only_with_its_own_configuration() {
    let mut store = Store::in_memory().unwrap();
    let begun = Run { configuration: r#"{"battles":9,"tc":{"base":1}}"#.into(), ..run("r") };
    assert_eq!(store.create_or_resume_run(&begun), Ok(Resume::New));
    let again = Run { configuration: r#"{"tc": {"base": 1}, "battles": 9}"#.into(), created_ms: 0, ..begun.clone() };
    assert_eq!(store.create_or_resume_run(&again), Ok(Resume::Resumed));

    let other = Run { kind: "tournament".into(), configuration: r#"{"battles":9,"tc":{"base":2}}"#.into(), ..again };
    assert_eq!(
        store.create_or_resume_run(&other).unwrap_err().to_string(),
        "run \"r\" exists with another configuration: the kind of run was \"match\", now \"tournament\"; tc.base was 1, \
         now 2; use the old configuration or another run id"
    );
    let keys: Vec<String> = (0..20).map(|key| format!("\"k{key}\":0")).collect();
    let many = Run { configuration: format!("{{{}}}", keys.join(",")), ..begun.clone() };
    let sentence = store.create_or_resume_run(&many).unwrap_err().to_string();
    assert!(sentence.contains("k5 was absent, now 0; and 14 more; use"), "{sentence}");
    assert_eq!(store.run_by_id("r"), Ok(Some(begun)));
}

#[test]
fn lists_are_ordered_and_keep_runs_apart() {
    let mut store = store_with_run("r");
    store.create_or_resume_run(&run("s")).unwrap();
    let order = [("r", 10, 1), ("s", 0, 0), ("r", 2, 0), ("r", 10, 0), ("r", 2, 1), ("r", 3, 1)];
    let saved: Vec<Match> = order.map(|(run, battle, half)| sample(run, battle, half, "1-0")).into();
    for one in &saved {
        store.save_match(one).unwrap();
    }
    let ids = |matches: Vec<Match>| matches.into_iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids(store.matches_of("r").unwrap()), ["r-2-0", "r-2-1", "r-3-1", "r-10-0", "r-10-1"]);
    assert_eq!(ids(store.recent_matches(3).unwrap()), ["r-3-1", "r-2-1", "r-10-0"]);
    assert_eq!(store.recent_matches(0), Ok(vec![]));
    assert_eq!(store.finished_battles("r"), Ok(vec![2, 10]));
    assert_eq!(store.finished_battles("s"), Ok(vec![]));
    assert_eq!(store.matches_of("never"), Ok(vec![]));
}

#[test]
fn the_tally_is_seen_from_the_named_bot() {
    let mut store = store_with_run("r");
    // Ann has the first side in half 0 and the second in half 1.
    let battles = [("1-0", "0-1"), ("1-0", "1/2-1/2"), ("1/2-1/2", "1/2-1/2"), ("0-1", "1/2-1/2"), ("0-1", "1-0")];
    for (battle, (half_0, half_1)) in (0..).zip(battles) {
        store.save_match(&sample("r", battle, 0, half_0)).unwrap();
        store.save_match(&sample("r", battle, 1, half_1)).unwrap();
    }
    let unfinished = Match { termination: "timeout".into(), ..sample("r", 9, 1, "0-1") };
    store.save_match(&unfinished).unwrap();
    let terminations: std::collections::BTreeMap<_, _> = [("normal".into(), 10), ("timeout".into(), 1)].into();

    let ann = Tally { wins: 4, draws: 4, losses: 3, terminations, pentanomial: [1, 1, 1, 1, 1] };
    let bob = Tally { wins: 3, losses: 4, ..ann.clone() };
    assert_eq!(store.tally("r", "ann"), Ok(ann));
    assert_eq!(store.tally("r", "bob"), Ok(bob));
    assert_eq!(store.tally("r", "eve"), Ok(Tally::default()));
    assert_eq!(store.tally("never", "ann"), Ok(Tally::default()));
}

#[test]
fn a_match_that_both_lost_is_a_loss_for_both_and_no_battle() {
    let mut store = store_with_run("r");
    for (battle, half_1) in [(0, "0-0"), (1, "1-0")] {
        store.save_match(&sample("r", battle, 0, "0-0")).unwrap();
        store.save_match(&sample("r", battle, 1, half_1)).unwrap();
    }
    assert_eq!(store.matches_of("r").unwrap()[0].result, "0-0");
    let terminations: std::collections::BTreeMap<_, _> = [("normal".into(), 4)].into();
    let ann = Tally { losses: 4, terminations, ..Tally::default() };
    let bob = Tally { wins: 1, losses: 3, ..ann.clone() };
    assert_eq!((store.tally("r", "ann"), store.tally("r", "bob")), (Ok(ann), Ok(bob)));
}

#[test]
fn a_bot_against_itself_is_the_one_that_begins() {
    let mut store = store_with_run("r");
    for (half, result) in [(0, "1-0"), (1, "0-1")] {
        let mut one = sample("r", 0, half, result);
        one.first.name = "ann".into();
        one.second.name = "ann".into();
        store.save_match(&one).unwrap();
    }
    let tally = store.tally("r", "ann").unwrap();
    assert_eq!((tally.wins, tally.losses, tally.pentanomial), (2, 0, [0, 0, 0, 0, 1]));
}

#[test]
fn progress_counts_the_matches_and_the_log_of_one_run() {
    let mut store = store_with_run("a");
    store.create_or_resume_run(&run("b")).unwrap();
    assert_eq!(store.progress_of("a").unwrap(), Progress { matches: 0, entries: 0 });
    assert_eq!(store.last_ended_ms("a").unwrap(), None);
    store.save_match(&sample("a", 0, 0, "1-0")).unwrap();
    store.save_match(&sample("a", 0, 1, "1-0")).unwrap();
    store.save_match(&sample("b", 0, 0, "0-1")).unwrap();
    store.append_log("a", &Logged { at_ms: 1, entry: "{}".into() }).unwrap();
    assert_eq!(store.progress_of("a").unwrap(), Progress { matches: 2, entries: 1 });
    assert_eq!(store.progress_of("b").unwrap(), Progress { matches: 1, entries: 0 });
    assert_eq!(store.progress_of("nothing").unwrap(), Progress { matches: 0, entries: 0 });
    assert_eq!(store.last_ended_ms("a").unwrap(), Some(1_760_000_000_123 + 4_567));
}

#[test]
fn matches_in_progress_are_found_by_the_beginning_of_their_ids() {
    let mut store = store_with_run("a");
    // What looks like a pattern is none.
    for (id, at) in [("cup/1", 10), ("cup/2", 20), ("cup/3", 5), ("cups/1", 20), ("c%p/1", 20), ("É_/1", 20)] {
        store.save_live(&live(id, at)).unwrap();
    }
    let found = |start: &str| -> Vec<String> {
        store.live_beginning_with(start, 10, 9).unwrap().into_iter().map(|live| live.id).collect()
    };
    assert_eq!(found("cup/"), ["cup/1", "cup/2"]);
    assert_eq!(found("c%p/"), ["c%p/1"]);
    assert_eq!(found("É_/"), ["É_/1"]);
    assert_eq!(found("c_p/"), Vec::<String>::new());
    assert_eq!(store.live_beginning_with("cup/", 0, 2).unwrap().len(), 2);
}

#[test]
fn a_match_ends_in_one_transaction_or_not_at_all() {
    let mut store = Store::in_memory().unwrap();
    store.save_live(&live("r-0-0", 5)).unwrap();
    let finished = sample("r", 0, 0, "1-0");
    let finished = Match { id: "r-0-0".into(), ..finished };
    // It says that it belongs to another run: what was done before that was noticed is undone.
    let refused = store.finish(&run("other"), &finished);
    assert_eq!(refused, Err(StoreError::UnknownRun { run: "r".into() }));
    assert_eq!((store.run_by_id("other"), store.match_by_id("r-0-0")), (Ok(None), Ok(None)));
    assert!(store.live_by_id("r-0-0").unwrap().is_some());
    assert_eq!(store.finish(&run("r"), &finished), Ok(Saved::New));
    assert_eq!((store.match_by_id("r-0-0"), store.live_by_id("r-0-0")), (Ok(Some(finished.clone())), Ok(None)));
    let other = Match { turns: 77, ..finished };
    assert!(matches!(store.finish(&run("r"), &other), Err(StoreError::MatchDiffers { .. })));
}

fn live(id: &str, updated_ms: i64) -> Live {
    Live {
        id: id.into(),
        kind: "terminal".into(),
        game: "some game".into(),
        variant: "small".into(),
        rules: "text".into(),
        first: "ann".into(),
        second: "bob".into(),
        turns: 1,
        updated_ms,
        setting: "{}".into(),
        record: "*".into(),
    }
}
