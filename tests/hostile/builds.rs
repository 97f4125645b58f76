//! Build scripts are foreign programs too.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use super::stage::{Stage, Who, levels};

/// Attacks that are made by the build itself.
const ATTACKS: [&str; 14] = [
    "fork_bomb",
    "memory_fast",
    "disk_filler",
    "orphan_bomb",
    "orphan",
    "stdout_flood",
    "network",
    "reads_secrets",
    "writes_outside",
    "attacks_processes",
    "privileges",
    "namespaces",
    "kernel_calls",
    "deletes_itself",
];

fn builds_are_contained(who: Who) {
    for level in levels(who) {
        for bot in ATTACKS {
            let mut stage = Stage::new(who);
            let folder = stage.built(&format!("/usr/bin/python3 -B {bot}.py"), &[bot], level);
            let run = stage.battle("connectx", &folder, "random", level, &["--tc", "120"]);
            // The bot is not fit to play: that is what the user is told, with the last words of its build.
            assert_eq!(run.code, Some(1), "{bot} at {level} as {who:?}: {run:?}");
            let ends = ["exit status: 7", "processes and threads", "memory", "bytes to its scratch folder"];
            let said = ends.iter().any(|words| run.said.contains(words));
            assert!(said && !run.said.contains("BREACH"), "{bot} at {level} as {who:?}: {}", run.said);
            assert_eq!(stage.damage(run.pid), Vec::<String>::new(), "{bot} at {level} as {who:?}");
            assert!(run.said.len() < 100_000, "{bot} at {level}: {} bytes of output", run.said.len());
        }
    }
}

#[test]
fn builds_do_no_harm() {
    builds_are_contained(Who::Own);
}

#[test]
fn builds_of_an_ordinary_user_do_no_harm() {
    if rustix::process::geteuid().is_root() {
        builds_are_contained(Who::Nobody);
    }
}

#[test]
fn what_is_built_holds_no_traps() {
    for level in levels(Who::Own) {
        let mut stage = Stage::new(Who::Own);
        let folder = stage.built("sh leaves_traps.sh", &["after_traps", "leaves_traps.sh"], level);
        let run = stage.battle("connectx", &folder, "random", level, &["--tc", "120"]);
        let records = stage.records();
        assert_eq!(run.code, Some(0), "{level}: {run:?}");
        assert!(!records.contains("BREACH") && records.contains("code 7 "), "{level}: {records}");
        assert_eq!(stage.damage(run.pid), Vec::<String>::new(), "{level}");
        let mut seen = 0;
        look_for_traps(&stage.path("cache"), &stage.path("cache"), &mut seen);
        assert!(seen > 5, "{level}: the bot was built");
    }
}

/// Nothing but files, folders and links that stay within; no file that runs as its owner.
fn look_for_traps(folder: &Path, cache: &Path, seen: &mut usize) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
        *seen += 1;
        if kind.is_symlink() {
            // What it leads to may be a trap that is gone.
            let Ok(aim) = fs::canonicalize(&path) else { continue };
            let cache = cache.canonicalize().expect("a path");
            assert!(aim.starts_with(cache), "{} leads to {}", path.display(), aim.display());
            continue;
        }
        assert!(kind.is_dir() || kind.is_file(), "{} is neither file nor folder", path.display());
        let mode = entry.metadata().expect("its mode").permissions().mode();
        assert_eq!(mode & 0o6000, 0, "{} runs as its owner", path.display());
        if kind.is_dir() {
            look_for_traps(&path, cache, seen);
        }
    }
}
