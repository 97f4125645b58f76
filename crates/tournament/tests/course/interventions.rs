//! Teams that leave, matches that do not count.

use agon_rules::Side;
use agon_tournament::{Entry, Event, Interventions};

use super::harness::{Game, Order, all_drawn, anything, lower_wins, outcome, plan, play, round};

const KNOCKOUT: &str = "[[stage]]\nkind = \"knockout\"\nthird_place = true\nties = [\"points\", \"rematch 60\", \"coin\"]\n\
     [marks]\nreached = { winner = 9, runner-up = 6, third = 4, fourth = 3, quarter-final = 2 }";

/// A tournament after so many matches, or `None` if it is over by then.
fn after<'a>(plan: &'a agon_tournament::Plan, matches: usize, oracle: super::harness::Oracle) -> Option<Game<'a>> {
    let mut game = Game::new(plan);
    (0..matches).all(|_| game.step(oracle, Order::First)).then_some(game)
}

/// As an organiser takes a team out: what it has won by forfeits stays won if it decided something.
fn leave(game: &mut Game, team: usize, disqualified: bool) {
    let kept = game.state.decided_by_forfeits_to(team);
    game.interventions.take_out(team, disqualified, Some(&kept));
}

#[test]
fn a_team_may_leave_at_any_moment() {
    for teams in [2, 3, 5, 6] {
        let plan = plan(KNOCKOUT, teams);
        for leaver in 0..teams {
            for matches in 0.. {
                let Some(mut game) = after(&plan, matches, &lower_wins) else { break };
                let before = game.state.clone();
                leave(&mut game, leaver, false);
                game.look();
                let asked = game.state.open().find(|battle| battle.players.contains(&leaver));
                assert!(asked.is_none(), "nobody waits for a team that has left");
                let results = game.results.clone();
                game.finish(&lower_wins, Order::First);
                let mut other = after(&plan, matches, &lower_wins).expect("as before");
                other.interventions = game.interventions.clone();
                other.look();
                other.finish(&lower_wins, Order::Last);
                assert!(game.state == other.state);
                assert!(results.iter().all(|(key, outcome)| game.results.get(key) == Some(outcome)));
                let won = before.is_over() && leaver == 0;
                let alone = round(&before, 2) == [[0, 1]] && leaver == 0;
                assert!(game.places()[leaver] > 1 || won || alone, "{teams} teams, {leaver} leaves after {matches}");
            }
        }
    }
}

#[test]
fn teams_may_leave_other_stages_too() {
    let formats = [
        "[[stage]]\nkind = \"groups\"\nsize = 3\nadvance = 1\nties = [\"points\", \"rematch 60\", \"coin\"]\n[[stage]]\nkind = \"knockout\"",
        "[[stage]]\nkind = \"swiss\"\nrounds = 3",
        "[[stage]]\nkind = \"ladder\"\nbudget = 9",
        "[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\"]\nadvance = 3\n[[stage]]\nkind = \"round-robin\"",
    ];
    for format in formats {
        let plan = plan(format, 5);
        for matches in (0..).step_by(3) {
            let Some(mut game) = after(&plan, matches, &anything) else { break };
            leave(&mut game, 2, false);
            game.look();
            leave(&mut game, 4, true);
            game.look();
            game.finish(&anything, Order::Lot(matches as u64));
            assert_eq!(game.places()[4], 5, "who is disqualified is last");
        }
    }
}

/// Whether all matches of a battle are forfeited, and who has won each.
fn forfeits(game: &Game, battle: usize) -> Vec<Option<usize>> {
    let battle = &game.state.battles[battle];
    let winner = |half: &agon_tournament::Half| {
        let outcome = half.outcome.expect("a forfeit");
        assert!(outcome.forfeit);
        outcome.verdict.winner().map(|side| battle.players[half.seat(side)])
    };
    battle.halves.iter().map(winner).collect()
}

