//! What is left when agon is killed, and when it has played for a long time.

use std::{fs, path::Path, process::Child, time::Duration};

use rustix::process::{Pid, Signal, kill_process};

use super::{
    a_good_bot_plays,
    stage::{FOR_EVER, Stage, Who, levels},
    traces::{end, groups_of, left_by, names_in, processes_with, until, wait},
};

/// How many processes the waiting bot becomes.
const FAMILY: usize = 5;

/// Kills agon as soon as the family of the waiting bot is there, and expects that nothing outlives it.
fn is_killed(stage: &Stage, mut agon: Child, level: &str, what: &str) {
    let pid = agon.id();
    // agon's own command line has the token too.
    let running = until(FOR_EVER, || processes_with(&stage.token).len() > FAMILY);
    end(pid);
    wait(&mut agon, FOR_EVER);
    let gone = until(Duration::from_secs(60), || processes_with(&stage.token).is_empty());
    let left = left_by(pid, &stage.token);
    assert!(running, "{what} at {level}: the bot did not come so far");
    assert!(gone, "{what} at {level}: {left:?}");
    // What a dead process cannot tidy up is tidied up by the next one.
    a_good_bot_plays(Who::Own, level);
    assert_eq!(left_by(pid, &stage.token), Vec::<String>::new(), "{what} at {level}");
}

/// Asks agon to end as soon as the family of the waiting bot is there: it does, and nothing is left.
fn is_asked_to_end(stage: &Stage, mut agon: Child, signal: Signal, what: &str) {
    let pid = agon.id();
    let running = until(FOR_EVER, || processes_with(&stage.token).len() > FAMILY);
    assert!(running, "{what}: the bot did not come so far");
    kill_process(Pid::from_child(&agon), signal).expect("a signal");
    let ended = wait(&mut agon, FOR_EVER);
    assert!(ended.is_some(), "{what} does not end");
    assert!(until(FOR_EVER, || processes_with(&stage.token).is_empty()), "{what} leaves processes");
    assert_eq!(left_by(pid, &stage.token), Vec::<String>::new(), "{what}");
}

/// Playing, building, checking; alone and in a tournament.
#[test]
fn signals_end_agon_whatever_it_does() {
    let level = *levels(Who::Own).last().expect("a level");
    for signal in [Signal::INT, Signal::TERM] {
        let stage = Stage::new(Who::Own);
        let bot = stage.bot("waits", level, "ugi");
        is_asked_to_end(&stage, battle(&stage, [&bot, Path::new("random")], level), signal, "a match");
        let path = bot.display().to_string();
        let check = ["check", &path, "--game", "connectx", "--sandbox", level];
        is_asked_to_end(&stage, stage.start(&check, &[]), signal, "a check");
        is_asked_to_end(&stage, tournament(&stage, level), signal, "a tournament");
        let stage = Stage::new(Who::Own);
        let bot = stage.built("/usr/bin/python3 -B waits.py", &["waits"], level);
        is_asked_to_end(&stage, battle(&stage, [&bot, Path::new("random")], level), signal, "a build");
    }
}

/// One of the waiting bot against house bots.
fn tournament(stage: &Stage, level: &str) -> Child {
    let path = |name: &str| stage.path(name).display().to_string();
    let (format, teams, db) = (path("cup.toml"), path("bots"), path("cup.db"));
    let text = "title = \"Cup\"\ngame = \"connectx\"\n[[part]]\nclock = \"600\"\n[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\"]\n";
    fs::write(&format, text).expect("a format");
    let new = stage.agon(&["tournament", "new", &format, "--teams", &teams, "--db", &db, "--sandbox", level], &[]);
    assert_eq!(new.code, Some(0), "{new:?}");
    stage.start(&["tournament", "run", "cup", "--db", &db, "--sandbox", level], &[])
}

fn battle(stage: &Stage, bots: [&Path; 2], level: &str) -> Child {
    let [one, other] = bots.map(|bot| bot.display().to_string());
    stage.start(&["match", "connectx", &one, &other, "--battles", "1", "--tc", "600", "--sandbox", level], &[])
}

#[test]
fn nothing_outlives_agon_while_a_bot_thinks() {
    for level in levels(Who::Own) {
        let stage = Stage::new(Who::Own);
        let bot = stage.bot("waits", level, "ugi");
        let agon = battle(&stage, [&bot, Path::new("random")], level);
        is_killed(&stage, agon, level, "a bot that thinks");
    }
}

#[test]
fn nothing_outlives_agon_while_a_bot_is_frozen() {
    for level in levels(Who::Own) {
        let stage = Stage::new(Who::Own);
        let (frozen, waits) = (stage.bot("helper", level, "ugi"), stage.bot("waits", level, "ugi"));
        let agon = battle(&stage, [&frozen, &waits], level);
        is_killed(&stage, agon, level, "a bot that waits for its turn");
    }
}

#[test]
fn nothing_outlives_agon_during_a_build() {
    for level in levels(Who::Own) {
        let stage = Stage::new(Who::Own);
        let bot = stage.built("/usr/bin/python3 -B waits.py", &["waits"], level);
        let agon = battle(&stage, [&bot, Path::new("random")], level);
        is_killed(&stage, agon, level, "a build");
    }
}

/// How many matches the test for leaks plays.
fn matches_for_leaks() -> usize {
    std::env::var("AGON_LEAKS").ok().and_then(|number| number.parse().ok()).unwrap_or(30)
}

#[test]
fn many_matches_leave_nothing_behind() {
    let level = *levels(Who::Own).last().expect("a level");
    let stage = Stage::new(Who::Own);
    let kit = stage.path("bots").join(&stage.token);
    let kit = kit.display().to_string();
    assert_eq!(stage.agon(&["new", "connectx", &kit, "--lang", "python"], &[]).code, Some(0));
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("the mounts");
    let battles = matches_for_leaks().div_ceil(2).to_string();
    let line = ["match", "connectx", &kit, "random", "--battles", &battles, "--concurrency", "1", "--tc", "inf"];
    let mut agon = stage.start(&[&line[..], &["--max-turns", "6", "--sandbox", level]].concat(), &["--json"]);
    let pid = agon.id();
    let mut open = Vec::new();
    let ended = until(Duration::from_secs(3600), || {
        let count = names_in(Path::new(&format!("/proc/{pid}/fd"))).len();
        if count > 0 {
            open.push(count);
        }
        agon.try_wait().is_ok_and(|status| status.is_some())
    });
    assert!(ended, "agon hangs");
    assert_eq!(agon.wait().expect("agon ends").code(), Some(0));
    assert_eq!(left_by(pid, &stage.token), Vec::<String>::new());
    assert_eq!(groups_of(pid), Vec::<std::path::PathBuf>::new());
    let now = fs::read_to_string("/proc/self/mountinfo").expect("the mounts");
    // Somebody else may mount something meanwhile.
    let ours = |line: &&str| ["agon", "newroot", "oldroot", " /bot "].iter().any(|word| line.contains(word));
    let left: Vec<&str> = now.lines().filter(|line| !mounts.contains(line)).filter(ours).collect();
    assert!(left.is_empty(), "{left:?}");
    // The first samples may show agon before it has opened anything.
    let tenth = open.len() / 10 + 1;
    let (early, late) =
        (open[tenth..(2 * tenth).min(open.len())].iter().max(), open[open.len() - tenth..].iter().max());
    assert!(
        late <= early.map(|count| count + 8).as_ref(),
        "open descriptors grew from {early:?} to {late:?}: {open:?}"
    );
}
