//! The order in which matches are played changes nothing, for formats of all kinds and any number of teams.

use super::harness::{
    Oracle, Order, all_drawn, anything, first_side_wins, has_rematches, lower_wins, plan, play, rematches,
};

/// Ladders with rematches, for tables and for knockouts.
const TABLE: &str = "ties = [\"points\", \"head-to-head\", \"rematch 60\", \"rematch 30\", \"coin\"]";
const DUEL: &str = "ties = [\"points\", \"rematch 60\", \"rematch 30\", \"group\", \"coin\"]";

pub(crate) fn formats() -> Vec<(&'static str, String)> {
    let gauntlet = "[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\", \"greedy\"]";
    let groups = "[[stage]]\nkind = \"groups\"\nadvance = 2\n";
    let knockout = "[[stage]]\nkind = \"knockout\"\n";
    vec![
        (
            "gauntlet, groups, knockout",
            format!(
                "{gauntlet}\n{groups}groups = 16\n{TABLE}\n{knockout}bracket = \"crossing\"\nthird_place = true\n{DUEL}"
            ),
        ),
        (
            "groups by size, knockout",
            format!("{groups}size = 4\nseeding = \"serpentine\"\nrounds = 2\n{knockout}third_place = true"),
        ),
        (
            "groups, groups, knockout",
            format!("{groups}size = 5\nseeding = \"tennis\"\n{groups}groups = 2\n{knockout}{DUEL}"),
        ),
        (
            "knockout, round-robin",
            format!("matches = 4\n{knockout}until = 4\n{DUEL}\n[[stage]]\nkind = \"round-robin\"\n{TABLE}"),
        ),
        ("one match a battle", format!("matches = 1\n{knockout}third_place = true")),
        ("swiss", "[[stage]]\nkind = \"swiss\"\nrounds = 8".to_owned()),
        ("swiss, knockout", format!("[[stage]]\nkind = \"swiss\"\nrounds = 5\nadvance = 8\n{knockout}")),
        ("ladder", "[[stage]]\nkind = \"ladder\"\nbudget = 150".to_owned()),
        (
            "series",
            format!(
                "[[part]]\nname = \"one\"\nclock = \"60\"\n[[part]]\nname = \"two\"\nclock = \"90\"\n\
                 [[part]]\nname = \"three\"\nclock = \"120\"\n\
                 {groups}groups = 4\n{knockout}bracket = \"crossing\"\n{DUEL}\n\
                 [series]\nwinner_leaves = true\nfull_marks = 12\n\
                 [marks]\nreached = {{ winner = 12, runner-up = 4, semi-final = 3, quarter-final = 2, group-3 = 1 }}"
            ),
        ),
        (
            "by rating",
            "ranking = \"rating\"\n[[stage]]\nkind = \"round-robin\"\nties = [\"rating\"]\n[marks]\nrank = { of = 10 }"
                .to_owned(),
        ),
        (
            "by elo",
            format!("ranking = \"elo\"\n{groups}size = 6\n{knockout}\n[marks]\nplaces = [5, 4, 3]\notherwise = 1"),
        ),
    ]
}

pub(crate) const SIZES: [usize; 11] = [1, 2, 3, 4, 5, 15, 16, 17, 33, 100, 130];

fn same_in_any_order(oracle: Oracle) {
    for (name, format) in formats() {
        for teams in SIZES {
            // Everybody against everybody is slow to play one by one, and no different from smaller ones.
            if name == "by rating" && teams > 33 {
                continue;
            }
            let plan = plan(&format, teams);
            let usual = play(&plan, oracle, Order::Waves);
            let mut orders = vec![Order::Pieces(teams as u64)];
            if teams <= 5 {
                orders.extend([Order::First, Order::Last, Order::Lot(3), Order::Lot(4)]);
            } else if teams == 15 {
                orders.extend([Order::Last, Order::Lot(5)]);
            }
            for order in orders {
                let other = play(&plan, oracle, order);
                assert!(usual.state == other.state, "{name}, {teams} teams: {order:?} ends in another way");
                assert_eq!(usual.results.len(), other.results.len());
            }
        }
    }
}

#[test]
fn when_one_always_wins() {
    same_in_any_order(&lower_wins);
}

#[test]
fn when_everything_is_drawn() {
    same_in_any_order(&all_drawn);
}

#[test]
fn when_the_first_side_always_wins() {
    same_in_any_order(&first_side_wins);
}

#[test]
fn when_anything_may_happen() {
    same_in_any_order(&anything);
}

#[test]
fn the_best_win_and_need_no_rematch() {
    for (name, format) in formats() {
        for teams in SIZES {
            let plan = plan(&format, teams);
            if name == "by rating" && teams > 33 {
                continue;
            }
            let game = play(&plan, &lower_wins, Order::Waves);
            // A short ladder leaves several who never lost, and tosses a coin.
            assert!(game.places()[0] == 1 || name == "ladder", "{name}, {teams} teams");
            assert_eq!(rematches(&game.state), 0, "{name}, {teams} teams");
            let drawn = play(&plan, &all_drawn, Order::Waves);
            let needed = has_rematches(&plan) && teams > 1;
            assert_eq!(rematches(&drawn.state) > 0, needed, "{name}, {teams} teams");
        }
    }
}