#[test]
fn two_that_have_left_meet() {
    // 0 would meet 3, and both are out: whoever comes from 1 and 2 has nobody to play against in the final.
    let plan = plan(KNOCKOUT, 4);
    let mut game = Game::new(&plan);
    for team in [3, 0] {
        leave(&mut game, team, false);
        game.look();
    }
    assert_eq!(forfeits(&game, 0), [None, None], "nobody wins");
    for half in &game.state.battles[0].halves {
        let [first, second] = half.outcome.expect("a forfeit").points;
        assert!(first < 5.0 && second < 5.0, "each has what a loser has: {first}, {second}");
    }
    assert_eq!(game.state.open().count(), 1);
    game.finish(&lower_wins, Order::Waves);
    assert!(round(&game.state, 2).is_empty(), "the final is a bye");
    assert_eq!(game.places(), [3, 1, 2, 3]);
    assert_eq!(game.marks(), [0.0, 9.0, 4.0, 0.0]);
}

/// Those that have played before they left do not go on by a tie, a seed or a coin either.
#[test]
fn two_that_have_left_after_they_played_meet() {
    let plan = plan(KNOCKOUT, 8);
    let mut game = Game::new(&plan);
    // Everybody has played the first round; 0 and 3 would meet in the second one.
    while round(&game.state, 4).len() < 2 {
        assert!(game.step(&lower_wins, Order::First));
    }
    assert!(round(&game.state, 4).contains(&[0, 3]), "{:?}", round(&game.state, 4));
    let open: Vec<bool> = game.state.battles.iter().map(agon_tournament::Battle::is_over).collect();
    assert_eq!(open.iter().filter(|over| !**over).count(), 2);
    for team in [3, 0] {
        leave(&mut game, team, false);
        game.look();
    }
    game.finish(&lower_wins, Order::Waves);
    assert!(round(&game.state, 2).is_empty(), "the final is a bye");
    assert_eq!(game.places()[1], 1);
    assert!(game.places()[0] > 1 && game.places()[3] > 1);
}

/// What nobody won stays so when they come back, once others have gone on by it.
#[test]
fn two_that_have_left_come_back() {
    let plan = plan(KNOCKOUT, 8);
    let mut game = Game::new(&plan);
    for team in [7, 0] {
        leave(&mut game, team, false);
        game.look();
    }
    while round(&game.state, 2).is_empty() {
        assert!(game.step(&lower_wins, Order::First));
    }
    let finalists = round(&game.state, 2);
    for team in [0, 7] {
        let stands = game.state.paired_by_forfeits(team);
        assert_eq!(stands.len(), 2, "the final was paired by it");
        game.interventions.bring_back(team, &stands);
        game.look();
        assert_eq!(forfeits(&game, 0), [None, None], "{team} is back");
        assert_eq!(round(&game.state, 2), finalists);
    }
    game.finish(&lower_wins, Order::Waves);
    assert!(finalists[0].contains(&game.places().iter().position(|place| *place == 1).expect("a winner")));
}

/// Logs of older programs do not say what is kept: then whoever left later has won, as it did then.
#[test]
fn under_an_older_program_the_one_that_left_later_had_won() {
    let plan = plan(KNOCKOUT, 4);
    let log: Vec<Entry> = serde_json::from_str(
        r#"[{"at_ms":1,"event":"withdrawn","team":"t4","reason":""},{"at_ms":2,"event":"disqualified","team":"t1","reason":""}]"#,
    )
    .expect("a log");
    let mut game = Game::new(&plan);
    game.interventions = Interventions::of(&plan, &log);
    game.look();
    assert_eq!(forfeits(&game, 0), [Some(0), Some(0)]);
    let log: Vec<Entry> = serde_json::from_str(
        r#"[{"at_ms":1,"event":"withdrawn","team":"t4","reason":"","kept":[]},
            {"at_ms":2,"event":"withdrawn","team":"t1","reason":"","kept":[]}]"#,
    )
    .expect("a log");
    let mut game = Game::new(&plan);
    game.interventions = Interventions::of(&plan, &log);
    game.look();
    assert_eq!(forfeits(&game, 0), [None, None]);
}

#[test]
fn who_leaves_later_keeps_what_it_won_by_a_forfeit() {
    // 3 leaves before its semi-final with 0; 0 plays half of the final and leaves too. What 0 has played stays played.
    let plan = plan(KNOCKOUT, 4);
    let mut game = Game::new(&plan);
    leave(&mut game, 3, false);
    game.look();
    for _ in 0..3 {
        assert!(game.step(&lower_wins, Order::First));
    }
    assert_eq!(round(&game.state, 2), [[0, 1]]);
    leave(&mut game, 0, false);
    game.look();
    game.finish(&all_drawn, Order::Waves);
    assert_eq!(game.places(), [2, 1, 3, 4]);
}

