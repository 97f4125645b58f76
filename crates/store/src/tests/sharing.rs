//! Many hands on one file, and hands that are cut off.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use std::thread;

use tempfile::TempDir;

use super::{integrity, run, sample};
use crate::{Match, Resume, Saved, Store};

const WRITER: &str = "tests::sharing::writer";

#[test]
fn a_store_may_move_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Store>();
}

#[test]
fn threads_that_create_one_file_and_write_at_once_lose_nothing() {
    const THREADS: u32 = 6;
    const MATCHES: u32 = 100;
    for _ in 0..5 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("agon.db");
        let barrier = Barrier::new(THREADS as usize);
        let write = |thread: u32| {
            barrier.wait();
            let mut store = Store::open(&path).unwrap();
            let resume = store.create_or_resume_run(&run("r")).unwrap();
            for battle in 0..MATCHES {
                let one = sample("r", thread * MATCHES + battle, 0, "1-0");
                assert_eq!(store.save_match(&one), Ok(Saved::New));
            }
            resume
        };
        let resumes = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || write(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(resumes.iter().filter(|resume| **resume == Resume::New).count(), 1);
        let store = Store::open_read_only(&path).unwrap();
        let expected: Vec<Match> = (0..THREADS * MATCHES).map(|battle| sample("r", battle, 0, "1-0")).collect();
        assert_eq!(store.matches_of("r"), Ok(expected));
        assert_eq!(integrity(&store), "ok");
    }
}

#[test]
fn the_same_match_from_many_threads_is_new_once() {
    const MATCHES: u32 = 50;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    Store::open(&path).unwrap().create_or_resume_run(&run("r")).unwrap();
    let write = || {
        let mut store = Store::open(&path).unwrap();
        let answers = (0..MATCHES).map(|battle| store.save_match(&sample("r", battle, 0, "1-0")).unwrap());
        answers.filter(|answer| *answer == Saved::New).count()
    };
    let new: usize = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(write)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(new, MATCHES as usize);
    assert_eq!(Store::open(&path).unwrap().matches_of("r").unwrap().len(), MATCHES as usize);
}

#[test]
fn the_change_counter_sees_news_from_everywhere() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    let mut writer = Store::open(&path).unwrap();
    let reader = Store::open_read_only(&path).unwrap();
    let marks = |writer: &Store| (writer.change_counter().unwrap(), reader.change_counter().unwrap());

    let empty = marks(&writer);
    writer.create_or_resume_run(&run("r")).unwrap();
    let begun = marks(&writer);
    assert!(begun.0 != empty.0 && begun.1 != empty.1);
    writer.save_match(&sample("r", 0, 0, "1-0")).unwrap();
    let played = marks(&writer);
    assert!(played.0 != begun.0 && played.1 != begun.1);
    assert_eq!(marks(&writer), played, "no news, no change");
    writer.save_match(&sample("r", 0, 0, "1-0")).unwrap();
    assert_eq!(marks(&writer), played, "saving again is no news");
}

#[test]
fn a_killed_writer_loses_nothing_that_it_reported() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    let mut reported = Vec::new();
    // Each writer goes on in the same file, so that it also meets what the one before it left behind.
    for (round, kill_after) in (0..).zip([1, 2, 10, 100, 400, 33]) {
        let mut child = writer_process(&path, &format!("r{round}"), u32::MAX);
        let mut lines = saved_ids(&mut child);
        reported.extend(lines.by_ref().take(kill_after));
        child.kill().unwrap();
        reported.extend(lines);
        assert!(!child.wait().unwrap().success());
        let store = Store::open(&path).unwrap();
        assert_eq!(integrity(&store), "ok");
        for id in &reported {
            let stored = store.match_by_id(id).unwrap();
            assert_eq!(stored.map(|stored| stored.id).as_ref(), Some(id), "reported but not stored");
        }
        let stored = store.matches_of(&format!("r{round}")).unwrap();
        for (battle, one) in (0..).zip(stored) {
            assert_eq!(one, long_match(&format!("r{round}"), battle));
        }
    }
    assert!(reported.len() >= 546);
}

#[test]
fn killing_one_writer_does_not_disturb_another() {
    const MATCHES: u32 = 200;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    let mut steady = writer_process(&path, "steady", MATCHES);
    let mut victim = writer_process(&path, "victim", u32::MAX);
    let seen: Vec<String> = saved_ids(&mut victim).take(20).collect();
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert_eq!(saved_ids(&mut steady).count(), MATCHES as usize);
    assert!(steady.wait().unwrap().success());
    let store = Store::open(&path).unwrap();
    assert_eq!(integrity(&store), "ok");
    assert_eq!(store.matches_of("steady").unwrap().len(), MATCHES as usize);
    assert!(store.matches_of("victim").unwrap().len() >= seen.len());
}

/// Not a test of its own: the body of the child processes, which saves matches and then says so.
#[test]
fn writer() {
    let Some(path) = env::var_os("AGON_STORE_WRITER") else { return };
    let run_id = env::var("AGON_STORE_RUN").unwrap();
    let most: u32 = env::var("AGON_STORE_MATCHES").unwrap().parse().unwrap();
    let mut store = Store::open(PathBuf::from(path)).unwrap();
    store.create_or_resume_run(&run(&run_id)).unwrap();
    let mut out = std::io::stdout();
    for battle in 0..most {
        let one = long_match(&run_id, battle);
        store.save_match(&one).unwrap();
        writeln!(out, "saved {}", one.id).unwrap();
        out.flush().unwrap();
    }
}

/// Long enough that a kill often strikes in the midst of writing.
fn long_match(run: &str, battle: u32) -> Match {
    Match { record: format!("{battle} ").repeat(20_000), ..sample(run, battle, 0, "1-0") }
}

fn writer_process(path: &Path, run: &str, matches: u32) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", WRITER, "--nocapture"])
        .env("AGON_STORE_WRITER", path)
        .env("AGON_STORE_RUN", run)
        .env("AGON_STORE_MATCHES", matches.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The ids that a writer reports, until it ends; the test harness prints other lines as well.
fn saved_ids(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // A line is one write to the pipe, so the kill cannot cut it; the harness may have begun the first one.
    lines.map_while(Result::ok).filter_map(|line| line.split_once("saved ").map(|(_, id)| id.to_string()))
}
