//! Every rule that the text and the server decide, in both rule sets.

mod common;

use std::collections::HashMap;

use agon_rollerball::{CHECKMATE, Rollerball, RollerballPosition, THREEFOLD, Variant};
use agon_rules::{AnyPosition, BySide, Ending, Game, Outcome, Position, Random, Reason, RuleSet, Side, perft};

use common::{BOTH, open, play, refusal, set_up, targets};

// ---- movement ----

/// The targets of white's man on a square of the original board that is empty but for it and the kings.
fn lone(man: char, from: &str, kings: [&str; 2], rules: RuleSet) -> String {
    let mut rows = [[b'.'; 7]; 7];
    for row in &mut rows[2..5] {
        row[2..5].fill(b'_');
    }
    for (square, letter) in [(from, man as u8), (kings[0], b'K'), (kings[1], b'k')] {
        let name = square.as_bytes();
        rows[usize::from(b'7' - name[1])][usize::from(name[0] - b'a')] = letter;
    }
    let text = rows.map(|row| String::from_utf8_lossy(&row).into_owned()).join("/");
    targets(&*set_up("7-3", rules, &format!("{text} w")), from)
}

/// The table of the bottom sector. The kings stand on the right side, which no forward way from there touches.
#[test]
fn men_move_as_the_table_of_the_bottom_sector_says() {
    let kings = ["g5", "g7"];
    for rules in BOTH {
        for (from, rook, bishop, pawn) in [
            ("b1", "a1 a2 a3 a4 a5 a6 a7 b2 b3 b4 b5 b6 b7 c1", "a2 b3 c2", "a1 a2"),
            ("c1", "a1 a2 a3 a4 a5 a6 a7 b1 c2 d1", "a3 b2 b4 d2", "b1 b2"),
            ("d1", "a1 a2 a3 a4 a5 a6 a7 b1 c1 d2 e1", "a4 b3 b5 c2 c6 d7 e2", "c1 c2"),
            ("e1", "a1 a2 a3 a4 a5 a6 a7 b1 c1 d1 e2 f1", "c1 d2 f2", "d1 d2"),
            ("f1", "a1 a2 a3 a4 a5 a6 a7 b1 c1 d1 e1 f2 g1", "d1 e2 g2", "e1 e2"),
            ("c2", "a2 b2 c1 d2", "a2 a4 b1 b3 b5 c6 d1 d7", "b1 b2 b3"),
            ("d2", "a2 b2 c2 d1 e2", "a3 b2 c1 e1", "c1 c2"),
            ("e2", "a2 b2 c2 d2 e1 f2", "a4 b3 c2 d1 f1 f3", "d1 d2"),
            ("f2", "a2 b2 c2 d2 e2 f1 f3 g2", "d2 e1 g1 g3", "e1 e2"),
        ] {
            assert_eq!(lone('R', from, kings, rules), rook, "rook on {from}");
            assert_eq!(lone('B', from, kings, rules), bishop, "bishop on {from}");
            assert_eq!(lone('P', from, kings, rules), pawn, "pawn on {from}");
        }
        assert_eq!(lone('R', "g1", kings, rules), "a1 a2 a3 a4 a5 a6 a7 b1 c1 d1 e1 f1 g2");
        assert_eq!(lone('P', "g1", kings, rules), "f1 f2");
    }
}

#[test]
fn a_corner_bishop_bends_under_the_text_but_not_on_the_first_server() {
    let corners = [
        ("g1", ["a7", "a5"], "e1 f2", "f2"),
        ("a1", ["g7", "g5"], "a3 b2", "b2"),
        ("a7", ["g1", "e1"], "b6 c7", "b6"),
        ("g7", ["a1", "a3"], "f6 g5", "f6"),
    ];
    for (corner, kings, text, server) in corners {
        assert_eq!(lone('B', corner, kings, RuleSet::Text), text);
        assert_eq!(lone('B', corner, kings, RuleSet::Server), server);
    }
    for rules in BOTH {
        let game = set_up("8-4", rules, "k......./......../K.____../..____../..____../..____../......../.......B w");
        assert_eq!(targets(&*game, "h1"), "f1 g2");
        let game = set_up("8-2", rules, "k......./......../K......./...__.../...__.../......../......../.......B w");
        assert_eq!(targets(&*game, "h1"), "d1 e2 f3 g2");
    }
}

