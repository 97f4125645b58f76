//! Playing a tournament.

use std::{io::Write, sync::atomic::AtomicBool};

use agon_tournament::{End, PlayOptions, Session, StoredTournament, create, standings, text, ties};
use clap::Args;
use serde_json::json;

use super::{
    Database,
    create::Setting,
    screen::{Screen, prepare_on_screen},
    slots,
};
use crate::{contain::Contain, error::CliError, interrupt};

/// How a tournament is played.
#[derive(Args)]
pub(super) struct Playing {
    /// Matches at once; as many as there are cores if absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// End with a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    contain: Contain,
}

/// Play a tournament, or go on with it; a format's file is set up first
#[derive(Args)]
pub(crate) struct Run {
    /// The name of a tournament, or a file with a format
    #[arg(value_name = "FILE|NAME")]
    which: String,
    #[command(flatten)]
    setting: Setting,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    playing: Playing,
}

impl Run {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt::listen();
        // A level that this host does not offer is refused before anything is looked for.
        self.playing.contain.containment()?;
        let settings = self.setting.of(&self.which, &self.database, self.playing.contain.options());
        let Some(name) = settings.name_of_file() else {
            return self.playing.go_on(&self.database, &self.which, stop);
        };
        // A file that was set up before goes on where it was.
        if self.database.look(&name).is_ok() {
            return self.playing.go_on(&self.database, &name, stop);
        }
        let created = create(&settings, stop, &mut prepare_on_screen)?;
        self.playing.play(Session::begin(created, &self.playing.options(&self.database))?, stop)
    }
}

/// Go on after a pause
#[derive(Args)]
pub(crate) struct Resume {
    /// The name of the tournament
    name: String,
    /// Why; kept in the log and published
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    playing: Playing,
}

impl Resume {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt::listen();
        self.database.open(&self.name)?.end_pause(&self.reason)?;
        if self.database.place().lock(&self.name)?.is_err() {
            writeln!(std::io::stdout(), "'{}' goes on in the process that plays it.", self.name)?;
            return Ok(());
        }
        self.playing.go_on(&self.database, &self.name, stop)
    }
}

impl Playing {
    fn options(&self, database: &Database) -> PlayOptions {
        PlayOptions { database: database.place(), slots: slots(self.concurrency), sandbox: self.contain.options() }
    }

    fn go_on(&self, database: &Database, name: &str, stop: &AtomicBool) -> Result<(), CliError> {
        let held = database.open(name)?;
        if held.is_finished() {
            // Nobody plays any more, so nobody's bot is needed.
            return self.end(&held, End::Over);
        }
        self.play(Session::resume(held, &self.options(database))?, stop)
    }

    fn play(&self, mut session: Session, stop: &AtomicBool) -> Result<(), CliError> {
        let (held, slots) = (session.tournament(), slots(self.concurrency));
        let mut screen = Screen::new(held, slots);
        if held.results.is_empty() {
            write!(std::io::stderr(), "{}", text::announcement(held, slots, session.sandbox()))?;
        }
        let end = session.play(stop, &mut |held, news| screen.hear(held, &news))?;
        screen.clear();
        self.end(session.tournament(), end)
    }

    fn end(&self, held: &StoredTournament, end: End) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        let (name, state) = (&held.name, held.state());
        match end {
            End::Over => {
                write!(out, "{}", text::final_standings(&held.plan, &state))?;
                writeln!(
                    out,
                    "Publish it with `agon tournament results {name} --out DIR`; anybody can check that with `agon verify DIR`."
                )?;
                if self.json {
                    writeln!(out, "{}", json!({ "standings": standings(&held.plan, &state) }))?;
                }
                Ok(())
            }
            End::Stopped => Err(CliError::Failed(format!("stopped; `agon tournament run {name}` goes on from here"))),
            End::Undecided => Err(CliError::Failed(format!(
                "the organiser has to decide a tie of {}: `agon tournament decide {name} TEAM TEAM …`, the best first",
                ties(&held.plan, &state).join("; and of ")
            ))),
        }
    }
}
