//! Groups with few teams, as an organiser sees them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::hall::Hall;

/// Sets a preset up with so many teams; gives what was printed, and the results before the first match.
fn set_up(hall: &Hall, preset: &str, teams: usize, more: &str) -> (String, Value) {
    let names: Vec<String> = (1..=teams).map(|team| format!("T{team}")).collect();
    let rows: Vec<(&str, &str, i32)> =
        names.iter().enumerate().map(|(i, name)| (name.as_str(), "random", -(i as i32))).collect();
    let table = hall.teams(&rows);
    let said = hall.must(&format!("new {preset} --teams {table} --name cup{more} --tc nodes=1 {more}"));
    let results = serde_json::from_str(&hall.must(&format!("results cup{more} --json"))).expect("JSON");
    (said, results)
}

fn groups(results: &Value) -> Vec<usize> {
    let tables = results["parts"][0]["stages"][0]["tables"].as_array().expect("tables");
    tables.iter().map(|table| table["rows"].as_array().expect("rows").len()).collect()
}

#[test]
fn too_few_teams_for_the_announced_groups_make_fewer() {
    let hall = Hall::new("few-teams");
    for preset in ["col333-2025-rivers", "col333-2023-rollerball-phase2"] {
        for (teams, expected) in [(11, vec![6, 5]), (40, vec![5; 8])] {
            let hall = Hall::new(&format!("few-teams-{preset}-{teams}"));
            let (said, results) = set_up(&hall, preset, teams, "");
            assert_eq!(groups(&results), expected, "{preset}, {teams} teams");
            let note = format!("{} groups instead of the 16 that the text announces", expected.len());
            assert!(said.contains(&note) && said.contains("--as-announced"), "{said}");
            assert!(results["format"]["notes"].to_string().contains(&note), "the results say so");
            let players: BTreeSet<String> = results["battles"]
                .as_array()
                .expect("battles")
                .iter()
                .flat_map(|battle| battle["players"].as_array().expect("players").iter().map(Value::to_string))
                .collect();
            assert_eq!(players.len(), teams, "everybody has a match in its group");
            let (said, results) = set_up(&hall, preset, teams, "--as-announced");
            assert_eq!(groups(&results).len(), teams.min(16));
            assert!(!said.contains("instead of"), "{said}");
        }
    }
    let (said, results) = set_up(&hall, "col333-2025-rivers", 80, "");
    assert_eq!(groups(&results), [5; 16]);
    assert!(!said.contains("instead of"), "{said}");
}
