//! `agon match`: battles between two bots, counted, stored, resumable.

mod report;

use std::{path::PathBuf, time::Duration};

use agon_house::Aim;
use agon_referee::CoreRule;
use agon_runs::matches::{Plan, Settings, cutechess, run};
use clap::Args;

use crate::{contain::Contain, error::CliError, input::whole_number, interrupt};
use report::Report;

pub(crate) use agon_runs::matches::cutechess::is_cutechess;

/// `agon match GAME -engine cmd=… -engine cmd=… -each tc=… …`.
pub(crate) fn run_cutechess(arguments: &[String]) -> Result<(), CliError> {
    let settings = cutechess::read(arguments, Contain::usual()?.options()).map_err(CliError::input)?;
    play(&settings, Report::cutechess())
}

/// Play matches between two bots
#[derive(Args, Debug)]
pub(crate) struct Match {
    /// The game's short name: see `agon games`
    game: String,
    /// A house bot (random, master), a bot's folder or file, cmd:COMMAND;proto=ugi;lang=python;name=NAME, or ws://HOST:PORT
    first: String,
    /// The other bot, named in the same way
    second: String,
    /// The board and parameters; the game's default if absent
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The rule set, `text` or `server`; `text` unless a bot speaks an original protocol
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// What house bots try to achieve: to win, or to make as many points as possible. A proven win is always the one with the most points
    #[arg(long, value_name = "win|points", default_value = "win")]
    objective: Aim,
    /// How many battles: pairs of matches with sides swapped, on the same opening
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    battles: u32,
    /// SECONDS or SECONDS+INCREMENT for the whole match, SECONDS/turn, nodes=N, depth=N or inf; the game's own if absent
    #[arg(long, value_name = "TC", allow_hyphen_values = true)]
    tc: Option<String>,
    /// Milliseconds that an answer may come late; the game's own if absent
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = whole_number)]
    grace: Option<u64>,
    /// Matches at once; never more than cores unless --force is given
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Allow more matches at once than there are cores
    #[arg(long)]
    force: bool,
    /// random:N for N random turns, or a file with an opening a line: turns separated by ';', or position TEXT
    #[arg(long, value_name = "OPENINGS")]
    openings: Option<String>,
    /// Stop when the test is decided: ELO0,ELO1[,ALPHA,BETA[,MODEL]] with MODEL normalised, logistic or bayesian
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Where random choices begin
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_parser = whole_number)]
    seed: u64,
    /// Break a match off as a draw after so many turns
    #[arg(long, value_name = "N", default_value_t = 5000)]
    max_turns: usize,
    /// Keep every match in this database; the same command goes on where a stopped one was
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// The name of the run in the database; made from the settings if absent
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// Write the records of all matches to this file at the end
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// What becomes of a bot that uses more than one core or its opponent's time: allow, warn or forfeit
    #[arg(long, value_name = "RULE", default_value_t = CoreRule::Allow)]
    cores: CoreRule,
    /// Play all battles even if a bot cannot start, or fails before its first turn in both matches of a battle
    #[arg(long)]
    go_on: bool,
    /// End with a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    contain: Contain,
}

impl Match {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        // Bots may be built before the first match.
        interrupt::listen();
        play(&self.settings(), Report::new(self.json))
    }

    fn settings(&self) -> Settings {
        Settings {
            game: self.game.clone(),
            bots: [self.first.clone(), self.second.clone()],
            names: [None, None],
            objective: self.objective,
            variant: self.variant.clone(),
            rules: self.rules.clone(),
            battles: self.battles,
            time: self.tc.clone(),
            grace: self.grace.map(Duration::from_millis),
            concurrency: self.concurrency,
            force: self.force,
            openings: self.openings.clone(),
            sprt: self.sprt.clone(),
            seed: self.seed,
            most_turns: self.max_turns,
            db: self.db.clone(),
            run: self.run.clone(),
            records: self.records.clone(),
            cores: self.cores,
            go_on: self.go_on,
            sandbox: self.contain.options(),
        }
    }
}

/// Plays what is asked for, and reports it.
fn play(settings: &Settings, mut report: Report) -> Result<(), CliError> {
    let mut plan = Plan::new(settings)?;
    let end = run(&mut plan, interrupt::listen(), &mut |plan, news| report.hear(plan, &news))?;
    report.end(&plan, &end)
}
