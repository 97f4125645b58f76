//! Submissions that are the attack themselves: what they hold, and what their builds leave.

use std::{
    fs::{self, File},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    stage::{Run, Stage, Who, levels},
    table::values,
};

/// Nobody has so long a command line.
const LONG: usize = 200 << 10;

const MIB: u64 = 1 << 20;

fn folder(stage: &Stage, name: &str, run: &str) -> PathBuf {
    let folder = stage.path("bots").join(format!("{name}-{}", stage.token));
    fs::create_dir(&folder).expect("a folder");
    let manifest = format!("name = '{name}'\ngame = 'connectx'\nprotocol = 'ugi'\nrun = \"{run}\"\n");
    fs::write(folder.join("bot.toml"), manifest).expect("a manifest");
    folder
}

fn archive(folder: &Path) -> PathBuf {
    let archive = folder.with_extension("tar.gz");
    let mut tar = Command::new("tar");
    assert!(tar.arg("-czf").arg(&archive).arg("-C").arg(folder).arg(".").status().expect("tar").success());
    archive
}

fn all_levels() -> Vec<&'static str> {
    [vec!["none"], levels(Who::Own)].concat()
}

/// Plays it, checks it, and says what is wrong.
fn would_not_start(stage: &mut Stage, bot: &Path, level: &str, why: &str) {
    let run = stage.battle("connectx", bot, "random", level, &["--tc", "120"]);
    assert_eq!(run.code, Some(0), "{level}: {run:?}");
    assert_eq!(run.summary()["terminations"]["would not start"], 2, "{level}: {run:?}");
    assert_eq!(run.summary()["losses"], 2, "{level}: {run:?}");
    let evidence = values(&stage.records(), "Evidence");
    assert!(evidence.iter().all(|words| words.contains(why)), "{level}: {evidence:?}");
    let checked = stage.agon(&["check", &bot.display().to_string(), "--game", "connectx", "--sandbox", level], &[]);
    assert_eq!(checked.code, Some(1), "{level}: {checked:?}");
    assert_eq!(stage.damage(run.pid), Vec::<String>::new(), "{level}");
}

#[test]
fn a_command_line_that_is_too_long_would_not_start() {
    for level in all_levels() {
        let mut stage = Stage::new(Who::Own);
        let bot = folder(&stage, "long", &"x".repeat(LONG));
        let bot = archive(&bot);
        assert!(fs::metadata(&bot).expect("an archive").len() < 2_000, "the attack is small");
        would_not_start(&mut stage, &bot, level, if level == "none" { "too long" } else { "at most" });
    }
}

/// Three bots that nobody can start, and two that play.
fn unfit_teams(stage: &Stage) -> PathBuf {
    folder(stage, "nul", r"sh\u0000run.sh");
    let deep = folder(stage, "deep", "true");
    fs::create_dir_all(deep.join(vec!["d"; 70].join("/"))).expect("folders");
    let sparse = folder(stage, "sparse", "true");
    File::create(sparse.join("weights")).and_then(|file| file.set_len(3 << 30)).expect("a sparse file");
    folder(stage, "long", &"x".repeat(LONG));
    for good in ["one", "two"] {
        let kit = stage.path("bots").join(good).display().to_string();
        assert_eq!(stage.agon(&["new", "connectx", &kit, "--lang", "python"], &[]).code, Some(0));
    }
    stage.path("bots")
}

