//! The rules where the two rule sets differ, how games end, and what endings are worth; written from the texts.

use agon_picture::{Click, Shape};
use agon_rivers::{REPETITION, Rivers};
use agon_rules::{AnyGame, AnyPosition, BySide, Ending, Outcome, Random, Reason, RuleSet, Side};

const BOTH_SETS: [RuleSet; 2] = [RuleSet::Text, RuleSet::Server];

fn start(variant: &str, rules: RuleSet) -> Box<dyn AnyPosition> {
    Rivers.open(variant, rules).expect("a variant")
}

fn small(rules: RuleSet, position: &str) -> Box<dyn AnyPosition> {
    let mut game = start("small", rules);
    game.set_up(position).unwrap_or_else(|e| panic!("{position}: {e}"));
    game
}

fn play(game: &mut dyn AnyPosition, turns: &str) {
    for turn in turns.split(' ') {
        game.play(turn).unwrap_or_else(|e| panic!("{turn} in {}: {e}", game.text()));
    }
}

fn assert_points(game: &dyn AnyPosition, ending: Ending, first: f64, second: f64) {
    let points = game.points(ending);
    let close = (points.first - first).abs() < 1e-9 && (points.second - second).abs() < 1e-9;
    assert!(close, "{ending:?} in {}: {points:?}, expected {first} and {second}", game.text());
}

fn draw(reason: Reason) -> Ending {
    Ending::Over(Outcome::draw(reason))
}

fn win(side: Side) -> Ending {
    Ending::Over(Outcome::win(side, Reason::GOAL))
}

// ---- recreating the previous board ----

/// The text forbids a river push that recreates the position before the opponent's last turn. There is none: a river push
/// leaves the pusher with one river less, and no turn of the opponent changes the number of his rivers. So neither
/// rule set needs to know the game so far to tell what is legal.
#[test]
fn no_river_push_recreates_the_position_before_the_opponents_turn() {
    let mut river_pushes = 0;
    for (seed, variant) in (1..).zip(["small", "small", "small", "medium", "medium", "large"]) {
        let mut random = Random::new(seed);
        let mut game = start(variant, RuleSet::Text);
        let mut texts = vec![game.text()];
        while game.outcome().is_none() && texts.len() < 700 {
            river_pushes += check_river_pushes(&*game, &texts);
            let turns = game.legal_turns(1000).expect("not too many");
            let pushes: Vec<_> = turns.iter().filter(|turn| turn.spellings[0].contains('*')).collect();
            let pool: Vec<_> = if pushes.is_empty() || random.below(2) == 0 { turns.iter().collect() } else { pushes };
            game.play(&random.pick(&pool).spellings[0]).expect("a legal turn");
            texts.push(game.text());
        }
    }
    assert!(river_pushes > 5_000, "only {river_pushes} river pushes were seen");
}

/// Plays each river push of the position and compares with the position before the opponent's turn. Gives their number.
fn check_river_pushes(game: &dyn AnyPosition, texts: &[String]) -> usize {
    let picture = game.picture();
    let is_river = |spot| picture.pieces.iter().any(|piece| piece.spot == spot && piece.shape != Shape::Stone);
    let mut count = 0;
    for turn in game.legal_turns(1000).expect("not too many") {
        let [Click::Spot(from), Click::Spot(_), Click::Spot(_)] = turn.clicks[..] else { continue };
        if !is_river(from) {
            continue;
        }
        count += 1;
        let mut next = game.boxed();
        next.play(&turn.spellings[0]).expect("a legal turn");
        if let [.., before, _] = texts {
            assert_ne!(next.text(), *before, "{} after {}", turn.spellings[0], game.text());
        }
    }
    count
}

/// A stone push may recreate it, in both rule sets: the text speaks of river pushes only.
#[test]
fn a_stone_push_may_recreate_the_position() {
    for rules in BOTH_SETS {
        let mut game = small(rules, "12/12/12/12/12/12/2sS8/12/12/12/12/12/12 square");
        let before = game.text();
        play(&mut *game, "c6*d6-e6 e6*d6-c6");
        assert_eq!(game.text(), before);
    }
}

// ---- repetition ----

const SHUFFLE: &str = "d8-c8 d4-c4 c8-d8 c4-d4";