#[test]
fn a_rook_turns_the_corner_only_when_nothing_stands_on_its_way_there() {
    for rules in BOTH {
        let blocked = set_up("7-3", rules, "....k../......./..___../..___../..___../......K/p..R... w");
        assert_eq!(targets(&*blocked, "d1"), "a1 b1 c1 d2 e1");
        let beyond = set_up("7-3", rules, "....k../......./..___../p.___../..___../......K/...R... w");
        assert_eq!(targets(&*beyond, "d1"), "a1 a2 a3 a4 b1 c1 d2 e1");
    }
}

#[test]
fn on_the_board_with_three_rings_two_ways_of_a_bishop_can_lead_to_one_square() {
    // f2 reaches d2 by e3, off the hole, and by e1, off the wall: blocking one way leaves the other.
    let text =
        |e3: char, e1: char| format!("k......./......../......../...__.../...__.../....{e3}.../.....B.K/....{e1}... w");
    for rules in BOTH {
        assert!(targets(&*set_up("8-2", rules, &text('.', '.')), "f2").contains("d2"));
        assert!(targets(&*set_up("8-2", rules, &text('P', '.')), "f2").contains("d2"));
        assert!(targets(&*set_up("8-2", rules, &text('.', 'P')), "f2").contains("d2"));
        assert!(!targets(&*set_up("8-2", rules, &text('P', 'P')), "f2").contains("d2"));
    }
}

#[test]
fn a_check_along_two_ways_is_answered_only_where_both_are_closed() {
    // The bishop on f2 attacks the king on d2 by e3 and by e1. The rook on h1 could close e1, not both.
    for rules in BOTH {
        let game = set_up("8-2", rules, "k......./......../......../...__.../...__.../......../...K.b../.......R w");
        assert_eq!(targets(&*game, "h1"), "");
        // A pinned man on one of the ways may not leave it, the other way being closed too.
        let mut game =
            set_up("8-2", rules, "k......./......../......../...__.../...__.../....N.../...K.b../....P... w");
        assert_eq!(targets(&*game, "e3"), "");
        assert_eq!(refusal(&mut *game, "e3f5"), "the white king would be in check without the knight on e3");
    }
}

#[test]
fn pawns_attack_straight_ahead_too() {
    for rules in BOTH {
        let mut game = set_up("7-3", rules, "......k/......./..___../..___../..___../......./.K.p... w");
        assert_eq!(targets(&*game, "b1"), "a1 a2 b2");
        assert_eq!(refusal(&mut *game, "b1c1"), "the white king would be in check on c1");
    }
}

#[test]
fn the_knight_leaps_over_the_hole() {
    for rules in BOTH {
        let game = set_up("8-2", rules, "k......./......../......../...__.../...__.../...N..../......../.......K w");
        assert_eq!(targets(&*game, "d3"), "b2 b4 c1 c5 e1 f2 f4");
    }
}

// ---- promotion ----

#[test]
fn promotion_is_compulsory_and_to_rook_or_bishop() {
    for rules in BOTH {
        let mut game = set_up("7-3", rules, "...P..k/......./..___../..___../..___../......./.K..... w");
        assert_eq!(targets(&*game, "d7"), "e6b e6r e7b e7r");
        assert_eq!(
            refusal(&mut *game, "d7e7"),
            "a pawn that reaches e7 must become a rook (d7e7r) or a bishop (d7e7b)"
        );
        assert_eq!(refusal(&mut *game, "d7e7n"), "promotion: expected 'r' or 'b', found 'n'");
        play(&mut *game, "d7e7b");
        assert_eq!(game.text(), "....B.k/......./..___../..___../..___../......./.K..... b");
        let game = set_up("7-3", rules, "......K/......./..___../..___../..___../...p.../.k..... b");
        assert_eq!(targets(&*game, "d2"), "c1b c1r c2b c2r");
    }
}

