//! An arena without a network, and what all its tests need.

mod storage;
mod views;

use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use agon_entrants::Containment;
use agon_store::Store;
use rustix::process::{Pid, test_kill_process};
use tempfile::TempDir;

use super::Arena;
use crate::{
    Options,
    api::{CreateMatch, Line, SeatRequest, create},
    guard::Client,
    live_match::LiveMatch,
};

/// However slow the machine is.
const PATIENCE: Duration = Duration::from_secs(120);
const ADA: &str = "ada";

/// A bot that writes its process into a file, and has an answer for each number of turns that it is told.
fn bot(folder: &Path, answers: &[(usize, String)]) -> String {
    let answers = serde_json::to_string(answers).expect("JSON");
    let script = format!(
        "import json, os, sys\n\
         open(sys.argv[1], 'a').write('%d\\n' % os.getpid())\n\
         answers, told = dict(json.loads({answers:?})), 0\n\
         for line in sys.stdin:\n    \
             word = line.split()[0]\n    \
             if word == 'position': told = line.count('\"') // 2\n    \
             said = {{'ugi': 'ugiok', 'isready': 'readyok', 'go': 'bestmove \"%s\"' % answers.get(told)}}.get(word)\n    \
             if said: print(said, flush=True)\n    \
             if word == 'quit': break\n"
    );
    fs::write(folder.join("bot.py"), script).expect("a bot");
    format!("cmd:python3 {} {};proto=ugi", folder.join("bot.py").display(), folder.join("pids").display())
}

fn pids(folder: &Path) -> Vec<i32> {
    let text = fs::read_to_string(folder.join("pids")).unwrap_or_default();
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

fn runs(pid: i32) -> bool {
    test_kill_process(Pid::from_raw(pid).expect("a process")).is_ok()
}

fn until(done: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < deadline, "it never happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The first legal turns one after the other, as many as wanted.
fn first_turns(game: &str, most: usize) -> Vec<String> {
    let mut turns = Vec::new();
    while turns.len() < most {
        let line = Line { turns: turns.clone(), ..line(game) };
        let reached = line.reach().map_err(|refusal| refusal.error).expect("legal turns");
        let legal = reached.position.legal_turns(usize::MAX).expect("few turns");
        turns.push(legal[0].spellings[0].clone());
    }
    turns
}

fn line(game: &str) -> Line {
    Line { game: game.to_owned(), variant: None, rules: None, position: None, turns: Vec::new() }
}

fn made(live: &LiveMatch) -> usize {
    live.state().open.turns().len()
}

fn arena() -> Arc<Arena> {
    let options = Options { containment: Arc::new(Containment::none()), ..Options::default() };
    Arena::open(Store::in_memory().expect("memory"), options).expect("an arena")
}

fn client(id: &str) -> Client {
    Client { id: id.to_owned(), has_token: false, address: Some([10, 0, 0, 1].into()) }
}

fn me() -> SeatRequest {
    SeatRequest::Me { name: None }
}

fn wanted(first: SeatRequest, second: SeatRequest, time: Option<&str>) -> CreateMatch {
    let line = line(agon_all::GAMES[0].name());
    CreateMatch { line, first, second, time: time.map(str::to_owned), casual: false, pace: None }
}

fn begin(arena: &Arena, wanted: &CreateMatch) -> Arc<LiveMatch> {
    let id = create(arena, &client(ADA), wanted).map_err(|refusal| refusal.error).expect("a match");
    find(arena, &id).expect("it is there")
}

fn find(arena: &Arena, id: &str) -> Option<Arc<LiveMatch>> {
    arena.find(id).map_err(|refusal| refusal.error).expect("it can be read")
}

/// The bot's clock runs in its turns; the person has none, or one for the match.
#[test]
fn waiting_bots_are_ended_and_started_again_when_somebody_returns() {
    // A game in which each turn takes one line, quoted or not.
    let game = agon_all::GAMES[0].name();
    let turns = first_turns(game, 4);
    for time in [None, Some("3600".to_owned())] {
        let folder = TempDir::new().expect("a folder");
        let spec = bot(folder.path(), &[(1, turns[1].clone()), (3, turns[3].clone())]);
        let options = Options { containment: Arc::new(Containment::none()), ..Options::default() };
        let arena = Arena::open(Store::in_memory().expect("memory"), options).expect("an arena");
        let ada = Client { id: ADA.to_owned(), has_token: true, address: None };
        let wanted = CreateMatch {
            line: line(game),
            first: SeatRequest::Me { name: None },
            second: SeatRequest::Bot { spec },
            time,
            casual: false,
            pace: None,
        };
        let id = create(&arena, &ada, &wanted).map_err(|refusal| refusal.error).expect("a match");
        let live = arena.find(&id).ok().flatten().expect("a match");
        let _tab = live.subscribe();
        arena.play(&live, ADA, &turns[0], Some(0)).expect("a turn");
        until(|| made(&live) == 2);
        let first = pids(folder.path())[0];
        arena.end_waiting_bots(PATIENCE);
        assert!(runs(first), "it has not waited long");
        arena.end_waiting_bots(Duration::ZERO);
        until(|| !runs(first));
        arena.play(&live, ADA, &turns[2], Some(2)).expect("a turn");
        until(|| made(&live) == 4);
        let all = pids(folder.path());
        assert_eq!(all.len(), 2, "it was started again, once: {all:?}");
        assert!(live.state().ended.is_none(), "and went on where it was");
        arena.close();
    }
}
