//! A course on disk, and its organiser's commands.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use agon_course::{CourseFolder, Version};

use super::samples::Sample;

pub(crate) const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// The columns of every sample roster; `hall` and `remark` are the organiser's own.
const COLUMNS: &str = "hall,entry,name,team,email,bot,remark";

/// A team of a sample roster.
#[derive(Clone, Debug)]
pub(crate) struct Team {
    pub(crate) name: String,
    pub(crate) bot: String,
    pub(crate) entries: Vec<String>,
    pub(crate) people: Vec<String>,
}

const ANIMALS: [&str; 20] = [
    "Aardwolf", "Babirusa", "Caracal", "Dhole", "Echidna", "Fossa", "Gerenuk", "Hoopoe", "Indri", "Jerboa", "Kinkajou",
    "Loris", "Markhor", "Numbat", "Okapi", "Pangolin", "Quokka", "Rhea", "Saiga", "Takin",
];
const PEOPLE: [&str; 10] =
    ["Zainab", "Yusuf", "Xenia", "Wilhelm", "Vasanti", "Umberto", "Thandiwe", "Siddharth", "Roxane", "Quentin"];

impl Team {
    /// The team of this number, with so many members. All its names are its own.
    pub(crate) fn new(number: usize, members: usize) -> Team {
        let animal = ANIMALS[number % ANIMALS.len()];
        let round = number / ANIMALS.len();
        Team {
            name: format!("The {animal}s {round}"),
            bot: format!("{animal}Bot{round}"),
            entries: (1..=members).map(|member| format!("2021CS{number:03}{member}")).collect(),
            people: (1..=members)
                .map(|member| format!("{} {animal}son{round}", PEOPLE[(number * 3 + member) % PEOPLE.len()]))
                .collect(),
        }
    }

    /// The name of an archive made of the members' entry numbers.
    pub(crate) fn by_entries(&self) -> String {
        format!("{}.zip", self.entries.join("_"))
    }

    /// The rows of the roster.
    pub(crate) fn rows(&self) -> String {
        let mut rows = String::new();
        for (entry, person) in self.entries.iter().zip(&self.people) {
            let email = format!("{}@students.example", entry.to_lowercase());
            rows.push_str(&format!(
                "Hall{entry}x,{entry},{person},{},{email},{},\"secretly, {entry}\"\n",
                self.name, self.bot
            ));
        }
        rows
    }
}

/// A course in a scratch folder, and beside it what is to be imported.
pub(crate) struct Semester {
    pub(crate) folder: PathBuf,
}

impl Semester {
    pub(crate) fn new(name: &str, preset: &str) -> Semester {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("course").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a scratch folder");
        let semester = Semester { folder };
        semester.must(&["new", preset, &semester.path("course")]);
        semester
    }

    /// With these teams in the roster.
    pub(crate) fn of(name: &str, preset: &str, teams: &[Team]) -> Semester {
        let semester = Semester::new(name, preset);
        let rows: String = teams.iter().map(Team::rows).collect();
        semester.write("course/roster.csv", format!("{COLUMNS}\n{rows}"));
        semester
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, bytes).expect("a file");
        self.path(name)
    }

    /// Lays an archive ready to be imported, in the folder `in`.
    pub(crate) fn hand_in(&self, archive: &str, sample: &Sample) -> String {
        self.write(&format!("in/{archive}"), sample.zip())
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(AGON);
        command.arg("course").args(arguments).stdin(Stdio::null()).env("XDG_CACHE_HOME", self.folder.join("cache"));
        if !matches!(arguments[0], "new" | "presets") {
            command.arg("--dir").arg(self.folder.join("course"));
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("agon runs")
    }

    /// `agon course …`, which must succeed; gives what it printed.
    pub(crate) fn must(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "agon course {arguments:?}\n{out}\n{err}");
        out.into_owned()
    }

    /// The same, which must fail with this exit code; gives what it said.
    pub(crate) fn fails(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "agon course {arguments:?}: {err}");
        err
    }

    /// Imports what lies in the folder `in`.
    pub(crate) fn import(&self) -> String {
        self.must(&["import", &self.path("in")])
    }

    /// Plays all phases with few nodes and known coins.
    pub(crate) fn grade(&self) {
        self.must(&["grade", "--tc", "nodes=50", "--secret", SECRET, "--sandbox", "none"]);
    }

    pub(crate) fn open(&self) -> CourseFolder {
        CourseFolder::open(&self.folder.join("course")).expect("a course")
    }

    /// The version of a team that counts.
    pub(crate) fn active(&self, team: &str) -> Version {
        let folder = self.open();
        folder.ledger.active(team).unwrap_or_else(|| panic!("{team} handed nothing in")).clone()
    }

    /// The marks, as a table by entry number.
    pub(crate) fn marks(&self) -> Table {
        self.must(&["marks", "--csv", &self.path("marks.csv")]);
        Table::read(&fs::read_to_string(self.path("marks.csv")).expect("marks"))
    }

    /// The standings of a phase, by pseudonym.
    pub(crate) fn standings(&self, phase: &str) -> Table {
        let database = self.folder.join("course/course.db");
        let mut command = Command::new(AGON);
        command.args(["tournament", "results", phase, "--csv", "--db"]).arg(database);
        let output = command.env("XDG_CACHE_HOME", self.folder.join("cache")).output().expect("agon runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Table::read(std::str::from_utf8(&output.stdout).expect("UTF-8"))
    }

    /// The name under which a team is published, by the organiser's key.
    pub(crate) fn pseudonym(&self, team: &str) -> String {
        let key = Table::read(&self.must(&["publish", "--key"]));
        let row = key.rows.iter().find(|row| row[1] == team);
        row.unwrap_or_else(|| panic!("{team} has no pseudonym"))[0].clone()
    }
}

/// With what the samples toss coins and draw pseudonyms.
pub(crate) const SECRET: &str = "the organiser alone knows this";

/// A table with a header.
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a table; quotes are understood, and nothing else is.
    pub(crate) fn read(text: &str) -> Table {
        let mut rows = vec![vec![String::new()]];
        let mut quoted = false;
        let mut letters = text.trim_end_matches('\n').chars().peekable();
        while let Some(letter) = letters.next() {
            let row = rows.last_mut().expect("a row");
            let cell = row.last_mut().expect("a cell");
            match letter {
                '"' if quoted && letters.peek() == Some(&'"') => cell.push(letters.next().expect("a quote")),
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(String::new()),
                '\n' if !quoted => rows.push(vec![String::new()]),
                _ => cell.push(letter),
            }
        }
        Table { header: rows.remove(0), rows }
    }

    /// The cell of a column in the row that has `key` in the column `by`.
    pub(crate) fn cell(&self, by: &str, key: &str, column: &str) -> &str {
        let place = |name: &str| {
            self.header.iter().position(|header| header == name).unwrap_or_else(|| panic!("no column {name}"))
        };
        let row = self.rows.iter().find(|row| row[place(by)] == key);
        &row.unwrap_or_else(|| panic!("no row of {key}"))[place(column)]
    }
}

/// The rules that a version breaks, and what was mended in it.
pub(crate) fn found(version: &Version) -> (BTreeSet<String>, BTreeSet<String>) {
    let of = |repaired: bool| {
        let findings = version.formalities.findings.iter().filter(move |finding| finding.repaired == repaired);
        findings.map(|finding| finding.rule.clone()).collect()
    };
    (of(false), of(true))
}

/// A path below the folder of a course.
pub(crate) fn below(semester: &Semester, path: &str) -> PathBuf {
    Path::new(&semester.folder).join("course").join(path)
}