#[test]
fn everybody_may_leave() {
    for format in
        [KNOCKOUT, "[[stage]]\nkind = \"groups\"\nsize = 3\nadvance = 1\n[[stage]]\nkind = \"swiss\"\nrounds = 3"]
    {
        let plan = plan(format, 9);
        let mut game = Game::new(&plan);
        (0..9).for_each(|team| leave(&mut game, team, false));
        game.look();
        assert!(game.state.is_over(), "there is nothing to play");
        game.finish(&lower_wins, Order::Waves);
    }
}

/// Takes a team out after so many matches, lets others play on, brings it back, and plays to the end in two orders.
fn leave_and_come_back(format: &str, teams: usize, team: usize, away: std::ops::Range<usize>) -> bool {
    let plan = plan(format, teams);
    let Some(mut game) = after(&plan, away.start, &anything) else { return false };
    leave(&mut game, team, false);
    game.look();
    for _ in away.clone() {
        if !game.step(&anything, Order::First) {
            break;
        }
    }
    let before = game.state.clone();
    let stands = before.paired_by_forfeits(team);
    game.interventions.bring_back(team, &stands);
    game.state = game.deriver.derive(&game.interventions, &game.results);
    for old in &before.battles {
        let new = game.state.battles.iter().find(|new| new.place == old.place && new.players == old.players);
        let new = new.unwrap_or_else(|| panic!("{} was paired and is gone: {format}, {away:?}", old.place));
        for (old, new) in old.halves.iter().zip(&new.halves) {
            let forfeited = old.outcome.is_some_and(|outcome| outcome.forfeit);
            if !forfeited || stands.contains(&(old.number, old.half)) {
                assert_eq!(old, new, "what later battles rest on has changed");
            } else {
                assert_eq!(new.outcome, None, "{} is not played: {format}, {away:?}", new.number);
            }
        }
    }
    let mut other = Game::new(&plan);
    (other.interventions, other.results) = (game.interventions.clone(), game.results.clone());
    other.state = game.state.clone();
    game.finish(&anything, Order::First);
    other.finish(&anything, Order::Last);
    assert!(game.state == other.state, "{format}, {team}, {away:?}");
    true
}

#[test]
fn a_team_that_comes_back_plays_what_decided_nothing_meanwhile() {
    let formats = [
        KNOCKOUT,
        "[[stage]]\nkind = \"groups\"\nsize = 3\nadvance = 1\nties = [\"points\", \"rematch 60\", \"coin\"]\n[[stage]]\nkind = \"knockout\"",
        "[[stage]]\nkind = \"swiss\"\nrounds = 3",
        "[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\"]\nadvance = 3\n[[stage]]\nkind = \"round-robin\"",
    ];
    for format in formats {
        for team in 0..5 {
            for start in (0..).step_by(3) {
                let lasted = [0, 2, 30].map(|more| leave_and_come_back(format, 5, team, start..start + more));
                if lasted == [false; 3] {
                    break;
                }
            }
        }
    }
}

#[test]
fn what_a_team_forfeited_stays_lost_whoever_leaves_later() {
    // 3 is out when its semi-final with 0 is due; 0 has played in the final when 3 comes back, and then leaves itself.
    let plan = plan(KNOCKOUT, 4);
    let mut game = Game::new(&plan);
    leave(&mut game, 3, false);
    game.look();
    (0..3).for_each(|_| assert!(game.step(&lower_wins, Order::First)));
    let stands = game.state.paired_by_forfeits(3);
    assert_eq!(stands.len(), 2, "both matches of the semi-final");
    game.interventions.bring_back(3, &stands);
    leave(&mut game, 0, false);
    game.state = game.deriver.derive(&game.interventions, &game.results);
    assert_eq!(round(&game.state, 2), [[0, 1]], "the final is still that of 0");
    game.finish(&lower_wins, Order::Waves);
    assert_eq!(game.places(), [2, 1, 3, 4], "3 plays for the third place");
}

