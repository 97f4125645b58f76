//! Every rule on which the two rule sets differ, in both of them, and what they share; written from the texts.

use agon_cannon::{ANNIHILATION, Cannon, STAGNANT};
use agon_rules::{AnyGame, AnyPosition, Ending, Outcome, Random, Reason, RuleSet, Side};

use RuleSet::{Server, Text};

fn set_up(rules: RuleSet, position: &str) -> Box<dyn AnyPosition> {
    let mut game = Cannon.open("8x8", rules).unwrap();
    game.set_up(position).unwrap();
    game
}

fn start(rules: RuleSet) -> Box<dyn AnyPosition> {
    Cannon.open("8x8", rules).unwrap()
}

/// All legal texts, sorted.
fn legal(game: &dyn AnyPosition) -> Vec<String> {
    let turns = game.legal_turns(usize::MAX).unwrap();
    let mut all: Vec<String> = turns.into_iter().flat_map(|turn| turn.spellings).collect();
    all.sort_unstable();
    all
}

/// The legal texts that begin with `start`, without it.
fn legal_from(game: &dyn AnyPosition, start: &str) -> Vec<String> {
    legal(game).iter().filter_map(|text| text.strip_prefix(start)).map(|rest| rest.trim_start().to_owned()).collect()
}

fn play(game: &mut dyn AnyPosition, turns: &[&str]) {
    for turn in turns {
        assert_eq!(game.outcome(), None, "before {turn}");
        game.play(turn).unwrap_or_else(|e| panic!("{turn}: {e}"));
    }
}

/// Why a turn is refused. Also checks that nothing changed.
fn refusal(game: &dyn AnyPosition, turn: &str) -> String {
    let mut copy = game.boxed();
    let error = copy.play(turn).expect_err(turn).to_string();
    assert_eq!((copy.text(), copy.turns_made()), (game.text(), game.turns_made()));
    error
}

fn assert_points(game: &dyn AnyPosition, ending: Ending, expected: [f64; 2]) {
    let found = game.points(ending);
    for (found, expected) in [found.first, found.second].into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{}, {ending:?}: {found}, expected {expected}", game.text());
    }
}

fn assert_over(game: &dyn AnyPosition, winner: Option<Side>, reason: Reason, points: [f64; 2]) {
    let outcome = Outcome { winner, reason };
    assert_eq!(game.outcome(), Some(outcome), "{}", game.text());
    assert_points(game, Ending::Over(outcome), points);
    assert!(legal(game).is_empty());
}

const BLACK: Option<Side> = Some(Side::First);
const WHITE: Option<Side> = Some(Side::Second);

// ---- what both rule sets share ----

#[test]
fn the_start() {
    for rules in [Text, Server] {
        let game = start(rules);
        assert_eq!(game.text(), "tstststs/.s.s.s.s/.s.s.s.s/......../......../S.S.S.S./S.S.S.S./STSTSTST 1");
        let other = Cannon.open("6x10", rules).unwrap();
        assert_eq!(other.text(), "tststststs/.s.s.s.s.s/.s.s.s.s.s/S.S.S.S.S./S.S.S.S.S./STSTSTSTST 1");
    }
    assert_eq!(Cannon.clock("10x10").to_string(), "150 s total");
}

#[test]
fn boards_of_every_size() {
    for rows in 6..=12 {
        for columns in [4, 6, 8, 10] {
            for rules in [Text, Server] {
                let game = Cannon.open(&format!("{rows}x{columns}"), rules).unwrap();
                assert_eq!(game.text().split('/').count(), rows);
                assert_eq!(game.planes().shape().cells, rows * columns);
                assert_eq!(game.playout(&mut Random::new(5)), game.playout(&mut Random::new(5)));
            }
        }
    }
    let refused =
        ["", "x", "8", "8x", "8x9", "8x12", "5x8", "13x8", "8x2", "08x8", "+8x8", "8x8x8", "8 x8", "8X8", "８x8"];
    for variant in refused.into_iter().chain(["99999999999999999999x8"]) {
        let error = Cannon.open(variant, Text).err().expect(variant).to_string();
        assert!(error.starts_with("unknown variant '"), "{error}");
        assert!(error.ends_with("expected ROWSxCOLUMNS: 6 to 12 rows, 4, 6, 8 or 10 columns"), "{error}");
    }
}

