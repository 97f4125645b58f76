//! Setting a tournament up: its format, its teams, their bots.

mod error;
mod progress;

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use agon_entrants::{Containment, Entrant, Workshop};
use agon_originals::Original;
use agon_referee::TimeControl;
use agon_rules::RuleSet;
use agon_runs::{Contestant, SandboxOptions, workshop};

use crate::{
    database::Database,
    forecast::forecast,
    format::Format,
    plan::{Plan, Secret, Team},
    preset::{file_stem, find_format},
    rung::Rung,
    source::Written,
    stored::{StoredTournament, TournamentError},
    teams::{Bots, Entered, Entries, TeamsError, prepare, read_teams},
    tryout::TryOut,
};

pub use error::{ClockError, CreateError, Stopped};
pub use progress::{Listener, Preparing, Warning};

/// What somebody asks for, in the words in which people name things.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A preset, or a file with a format.
    pub format: String,
    /// The teams: a table, or a folder of bots; the list that the format names if absent.
    pub teams: Option<PathBuf>,
    /// Where the teams' bots are, by the names of the teams; where the list of teams says if absent.
    pub bots: Option<PathBuf>,
    /// What the tournament is called; the name of its format if absent.
    pub name: Option<String>,
    /// A time control for every part and rematch; those of the format if absent.
    pub time: Option<String>,
    /// The rule set; the format's, or the one that the bots' protocols stand for, if absent.
    pub rules: Option<String>,
    /// Keep the number of groups that the format announces, however few teams there are.
    pub as_announced: bool,
    /// Where the random choices of bots begin.
    pub seed: u64,
    /// What coins are tossed with; random if absent.
    pub secret: Option<String>,
    /// Where it is kept, and where the bots of earlier tournaments are looked up.
    pub database: Database,
    /// How far the bots are trusted.
    pub sandbox: SandboxOptions,
}

impl Settings {
    /// What the tournament would be called that is set up of the format's file; `None` if the format is no file.
    pub fn name_of_file(&self) -> Option<String> {
        let path = Path::new(&self.format);
        path.is_file().then(|| self.name.clone().unwrap_or_else(|| file_stem(path)))
    }
}

/// A tournament that was set up, and the bots of its teams, built.
pub struct Created {
    /// The tournament.
    pub tournament: StoredTournament,
    /// The bots, in the order of the teams.
    pub contestants: Vec<Contestant>,
}

/// Sets a tournament up: reads its format and its teams, builds their bots, starts each once, and writes everything down. A bot that
/// cannot be built or started is no error: its team loses its matches.
///
/// # Errors
/// If the settings make no sense together, somebody stops it, or the host fails.
pub fn create(settings: &Settings, stop: &AtomicBool, tell: &mut Listener) -> Result<Created, CreateError> {
    let containment = settings.sandbox.containment()?;
    let db = settings.database.path()?;
    let (mut written, usual_name) = find_format(&settings.format)?;
    let name = settings.name.clone().unwrap_or(usual_name);
    if name.is_empty() || name.contains(['/', '\\']) || name.chars().any(char::is_control) {
        return Err(CreateError::Name(name));
    }
    let game = agon_all::find(&written.format.game)?;
    let entered = enter(settings, &written, game, tell)?;
    let (teams, mut contestants) = build(&entered, game, &workshop(&containment), tell)?;
    if !settings.as_announced {
        written.fit(teams.len());
    }
    if let Some(problem) = written.format.lonely_groups(teams.len()) {
        tell(Preparing::Warning(&Warning::NoOpponent(problem)));
    }
    let mut plan = resolve(written, settings, game, teams, &contestants)?;
    if let Some(problem) = forecast(&plan, 1, None).too_large() {
        return Err(CreateError::TooLarge(problem));
    }
    let tried = try_out(&plan.format, game, &contestants, &containment, stop, tell)?;
    for ((team, contestant), why) in plan.teams.iter_mut().zip(&mut contestants).zip(tried) {
        if let Some(why) = why {
            contestant.bot = Err(why.clone());
            team.broken = Some(why);
        }
    }
    progress::about_bots(&plan.teams).iter().for_each(|warning| tell(Preparing::Warning(warning)));
    let tournament = StoredTournament::create(db, &name, plan, settings.sandbox.named_memory())?;
    Ok(Created { tournament, contestants })
}