#[test]
fn old_logs_are_read_and_bots_stay_private() {
    let log: Vec<Entry> = serde_json::from_str(
        r#"[{"at_ms":1,"event":"withdrawn","team":"t1","reason":""},{"at_ms":2,"event":"reinstated","team":"t1","reason":"well"},
            {"at_ms":3,"event":"replaced","team":"t2","bot":"/home/me/bots/t2","hash":"ab","language":"python","reason":"mended"}]"#,
    )
    .expect("a log");
    let plan = plan(KNOCKOUT, 2);
    let interventions = Interventions::of(&plan, &log);
    assert!(interventions.out.is_empty() && interventions.left.is_empty());
    assert_eq!((interventions.version(0), interventions.version(1)), (1, 2));
    assert_eq!(interventions.hash(&plan, 1, 2), Some("ab"));
    assert_eq!(interventions.hash(&plan, 1, 3), None);
    let published: Vec<Entry> = log.iter().map(Entry::published).collect();
    assert!(!serde_json::to_string(&published).expect("JSON").contains("/home/me"), "a path is published");
    assert_eq!(Interventions::of(&plan, &published).hash(&plan, 1, 2), Some("ab"));
}

#[test]
fn a_disqualified_winner_has_no_marks_and_is_last() {
    let plan = plan(KNOCKOUT, 4);
    let mut game = play(&plan, &lower_wins, Order::Waves);
    assert_eq!(game.marks(), [9.0, 6.0, 4.0, 3.0]);
    let log =
        [entry(Event::Withdrawn { team: "t1".to_owned(), reason: "ill".to_owned(), kept: None }), disqualified("t1")];
    game.interventions = Interventions::of(&plan, &log);
    game.look();
    assert_eq!(game.marks(), [0.0, 6.0, 4.0, 3.0]);
    assert_eq!(game.places(), [4, 1, 2, 3]);
}

fn entry(event: Event) -> Entry {
    Entry { at_ms: 0, event }
}

fn disqualified(team: &str) -> Entry {
    entry(Event::Disqualified { team: team.to_owned(), reason: "cheating".to_owned(), kept: Some(Vec::new()) })
}

#[test]
fn a_void_match_is_played_again() {
    let plan = plan(&format!("matches = 4\n{KNOCKOUT}"), 2);
    let mut game = play(&plan, &all_drawn, Order::Waves);
    let before = game.state.battles[0].halves.clone();
    // The third match: the second pair, first half.
    game.interventions.void.insert((before[2].number, before[2].half), 1);
    let after = game.deriver.derive(&game.interventions, &game.results);
    let halves = &after.battles[0].halves;
    assert_eq!((halves[2].attempt, halves[2].outcome), (1, None));
    assert_eq!(halves[..2], before[..2]);
    assert_eq!(halves[3], before[3]);
    assert_eq!(after.open().count(), 1);
    game.results.insert((halves[2].number, halves[2].half), outcome(Some(Side::Second)));
    let after = game.deriver.derive(&game.interventions, &game.results);
    let standings = after.standings.expect("it is over");
    assert_eq!((standings[0].team, standings[0].place), (1, 1), "the new result counts");
}

#[test]
fn a_match_may_be_void_again_and_again() {
    let plan = plan(KNOCKOUT, 4);
    let mut game = Game::new(&plan);
    let first = game.state.battles[0].halves[1];
    let mut numbers = vec![first.number];
    for times in 1..=3 {
        while game.step(&all_drawn, Order::First) && game.state.battles[0].open_at(1) {}
        game.interventions.void.insert((first.number, first.half), times);
        game.state = game.deriver.derive(&game.interventions, &game.results);
        numbers.push(game.state.battles[0].halves[1].number);
    }
    numbers.dedup();
    assert_eq!(numbers.len(), 4, "every attempt has a number of its own: {numbers:?}");
    game.finish(&lower_wins, Order::Waves);
}

trait OpenAt {
    fn open_at(&self, index: usize) -> bool;
}

impl OpenAt for agon_tournament::Battle {
    fn open_at(&self, index: usize) -> bool {
        self.halves[index].outcome.is_none()
    }
}