#[test]
fn soldiers_step_forward_and_capture_forward_or_sideways() {
    for rules in [Text, Server] {
        let game = set_up(rules, "t.t.t.t./......../......../..s...../..Ss..../......../......../.T.T.T.T 1");
        // 0 6, 2 6 and 4 6 are retreats.
        assert_eq!(legal_from(game.as_ref(), "S 2 4 M"), ["0 6", "1 3", "2 3", "2 6", "3 3", "3 4", "4 6"]);
        // A hall is taken in the same ways, by either side.
        let game = set_up(rules, "tSt.t.t./......../......../......../......../......../s......./.Ts..T.T 2");
        assert!(legal_from(game.as_ref(), "S 0 6 M").contains(&"1 7".to_owned()));
        assert!(legal_from(game.as_ref(), "S 2 7 M").contains(&"1 7".to_owned()));
        assert_eq!(refusal(game.as_ref(), "S 2 7 M 3 7"), "a sideways step must capture, but 3 7 is empty");
    }
}

#[test]
fn cannons_shift_in_both_directions_and_never_capture() {
    for rules in [Text, Server] {
        let game = set_up(rules, "t.t.t.t./......../......../..SSS.../......../......../......../.T.T.T.T 1");
        assert!(legal(game.as_ref()).contains(&"S 2 3 M 5 3".to_owned()));
        assert!(legal(game.as_ref()).contains(&"S 4 3 M 1 3".to_owned()));
        // Backwards, along a diagonal.
        let game = set_up(rules, "t.t.t.t./......../....S.../...S..../..S...../......../......../.T.T.T.T 1");
        assert!(legal(game.as_ref()).contains(&"S 4 2 M 1 5".to_owned()));
        let game = set_up(rules, "t.t.t.t./......../......../.sSSS.../......../......../......../.T.T.T.T 1");
        let error = refusal(game.as_ref(), "S 4 3 M 1 3");
        assert_eq!(error, "a cannon shifts to an empty square, but 1 3 holds a white soldier");
        assert_eq!(refusal(game.as_ref(), "S 2 3 M 2 0"), "2 3 is not the rear of a cannon that points to 2 0");
    }
}

#[test]
fn a_shot_needs_an_empty_square_in_front_and_reaches_two_or_three() {
    for rules in [Text, Server] {
        // e1 empty, e2 and e3 enemies: both are in range, the farther one over the nearer.
        let game = set_up(rules, "t.t.t.t./......../......../SSS.ss../......../......../......../.T.T.T.T 1");
        for soldier in ["0 3", "1 3", "2 3"] {
            assert_eq!(legal_from(game.as_ref(), &format!("S {soldier} B")), ["4 3", "5 3"], "{soldier}");
        }
        let mut after = game.boxed();
        after.play("S 1 3 B 5 3").unwrap();
        assert_eq!(after.text(), "t.t.t.t./......../......../SSS.s.../......../......../......../.T.T.T.T 2");
        let game = set_up(rules, "t.t.t.t./......../......../SSSs.s.s/......../......../......../.T.T.T.T 1");
        let error = refusal(game.as_ref(), "S 0 3 B 5 3");
        assert_eq!(error, "a cannon needs an empty square in front of it, but 3 3 is occupied");
        assert_eq!(refusal(game.as_ref(), "S 0 3 B 7 3"), "no cannon with the soldier at 0 3 has 7 3 in range");
        assert_eq!(refusal(game.as_ref(), "S 0 3 B 3 3"), "no cannon with the soldier at 0 3 has 3 3 in range");
        assert_eq!(refusal(game.as_ref(), "S 0 3 B 2 4"), "2 4 is not in a line with 0 3");
        // A shot takes halls, and flies over own men too, but not at them.
        let game = set_up(rules, "t.t.t.t./S......./......../S......./S......./S......./......../.T.T.T.T 1");
        assert!(legal(game.as_ref()).contains(&"S 0 4 B 0 0".to_owned()));
        assert_eq!(refusal(game.as_ref(), "S 0 3 B 0 1"), "0 1 holds a black soldier of the side to move");
    }
}

