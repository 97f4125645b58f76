//! Tables, brackets and marks that were computed by hand.

use agon_rules::Side;
use agon_tournament::{Battle, Half, Outcome, Reached, Spot};

use super::harness::{Game, Order, all_drawn, lower_wins, outcome, plan, play, round};

/// A battle of two matches between teams, the lower number first: who wins the first match that the two play, and the second.
type Score = (usize, usize, [Option<usize>; 2]);

/// Results by pair. The turns of a match are ten times the number of its winner, and 5 more.
fn by_pair<'a>(scores: &'a [Score]) -> impl Fn(&Battle, &Half) -> Outcome + 'a {
    move |battle, half| {
        let [low, high] = [battle.players[0].min(battle.players[1]), battle.players[0].max(battle.players[1])];
        let (_, _, winners) = scores.iter().find(|(a, b, _)| (*a, *b) == (low, high)).expect("a score");
        let winner = winners[usize::from(half.half)];
        let side = winner.map(|winner| Side::BOTH.into_iter().find(|&side| battle.players[half.seat(side)] == winner));
        Outcome { turns: winner.map_or(40, |winner| 10 * winner as u32 + 5), ..outcome(side.flatten()) }
    }
}

fn order(game: &Game, table: usize) -> Vec<(usize, usize)> {
    game.state.parts[0].stages[0].tables[table].rows.iter().map(|row| (row.team, row.place)).collect()
}

#[test]
fn a_table_with_two_that_are_tied() {
    // 0 beats 1 and 3 twice and shares with 2: 5 points. 1 beats 2 twice and shares with 3: 3. 2 beats 3 twice: 1 + 0 + 2 = 3.
    // 3 has the one point of its battle with 1. Between 1 and 2 their own battle decides.
    let scores = [
        (0, 1, [Some(0), Some(0)]),
        (0, 2, [Some(0), Some(2)]),
        (0, 3, [Some(0), Some(0)]),
        (1, 2, [Some(1), Some(1)]),
        (1, 3, [None, None]),
        (2, 3, [Some(2), Some(2)]),
    ];
    let plan = plan("[[stage]]\nkind = \"round-robin\"\nties = [\"points\", \"head-to-head\"]", 4);
    let game = play(&plan, &by_pair(&scores), Order::Waves);
    assert_eq!(order(&game, 0), [(0, 1), (1, 2), (2, 3), (3, 4)]);
    let points: Vec<f64> = game.state.parts[0].stages[0].tables[0].rows.iter().map(|row| row.tally.points).collect();
    assert_eq!(points, [5.0, 3.0, 3.0, 1.0]);
    let reached: Vec<Reached> = game.state.parts[0].ranking.iter().flatten().map(|(reached, _)| *reached).collect();
    assert_eq!(reached, [Reached::Winner, Reached::RunnerUp, Reached::Third, Reached::Fourth]);
}

#[test]
fn three_that_beat_each_other_in_a_ring() {
    // 0 beats 1, 1 beats 2, 2 beats 0, all beat 3, always twice: 4 points each, and 2 each among themselves. Their wins take 5, 15
    // and 25 turns, so the fastest is 0.
    let scores = [
        (0, 1, [Some(0), Some(0)]),
        (1, 2, [Some(1), Some(1)]),
        (0, 2, [Some(2), Some(2)]),
        (0, 3, [Some(0), Some(0)]),
        (1, 3, [Some(1), Some(1)]),
        (2, 3, [Some(2), Some(2)]),
    ];
    let ladder =
        |ladder: &str| format!("[[stage]]\nkind = \"round-robin\"\nties = [\"points\", \"head-to-head\"{ladder}]");
    let by_moves = plan(&ladder(", \"moves\""), 4);
    assert_eq!(order(&play(&by_moves, &by_pair(&scores), Order::Waves), 0), [(0, 1), (1, 2), (2, 3), (3, 4)]);
    let shared = plan(&ladder(""), 4);
    let game = play(&shared, &by_pair(&scores), Order::Waves);
    assert_eq!(order(&game, 0), [(0, 1), (1, 1), (2, 1), (3, 4)], "three share the first place");
    assert_eq!(game.places(), [1, 1, 1, 4]);
}