#[test]
fn pawns_promote_only_on_the_far_side() {
    for rules in BOTH {
        // White passes its own pawn squares; a pawn that stands on a promotion square just goes on.
        let mut game = set_up("7-3", rules, "....P.k/......./..___../..___../..___../...P.../.K..... w");
        assert_eq!(targets(&*game, "d2"), "c1 c2");
        assert_eq!(targets(&*game, "e7"), "f6 f7");
        assert_eq!(refusal(&mut *game, "d2c2r"), "a pawn that goes from d2 to c2 is not promoted");
        assert_eq!(refusal(&mut *game, "b1b2r"), "a king that goes from b1 to b2 is not promoted");
        let game = set_up("8-4", rules, "....P..k/......../..____../..____../..____../..____../...P..../.K...... w");
        assert_eq!(targets(&*game, "e8"), "f7b f7r f8b f8r");
        assert_eq!(targets(&*game, "d2"), "c1 c2");
    }
}

#[test]
fn on_three_rings_an_inner_pawn_can_slip_past() {
    for rules in BOTH {
        let game = set_up("8-2", rules, ".......k/......../....P.../...__.../...__.../...p..../......../.K...... w");
        assert_eq!(targets(&*game, "e6"), "f5 f6b f6r f7b f7r");
        let game = set_up("8-2", rules, ".......k/......../....P.../...__.../...__.../...p..../......../.K...... b");
        assert_eq!(targets(&*game, "d3"), "c2b c2r c3b c3r c4");
        // On f6, but not from the top: the pawn is on its way down the right side.
        let game = set_up("8-2", rules, "......../......P./......../...__.../...__.../......../......../.K.....k w");
        assert_eq!(targets(&*game, "g7"), "f6 g6 h6");
    }
}

// ---- endings ----

#[test]
fn checkmate_and_its_points() {
    for rules in BOTH {
        let mut game = set_up("7-3", rules, "......./..k..../R.___../.K___../.P___../......./....... w");
        play(&mut *game, "a5a6");
        let outcome = Outcome::win(Side::First, CHECKMATE);
        assert_eq!(game.outcome(), Some(outcome));
        assert_eq!(game.points(Ending::Over(outcome)), BySide::new(99.0 + 4.0, 1.0));
        assert!(game.legal_turns(10).expect("none").is_empty());
        assert_eq!(refusal(&mut *game, "c6c7"), "the game is over (checkmate)");
        assert_eq!(
            game.picture().caption,
            "The black king is checkmated: the white side wins. Men left: 4 points of white, 0 of black."
        );
    }
}

#[test]
fn stalemate_is_a_draw_for_the_side_to_move_alone() {
    let draw = Outcome::draw(Reason::STALEMATE);
    for rules in BOTH {
        let board = "....R../......./.B___../..___k./..___../....K../.......";
        let game = set_up("7-3", rules, &format!("{board} b"));
        assert_eq!(game.outcome(), Some(draw));
        assert_eq!(game.points(Ending::Over(draw)), BySide::new(40.0 + 8.0, 40.0));
        assert_eq!(
            game.picture().caption,
            "The black side has no legal move and is not in check: stalemate, a draw. \
             Men left: 8 points of white, 0 of black."
        );
        assert_eq!(set_up("7-3", rules, &format!("{board} w")).outcome(), None, "white can move");
        let board = "..Bk..../R......./..____../..____../..____../.P____../....K.../........";
        assert_eq!(set_up("8-4", rules, &format!("{board} b")).outcome(), Some(draw));
    }
}