#[test]
fn server_draws_when_three_samples_in_a_row_are_equal() {
    let mut game = start("small", RuleSet::Server);
    for ply in 0..12 {
        assert_eq!(game.outcome(), None, "after {ply} plies");
        play(&mut *game, SHUFFLE.split(' ').nth(ply % 4).expect("four turns"));
    }
    assert_eq!(game.outcome(), Some(Outcome::draw(REPETITION)));
    assert!(game.legal_turns(1000).expect("a list").is_empty());
    let error = game.play("d8-c8").expect_err("the game is over").to_string();
    assert!(error.contains("repetition"), "{error}");
    assert_points(&*game, draw(REPETITION), 39.75, 39.75);
}

#[test]
fn text_has_no_repetition_draw() {
    let mut game = start("small", RuleSet::Text);
    for _ in 0..50 {
        play(&mut *game, SHUFFLE);
        assert_eq!(game.outcome(), None);
    }
}

/// The original remembers that a stone has been a river, so the positions before and after differ for it.
#[test]
fn server_tells_stones_that_have_been_rivers() {
    let mut game = start("small", RuleSet::Server);
    play(&mut *game, SHUFFLE);
    play(&mut *game, "d8h d4h d8s d4s");
    let start = Rivers.open("small", RuleSet::Server).expect("a variant");
    assert_eq!((game.text(), game.key(), game.planes()), (start.text(), start.key(), start.planes()));
    play(&mut *game, SHUFFLE);
    assert_eq!(game.outcome(), None, "ply 12: the sample at ply 4 had fresh stones");
    play(&mut *game, SHUFFLE);
    assert_eq!(game.outcome(), Some(Outcome::draw(REPETITION)), "ply 16");
}

/// Samples at plies 4, 8, 12 see a cycle of six plies in three different states.
const SIX_PLY_CYCLE: [&str; 6] = ["d8h", "d4h", "d8r", "d4r", "d8s", "d4s"];

#[test]
fn server_misses_cycles_that_do_not_fit_the_samples() {
    let mut game = start("small", RuleSet::Server);
    for ply in 0..120 {
        play(&mut *game, SIX_PLY_CYCLE[ply % 6]);
        assert_eq!(game.outcome(), None);
    }
}

/// From ply 6 on everything repeats, and the position of ply 6 comes up again after plies 10 and 14; but those are no samples.
#[test]
fn server_looks_at_every_fourth_ply_only() {
    let mut game = start("small", RuleSet::Server);
    play(&mut *game, "d8-d7 d4-d5 i8-i7 i4-i5 h8-h7 h4-h5");
    for ply in 6..16 {
        assert_eq!(game.outcome(), None, "after {ply} plies");
        play(&mut *game, ["d7-c7", "d5-c5", "c7-d7", "c5-d5"][(ply - 6) % 4]);
    }
    assert_eq!(game.outcome(), Some(Outcome::draw(REPETITION)));
}

#[test]
fn repetition_starts_fresh_after_set_up() {
    let mut game = start("small", RuleSet::Server);
    play(&mut *game, SHUFFLE);
    play(&mut *game, SHUFFLE);
    let text = game.text();
    game.set_up(&text).expect("its own text");
    play(&mut *game, SHUFFLE);
    assert_eq!(game.outcome(), None);
    play(&mut *game, SHUFFLE);
    play(&mut *game, SHUFFLE);
    assert_eq!(game.outcome(), Some(Outcome::draw(REPETITION)));
}

// ---- limits ----

fn last_ply(rules: RuleSet) -> usize {
    match rules {
        RuleSet::Text => 1000,
        RuleSet::Server => 1001,
    }
}

#[test]
fn games_end_at_the_limit() {
    for rules in BOTH_SETS {
        let mut game = start("small", rules);
        for ply in 0..last_ply(rules) {
            assert_eq!(game.outcome(), None, "{rules} after {ply} plies");
            play(&mut *game, SIX_PLY_CYCLE[ply % 6]);
        }
        assert_eq!(game.outcome(), Some(Outcome::draw(Reason::MOVE_LIMIT)), "{rules}");
        let error = game.play(SIX_PLY_CYCLE[last_ply(rules) % 6]).expect_err("the game is over").to_string();
        assert!(error.contains("move limit"), "{error}");
        let made = game.turns_made();
        assert_eq!(made, BySide::new(last_ply(rules).div_ceil(2) as u32, 500));
        assert_points(&*game, draw(Reason::MOVE_LIMIT), 39.75, 39.75);
    }
}