#[test]
fn places_in_every_game_added() {
    // Everybody has 2 points of 4 against the two house bots (numbers 3 and 4), with these results of win, draw and loss on the
    // first and on the second side against 3, then 4:
    //   0: W L W L    1: W W L L    2: D D D D
    // In the first game 0 and 1 share the places 1 and 2 (1.5 each), 2 has place 3. Second: 1, 2, 0. Third: 0, 2, 1. In the last
    // 2 has place 1, the others share 2 and 3. Sums: 0: 1.5 + 3 + 1 + 2.5 = 8; 1: 1.5 + 1 + 3 + 2.5 = 8; 2: 3 + 2 + 2 + 1 = 8.
    // With a loss of 2 in the last game instead, and its third won: 0: 1.5 + 3 + 1.5 + 2 = 8; 1: 1.5 + 1 + 3 + 2 = 7.5;
    // 2: 3 + 2 + 1.5 + 2 = 8.5.
    let results = ["WLWL", "WWLL", "DDWL"];
    let oracle = |battle: &Battle, half: &Half| {
        let (team, bot) = (battle.players[0], battle.players[1]);
        let letter = results[team].as_bytes()[2 * (bot - 3) + usize::from(half.half)];
        let own = if half.half == 0 { Side::First } else { Side::Second };
        outcome(match letter {
            b'W' => Some(own),
            b'L' => Some(own.other()),
            _ => None,
        })
    };
    let format = "[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\", \"greedy\"]\nties = [\"points\", \"combined\"]";
    let plan = plan(format, 3);
    assert_eq!(order(&play(&plan, &oracle, Order::Waves), 0), [(1, 1), (0, 2), (2, 3)]);
}

#[test]
fn a_bracket_of_five() {
    // Places in a bracket of eight: 1 and 8, 4 and 5, 2 and 7, 3 and 6. Only 4 and 5 play in the first round.
    let marks = "[marks]\nreached = { winner = 12, runner-up = 4, semi-final = 3, quarter-final = 2 }";
    let plain = plan(&format!("[[stage]]\nkind = \"knockout\"\n{marks}"), 5);
    let game = play(&plain, &lower_wins, Order::Waves);
    assert_eq!(round(&game.state, 8), [[3, 4]]);
    assert_eq!(round(&game.state, 4), [[0, 3], [1, 2]]);
    assert_eq!(round(&game.state, 2), [[0, 1]]);
    assert_eq!(game.places(), [1, 2, 3, 3, 5]);
    assert_eq!(game.marks(), [12.0, 4.0, 3.0, 3.0, 2.0]);
    // With a battle for the third place the two of them are told apart.
    let third = plan(&format!("[[stage]]\nkind = \"knockout\"\nthird_place = true\n{marks}\notherwise = 1"), 5);
    let game = play(&third, &lower_wins, Order::Waves);
    let battle = game.state.battles.iter().find(|battle| battle.place.spot == Spot::ThirdPlace).expect("a battle");
    assert_eq!(battle.players, [3, 2]);
    assert_eq!(game.places(), [1, 2, 3, 4, 5]);
    assert_eq!(game.marks(), [12.0, 4.0, 1.0, 1.0, 2.0], "third and fourth are not named");
}

#[test]
fn groups_of_unequal_size_that_cross() {
    // Groups by modulo: 0 3 6, 1 4, 2 5. The first two of each go on. The two best winners have byes in the round of 8; nobody meets
    // a team of its own group in it, and 0 with 3 and 1 with 4 are in different halves, so 0 and 1 can only meet in the final.
    let format = "[[stage]]\nkind = \"groups\"\ngroups = 3\nadvance = 2\n[[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"\n\
                  [marks]\nreached = { winner = 9, runner-up = 8, semi-final = 7, quarter-final = 6, group-3 = 5 }";
    let plan = plan(format, 7);
    let game = play(&plan, &lower_wins, Order::Waves);
    assert_eq!(round(&game.state, 8), [[3, 5], [2, 4]]);
    assert_eq!(round(&game.state, 4), [[0, 3], [1, 2]]);
    assert_eq!(round(&game.state, 2), [[0, 1]]);
    assert_eq!(game.places(), [1, 2, 3, 3, 5, 5, 7]);
    assert_eq!(game.marks(), [9.0, 8.0, 7.0, 7.0, 6.0, 6.0, 5.0]);
}

#[test]
fn a_single_group_is_still_a_group() {
    // Three teams make one group of about four. Who does not advance ended as third of a group, and gets the marks for that.
    let format = "[[stage]]\nkind = \"groups\"\nsize = 4\nadvance = 2\n[[stage]]\nkind = \"knockout\"\n\
                  [marks]\nreached = { winner = 9, runner-up = 8, group-3 = 5 }";
    assert_eq!(play(&plan(format, 3), &lower_wins, Order::Waves).marks(), [9.0, 8.0, 5.0]);
}

#[test]
fn teams_tied_in_their_group_share_what_they_reached() {
    // Two groups of two, everything drawn, and no coin: everybody is first of its group.
    let format = "[[stage]]\nkind = \"groups\"\ngroups = 2\nties = [\"points\"]\n[marks]\nreached = { group-1 = 2, group-2 = 1 }";
    let plan = plan(format, 4);
    let game = play(&plan, &all_drawn, Order::Waves);
    assert_eq!(game.marks(), [2.0; 4]);
    assert_eq!(game.places(), [1; 4]);
}

