//! Marks that were computed by hand.
//!
//! All bots but one are broken, so every result is known beforehand: the one that works wins, and of two broken ones the first side
//! fails before the second, so that a battle of them ends one all with the same points on both sides. What then decides are the
//! rungs of the ladders.

use crate::hall::{Hall, standings};

fn marks(preset: &str, teams: &[(&str, &str, i32)]) -> Vec<(String, u64, Option<f64>)> {
    let hall = Hall::new(&format!("marks-{preset}"));
    let teams = hall.teams(teams);
    hall.must(&format!("new {preset} --teams {teams} --name hand --tc nodes=10 --secret hand"));
    hall.must("run hand --sandbox none");
    standings(&hall.publish("hand"))
}

const NINE: [(&str, &str, i32); 9] = [
    ("T1", "broken", 90),
    ("T2", "broken", 80),
    ("T3", "random", 70),
    ("T4", "broken", 60),
    ("T5", "broken", 50),
    ("T6", "broken", 40),
    ("T7", "broken", 30),
    ("T8", "broken", 20),
    ("T9", "broken", 10),
];

/// Groups of about five from a tennis bracket, the first two cross, ties fall to the score of phase 1.
///
/// First tournament, 9 teams, 2 groups. The bracket of 16 is 1 16 8 9 4 13 5 12 | 2 15 7 10 3 14 6 11, so group 1 is T1 T4 T5 T8 T9
/// and group 2 is T2 T3 T6 T7. In group 1 all are tied: by phase 1 T1 T4 T5 T8 T9. In group 2 T3 wins, then T2 T6 T7.
/// Semi-finals: T1–T2 is tied and goes to T1 by the group stage (T2 lost to T3 there); T3 beats T4. T3 beats T1. Third place: T4 by
/// the group stage. So T3 has 15; T1 4.5, T4 4.25, T2 4, T5 and T6 2 (third of their groups), T7 and T8 1.5, T9 1.
///
/// Second, without T3: seeds T1 T2 T4 T5 T6 T7 T8 T9; the bracket of 8 is 1 8 4 5 | 2 7 3 6: group 1 is T1 T5 T6 T9, group 2 is T2 T4
/// T7 T8, both by phase 1. Semi-finals T1–T4 and T2–T5: T1 and T2; T1 wins the final, T4 is third. T1 15; T2 4.5, T4 4.25, T5 4,
/// T6 and T7 2, T8 and T9 1.5.
///
/// Third, seven teams in one group: T2 T4 T5 T6 T7 T8 T9. T2 and T4 meet in the final: T2 15, T4 4.5; then T5 2, T6 1.5, T7 1, and the
/// rest 0.5.
fn nine_teams_in_three_tournaments() -> Vec<(String, u64, Option<f64>)> {
    [
        ("T1", 1, 15.0),
        ("T2", 1, 15.0),
        ("T3", 1, 15.0),
        ("T4", 4, 4.25 + 4.25 + 4.5),
        ("T5", 5, 2.0 + 4.0 + 2.0),
        ("T6", 6, 2.0 + 2.0 + 1.5),
        ("T7", 7, 1.5 + 2.0 + 1.0),
        ("T8", 8, 1.5 + 1.5 + 0.5),
        ("T9", 9, 1.0 + 1.5 + 0.5),
    ]
    .map(|(team, place, marks)| (team.to_owned(), place, Some(marks)))
    .to_vec()
}

fn by_name(mut standings: Vec<(String, u64, Option<f64>)>) -> Vec<(String, u64, Option<f64>)> {
    standings.sort_by(|a, b| a.0.cmp(&b.0));
    standings
}

#[test]
fn cannon_phase_two() {
    assert_eq!(by_name(marks("col333-2019-cannon-phase2", &NINE)), nine_teams_in_three_tournaments());
}

#[test]
fn yinsh_phase_two() {
    assert_eq!(by_name(marks("col333-2018-yinsh-phase2", &NINE)), nine_teams_in_three_tournaments());
}

/// Who cannot start has no points, and the house bots have 10 each time: no marks, and a coin for the places.
#[test]
fn phase_one_of_the_broken() {
    let teams = [("A", "broken", 0), ("B", "broken", 0)];
    let standings = marks("col333-2018-yinsh-phase1", &teams);
    assert_eq!(
        standings.iter().map(|(_, place, marks)| (*place, *marks)).collect::<Vec<_>>(),
        [(1, Some(0.0)), (2, Some(0.0))]
    );
}