#[test]
fn teams_that_cannot_play_do_not_stop_a_tournament() {
    let level = *levels(Who::Own).last().expect("a level");
    let stage = Stage::new(Who::Own);
    let teams = unfit_teams(&stage).display().to_string();
    let format = stage.path("cup.toml");
    let text =
        "title = \"Cup\"\ngame = \"connectx\"\n[[part]]\nclock = \"nodes=5\"\n[[stage]]\nkind = \"round-robin\"\n";
    fs::write(&format, text).expect("a format");
    let (format, db) = (format.display().to_string(), stage.path("cup.db").display().to_string());
    let new = stage.agon(&["tournament", "new", &format, "--teams", &teams, "--db", &db, "--sandbox", level], &[]);
    assert_eq!(new.code, Some(0), "{new:?}");
    let run = stage.agon(&["tournament", "run", "cup", "--db", &db, "--sandbox", level, "--json"], &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let summary = run.summary();
    let standings = summary["standings"].as_array().expect("standings");
    let teams: Vec<&str> = standings.iter().filter_map(|team| team["team"].as_str()).collect();
    assert_eq!(teams.len(), 6, "{summary}");
    assert!(teams[..2].iter().all(|team| team.starts_with("one") || team.starts_with("two")), "{teams:?}");
}

/// Runs agon with so much room for itself and each of its programs, in address space.
fn in_little_memory(stage: &Stage, bytes: u64, line: &[&str]) -> Run {
    let limit = format!("--as={bytes}");
    stage.agon_by(&["prlimit", &limit], line)
}

#[test]
fn a_large_file_is_not_read_into_memory() {
    let stage = Stage::new(Who::Own);
    let bot = folder(&stage, "large", "true");
    File::create(bot.join("weights")).and_then(|file| file.set_len(3 << 30)).expect("a sparse file");
    // In a message of its own: nobody needs the file to find out that it is too large.
    let path = bot.display().to_string();
    for line in [&["check", &path, "--game", "connectx"][..], &["match", "connectx", &path, "random", "--battles", "1"]]
    {
        let run = in_little_memory(&stage, 2 << 30, line);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.said.contains("more than 1073741824 bytes"), "{run:?}");
    }
}

/// What a folder holds, as somebody sees who reads all of it.
fn apparent(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let sizes = entries.map(|entry| {
        let about = entry.metadata().expect("a file");
        if about.is_dir() { apparent(&entry.path()) } else { about.len().max(512 * about.blocks()) }
    });
    sizes.sum()
}

#[test]
fn a_build_leaves_no_more_than_it_may() {
    let scratch = 16 * MIB;
    let builds = [
        // A single file has a limit of its own where the file system has none.
        ("truncate -s 3G holes", ["bytes", "File size limit exceeded"]),
        ("head -c 8M /dev/zero > one; for n in $(seq 500); do ln one $n; done", ["bytes", "files"]),
        (
            "for n in $(seq 200); do mkdir $n; for m in $(seq 300); do ln -s nowhere $n/$m; done; done",
            ["files", "entries"],
        ),
    ];
    for level in levels(Who::Own) {
        for (build, what) in builds {
            let mut stage = Stage::new(Who::Own);
            let bot = folder(&stage, "builds", "true");
            let manifest = fs::read_to_string(bot.join("bot.toml")).expect("a manifest");
            fs::write(bot.join("bot.toml"), format!("{manifest}build = '''{build}'''\n")).expect("a manifest");
            let run = stage.battle("connectx", &bot, "random", level, &["--tc", "120"]);
            assert_eq!(run.code, Some(1), "{build} at {level}: {run:?}");
            assert!(what.iter().any(|word| run.said.contains(word)), "{build} at {level}: {run:?}");
            let left = apparent(&stage.path("cache"));
            assert!(left < 4 * scratch, "{build} at {level} leaves {left} bytes");
            assert_eq!(stage.damage(run.pid), Vec::<String>::new(), "{build} at {level}");
        }
    }
}

/// What is built takes none of the host's memory while it plays, and whatever the bot changes of it is its own.
#[test]
fn what_was_built_is_mounted() {
    let Some(level) = levels(Who::Own).last().filter(|level| **level != "filters").copied() else { return };
    let doctor = Stage::new(Who::Own).agon(&["doctor"], &[]);
    if !doctor.said.contains("mounted; what bots change") {
        return;
    }
    let stage = Stage::new(Who::Own);
    let says = "grep ' /bot ' /proc/mounts >&2; df -B1 --output=used /bot | tail -n 1 >&2";
    let bot = folder(&stage, "large", &format!("{says}; echo more >> large || echo BREACH >&2; exit 7"));
    let manifest = fs::read_to_string(bot.join("bot.toml")).expect("a manifest");
    let build = "head -c 100M /dev/urandom > large";
    fs::write(bot.join("bot.toml"), format!("{manifest}build = '{build}'\n")).expect("a manifest");
    let (path, records) = (bot.display().to_string(), stage.path("records").display().to_string());
    let line = ["match", "connectx", &path, "random", "--battles", "1", "--go-on", "--records", &records];
    let run = stage.agon(&line, &["--sandbox", level, "--scratch", "120", "--memory", "64"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let records = stage.records();
    let said = values(&records, "FirstStderr").join("\n") + &values(&records, "SecondStderr").join("\n");
    assert!(said.contains("overlay") && !said.contains("BREACH"), "{run:?} {records}");
    assert!(!records.contains("out of memory"), "{records}");
}
