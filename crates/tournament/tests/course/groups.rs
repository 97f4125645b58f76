//! Groups and the brackets after them, with every number of teams.

use agon_originals::Preset;
use agon_tournament::{
    Format, Occupant, Plan, Reached, StageKind, Written, deal, read,
    stage::{GroupCount, Groups},
};

use super::harness::{Order, lower_wins, plan, play};

/// The presets whose first stage is one of groups.
fn presets() -> Vec<(&'static str, Written)> {
    let all = agon_all::GAMES.iter().flat_map(|game| game.presets());
    let read = |preset: &'static Preset| (preset.name, read(preset.format).expect("a preset"));
    let grouped: Vec<_> = all.map(read).filter(|(_, written)| groups_of(&written.format).is_some()).collect();
    assert_eq!(grouped.len(), 4, "presets with groups");
    grouped
}

fn groups_of(format: &Format) -> Option<GroupCount> {
    match format.stages[0].kind {
        StageKind::Groups(Groups { groups, .. }) => Some(groups),
        _ => None,
    }
}

/// The sizes of the groups of so many teams.
fn sizes(format: &Format, teams: usize) -> Vec<usize> {
    let StageKind::Groups(Groups { groups, seeding, .. }) = format.stages[0].kind else { panic!("no groups") };
    deal(teams, groups.of(teams), seeding).iter().map(Vec::len).collect()
}

#[test]
fn every_group_has_four_teams_if_that_is_possible() {
    for (name, written) in presets() {
        let leave = if written.format.winner_leaves.is_some() { written.format.parts.len() - 1 } else { 0 };
        let announced = groups_of(&written.format);
        for teams in 2..=140 {
            let mut fitted = written.clone();
            fitted.fit(teams);
            for here in (teams - leave.min(teams - 1)..=teams).filter(|here| *here > 1) {
                let sizes = sizes(&fitted.format, here);
                assert!(sizes.iter().all(|size| *size >= here.min(4)), "{name}, {here} of {teams} teams: {sizes:?}");
                let spread = sizes.iter().max().unwrap_or(&0) - sizes.iter().min().unwrap_or(&0);
                assert!(spread <= 1, "{name}, {here} of {teams} teams: {sizes:?}");
                let advance = fitted.format.stages[0].advance.expect("some advance");
                assert!(
                    here == 2 || sizes.iter().all(|size| *size > advance),
                    "{name}, {here}: a whole group advances"
                );
            }
            let changed = groups_of(&fitted.format) != announced;
            assert_eq!(!fitted.format.notes.is_empty(), changed, "{name}, {teams} teams: what is changed is said");
        }
    }
}

/// Plays the first tournament of a format with teams that keep to their seeds.
fn by_seeds(format: &Format, teams: usize, what: &str) {
    let mut plan = Plan { format: format.clone(), ..plan("[[stage]]\nkind = \"swiss\"\nrounds = 1", teams) };
    plan.format.parts.truncate(1);
    plan.format.winner_leaves = None;
    let game = play(&plan, &lower_wins, Order::Waves);
    let knockout = &game.state.parts[0].stages[1];
    let bracket = knockout.bracket.as_ref().expect("a bracket");
    assert_eq!(
        bracket.rounds.last().expect("a final")[0].opponents,
        [Occupant::Team(0), Occupant::Team(1)],
        "{what}: the final"
    );
    // Byes go to the best seeds among the winners of groups, and to others only if every winner has one.
    let first = &bracket.rounds[0];
    let bye = |team: usize| {
        first.iter().any(|battle| {
            battle.opponents.contains(&Occupant::Team(team)) && battle.opponents.contains(&Occupant::Nobody)
        })
    };
    let tables = game.state.parts[0].stages[0].tables.iter();
    let mut winners: Vec<usize> = tables.map(|table| table.rows[0].team).collect();
    winners.sort_unstable();
    let byes = winners.iter().take_while(|team| bye(**team)).count();
    let all = knockout.entrants.iter().filter(|team| bye(**team)).count();
    assert!(byes == all || byes == winners.len(), "{what}: byes");
    assert!(first.iter().all(|battle| battle.opponents != [Occupant::Nobody; 2]), "{what}: a battle of nobody");
}