#[test]
fn three_rounds_of_a_swiss_of_four() {
    // Neighbours meet: 0-1 and 2-3. Then 0 and 2 have one battle each: 0-2 and 1-3, the other one begins. 0 has met both of those
    // with one battle, so it meets 3.
    let plan = plan("[[stage]]\nkind = \"swiss\"\nrounds = 3", 4);
    let game = play(&plan, &lower_wins, Order::Waves);
    let players: Vec<[usize; 2]> = game.state.battles.iter().map(|battle| battle.players).collect();
    assert_eq!(players, [[0, 1], [2, 3], [2, 0], [3, 1], [0, 3], [1, 2]]);
    assert_eq!(game.places(), [1, 2, 3, 4]);
}

#[test]
fn byes_of_a_swiss_go_round() {
    // The last of those with the fewest byes sits out: 4, then 3 (it and 4 are last, 4 had its bye), then 2.
    let plan = plan("[[stage]]\nkind = \"swiss\"\nrounds = 5", 5);
    let game = play(&plan, &all_drawn, Order::Waves);
    let played = |team: usize| game.state.battles.iter().filter(|battle| battle.players.contains(&team)).count();
    assert_eq!((0..5).map(played).collect::<Vec<_>>(), [4; 5], "everybody has one bye");
}

#[test]
fn winners_of_a_series_sit_out() {
    // Four teams, three knockouts. 0 wins the first; 1, which lost that final, the second; 2 the third. Each has full marks.
    // 3 loses a semi-final (3), again (2 is its opponent, 1 has a bye; 3), and the last final (4): 10.
    let format = "[[part]]\nname = \"a\"\n[[part]]\nname = \"b\"\n[[part]]\nname = \"c\"\n[[stage]]\nkind = \"knockout\"\n\
                  [series]\nwinner_leaves = true\nfull_marks = 12\n\
                  [marks]\nreached = { winner = 11, runner-up = 4, semi-final = 3 }";
    let plan = plan(format, 4);
    let game = play(&plan, &lower_wins, Order::Waves);
    let entrants: Vec<&[usize]> = game.state.parts.iter().map(|part| part.entrants.as_slice()).collect();
    assert_eq!(entrants, [&[0, 1, 2, 3][..], &[1, 2, 3], &[2, 3]]);
    assert_eq!(game.marks(), [12.0, 12.0, 12.0, 10.0]);
    assert_eq!(game.places(), [1, 1, 1, 4]);
}

#[test]
fn a_series_with_fewer_teams_than_parts_ends() {
    let format = "[[part]]\nname = \"a\"\n[[part]]\nname = \"b\"\n[[part]]\nname = \"c\"\n[[stage]]\nkind = \"knockout\"\n\
                  [series]\nwinner_leaves = true\nfull_marks = 12\n[marks]\nreached = { winner = 11 }";
    assert_eq!(play(&plan(format, 1), &lower_wins, Order::Waves).marks(), [12.0]);
    assert_eq!(play(&plan(format, 2), &lower_wins, Order::Waves).marks(), [12.0, 12.0]);
}

#[test]
fn marks_by_place_share_and_rank() {
    let marks = |marks: &str| {
        let plan = plan(&format!("[[stage]]\nkind = \"round-robin\"\nties = [\"points\"]\n[marks]\n{marks}"), 4);
        play(&plan, &lower_wins, Order::Waves).marks()
    };
    assert_eq!(marks("places = [5, 4]\notherwise = 1"), [5.0, 4.0, 1.0, 1.0]);
    // 6, 4, 2 and 0 points of 6 matches.
    assert_eq!(marks("share = { of = 8, full = 4 }"), [8.0, 8.0, 4.0, 0.0]);
    assert_eq!(marks("share = { of = 9, full = 1, average = true }"), [9.0, 6.0, 3.0, 0.0]);
    assert_eq!(marks("rank = { of = 10 }"), [10.0, 7.5, 5.0, 2.5]);
}

#[test]
fn a_ranking_over_everything_gives_the_marks() {
    // 1 loses the final, but 2 and 3 have lost more of their matches: the places follow the points of all matches, on average.
    // 0: 4 of 4; 1: 2 of 4; 2 and 3: 0 of 2.
    let plan = plan("ranking = \"points\"\n[[stage]]\nkind = \"knockout\"\n[marks]\nplaces = [5, 3, 2, 1]", 4);
    let game = play(&plan, &lower_wins, Order::Waves);
    assert_eq!(game.places(), [1, 2, 3, 3]);
    assert_eq!(game.marks(), [5.0, 3.0, 2.0, 2.0]);
}
