//! Playing a tournament.

use std::{io::Write, path::Path};

use agon_entrants::{BotSpec, Entrant, Workshop};
use agon_originals::Original;
use agon_runs::{Contestant, OLDER_MEMORY, SandboxOptions, lock, workshop};
use agon_tournament::{End, Event, Resources, StoredTournament, run, standings, ties};
use clap::Args;
use serde_json::json;

use super::{
    Database,
    create::{Setting, create, describe},
    problem,
    screen::Screen,
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
        interrupt::listen();
        let containment = self.playing.contain.containment()?;
        let path = Path::new(&self.which);
        if !path.is_file() {
            return self.playing.go_on(&self.database, &self.which);
        }
        // A file that was set up before goes on where it was.
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = self.setting.name.clone().unwrap_or(stem);
        if self.database.look(&name).is_ok() {
            return self.playing.go_on(&self.database, &name);
        }
        let memory = self.playing.contain.options().named_memory();
        let (held, contestants) = create(&self.which, &self.setting, &self.database, &containment, memory)?;
        self.playing.play(&self.database, held, contestants)
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
        interrupt::listen();
        let mut held = self.database.open(&self.name)?;
        if !held.interventions().paused {
            return Err(CliError::Input(format!("'{}' is not paused; play it with `agon tournament run`", self.name)));
        }
        held.add(Event::Resumed { reason: self.reason.clone() }).map_err(problem)?;
        if lock::take(&self.database.path()?, &self.name)?.is_err() {
            writeln!(std::io::stdout(), "'{}' goes on in the process that plays it.", self.name)?;
            return Ok(());
        }
        self.playing.go_on(&self.database, &self.name)
    }
}

/// The memory of a tournament's bots is fixed when it is set up with --memory, else when its first match begins.
fn fixed(asked: &SandboxOptions, held: &StoredTournament) -> Result<SandboxOptions, CliError> {
    let started = held.log.iter().find_map(|entry| match &entry.event {
        Event::Created { memory: Some(memory), .. } => Some((Some(memory.as_str()), "was set up")),
        Event::Started { memory, .. } => Some((memory.as_deref(), "began")),
        _ => None,
    });
    let Some((memory, began)) = started else { return Ok(asked.clone()) };
    match (memory, asked.named_memory()) {
        (Some(memory), Some(named)) if memory != named => Err(CliError::Input(format!(
            "'{}' {began} with --memory {memory}, and all its matches have that: leave out --memory {named}",
            held.name
        ))),
        (None, Some(_)) => Ok(asked.clone()),
        (memory, _) => Ok(asked.with_memory(memory.unwrap_or(OLDER_MEMORY))?),
    }
}

impl Playing {
    fn go_on(&self, database: &Database, name: &str) -> Result<(), CliError> {
        let held = database.open(name)?;
        if held.state().is_over() && held.log.iter().any(|entry| entry.event == Event::Finished) {
            // Nobody plays any more, so nobody's bot is needed.
            return self.end(&held, End::Over);
        }
        let containment = fixed(&self.contain.options(), &held)?.containment()?;
        let game = agon_all::find(&held.plan.format.game).map_err(CliError::input)?;
        let contestants = same_bots(&held, game, &workshop(&containment))?;
        self.play(database, held, contestants)
    }

    fn play(
        &self,
        database: &Database,
        mut held: StoredTournament,
        mut contestants: Vec<Contestant>,
    ) -> Result<(), CliError> {
        let name = held.name.clone();
        let _lock = lock::take(&database.path()?, &name)?
            .map_err(|holder| CliError::Failed(format!("'{name}' is being played by {holder}")))?;
        let sandbox = fixed(&self.contain.options(), &held)?;
        let containment = sandbox.containment()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let slots = self.concurrency.map_or(cores, usize::from);
        let game = agon_all::find(&held.plan.format.game).map_err(CliError::input)?;
        for house in held.plan.house() {
            let entrant = Entrant::prepare(&BotSpec::House(house.to_owned()), game, &workshop(&containment))?;
            contestants.push(Contestant::of(entrant));
        }
        if held.plan.format.parts.iter().any(|part| part.clock.is_a_clock()) {
            agon_wire::discount_stalls();
        }
        // Matches in progress are abandoned and played again later.
        let stop = interrupt::listen();
        let mut screen = Screen::new(slots);
        if held.results.is_empty() {
            describe(&mut std::io::stderr(), &held, slots, &sandbox)?;
        }
        let launcher = containment.launcher(None);
        let level = containment.level().to_string();
        let memory = Some(sandbox.memory().to_string());
        held.add(Event::Started { sandbox: level, memory }).map_err(problem)?;
        let workshop = workshop(&containment);
        let renew = |held: &StoredTournament, team: usize| held.contestant(team, game, &workshop);
        let means = Resources { contestants: &contestants, renew: &renew, launcher: &launcher, slots, stop };
        let end = run(&mut held, &means, &mut |held, news| screen.hear(held, news)).map_err(problem)?;
        screen.clear();
        self.end(&held, end)
    }

    fn end(&self, held: &StoredTournament, end: End) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        let (name, state) = (&held.name, held.state());
        match end {
            End::Over => {
                write!(out, "{}", super::screen::final_table(&held.plan, &state))?;
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

/// The bots of the teams that play, which must be those that the log knows.
fn same_bots(
    held: &StoredTournament,
    game: &'static dyn Original,
    workshop: &Workshop,
) -> Result<Vec<Contestant>, CliError> {
    (0..held.plan.teams.len()).map(|team| held.contestant(team, game, workshop).map_err(problem)).collect()
}
