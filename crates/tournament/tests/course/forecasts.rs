//! What is said before a tournament is what then happens.

use std::time::Duration;

use agon_tournament::forecast;

use super::{
    harness::{Order, lower_wins, plan, play},
    orders::{SIZES, formats},
};

#[test]
fn battles_are_as_many_as_forecast() {
    for (name, format) in formats() {
        for teams in SIZES {
            let plan = plan(&format, teams);
            let game = play(&plan, &lower_wins, Order::Waves);
            let forecast = forecast(&plan, 4, None);
            for (index, part) in forecast.parts.iter().enumerate() {
                for (stage, said) in part.stages.iter().enumerate() {
                    let here = |place: agon_tournament::Place| (place.part, place.stage) == (index, stage);
                    let battles = game.state.battles.iter().filter(|battle| here(battle.place)).count();
                    let state = &game.state.parts[index].stages[stage];
                    assert_eq!(
                        (said.teams, said.battles),
                        (state.entrants.len(), battles),
                        "{name}, {teams} teams: {}",
                        said.name
                    );
                }
            }
            assert_eq!(forecast.battles(), game.state.battles.len());
            assert_eq!(forecast.matches(), game.results.len());
            assert_eq!(forecast.too_large(), None);
        }
    }
}

fn minutes(number: u64) -> Option<Duration> {
    Some(Duration::from_secs(60 * number))
}

#[test]
fn rounds_of_a_knockout_wait_for_each_other() {
    // Eight teams, battles of two matches of at most 2 × 5 minutes, three at once. 8 matches: three turns; 4: two; 2: one. So 60
    // minutes at most, and 40 % of that is likely.
    let plan = plan("[[part]]\nclock = \"300\"\n[[stage]]\nkind = \"knockout\"", 8);
    let forecast = forecast(&plan, 3, None);
    assert_eq!((forecast.battles(), forecast.matches()), (7, 14));
    assert_eq!((forecast.most(), forecast.likely()), (minutes(60), minutes(24)));
    // A measured match is believed, and more slots than matches help nobody.
    let measured = agon_tournament::forecast(&plan, 100, minutes(2));
    assert_eq!((measured.most(), measured.likely()), (minutes(30), minutes(6)));
    let text = measured.to_string();
    assert!(text.contains("100 matches at once") && text.contains("30 min") && text.contains("6 min"), "{text}");
}

#[test]
fn clocks_of_all_kinds() {
    let time = |clock: &str| {
        let plan =
            plan(&format!("max_turns = 100\n[[part]]\nclock = \"{clock}\"\n[[stage]]\nkind = \"round-robin\""), 2);
        let forecast = forecast(&plan, 2, None);
        (forecast.most().map(|time| time.as_secs()), forecast.likely().map(|time| time.as_secs()))
    };
    assert_eq!(time("100"), (Some(200), Some(80)));
    // 100 increments at most; 60 of them are likely: 40 % of 200 + 120.
    assert_eq!(time("100+2"), (Some(400), Some(128)));
    assert_eq!(time("2/turn"), (Some(200), Some(108)));
    assert_eq!(time("1,3,10/turn"), (Some(1000), Some(540)));
    for unknown in ["nodes=1000", "depth=3", "inf"] {
        assert_eq!(time(unknown), (None, None));
    }
}

#[test]
fn absurd_plans_are_forecast_too() {
    let plan = plan(
        "max_turns = 1000000\n[[part]]\nclock = \"1000000000/turn\"\n[[stage]]\nkind = \"round-robin\"\nrounds = 100",
        3000,
    );
    let forecast = forecast(&plan, 0, None);
    assert_eq!(forecast.battles(), 449_850_000);
    let problem = forecast.too_large().expect("a problem");
    assert!(problem.contains("at most 1000000 battles"), "{problem}");
    assert!(forecast.to_string().contains("One match at once"));
}