#[test]
fn in_a_longer_line_only_the_three_nearest_soldiers_order_the_shot() {
    for rules in [Text, Server] {
        let game = set_up(rules, "t.t.t.t./......../......../SSSS.s../......../......../......../.T.T.T.T 1");
        for (soldier, may) in [("0 3", false), ("1 3", true), ("2 3", true), ("3 3", true)] {
            let shots = legal_from(game.as_ref(), &format!("S {soldier} B"));
            assert_eq!(shots.contains(&"5 3".to_owned()), may, "{soldier}");
        }
        let error = refusal(game.as_ref(), "S 0 3 B 5 3");
        assert_eq!(error, "a cannon needs an empty square in front of it, but 3 3 is occupied");
        let shifts = ["S 0 3 M 4 3", "S 1 3 M 4 3"].map(|turn| game.boxed().play(turn).is_ok());
        assert_eq!(shifts, [false, true]);
    }
}

#[test]
fn one_target_is_one_move_however_it_is_shot() {
    for rules in [Text, Server] {
        // A row and a column of soldiers both aim at 6 1.
        let position = "t.t.t.t./..SSS.s./......../......S./......S./......S./......../.T.T.T.T 1";
        let game = set_up(rules, position);
        let turns = game.legal_turns(usize::MAX).unwrap();
        let shots: Vec<_> = turns.iter().filter(|turn| turn.spellings[0].ends_with("B 6 1")).collect();
        assert_eq!(shots.len(), 1);
        let spellings = ["2 1", "3 1", "4 1", "6 3", "6 4", "6 5"].map(|soldier| format!("S {soldier} B 6 1"));
        assert_eq!(shots[0].spellings, spellings);
        assert_eq!(shots[0].clicks.len(), 2);
    }
}

// ---- switches ----

#[test]
fn who_may_retreat() {
    // An enemy soldier behind.
    let behind = "t.t.t.t./......../......../...S..../...s..../......../......../.T.T.T.T 1";
    assert_eq!(legal_from(set_up(Text, behind).as_ref(), "S 3 3 M"), ["1 5", "2 2", "3 2", "3 5", "4 2", "5 5"]);
    assert_eq!(legal_from(set_up(Server, behind).as_ref(), "S 3 3 M"), ["2 2", "3 2", "4 2"]);
    let error = refusal(set_up(Server, behind).as_ref(), "S 3 3 M 3 5");
    assert_eq!(error, "a soldier retreats only from an enemy soldier beside or before it");
    // Halls beside it.
    let halls = "tSt.t.t./......../......../......../......../......../......../.T.T.T.T 1";
    assert_eq!(legal_from(set_up(Text, halls).as_ref(), "S 1 0 M"), ["0 0", "1 2", "2 0", "3 2"]);
    assert_eq!(legal_from(set_up(Server, halls).as_ref(), "S 1 0 M"), ["0 0", "2 0"]);
    // White retreats upwards; behind it is above it.
    let white = "t.t.t.t./......../......../...S..../...s..../......../......../.T.T.T.T 2";
    assert_eq!(legal_from(set_up(Text, white).as_ref(), "S 3 4 M"), ["1 2", "2 5", "3 2", "3 5", "4 5", "5 2"]);
    assert_eq!(legal_from(set_up(Server, white).as_ref(), "S 3 4 M"), ["2 5", "3 5", "4 5"]);
    // Nobody near.
    let alone = "t.t.t.t./......../......../...S..../......../...s..../......../.T.T.T.T 1";
    let error = refusal(set_up(Text, alone).as_ref(), "S 3 3 M 1 5");
    assert_eq!(error, "a soldier retreats only from an enemy piece next to it");
}

