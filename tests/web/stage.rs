//! An arena with something to look at: matches in progress and a finished one.

use std::{path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use super::{driver::Browser, program::Program};

/// An arena and a browser that plays there.
pub(crate) struct Stage {
    pub(crate) browser: Browser,
    arena: Program,
    folder: TempDir,
}

/// Begins a match as the browser, after so many turns of the engine's own against itself; gives its name.
const BEGIN: &str = "
  const post = (path, body) => fetch(path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const turns = [];
  // Some turns from all over the list, so that the board does not look the same in every match.
  while (turns.length < SPREAD) {
    const { legal } = await (await post('/api/positions', { game: 'GAME', turns })).json();
    turns.push(legal[(turns.length * 37 + 29) % legal.length].turn);
  }
  let over = false;
  while (turns.length < MOST && !over) {
    const answer = await post('/api/analyse', { game: 'GAME', turns, nodes: 1500 });
    over = answer.status === 204;
    if (!over) turns.push((await answer.json()).turn);
  }
  const last = turns.at(-1);
  // Not the end itself, and the first player is to move.
  const shown = over ? turns.slice(0, -1) : turns;
  if (!WHOLE && shown.length % 2 === 1) shown.pop();
  const other = WHOLE ? { kind: 'me', name: 'Blaise' } : { kind: 'bot', spec: 'random' };
  const wanted = { game: 'GAME', turns: shown, first: { kind: 'me', name: 'Ada' }, second: other };
  const { id } = await (await post('/api/matches', wanted)).json();
  if (WHOLE) await post(`/api/matches/${id}/turns`, { turn: last });
  return id;";

/// Turns after which most games have more on their boards than at the start, and are not over.
const MIDDLE: usize = 22;
/// Rings are placed before they move.
const PLACING: [(&str, usize); 1] = [("yinsh", 10)];
/// A tournament with everything that its page can show.
const CUP: &str = r#"
title = "The cup of those who are long-winded when it comes to names"
game = "GAME"
max_turns = 40
[[part]]
clock = "nodes=20"
[[stage]]
kind = "groups"
groups = 2
advance = 2
ties = ["points", "coin"]
[[stage]]
kind = "knockout"
third_place = true
ties = ["points", "rematch nodes=10", "coin"]
"#;
const TEAMS: &str =
    "team,bot\nAnna,random\nBoris,greedy\nA name that is too long for any bracket,random\nEmil,random\nFrida,random\n";

/// More turns than the games take.
const ALL: usize = 400;

impl Stage {
    /// An arena of its own, with a browser at its first page.
    pub(crate) fn open() -> Stage {
        let folder = TempDir::new().expect("a folder");
        let arena = serve(&folder.path().join("arena.db"));
        let browser = Browser::open(1000, 900, false);
        browser.go(&format!("http://127.0.0.1:{}/", arena.port));
        Stage { browser, arena, folder }
    }

    /// Where a page is.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.arena.port)
    }

    /// The page of a match that the browser is in the middle of.
    pub(crate) fn in_progress(&self, game: &str) -> String {
        self.begin(game, MIDDLE, false)
    }

    /// The page of a match that is over.
    pub(crate) fn finished(&self, game: &str) -> String {
        self.begin(game, ALL, true)
    }

    /// The page of a tournament that was played to its end, of groups and a knockout.
    pub(crate) fn tournament(&self, game: &str) -> String {
        let (format, teams) = (self.folder.path().join("cup.toml"), self.folder.path().join("teams.csv"));
        std::fs::write(&format, CUP.replace("GAME", game)).expect("a format");
        std::fs::write(&teams, TEAMS).expect("teams");
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["tournament", "run", "--sandbox", "none", "--name", "the cup", "--teams"]).arg(&teams);
        command.arg("--db").arg(self.folder.path().join("arena.db")).arg(&format);
        let played = command.output().expect("the program starts");
        assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
        "/tournaments/the%20cup".to_owned()
    }

    /// The results page of that tournament, as a file on disk.
    pub(crate) fn report(&self) -> String {
        let file = self.folder.path().join("report.html");
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["tournament", "results", "the cup", "--db"]).arg(self.folder.path().join("arena.db"));
        let written = command.arg("--html").arg(&file).output().expect("the program starts");
        assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
        format!("file://{}", file.display())
    }

    fn begin(&self, game: &str, most: usize, whole: bool) -> String {
        let spread = PLACING.iter().find(|(name, _)| *name == game).map_or(0, |(_, turns)| *turns);
        let script =
            BEGIN.replace("GAME", game).replace("MOST", &most.to_string()).replace("SPREAD", &spread.to_string());
        let id = self.browser.run_async(&script.replace("WHOLE", &whole.to_string()));
        let Value::String(id) = id else { panic!("no match of {game}: {id}") };
        format!("/match/{id}")
    }
}

fn serve(db: &Path) -> Program {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["serve", "--port", "0", "--db"]).arg(db);
    Program::start(&mut command, "http://127.0.0.1:")
}
