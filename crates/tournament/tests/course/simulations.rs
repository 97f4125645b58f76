//! Simulated tournaments.

use agon_tournament::{SimulateOptions, assumed_strengths, measured_strengths, simulate};

use super::harness::{Order, anything, lower_wins, plan, play};

const CUP: &str = "[[stage]]\nkind = \"groups\"\nsize = 4\nadvance = 2\n[[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"\n\
     [marks]\nplaces = [10, 6, 3, 3]\notherwise = 1";

fn options() -> SimulateOptions {
    SimulateOptions { runs: 60, matches: vec![1, 2, 8], threads: 3, ..SimulateOptions::default() }
}

#[test]
fn chances_add_up() {
    let plan = plan(CUP, 16);
    let strengths = assumed_strengths(16, 150.0, 3);
    let simulation = simulate(&plan, &strengths, &options());
    let sum = |of: &dyn Fn(&agon_tournament::TeamChances) -> f64| simulation.teams.iter().map(of).sum::<f64>();
    let near = |sum: f64, expected: f64| assert!((sum - expected).abs() < 1e-9, "{sum} is not {expected}");
    near(sum(&|team| team.wins), 1.0);
    near(sum(&|team| team.final_), 2.0);
    near(sum(&|team| team.semi_final), 4.0);
    near(sum(&|team| team.last_stage.expect("two stages")), 8.0);
    near(sum(&|team| team.marks.expect("marks")), 10.0 + 6.0 + 3.0 + 3.0 + 12.0);
    let sorted = simulation.teams.windows(2).all(|pair| pair[0].strength >= pair[1].strength);
    assert!(sorted, "the strongest stand first");
    let numbers: Vec<u32> = simulation.luck.iter().map(|luck| luck.matches).collect();
    assert_eq!(numbers, [1, 2, 8]);
}

#[test]
fn the_same_seed_gives_the_same_numbers_on_any_number_of_threads() {
    let plan = plan(CUP, 9);
    let strengths = assumed_strengths(9, 150.0, 3);
    let one = simulate(&plan, &strengths, &options());
    assert_eq!(one, simulate(&plan, &strengths, &SimulateOptions { threads: 1, ..options() }));
    assert_ne!(one, simulate(&plan, &strengths, &SimulateOptions { seed: 2, ..options() }));
}

#[test]
fn strength_tells_and_more_matches_tell_more() {
    let plan = plan("[[stage]]\nkind = \"knockout\"", 8);
    let equal = simulate(&plan, &[0.0; 8], &SimulateOptions { runs: 400, ..options() });
    // An eighth, within six standard errors.
    assert!(equal.teams.iter().all(|team| (team.wins - 0.125).abs() < 0.1), "{}", equal.table());
    let mut strengths = [0.0; 8];
    strengths[5] = 100.0;
    let simulation = simulate(&plan, &strengths, &SimulateOptions { runs: 400, ..options() });
    assert_eq!(simulation.teams[0].team, 5);
    let [one, .., many] = &simulation.luck[..] else { panic!("three numbers") };
    assert!(one.wins.low > 0.125, "{}", simulation.table());
    assert!(many.wins.low > one.wins.high, "{}", simulation.table());
    strengths[5] = 5000.0;
    let sure = simulate(&plan, &strengths, &options());
    assert_eq!(sure.luck.iter().map(|luck| luck.wins.value).collect::<Vec<_>>(), [1.0; 3]);
}

#[test]
fn decisions_and_odd_sizes_do_not_stop_it() {
    let undecided = "[[stage]]\nkind = \"knockout\"\nties = [\"points\", \"decision\"]";
    for (format, teams) in [(undecided, 5), (CUP, 1), (CUP, 2), ("[[stage]]\nkind = \"swiss\"\nrounds = 3", 7)] {
        let plan = plan(format, teams);
        let options = SimulateOptions { draws: 0.9, noise: 0.0, runs: 20, ..options() };
        let simulation = simulate(&plan, &[f64::NAN], &options);
        assert_eq!(simulation.teams.len(), teams);
        assert!(
            simulation.teams.iter().all(|team| (1.0..=teams as f64).contains(&team.place)),
            "{}",
            simulation.table()
        );
    }
}

#[test]
fn it_reads_well() {
    let plan = plan(&format!("[[part]]\nclock = \"60\"\n{CUP}"), 6);
    let simulation = simulate(&plan, &assumed_strengths(6, 100.0, 1), &options());
    let table = simulation.table();
    assert!(table.contains("semi-final") && table.contains("last stage") && table.contains("marks"), "{table}");
    assert!(plan.teams.iter().all(|team| table.contains(&team.name)), "{table}");
    let plot = simulation.plot();
    assert!(plot.starts_with("<svg") && plot.ends_with("</svg>\n"), "{plot}");
    assert_eq!(plot.matches("<circle").count(), 6);
}

#[test]
fn measured_strengths_follow_the_results() {
    let plan = plan("[[stage]]\nkind = \"round-robin\"", 5);
    let strengths = measured_strengths(&plan, &play(&plan, &lower_wins, Order::Waves).state);
    assert!(strengths.windows(2).all(|pair| pair[0] > pair[1]), "{strengths:?}");
    let game = play(&plan, &anything, Order::Waves);
    assert_eq!(measured_strengths(&plan, &game.state).len(), 5);
}