#[test]
fn each_neighbour_that_allows_a_retreat() {
    let around = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    for (dx, dy) in around {
        for (enemy, is_soldier) in [('s', true), ('t', false)] {
            let mut rows = vec![vec!['.'; 8]; 8];
            rows[3][3] = 'S';
            (rows[0], rows[7]) = ("t.t...t.".chars().collect(), ".T.T.T.T".chars().collect());
            rows[(3 + dy) as usize][(3 + dx) as usize] = enemy;
            let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
            let position = format!("{} 1", rows.join("/"));
            let retreats = |rules| set_up(rules, &position).play("S 3 3 M 5 5").is_ok();
            assert!(retreats(Text), "{position}");
            assert_eq!(retreats(Server), is_soldier && dy <= 0, "{position}");
        }
    }
}

#[test]
fn where_a_retreat_may_end() {
    // Pressed from the front; jumped over: own, enemy, nothing. Targets: an enemy soldier, an enemy hall, empty.
    let position = "t.t...t./......../...s..../...S..../..Ss..../.s.t..../......../.T.T.T.T 1";
    let (text, server) = (set_up(Text, position), set_up(Server, position));
    assert_eq!(legal_from(text.as_ref(), "S 3 3 M"), ["2 2", "3 2", "4 2", "5 5"]);
    assert_eq!(legal_from(server.as_ref(), "S 3 3 M"), ["1 5", "2 2", "3 2", "4 2", "5 5"]);
    let error = refusal(text.as_ref(), "S 3 3 M 1 5");
    assert_eq!(error, "a retreat must end on an empty square, but 1 5 holds a white soldier");
    let error = refusal(server.as_ref(), "S 3 3 M 3 5");
    assert_eq!(error, "a retreat cannot capture a white hall, as on 3 5");
    // Any square may be jumped over.
    let position = "t.t.t.t./......../...s..../...S..../...S..../......../......../.T.T.T.T 1";
    for rules in [Text, Server] {
        assert!(set_up(rules, position).play("S 3 3 M 3 5").is_ok());
    }
}

#[test]
fn blank_shots() {
    let game = start(Text);
    assert_eq!(refusal(game.as_ref(), "S 0 5 B 0 3"), "a shot must capture, but 0 3 is empty");
    assert!(legal_from(game.as_ref(), "S 0 5 B").is_empty());
    let mut game = start(Server);
    assert_eq!(legal_from(game.as_ref(), "S 0 5 B"), ["0 2", "0 3"]);
    // All of them are one move with many texts.
    let turns = game.legal_turns(usize::MAX).unwrap();
    let blank = turns.last().unwrap();
    assert_eq!(blank.spellings.len(), 24);
    assert_eq!(blank.spellings[0], "S 0 5 B 0 2");
    let before = game.text();
    play(game.as_mut(), &["S 4 7 B 4 2"]);
    assert_eq!(game.text(), before.replace(" 1", " 2"));
    assert_eq!(refusal(game.as_ref(), "S 1 0 B 1 6"), "no cannon with the soldier at 1 0 has 1 6 in range");
}

#[test]
fn generator_and_refusals_agree_on_strange_boards() {
    let mut random = Random::new(11);
    for round in 0..60 {
        let rules = [Text, Server][round % 2];
        let (variant, rows, columns) = [("8x8", 8, 8), ("6x4", 6, 4), ("9x10", 9, 10)][round % 3];
        let letters = b"SSSsssTt.......";
        let line = |random: &mut Random| -> String { (0..columns).map(|_| char::from(random.pick(letters))).collect() };
        let board: Vec<String> = (0..rows).map(|_| line(&mut random)).collect();
        let mut game = Cannon.open(variant, rules).unwrap();
        game.set_up(&format!("{} {}", board.join("/"), 1 + random.below(2))).unwrap();
        if game.outcome().is_some() {
            continue;
        }
        let squares = || (0..rows).flat_map(|y| (0..columns).map(move |x| format!("{x} {y}")));
        let texts = squares().flat_map(|from| squares().map(move |to| (from.clone(), to)));
        let texts = texts.flat_map(|(from, to)| ["M", "B"].map(|letter| format!("S {from} {letter} {to}")));
        let mut accepted: Vec<String> = texts.filter(|turn| game.boxed().play(turn).is_ok()).collect();
        accepted.sort_unstable();
        assert_eq!(accepted, legal(game.as_ref()), "{}", game.text());
    }
}

