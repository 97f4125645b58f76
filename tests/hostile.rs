//! Bots and build scripts that want to do harm, each at every level of containment that this host offers, as whoever runs the tests
//! and, if that is root, as an ordinary user too.
//!
//! Each bot of `tests/bots/hostile` is safe on a machine that does not contain it: it stops by itself before it does damage. It says
//! `BREACH` when something came through, and ends with code 7 when all was refused. Everything that belongs to a run carries a
//! token of its own, so tests that run at the same time do not find each other's traces.
//!
//! Containment is the kernel's work, the same for every build of `agon`: once is enough.
#![cfg(all(target_os = "linux", not(debug_assertions)))]

mod builds;
mod endings;
mod stage;
mod submissions;
mod table;
mod thieves;
mod traces;

use stage::{Stage, Who, levels};
use table::{ATTACKS, Attack, MANNERS, REAL};

/// Runs attacks, and says of all of them what is wrong.
fn run<'a>(attacks: impl Iterator<Item = &'a Attack>, who: Who, level: &str, chosen: bool) {
    let mut faults = Vec::new();
    for attack in attacks {
        if !attack.is_open(who, level) {
            faults.extend(attack.faults(who, level, chosen));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    a_good_bot_plays(who, level);
}

/// After all that, agon works as if nothing had happened.
fn a_good_bot_plays(who: Who, level: &str) {
    let mut stage = Stage::new(who);
    let kit = stage.path("bots").join("kit");
    let made = stage.agon(&["new", "connectx", &kit.display().to_string(), "--lang", "python"], &[]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let run = stage.battle("connectx", &kit, "random", level, &["--tc", "inf"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let ends = run.summary()["terminations"].clone();
    let fair =
        ends.as_object().is_some_and(|ends| ends.keys().all(|end| ["win", "full board"].contains(&end.as_str())));
    assert!(fair, "{ends}");
    assert_eq!(stage.damage(run.pid), Vec::<String>::new());
}

/// Runs every second attack, so that several tests share the work and a slow one does not hold up the others.
fn half(which: usize, who: Who, level: &str) {
    if levels(who).contains(&level) {
        run(MANNERS.iter().chain(&ATTACKS).skip(which).step_by(2), who, level, false);
    }
}

macro_rules! contained {
    ($($name:ident: $which:expr, $who:expr, $level:expr;)*) => {
        $(#[test]
        fn $name() {
            half($which, $who, $level);
        })*
    };
}

contained! {
    filters_contain_one_half: 0, Who::Own, "filters";
    filters_contain_the_other_half: 1, Who::Own, "filters";
    namespaces_contain_one_half: 0, Who::Own, "namespaces";
    namespaces_contain_the_other_half: 1, Who::Own, "namespaces";
    control_groups_contain_one_half: 0, Who::Own, "full";
    control_groups_contain_the_other_half: 1, Who::Own, "full";
}

#[test]
fn an_ordinary_user_is_safe_too() {
    if !rustix::process::geteuid().is_root() {
        // Then all other tests are about an ordinary user.
        return;
    }
    for level in levels(Who::Nobody) {
        run(MANNERS[..1].iter().chain(&ATTACKS), Who::Nobody, level, false);
    }
}

#[test]
fn a_container_without_rights_still_has_filters() {
    assert_eq!(levels(Who::Contained), ["filters"]);
    // No level is asked for: the records say which one it was.
    run(ATTACKS.iter(), Who::Contained, "filters", true);
}

#[test]
fn floods_and_silence_end_a_match_without_a_sandbox_too() {
    run(MANNERS.iter(), Who::Own, "none", false);
}

#[test]
fn without_a_sandbox_the_attacks_come_through() {
    for bot in REAL {
        let stage = Stage::new(Who::Own);
        let folder = stage.bot(bot, "none", "ugi");
        stage.battle("connectx", &folder, "random", "none", &["--tc", "120"]);
        assert!(stage.records().contains("BREACH"), "{bot}: {}", stage.records());
    }
}