#[test]
fn a_win_with_the_last_turn_counts() {
    // Both sides need one step; circle has the last turn under `server`, square under `text`.
    let both_near = "12/12/4SSS1S3/12/s11/12/12/12/S11/12/4sss1s3/12/12 circle";
    for (rules, turn, winner) in [(RuleSet::Text, "i10-h10", Side::Second), (RuleSet::Server, "i2-h2", Side::First)] {
        let mut game = small(rules, both_near);
        let cycle = ["a8h", "a4h", "a8r", "a4r", "a8s", "a4s"];
        for ply in 0..last_ply(rules) - 1 {
            play(&mut *game, cycle[ply % 6]);
        }
        play(&mut *game, turn);
        assert_eq!(game.outcome(), Some(Outcome::win(winner, Reason::GOAL)), "{rules}");
    }
}

// ---- wins ----

#[test]
fn a_full_area_wins_at_once() {
    for rules in BOTH_SETS {
        let mut game = small(rules, "12/12/4SSS1S3/12/s11/12/12/12/12/12/12/12/12 circle");
        play(&mut *game, "i2-h2");
        assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::GOAL)));
        assert!(game.legal_turns(1000).expect("a list").is_empty());
        assert_eq!(game.perft(1), 0);
        // Square has nothing home or near.
        assert_points(&*game, win(Side::First), 100.0, 0.0);
    }
}

#[test]
fn rivers_do_not_score() {
    for rules in BOTH_SETS {
        let mut game = small(rules, "12/12/4SSSH4/12/s11/12/12/12/12/12/12/12/12 circle");
        assert_eq!(game.outcome(), None);
        play(&mut *game, "h2s");
        assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::GOAL)));
    }
}

#[test]
fn a_push_can_make_the_opponent_win() {
    for rules in BOTH_SETS {
        let mut game = small(rules, "12/12/12/12/12/12/12/12/7S4/7s4/4sss5/12/12 circle");
        play(&mut *game, "h8*h9-h10");
        assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, Reason::GOAL)));
    }
}

#[test]
fn circle_is_tested_first_where_both_areas_are_full() {
    for turn in ["circle", "square"] {
        let game = small(RuleSet::Text, &format!("12/12/4SSSS4/12/12/12/12/12/12/12/4ssss4/12/12 {turn}"));
        assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::GOAL)));
    }
}

#[test]
fn the_goal_is_the_whole_area_on_every_board() {
    let boards = [
        ("medium", "14/14/4SSSS1S4/14/s13/14/14/14/14/14/14/14/14/14/14 circle", "j2-i2"),
        ("large", "16/16/5SSSSS1S4/16/s15/16/16/16/16/16/16/16/16/16/16/16/16 circle", "l2-k2"),
    ];
    for (variant, position, turn) in boards {
        let mut game = start(variant, RuleSet::Text);
        game.set_up(position).expect("a position");
        assert_eq!(game.outcome(), None);
        play(&mut *game, turn);
        assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::GOAL)), "{variant}");
    }
}

#[test]
fn a_side_without_pieces_is_stalemated() {
    for rules in BOTH_SETS {
        let game = small(rules, "12/12/12/12/12/12/5S6/12/12/12/12/12/12 square");
        assert_eq!(game.outcome(), Some(Outcome::draw(Reason::STALEMATE)));
        assert_points(&*game, draw(Reason::STALEMATE), 39.75, 39.75);
    }
}

// ---- points ----

#[test]
fn a_fault_at_the_start_costs_everything() {
    for variant in ["small", "medium", "large"] {
        for rules in BOTH_SETS {
            let game = start(variant, rules);
            assert_points(&*game, Ending::Fault(Side::First), 0.0, 100.0);
            assert_points(&*game, Ending::Fault(Side::Second), 100.0, 0.0);
            assert_points(&*game, draw(Reason::BOTH_CLOCKS), 39.75, 39.75);
        }
    }
}