/// Reads the teams and finds their bots.
fn enter(
    settings: &Settings,
    written: &Written,
    game: &'static dyn Original,
    tell: &mut Listener,
) -> Result<Vec<Entered>, CreateError> {
    let beside = Path::new(&settings.format).parent().unwrap_or(Path::new("."));
    let path = settings.teams.clone().or_else(|| written.teams.as_ref().map(|teams| beside.join(teams)));
    let path = path.ok_or(CreateError::NoTeams)?;
    let mut entries = read_teams(&path, game)?;
    entries.find_bots(settings.bots.as_deref(), game, &|name| bots_of(&settings.database, name))?;
    let Entries { teams, warnings, .. } = entries;
    let has_opponents = || written.format.stages.iter().any(|stage| stage.kind.is_against_house_bots());
    if let [team] = teams.as_slice()
        && !has_opponents()
    {
        return Err(CreateError::OneTeam { path, team: team.name.clone() });
    }
    if path.is_dir() && !path.join("teams.csv").is_file() {
        tell(Preparing::Warning(&Warning::NamesOfFolders(path)));
    }
    for warning in warnings {
        tell(Preparing::Warning(&Warning::Teams(warning)));
    }
    Ok(teams)
}

/// The teams of an earlier tournament, and their bots.
fn bots_of(database: &Database, name: &str) -> Result<Bots, TeamsError> {
    let held = database.look(name).map_err(|error| TeamsError::Earlier(match error {
        TournamentError::Refused(problem) => format!(
            "the teams have the bots of an earlier tournament, but {problem}; name its database with --db, or the bots with --bots DIR|CSV"
        ),
        other => other.to_string(),
    }))?;
    Ok(held.bots())
}

/// Builds the bots.
fn build(
    entered: &[Entered],
    game: &'static dyn Original,
    workshop: &Workshop,
    tell: &mut Listener,
) -> Result<(Vec<Team>, Vec<Contestant>), CreateError> {
    let (mut teams, mut contestants) = (Vec::new(), Vec::new());
    for (index, team) in entered.iter().enumerate() {
        tell(Preparing::Building { team: &team.name, number: index + 1, of: entered.len() });
        let (team, contestant) = prepare(team, game, workshop).map_err(CreateError::Host)?;
        teams.push(team);
        contestants.push(contestant);
    }
    tell(Preparing::Done);
    Ok((teams, contestants))
}

/// Fills in what the format leaves open.
fn resolve(
    written: Written,
    settings: &Settings,
    game: &'static dyn Original,
    teams: Vec<Team>,
    contestants: &[Contestant],
) -> Result<Plan, CreateError> {
    let mut format = written.format;
    let original = contestants.iter().any(|bot| bot.bot.as_ref().is_ok_and(Entrant::speaks_original));
    format.rules = match &settings.rules {
        Some(text) => text.parse::<RuleSet>()?,
        None if written.rules_named => format.rules,
        None => agon_entrants::usual_rules(game, original),
    };
    if !game.rule_sets().contains(&format.rules) {
        return Err(CreateError::Rules { game: game.name(), rules: format.rules });
    }
    if let Some(text) = &settings.time {
        let clock: TimeControl = text.parse()?;
        for part in &mut format.parts {
            part.clock = clock;
        }
        for rung in format.stages.iter_mut().flat_map(|stage| &mut stage.ties) {
            if let Rung::Rematch(rematch) = rung {
                *rematch = clock;
            }
        }
    }
    for contestant in contestants {
        fits(contestant, &format)?;
    }
    let secret = settings.secret.clone().map_or_else(random_secret, Ok)?;
    Ok(Plan { format, teams, seed: settings.seed, secret: Secret(secret) })
}

/// What coins are tossed with if nobody says: 32 random bytes.
///
/// # Errors
/// If this host has no random numbers.
pub fn random_secret() -> Result<String, CreateError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(CreateError::NoRandomNumbers)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Some protocols cannot tell a bot its time for a turn.
pub(crate) fn fits(contestant: &Contestant, format: &Format) -> Result<(), ClockError> {
    let Some(protocol) = contestant.bot.as_ref().ok().and_then(|entrant| entrant.protocol) else { return Ok(()) };
    let per_turn = |clock| matches!(clock, TimeControl::PerTurn(_) | TimeControl::PerTurnByLanguage { .. });
    if protocol.knows_turn_limits || !format.parts.iter().any(|part| per_turn(part.clock)) {
        return Ok(());
    }
    Err(ClockError { bot: contestant.name.clone(), protocol })
}

/// Starts each program once, on all cores: for each contestant, why it gives no turn.
pub(crate) fn try_out(
    format: &Format,
    game: &'static dyn Original,
    contestants: &[Contestant],
    containment: &Containment,
    stop: &AtomicBool,
    tell: &mut Listener,
) -> Result<Vec<Option<String>>, Stopped> {
    let launcher = containment.launcher(None);
    let slots = std::thread::available_parallelism().map_or(1, usize::from);
    let of = contestants.len();
    let tried = TryOut { format, game, launcher: &launcher, slots, stop }
        .run(contestants, &mut |done| tell(Preparing::Starting { done, of }));
    tell(Preparing::Done);
    if stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(tried) }
}