/// Rooks step back and forth: the start position stands again after every fourth move.
const SHUFFLE: [&str; 4] = ["e2f2", "c6b6", "f2e2", "b6c6"];

/// How many moves of the shuffle are played before the game ends.
fn shuffle_length(game: &mut dyn AnyPosition, most: usize) -> usize {
    let moves = SHUFFLE.iter().cycle().take(most);
    moves.take_while(|m| game.outcome().is_none() && game.play(m).map_err(|e| panic!("{m}: {e}")).is_ok()).count()
}

#[test]
fn the_start_position_counts_for_threefold_under_the_text_only() {
    let mut text = open("7-3", RuleSet::Text);
    assert_eq!(shuffle_length(&mut *text, 50), 8);
    assert_eq!(text.outcome(), Some(Outcome::draw(THREEFOLD)));
    // The server does not record the start; what stands after the first move is the first to come up three times.
    let mut server = open("7-3", RuleSet::Server);
    assert_eq!(shuffle_length(&mut *server, 50), 9);
    assert_eq!(server.outcome(), Some(Outcome::draw(THREEFOLD)));
    assert_eq!(server.points(Ending::Over(Outcome::draw(THREEFOLD))), BySide::new(53.0, 53.0));
    assert_eq!(refusal(&mut *server, "c6b6"), "the game is over (threefold)");
}

/// White's king walks a triangle while black's goes there and back, then the other way round: the same placement
/// stands with white and with black to move in turn. Both kings on the b file stand after moves 2, 7 and 12.
#[test]
fn the_side_to_move_counts_for_threefold_under_the_text_only() {
    let start = "k....../......./..___../..___../..___../......./K...... w";
    let white_triangle = ["a1b1", "a7b7", "b1b2", "b7a7", "b2a1"];
    let black_triangle = ["a7b7", "a1b1", "b7b6", "b1a1", "b6a7"];
    let moves: Vec<&str> = white_triangle.into_iter().chain(black_triangle).cycle().take(40).collect();
    for (rules, length) in [(RuleSet::Text, 20), (RuleSet::Server, 12)] {
        let mut game = set_up("7-3", rules, start);
        let mut played = 0;
        while game.outcome().is_none() {
            play(&mut *game, moves[played]);
            played += 1;
        }
        assert_eq!(game.outcome(), Some(Outcome::draw(THREEFOLD)));
        assert_eq!(played, length, "{rules}");
    }
}

/// Kings or knights that go there and back on the larger boards, and how many moves the game lasted.
fn shuffle_large(variant: &str, rules: RuleSet, plies: usize) -> (Box<dyn AnyPosition>, usize) {
    let (mut game, shuffle) = match variant {
        "8-4" => {
            let kings = "k......./......../..____../..____../..____../..____../......../K....... w";
            (set_up(variant, rules, kings), ["a1b1", "a8b8", "b1a1", "b8a8"])
        }
        _ => (open(variant, rules), ["d2b1", "e7g8", "b1d2", "g8e7"]),
    };
    let mut played = 0;
    while played < plies && game.outcome().is_none() {
        play(&mut *game, shuffle[played % 4]);
        played += 1;
    }
    (game, played)
}

#[test]
fn the_larger_boards_know_threefold_under_the_text_and_nothing_on_the_server() {
    for variant in ["8-4", "8-2"] {
        let (game, played) = shuffle_large(variant, RuleSet::Text, 500);
        assert_eq!((game.outcome(), played), (Some(Outcome::draw(THREEFOLD)), 8));
        let (game, played) = shuffle_large(variant, RuleSet::Server, 500);
        assert_eq!((game.outcome(), played), (None, 500));
    }
}

