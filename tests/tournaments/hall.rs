//! Where the tests hold their tournaments.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

pub(crate) const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// A folder with a database of its own.
pub(crate) struct Hall {
    pub(crate) folder: PathBuf,
}

impl Hall {
    pub(crate) fn new(name: &str) -> Hall {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tournaments").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a scratch folder");
        Hall { folder }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// A table of teams: names, bots and scores of an earlier phase.
    pub(crate) fn teams(&self, rows: &[(&str, &str, i32)]) -> String {
        // A folder without anything that could be a bot.
        fs::create_dir_all(self.folder.join("broken")).expect("a folder");
        let rows: String = rows.iter().map(|(team, bot, score)| format!("\"{team}\",\"{bot}\",{score}\n")).collect();
        self.write("teams.csv", &format!("team,bot,score\n{rows}"))
    }

    /// `agon tournament …` with the database of this hall.
    pub(crate) fn tournament(&self, arguments: &str) -> Output {
        self.command(arguments).output().expect("agon runs")
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(AGON);
        command.arg("tournament").args(arguments.split_ascii_whitespace()).arg("--db").arg(self.folder.join("a.db"));
        command.stdin(Stdio::null()).env("XDG_CACHE_HOME", self.folder.join("cache"));
        command
    }

    /// What `agon tournament …` prints that needs no database.
    pub(crate) fn printed(&self, arguments: &str) -> String {
        let arguments = format!("tournament {arguments}");
        let output = Command::new(AGON).args(arguments.split_ascii_whitespace()).output().expect("agon runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// The same, which must succeed; gives what it printed.
    pub(crate) fn must(&self, arguments: &str) -> String {
        let output = self.tournament(arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "agon tournament {arguments}\n{out}\n{err}");
        out.into_owned()
    }

    /// The same, which must fail with this exit code; gives what it said.
    pub(crate) fn fails(&self, arguments: &str, code: i32) -> String {
        let output = self.tournament(arguments);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "agon tournament {arguments}: {err}");
        err
    }

    /// Publishes a tournament and verifies what was published; gives `results.json`.
    pub(crate) fn publish(&self, name: &str) -> Value {
        let out = self.path(&format!("{name}-out"));
        self.must(&format!("results {name} --out {out}"));
        let verified = verify(Path::new(&out));
        assert!(verified.0, "{}", verified.1);
        let text = fs::read_to_string(Path::new(&out).join("results.json")).expect("results");
        serde_json::from_str(&text).expect("JSON")
    }
}

/// Whether a folder verifies, and what `agon verify` said.
pub(crate) fn verify(folder: &Path) -> (bool, String) {
    let output = Command::new(AGON).arg("verify").arg(folder).output().expect("agon runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.lines().count(), 1, "one line: {said} {}", String::from_utf8_lossy(&output.stderr));
    match output.status.code() {
        Some(0) => (true, said),
        Some(1) => (false, said),
        code => panic!("exit code {code:?}: {said}"),
    }
}

/// Team, place and marks of everybody, in the order of the standings.
pub(crate) fn standings(results: &Value) -> Vec<(String, u64, Option<f64>)> {
    let rows = results["standings"].as_array().expect("standings");
    let row = |row: &Value| {
        let team = row["team"].as_str().expect("a team").to_owned();
        (team, row["place"].as_u64().expect("a place"), row["marks"].as_f64())
    };
    rows.iter().map(row).collect()
}
