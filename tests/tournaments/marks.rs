//! Marks that were computed by hand.
//!
//! All bots but one are broken, so every result is known beforehand: the one that works wins, and two broken ones both lose, with the
//! same points on both sides. As the presets are, that is worth nothing. Where they place such teams like all others, what then
//! decides are the rungs of the ladders.

use std::{fs, path::Path};

use serde_json::Value;

use super::hall::{Hall, standings};

/// The standings of a preset that places teams which did not start like all others.
fn marks(preset: &str, teams: &[(&str, &str, i32)]) -> Vec<(String, u64, Option<f64>)> {
    let hall = Hall::new(&format!("marks-{preset}"));
    let teams = hall.teams(teams);
    let text = hall.printed(&format!("presets {preset}"));
    assert!(text.contains("non_starters = \"last\""), "{preset} says what becomes of them");
    // By hand they were computed with the announced groups, and neighbours that cross.
    let text = text.replace("non_starters = \"last\"", "non_starters = \"placed\"");
    let format = hall.write("placed.toml", &text.replace("bracket = \"crossing\"", "bracket = \"neighbours\""));
    hall.must(&format!("new {format} --teams {teams} --name hand --tc nodes=10 --secret hand --as-announced"));
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
/// Semi-finals: T1–T2 is tied, also by the group stage, because a match that both lose brings no more than one lost to T3, and goes to
/// T1 by phase 1; T3 beats T4. T3 beats T1. Third place: T2 by phase 1. So T3 has 15; T1 4.5, T2 4.25, T4 4, T5 and T6 2 (third of
/// their groups), T7 and T8 1.5, T9 1.
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
        ("T4", 4, 4.0 + 4.25 + 4.5),
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

/// Four teams are four groups of one; T1–T2 and T3–T4 are the semi-finals of every board. A battle of two broken bots is tied in score
/// and points, also after both rematches; then the score of phase 1 decides. T3 beats T4 and then T1, each twice; T2 and T4 play for the
/// third place. Matches that both lost do not count for Elo, so T2 keeps its 1500, T3 is above it, and of the other two T4 has lost more:
/// it meets T3 first, while T3 is still nearer to it. 12 marks evenly by place.
#[test]
fn rollerball_phase_two() {
    let teams = [("T1", "broken", 40), ("T2", "broken", 30), ("T3", "random", 20), ("T4", "broken", 10)];
    let expected = [("T3", 1, 12.0), ("T2", 2, 9.0), ("T1", 3, 6.0), ("T4", 4, 3.0)];
    let expected = expected.map(|(team, place, marks)| (team.to_owned(), place, Some(marks)));
    assert_eq!(marks("col333-2023-rollerball-phase2", &teams), expected);
}

/// Four groups of one; A–B and C–D are the semi-finals. Broken bots are tied after both rematches and in the group stage, so coins
/// fall, by hand: SHA-256 over the secret `hand`, the occasion and the team.
///
/// Small: A beats B by the coin, C beats D and A; for the third place the coin prefers B to D. C 12, A 4, B 3.6, D 3.5.
/// Medium, A B D: B beats A by the coin, D has a bye, B beats D by the coin; A is third. B 12, D 4, A 3.6.
/// Large, A D: the coin prefers D. D 12, A 4. So A has 4 + 3.6 + 4, the winners 12 in all.
#[test]
fn rivers() {
    let teams = [("A", "broken", 50), ("B", "broken", 40), ("C", "random", 30), ("D", "broken", 20)];
    let expected = [("A", 4, 11.6), ("B", 1, 12.0), ("C", 1, 12.0), ("D", 1, 12.0)];
    let expected = expected.map(|(team, place, marks)| (team.to_owned(), place, Some(marks)));
    assert_eq!(by_name(marks("col333-2025-rivers", &teams)), expected);
}

/// Six teams in a bracket of eight: T1 and T2 have byes, T4 beats T5, and T6 beats T3 by the coin. Of the last four T4 wins; the others are
/// tied in every way, and the coin says T6, T2, T1. There are no marks.
#[test]
fn connectx() {
    let bot = |team: &str| if team == "T4" { "random" } else { "broken" };
    let names = ["T1", "T2", "T3", "T4", "T5", "T6"];
    let teams: Vec<(&str, &str, i32)> =
        names.iter().enumerate().map(|(i, name)| (*name, bot(name), -(i as i32))).collect();
    let expected = [("T4", 1), ("T6", 2), ("T2", 3), ("T1", 4), ("T3", 5), ("T5", 5)];
    let expected = expected.map(|(team, place)| (team.to_owned(), place, None));
    let mut found = marks("avishkar-connectx", &teams);
    found[4..].sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(found, expected);
}

/// As the presets are: one team plays; the others have no bot, or one that dies when it is started. On every way to marks (by how far a
/// team came, by place, in proportion to points) the others have none, and the folder verifies.
fn nothing_for_not_starting(preset: &str, most: Option<f64>) {
    let hall = Hall::new(&format!("absent-{preset}"));
    let teams = hall.teams(&[
        ("None", "broken", 60),
        ("Dies", "cmd:false", 50),
        ("Plays", "random", 40),
        ("Dies too", "cmd:false", 30),
        ("None too", "broken", 20),
        ("Dies as well", "cmd:false", 10),
    ]);
    hall.must(&format!("new {preset} --teams {teams} --name absent --tc nodes=10 --secret hand"));
    hall.must("run absent --sandbox none");
    let results = hall.publish("absent");
    let found = standings(&results);
    assert_eq!((found[0].0.as_str(), found[0].1), ("Plays", 1), "{found:?}");
    for (team, place, marks) in &found[1..] {
        assert_eq!((*place, *marks), (2, most.map(|_| 0.0)), "{team}: {found:?}");
    }
    if let Some(most) = most {
        assert_eq!(found[0].2, Some(most), "{found:?}");
    }
    let csv = fs::read_to_string(Path::new(&hall.path("absent-out")).join("standings.csv")).expect("standings");
    assert_eq!(csv.lines().filter(|line| line.contains("did-not-start")).count(), 5, "{csv}");
    let report = fs::read_to_string(Path::new(&hall.path("absent-out")).join("report.html")).expect("a report");
    assert!(report.contains("has no turn of its own in any of its matches did not start"), "the report says the rule");
    let rated = results["ratings"]["players"].as_array().cloned().unwrap_or_default();
    let names: Vec<&str> = rated.iter().filter_map(|row| row["player"].as_str()).collect();
    assert!(!names.iter().any(|name| name.starts_with("Dies") || name.starts_with("None")), "{names:?}");
}

#[test]
fn nobody_has_marks_for_a_bot_that_never_starts() {
    // Who plays alone wins the first tournament of a series, with the full marks of all.
    nothing_for_not_starting("col333-2025-rivers", Some(12.0));
    nothing_for_not_starting("col333-2019-cannon-phase2", Some(15.0));
    nothing_for_not_starting("col333-2023-rollerball-phase2", Some(12.0));
    nothing_for_not_starting("avishkar-connectx", None);
}

/// In a group they come after who lost everything; a double fault is a loss of both and verifies, but not as anything else.
#[test]
fn a_double_fault_in_a_tournament() {
    let hall = Hall::new("double-fault");
    let teams =
        hall.teams(&[("Dies", "cmd:false", 4), ("A", "random", 3), ("Dies too", "cmd:false", 2), ("B", "random", 1)]);
    let format = hall.write(
        "cup.toml",
        "title = \"Cup\"\ngame = \"connectx\"\n[[stage]]\nkind = \"round-robin\"\n[marks]\nplaces = [4, 3, 2, 1]\n",
    );
    hall.must(&format!("new {format} --teams {teams} --tc nodes=10 --secret hand"));
    hall.must("run cup --sandbox none");
    let results = hall.publish("cup");
    let found: Vec<(u64, Option<f64>)> =
        standings(&results).into_iter().map(|(_, place, marks)| (place, marks)).collect();
    assert_eq!(found[2..], [(3, Some(0.0)), (3, Some(0.0))]);
    assert!(found[..2].iter().all(|(_, marks)| marks.is_some_and(|marks| marks >= 3.0)), "{found:?}");
    let battles = results["battles"].as_array().expect("battles");
    let both = |battle: &&Value| {
        battle["players"].as_array().is_some_and(|players| {
            players.iter().all(|player| player.as_str().is_some_and(|name| name.starts_with("Dies")))
        })
    };
    let matches = battles.iter().find(both).expect("their battle")["matches"].clone();
    for played in matches.as_array().expect("matches") {
        assert_eq!((&played["result"], &played["termination"]), (&Value::from("0-0"), &Value::from("double fault")));
        assert_eq!(played["points"], serde_json::json!([0.0, 0.0]));
    }
    let standing = results["standings"].as_array().expect("standings").iter().find(|row| row["team"] == "Dies");
    let standing = standing.expect("a team");
    assert_eq!(
        (&standing["losses"], &standing["wins"], &standing["note"]),
        (&6.into(), &0.into(), &"did not start".into())
    );
    // What both lost is no draw.
    let id = matches[0]["id"].as_str().expect("an id");
    let record = Path::new(&hall.path("cup-out")).join("records").join(format!("{id}.pgn"));
    let text = fs::read_to_string(&record).expect("a record");
    fs::write(&record, text.replace("0-0", "1/2-1/2")).expect("a file");
    let (holds, said) = super::hall::verify(Path::new(&hall.path("cup-out")));
    assert!(!holds && said.contains(id), "{said}");
}