// ---- endings ----

#[test]
fn two_halls_lost_are_a_defeat() {
    for rules in [Text, Server] {
        let mut game = set_up(rules, "..t.t.t./.S....../......../......../......../......../......s./.T.T.T.T 1");
        play(game.as_mut(), &["S 1 1 M 2 0"]);
        assert_over(game.as_ref(), BLACK, Reason::GOAL, [10.01, 0.01]);
        // One hall lost by the winner.
        let mut game = set_up(rules, "..t.t.t./.S....../......../......../......../......../......s./.T.T...T 2");
        play(game.as_mut(), &["S 6 6 M 7 7"]);
        assert_over(game.as_ref(), WHITE, Reason::GOAL, [2.01, 8.01]);
        assert_eq!(game.play("S 1 1 M 2 0").unwrap_err().to_string(), "the game is over (win)");
        // On ten columns two of five are enough, too.
        let mut game = Cannon.open("6x10", rules).unwrap();
        game.set_up("t...t.t.t./.S......../........../........../........s./.T.T.T.T.T 1").unwrap();
        assert_eq!(game.outcome(), None);
        play(game.as_mut(), &["S 1 1 M 0 0"]);
        assert_over(game.as_ref(), BLACK, Reason::GOAL, [10.01, 0.01]);
        // On four columns two are all.
        let mut game = Cannon.open("6x4", rules).unwrap();
        game.set_up("t.../.S../..../..../..s./.T.T 1").unwrap();
        play(game.as_mut(), &["S 1 1 M 0 0"]);
        assert_over(game.as_ref(), BLACK, Reason::GOAL, [10.01, 0.01]);
    }
}

#[test]
fn strange_numbers_of_halls() {
    for rules in [Text, Server] {
        // More than at the start is none lost; where both have lost two, the side that moved last has won.
        let game = set_up(rules, "tttttttt/......../......../......../......../......../S......s/TTTTTTTT 1");
        assert_eq!(game.outcome(), None);
        assert_points(game.as_ref(), Ending::Fault(Side::First), [0.01, 10.01]);
        let game = set_up(rules, "......../......../......../......../......../......../S......s/......T. 1");
        assert_over(game.as_ref(), WHITE, Reason::GOAL, [2.01, 8.01]);
        let game = set_up(rules, "t......./......../......../......../......../......../S......s/.T.T.T.T 1");
        assert_over(game.as_ref(), BLACK, Reason::GOAL, [10.01, 0.01]);
        let game = set_up(rules, "......../......../......../......../......../......../......../........ 2");
        assert_over(game.as_ref(), BLACK, Reason::GOAL, [8.0, 2.0]);
    }
}

/// Black's last soldier stands on the far row with nothing to take; halls lost by black and white.
fn stalemate_of_black(rules: RuleSet, black_lost: usize, white_lost: usize) -> Box<dyn AnyPosition> {
    let (white, black) = (&"tttt"[white_lost..], &"TTTT"[black_lost..]);
    let top = format!("{white}{}S", ".".repeat(7 - white.len()));
    let bottom = format!("{black}{}", ".".repeat(8 - black.len()));
    let mut game = set_up(rules, &format!("{top}/......../......../......../......../...s..../......s./{bottom} 2"));
    play(game.as_mut(), &["S 3 5 M 3 6"]);
    game
}