/// What the rules say about the game so far, computed from the printed positions.
fn expected_draw(variant: &str, rules: RuleSet, texts: &[String]) -> Option<Reason> {
    let small = variant == "7-3";
    if small && texts.len() > 200 {
        return Some(Reason::MOVE_LIMIT);
    }
    let board = |text: &str| text.split(' ').next().expect("a board").to_owned();
    let now = texts.last().expect("a position");
    let times = match (rules, small) {
        (RuleSet::Text, _) => texts.iter().filter(|text| *text == now).count(),
        (RuleSet::Server, true) => texts[1..].iter().filter(|text| board(text) == board(now)).count(),
        (RuleSet::Server, false) => 0,
    };
    (times >= 3).then_some(THREEFOLD)
}

/// Random games as played, up to 260 moves: each ends exactly when the rules say so.
#[test]
fn repetition_and_move_limit_end_long_games_when_they_should() {
    let mut endings: HashMap<(&str, RuleSet, Option<Reason>), u32> = HashMap::new();
    for &variant in Rollerball::VARIANTS {
        for rules in BOTH {
            let mut random = Random::new(5);
            for _ in 0..40 {
                let reason = random_game(variant, rules, &mut random);
                *endings.entry((variant, rules, reason)).or_default() += 1;
            }
        }
    }
    let seen = |variant, rules, reason| endings.get(&(variant, rules, reason)).copied().unwrap_or(0);
    for rules in BOTH {
        assert!(seen("7-3", rules, Some(Reason::MOVE_LIMIT)) > 0, "{endings:?}");
        assert!(seen("7-3", rules, Some(THREEFOLD)) > 0, "{endings:?}");
        assert!(seen("8-4", rules, None) > 0 && seen("8-2", rules, None) > 0, "no move limit: {endings:?}");
    }
    assert!(seen("8-4", RuleSet::Text, Some(THREEFOLD)) > 0, "{endings:?}");
}

fn random_game(variant: &str, rules: RuleSet, random: &mut Random) -> Option<Reason> {
    let mut game = open(variant, rules);
    let mut texts = vec![game.text()];
    for _ in 0..260 {
        let turns = game.legal_turns(1000).expect("few moves");
        game.play(&turns[random.below(turns.len())].spellings[0]).expect("a legal move");
        texts.push(game.text());
        let outcome = game.outcome();
        let by_board = outcome.filter(|o| matches!(o.reason, CHECKMATE | Reason::STALEMATE));
        if by_board.is_none() {
            let expected = expected_draw(variant, rules, &texts).map(Outcome::draw);
            assert_eq!(outcome, expected, "{variant} {rules} after {} moves", texts.len() - 1);
        }
        if outcome.is_some() {
            return outcome.map(|outcome| outcome.reason);
        }
    }
    None
}

#[test]
fn the_move_limit_comes_before_threefold() {
    for rules in BOTH {
        let position = RollerballPosition::start(Variant::SevenThree, rules);
        let same = vec![position.history_key(); 200];
        assert_eq!(position.adjudicate(&same[..199]), Some(Outcome::draw(THREEFOLD)));
        assert_eq!(position.adjudicate(&same), Some(Outcome::draw(Reason::MOVE_LIMIT)));
        assert_eq!(position.adjudicate(&[1; 199]), None);
    }
}

/// The 200th move may still mate: the board is asked first.
#[test]
fn checkmate_comes_before_the_move_limit() {
    for rules in BOTH {
        let moves = game_that_ends_by_mate_with_the_last_move(rules);
        assert_eq!(moves.len(), 200);
        let mut game = open("7-3", rules);
        for m in &moves {
            assert_eq!(game.outcome(), None, "before {m}");
            play(&mut *game, m);
        }
        assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, CHECKMATE)));
    }
}

