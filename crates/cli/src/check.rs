//! `agon check`: is this bot fit for the official run, and if not, why?

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use agon_check::{CheckError, Request, Verdict, check};
use agon_course::{Course, Finding, LookError, Looked, Penalty, look};
use agon_referee::TimeControl;
use agon_rules::{RuleSet, inert};
use clap::Args;
use serde_json::{Value, json};

use crate::{contain::Contain, error::CliError, interrupt, show::style};

/// Build a bot, walk it through its protocol, and play it against `random` on both sides
///
/// The bot is judged by the limits of the official run, but told a shorter clock of the same kind where it can live with that, so
/// that a check takes less than a minute. If it fails there, it is tried at the official clock before anything is said. The exit code
/// is 0 if it completes both matches without a fault, whatever the result; else 1, and the first fault is
/// explained.
#[derive(Args)]
pub(crate) struct Check {
    /// The bot: a folder, a file, or any other name that `agon match` takes
    #[arg(value_name = "PATH")]
    path: String,
    /// The game's short name: see `agon games`; from the bot.toml if absent
    #[arg(long, value_name = "G")]
    game: Option<String>,
    /// The board and parameters; the game's default if absent
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The rule set, `text` or `server`; `text` unless the bot speaks an original protocol
    #[arg(long, value_name = "R")]
    rules: Option<RuleSet>,
    /// Play both matches to their end under this very clock, as `agon match --tc` takes it
    #[arg(long, value_name = "TC", allow_hyphen_values = true)]
    tc: Option<TimeControl>,
    /// Also look at the form of the submission, as this course would: a preset (see `agon course presets`), or a course.toml
    #[arg(long, value_name = "PRESET|FILE", conflicts_with = "game")]
    course: Option<String>,
    /// The entry numbers of your team, with commas between them, to compare the submission with
    #[arg(long, value_name = "ENTRIES", requires = "course", value_delimiter = ',')]
    entries: Vec<String>,
    /// Write what was found into this file, in the form of Gradescope's autograder
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// End with a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    contain: Contain,
}

impl Check {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        interrupt::listen();
        let Some(name) = &self.course else { return self.play(&self.path, self.game.as_deref(), None) };
        let course = Course::find(name).map_err(CliError::input)?;
        let looked = look(&course, Path::new(&self.path), &self.entries).map_err(|error| self.refused(error))?;
        self.tell_form(&looked)?;
        // A bot that needed no mending is named as its author knows it.
        let mended = looked.formalities.findings.iter().any(|finding| finding.repaired);
        let bot = if mended { looked.bot.to_string_lossy().into_owned() } else { self.path.clone() };
        self.play(&bot, Some(&course.game), Some(&looked))
    }

    fn refused(&self, error: LookError) -> CliError {
        match error {
            LookError::Refused(reason) => CliError::Failed(format!("the course would refuse {}: {reason}", self.path)),
            // There is no such file, or none that can be read.
            LookError::File { .. } => CliError::input(error),
        }
    }

    /// What is not as the course asks for, with its words.
    fn tell_form(&self, looked: &Looked) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        let findings = &looked.formalities.findings;
        let unmet = findings.iter().filter(|finding| !finding.repaired).count();
        let met = looked.formalities.met.len();
        writeln!(out, "form: {met} rules met, {unmet} not met, {} mended", findings.len() - unmet)?;
        for finding in findings {
            let verdict = if finding.repaired { "mended in a copy" } else { "not met" };
            writeln!(out, "  {verdict}, costs {}: {}", finding.penalty, inert(&finding.found))?;
            writeln!(out, "    section {}: {}", finding.section, finding.says)?;
        }
        if self.entries.is_empty() {
            writeln!(out, "  (what names the team was not compared: add --entries ENTRY,ENTRY)")?;
        }
        Ok(())
    }

    fn play(&self, bot: &str, game: Option<&str>, looked: Option<&Looked>) -> Result<(), CliError> {
        let request = Request {
            bot,
            game,
            variant: self.variant.as_deref(),
            rules: self.rules,
            time: self.tc,
            containment: self.contain.containment()?,
            contain_options: self.contain.options().repeated(),
            style: style(false),
        };
        let verdict = check(request, Box::new(io::stdout()))?;
        let findings = looked.map_or(&[][..], |looked| &looked.formalities.findings);
        let costly = findings.iter().filter(|finding| finding.penalty != Penalty::NONE).count();
        if let Some(path) = &self.results {
            let results = autograder(&verdict, looked).to_string();
            let written = std::fs::write(path, results);
            written.map_err(|error| CliError::Host(format!("cannot write {}: {error}", path.display())))?;
        }
        let mut out = io::stdout().lock();
        let ready = verdict.failure().is_none();
        if ready && costly > 0 {
            writeln!(out, "it plays, but the course would deduct for {costly} findings: see above")?;
        } else {
            out.write_all(verdict.text().as_bytes())?;
        }
        if self.json {
            let mut json = verdict.json();
            json["form"] = looked.map_or(Value::Null, |looked| json!(looked.formalities));
            writeln!(out, "{json}")?;
        }
        out.flush()?;
        match verdict.failure() {
            Some(failure) => Err(CliError::Failed(failure)),
            None if costly > 0 => Err(CliError::Failed("the submission is not as the course asks for".to_owned())),
            None => Ok(()),
        }
    }
}

/// What Gradescope reads: a test for each rule, and one for the matches.
fn autograder(verdict: &Verdict, looked: Option<&Looked>) -> Value {
    let test = |name: &str, passed: bool, output: String| {
        let (score, status) = if passed { (1, "passed") } else { (0, "failed") };
        json!({ "name": name, "score": score, "max_score": 1, "status": status, "output": output })
    };
    let mut tests = Vec::new();
    if let Some(looked) = looked {
        let of = |finding: &Finding| {
            let output = format!("{}\nSection {}: {}", finding.found, finding.section, finding.says);
            test(&finding.rule, finding.penalty == Penalty::NONE, output)
        };
        tests.extend(looked.formalities.findings.iter().map(of));
        tests.extend(looked.formalities.met.iter().map(|rule| test(rule, true, String::new())));
    }
    let failure = verdict.failure();
    tests.push(test("plays against random on both sides", failure.is_none(), verdict.text()));
    json!({ "tests": tests, "visibility": "visible", "stdout_visibility": "visible" })
}

impl From<CheckError> for CliError {
    fn from(error: CheckError) -> CliError {
        match error {
            CheckError::Input(problem) => CliError::Input(problem),
            CheckError::Bot(error) => error.into(),
            CheckError::Host(_) => CliError::Host(error.to_string()),
        }
    }
}