#[test]
fn the_two_best_seeds_meet_in_the_final_only() {
    for (name, written) in presets() {
        for teams in 3..=140 {
            let mut fitted = written.clone();
            fitted.fit(teams);
            by_seeds(&fitted.format, teams, &format!("{name}, {teams} teams"));
            if fitted.format != written.format {
                by_seeds(&written.format, teams, &format!("{name}, {teams} teams as announced"));
            }
        }
    }
}

/// The reason that is given for fewer groups is the true one.
#[test]
fn the_reason_for_fewer_groups_is_true() {
    let note = |series: &str, teams: usize| {
        let text = format!(
            "{series}\n[[stage]]\nname = \"Groups\"\nkind = \"groups\"\ngroups = 16\nsmallest = 4\nadvance = 2\n[[stage]]\nkind = \"knockout\"\nbracket = \"crossing\""
        );
        let game = agon_all::GAMES[0].name();
        let mut written = read(&format!("title = \"Test\"\ngame = \"{game}\"\n{text}")).expect("a format");
        written.fit(teams);
        written.format.notes.join(" ")
    };
    let series = "[series]\nwinner_leaves = true\nfull_marks = 9\n[[part]]\nname = \"one\"\nclock = \"60\"\n[[part]]\nname = \"two\"\nclock = \"60\"";
    assert_eq!(note("", 64), "");
    assert_eq!(
        note("", 63),
        "Groups: 8 groups instead of the 16 that the text announces: with 63 teams one group would be smaller than 4."
    );
    assert!(note("", 50).contains("with 50 teams most groups would be"), "{}", note("", 50));
    assert!(note("", 40).contains("with 40 teams all groups would be"), "{}", note("", 40));
    assert_eq!(
        note(series, 64),
        "Groups: 8 groups instead of the 16 that the text announces: the number is the same in all 2 tournaments of the series, \
         whose winners leave, and with the 63 teams of the last one, one group would be smaller than 4."
    );
    assert_eq!(note(series, 65), "");
}

#[test]
fn marks_follow_the_name_of_the_round() {
    // Forty teams in 8 groups rather than 16: a bracket of 16, in which those of the first round are the last sixteen.
    let text = "[[stage]]\nkind = \"groups\"\ngroups = 16\nsmallest = 4\nadvance = 2\n\
                [[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"\nthird_place = true\n\
                [marks]\nreached = { winner = 12, quarter-final = 3.2, round-of-16 = 2.8, round-of-32 = 2.4 }";
    let game = agon_all::GAMES[0].name();
    let mut written = read(&format!("title = \"Test\"\ngame = \"{game}\"\n{text}")).expect("a format");
    written.fit(40);
    assert_eq!(groups_of(&written.format), Some(GroupCount::Number(8)));
    let note = written.format.notes.join(" ");
    assert!(note.contains("8 groups instead of the 16") && note.contains("40 teams"), "{note}");
    let plan = Plan { format: written.format, ..plan(text, 40) };
    let game = play(&plan, &lower_wins, Order::Waves);
    let ranking = game.state.parts[0].ranking.as_ref().expect("it is over");
    let reached = |wanted: Reached| {
        ranking.iter().filter(|(reached, _)| *reached == wanted).map(|(_, teams)| teams.len()).sum::<usize>()
    };
    assert_eq!((reached(Reached::RoundOf(8)), reached(Reached::RoundOf(16)), reached(Reached::RoundOf(32))), (4, 8, 0));
    assert_eq!(game.marks().iter().filter(|marks| **marks == 2.8).count(), 8);
}