/// Plays random games until one of them offers a mate at move 200.
fn game_that_ends_by_mate_with_the_last_move(rules: RuleSet) -> Vec<String> {
    let mut random = Random::new(3);
    for _ in 0..5000 {
        let mut position = RollerballPosition::start(Variant::SevenThree, rules);
        let (mut history, mut texts, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        while position.generate(&mut moves).or_else(|| position.adjudicate(&history)).is_none() {
            let after = |&m: &_| {
                let mut after = position.clone();
                after.play(m);
                after
            };
            let mates = |m: &_| after(m).generate(&mut Vec::new()).is_some_and(|end| end.winner.is_some());
            let mate = moves.iter().copied().find(|m| history.len() == 199 && mates(m));
            let m = mate.unwrap_or_else(|| random.pick(&moves));
            texts.push(position.move_text(m));
            if mate.is_some() {
                return texts;
            }
            history.push(position.history_key());
            position.play(m);
            moves.clear();
        }
    }
    panic!("none of the games offers a mate at move 200");
}

// ---- points ----

fn mated(rules: RuleSet, winner: Side, n: u32) -> BySide<f64> {
    let position = RollerballPosition::start(Variant::SevenThree, rules);
    let mut made = BySide::new(7, 7);
    made[winner] = n;
    position.points(Ending::Over(Outcome::win(winner, CHECKMATE)), made)
}

#[test]
fn a_win_is_worth_less_the_longer_it_takes() {
    for rules in BOTH {
        for (n, penalty) in [(0, 0.0), (1, 1.0), (9, 9.0), (10, 10.0), (19, 10.0), (20, 15.0), (40, 20.0), (100, 35.0)]
        {
            assert_eq!(mated(rules, Side::First, n), BySide::new(113.0 - penalty, 13.0 + penalty), "{n}");
            assert_eq!(mated(rules, Side::Second, n), BySide::new(13.0 + penalty, 113.0 - penalty), "{n}");
        }
    }
}

#[test]
fn margins_count_every_man_but_the_king() {
    for rules in BOTH {
        let game = set_up("8-2", rules, "k......./.pp...../......../...__.../...__.../......../.....BRN/.......K w");
        let draw = Ending::Over(Outcome::draw(THREEFOLD));
        assert_eq!(game.points(draw), BySide::new(40.0 + 5.0 + 3.0 + 3.0, 40.0 + 2.0));
    }
}

#[test]
fn a_fault_is_a_loss_at_any_moment() {
    for rules in BOTH {
        let mut game = open("7-3", rules);
        assert_eq!(game.points(Ending::Fault(Side::First)), BySide::new(13.0, 113.0));
        assert_eq!(game.points(Ending::Fault(Side::Second)), BySide::new(113.0, 13.0));
        play(&mut *game, "c2b3");
        assert_eq!(game.points(Ending::Fault(Side::First)), BySide::new(13.0, 113.0));
        assert_eq!(game.points(Ending::Fault(Side::Second)), BySide::new(112.0, 14.0));
    }
    // Nothing limits the larger boards: after 220 moves a win costs more than it brings.
    let (game, _) = shuffle_large("8-2", RuleSet::Server, 800);
    let margin = 2.0 * 3.0 + 5.0 + 2.0 * 3.0 + 4.0;
    assert_eq!(game.points(Ending::Fault(Side::First)), BySide::new(margin + 110.0, margin - 10.0));
}

// ---- symmetries ----

/// Only promotion tells the sectors apart: a quarter turn keeps the count of moves until a pawn comes near its goal.
#[test]
fn quarter_turns_are_symmetries_without_pawns_only() {
    let start = RollerballPosition::start(Variant::SevenThree, RuleSet::Text);
    let near = start.parse("..P...k/......./..___../..___../..___../......./.K..... w").expect("a position");
    assert_eq!(near.symmetries(3), 2);
    assert_eq!(perft(&near.transform(1), 4), perft(&near, 4));
    let turned = start.parse("......./......./..___../..___../P.___../......./.K....k w").expect("a position");
    assert_ne!(perft(&turned, 4), perft(&near, 4));
    let bare = start.parse("..R...k/......./..___../..___../..___../...b.../.K..... w").expect("a position");
    assert_eq!(bare.symmetries(3), 8);
    for symmetry in 0..8 {
        assert_eq!(perft(&bare.transform(symmetry), 4), perft(&bare, 4), "symmetry {symmetry}");
    }
}