#[test]
fn stones_home_and_near_soften_a_loss() {
    // Circle has two stones home (e2, f2) and one that can step in (h3).
    let rows = ["12/12/4SS6/7S4/", "14/14/4SS8/7S6/", "16/16/5SS9/8S7/"];
    let rest = ["12/12/12/12/12/12/12/12/12 square", "14/14/14/14/14/14/14/14/14/14/14 square"];
    let large = "16/16/16/16/16/16/16/16/16/16/16/16/16 square";
    let boards = [("small", rest[0], 10.0, 12.0), ("medium", rest[1], 8.0, 14.0), ("large", large, 6.5, 16.0)];
    for rules in BOTH_SETS {
        for ((variant, rest, weight, pieces), top) in boards.into_iter().zip(rows) {
            let mut game = start(variant, rules);
            game.set_up(&format!("{top}{rest}")).expect("a position");
            let worth = 2.0 + 1.0 / pieces;
            assert_points(&*game, Ending::Fault(Side::First), weight * worth, 100.0 - weight * worth);
            assert_points(&*game, win(Side::Second), weight * worth, 100.0 - weight * worth);
            assert_points(&*game, win(Side::First), 100.0, 0.0);
            assert_points(&*game, Ending::Fault(Side::Second), 100.0, 0.0);
            let (more, less) = (30.0 + (39.0 + worth) / 4.0, 30.0 + (39.0 - worth) / 4.0);
            for reason in [Reason::MOVE_LIMIT, Reason::BOTH_CLOCKS, REPETITION] {
                assert_points(&*game, draw(reason), more, less);
            }
        }
    }
}

/// Circle's points when it loses on the small board with these n and m.
fn assert_circle_has(rules: RuleSet, position: &str, n: f64, m: f64) {
    let lost = 10.0 * (n + m / 12.0);
    assert_points(&*small(rules, position), Ending::Fault(Side::First), lost, 100.0 - lost);
}

#[test]
fn text_counts_only_stones_that_reach_the_area_themselves() {
    // d2 steps in; c2 could push it in.
    let pusher = "12/12/2SS8/12/12/12/12/12/12/12/12/12/12 square";
    assert_circle_has(RuleSet::Text, pusher, 0.0, 1.0);
    assert_circle_has(RuleSet::Server, pusher, 0.0, 2.0);
    // A river in the area, nothing else.
    let river = "12/12/5H6/12/12/12/12/12/12/12/12/12/12 square";
    assert_circle_has(RuleSet::Text, river, 0.0, 0.0);
    assert_circle_has(RuleSet::Server, river, 0.0, 1.0);
}

#[test]
fn both_count_stones_that_rivers_carry_in() {
    // f5 enters the river on f4 and is carried up to f2; e7 is too far away. The river itself is no stone.
    let carried = "12/12/12/12/5v6/5S6/12/4S7/12/12/12/12/12 square";
    // A river next to the area could step in, but is no stone.
    let river = "12/12/12/5H6/12/12/12/12/12/12/12/12/12 square";
    // e3 would land in the area by pushing e2 out of it: not counted.
    let lands = "12/12/4S7/4S7/12/12/12/12/12/12/12/12/12 square";
    for rules in BOTH_SETS {
        assert_circle_has(rules, carried, 0.0, 1.0);
        assert_circle_has(rules, river, 0.0, 0.0);
        assert_circle_has(rules, lands, 1.0, 0.0);
    }
}

/// Formula 3 of the text: 39, and what the side's stones in its area and near it are more than the opponent's.
#[test]
fn the_margin_score_is_that_of_the_text_however_the_match_ends() {
    let game = small(RuleSet::Text, "12/12/4SS6/12/12/12/12/12/12/12/12/12/12 circle");
    let margins = game.margins().expect("a margin score");
    let (n, m) = (2.0, 0.0);
    assert!((margins.first - (39.0 + n + m / 12.0)).abs() < 1e-9, "{margins:?}");
    assert!((margins.second - (39.0 - n - m / 12.0)).abs() < 1e-9, "{margins:?}");
    // A draw's points are 30 and a quarter of it.
    assert_points(&*game, draw(Reason::MOVE_LIMIT), 30.0 + margins.first / 4.0, 30.0 + margins.second / 4.0);
    let untouched = start("large", RuleSet::Server).margins().expect("a margin score");
    assert_eq!([untouched.first, untouched.second], [39.0, 39.0]);
    // One that can come in counts a twelfth.
    let near =
        small(RuleSet::Text, "12/12/4S7/5S6/12/12/12/12/12/12/12/12/12 circle").margins().expect("a margin score");
    assert!((near.first - (40.0 + 1.0 / 12.0)).abs() < 1e-9, "{near:?}");
}