#[test]
fn stalemate() {
    // Text: more halls wins, equal is a draw; the table by halls lost.
    let over = |black, white, winner, points| {
        assert_over(stalemate_of_black(Text, black, white).as_ref(), winner, Reason::STALEMATE, points);
    };
    over(0, 0, None, [5.01, 5.02]);
    over(1, 1, None, [5.01, 5.02]);
    over(0, 1, BLACK, [7.01, 3.02]);
    over(1, 0, WHITE, [3.01, 7.02]);
    // Server: one more for white, who is not stuck; the higher score wins.
    let over = |black, white, winner, points| {
        assert_over(stalemate_of_black(Server, black, white).as_ref(), winner, Reason::STALEMATE, points);
    };
    over(0, 0, WHITE, [4.01, 6.02]);
    over(1, 1, WHITE, [4.01, 6.02]);
    over(0, 1, BLACK, [6.01, 4.02]);
    over(1, 0, WHITE, [2.01, 8.02]);
}

#[test]
fn stalemate_of_white() {
    let position = "t.t.t.t./......../......../......../......../......../S......./s...TTTT 1";
    for (rules, winner, points) in [(Text, None, [5.01, 5.01]), (Server, BLACK, [6.01, 4.01])] {
        let mut game = set_up(rules, position);
        play(game.as_mut(), &["S 0 6 M 1 5"]);
        assert_over(game.as_ref(), winner, Reason::STALEMATE, points);
    }
}

#[test]
fn annihilation() {
    let halls =
        [("tttt....", "TTTT...."), ("ttt.....", "TTT....."), ("ttt.....", "TTTT...."), ("tttt....", "TTT.....")];
    let text = [(None, [5.01, 5.0]), (None, [5.01, 5.0]), (BLACK, [7.01, 3.0]), (WHITE, [3.01, 7.0])];
    let server = [(BLACK, [8.01, 2.0]), (BLACK, [8.01, 2.0]), (BLACK, [10.01, 0.0]), (BLACK, [6.01, 4.0])];
    for (rules, expected) in [(Text, text), (Server, server)] {
        for ((top, bottom), (winner, points)) in halls.into_iter().zip(expected) {
            // Black takes white's last soldier.
            let position = format!("{top}/......../......../...s..../..S...../......../......../{bottom} 1");
            let mut game = set_up(rules, &position);
            play(game.as_mut(), &["S 2 4 M 3 3"]);
            assert_over(game.as_ref(), winner, ANNIHILATION, points);
        }
    }
    // Black without soldiers, by a shot.
    for (rules, winner, points) in [(Text, None, [5.0, 5.03]), (Server, WHITE, [2.0, 8.03])] {
        let mut game = set_up(rules, "t.t.t.t./......../sss.S.../......../......../......../......../.T.T.T.T 2");
        play(game.as_mut(), &["S 0 2 B 4 2"]);
        assert_over(game.as_ref(), winner, ANNIHILATION, points);
    }
}

#[test]
fn the_halls_are_looked_at_before_the_soldiers() {
    for rules in [Text, Server] {
        // White's last soldier is long gone when the second hall falls.
        let game = set_up(rules, "t.t...../......../......../......../......../......../S......./.T.T.T.T 2");
        assert_over(game.as_ref(), BLACK, Reason::GOAL, [10.01, 0.0]);
    }
}

const ROUND: [&str; 4] = ["S 0 7 M 0 4", "S 1 0 M 1 3", "S 0 4 M 0 7", "S 1 3 M 1 0"];

#[test]
fn a_board_that_comes_up_a_third_time_ends_the_game() {
    for rules in [Text, Server] {
        let mut game = start(rules);
        // After eight plies the start position has come up twice after white's moves; the beginning does not count.
        play(game.as_mut(), &ROUND);
        play(game.as_mut(), &ROUND);
        assert_eq!(game.outcome(), None);
        // The board after black's first move comes up for the third time.
        play(game.as_mut(), &ROUND[..1]);
        assert_over(game.as_ref(), None, STAGNANT, [5.12, 5.12]);
        assert_eq!(game.play(ROUND[1]).unwrap_err().to_string(), "the game is over (stagnant)");
    }
}

