//! Bots that think while it is their opponent's turn.

use super::{
    stage::{Run, Stage, Who, levels},
    table::values,
};

/// Helpers of a child, of a thread's child, and of nobody who is still there.
const THIEVES: [&str; 3] = ["helper", "helper_of_a_thread", "helper_of_a_helper"];

/// Plays a battle of a thief against somebody who thinks long.
fn theft(thief: &str, level: &str, more: &[&str]) -> (Run, String) {
    let mut stage = Stage::new(Who::Own);
    // A bot that is let run may do so: it is only told that it is in a lower level.
    let told = if more.contains(&"--awake") { "namespaces" } else { level };
    let (thief, slow) = (stage.bot(thief, told, "ugi"), stage.bot("slow", told, "ugi"));
    let run = stage.battle("connectx", &thief, &slow.display().to_string(), level, &[&["--tc", "120"], more].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(stage.damage(run.pid), Vec::<String>::new());
    let records = stage.records();
    assert!(records.contains("stolen"), "the thief has tried: {records}");
    assert!(!records.contains("BREACH"), "{records}");
    (run, records)
}

#[test]
fn a_frozen_bot_steals_no_time() {
    if levels(Who::Own).contains(&"full") {
        let (_, records) = theft("helper", "full", &["--cores", "forfeit"]);
        assert_eq!(
            values(&records, "Termination"),
            ["crash", "crash"],
            "it was stopped, so it is not accused: {records}"
        );
    }
}

#[test]
fn stolen_time_is_reported() {
    for level in levels(Who::Own).into_iter().filter(|&level| level != "full") {
        let (_, records) = theft("helper", level, &["--cores", "warn"]);
        assert!(records.contains("[%idle "), "{level}: {records}");
        assert!(records.contains("that were its opponent's"), "{level}: {records}");
    }
}

#[test]
fn stolen_time_costs_the_match_if_that_is_the_rule() {
    for level in levels(Who::Own) {
        for thief in THIEVES {
            // A bot that is let run is measured at the strongest level too.
            let (run, records) = theft(thief, level, &["--cores", "forfeit", "--awake"]);
            assert_eq!(values(&records, "Termination"), ["over limit", "over limit"], "{thief} at {level}: {records}");
            assert_eq!(run.summary()["losses"], 2);
        }
    }
}