#[test]
fn repetition_counts_from_the_start_of_the_game_as_played() {
    for rules in [Text, Server] {
        let mut game = start(rules);
        // Two rounds after a long detour, with the same board in between moves of both sides.
        play(game.as_mut(), &["S 2 5 M 1 4", "S 3 2 M 2 3"]);
        play(game.as_mut(), &ROUND);
        play(game.as_mut(), &["S 4 7 M 4 4", "S 5 0 M 5 3", "S 4 4 M 4 7", "S 5 3 M 5 0"]);
        // The board after the detour was reached by a move, so it counts: this is its third time after white's moves.
        assert_over(game.as_ref(), None, STAGNANT, [5.12, 5.12]);
        // Setting the position up forgets that.
        let text = game.text();
        game.set_up(&text).unwrap();
        assert_eq!(game.outcome(), None);
        play(game.as_mut(), &ROUND);
        play(game.as_mut(), &ROUND);
        assert_eq!(game.outcome(), None);
    }
}

#[test]
fn boards_are_counted_for_each_side() {
    // With blank shots the same board comes up after everybody's move.
    let mut game = start(Server);
    let (black, white) = ("S 0 5 B 0 3", "S 1 0 B 1 4");
    play(game.as_mut(), &[black, white, black, white]);
    assert_eq!(game.outcome(), None);
    play(game.as_mut(), &[black]);
    assert_over(game.as_ref(), None, STAGNANT, [5.12, 5.12]);
}

#[test]
fn a_stagnant_game_is_decided_by_halls() {
    let position = "t.t.t.../.s....../.s....../.s....../......../S......./S......./ST.T.T.T 1";
    let rounds = ["S 0 7 M 0 4", "S 1 1 M 1 4", "S 0 4 M 0 7", "S 1 4 M 1 1"];
    for rules in [Text, Server] {
        for (position, winner, points) in [
            (position.to_owned(), BLACK, [7.03, 3.03]),
            (position.replace("t.t.t...", "t.t.t.t.").replace("ST.T.T.T", "ST.T...T"), WHITE, [3.03, 7.03]),
            (position.replace("ST.T.T.T", "ST.T...T"), None, [5.03, 5.03]),
        ] {
            let mut game = set_up(rules, &position);
            play(game.as_mut(), &rounds);
            play(game.as_mut(), &rounds);
            play(game.as_mut(), &rounds[..1]);
            assert_over(game.as_ref(), winner, STAGNANT, points);
        }
    }
}

#[test]
fn a_fault_counts_as_two_halls_lost() {
    for rules in [Text, Server] {
        let faults = |position: &str, black: [f64; 2], white: [f64; 2]| {
            let game = set_up(rules, position);
            assert_points(game.as_ref(), Ending::Fault(Side::First), black);
            assert_points(game.as_ref(), Ending::Fault(Side::Second), white);
        };
        let game = start(rules);
        assert_points(game.as_ref(), Ending::Fault(Side::First), [0.12, 10.12]);
        assert_points(game.as_ref(), Ending::Fault(Side::Second), [10.12, 0.12]);
        // What the offender has destroyed is what counts, whoever is to move and however many halls it lost itself.
        let rows = "......../......../s......./......../......../SS....../........";
        for turn in [1, 2] {
            faults(&format!("t.t.t.../{}/.T.T.T.T {turn}", &rows[9..]), [2.02, 8.01], [10.02, 0.01]);
            faults(&format!("t.t.t.t./{}/.T.T.T.. {turn}", &rows[9..]), [0.02, 10.01], [8.02, 2.01]);
            faults(&format!("t.t.t.../{}/.T.T.T.. {turn}", &rows[9..]), [2.02, 8.01], [8.02, 2.01]);
        }
    }
}
