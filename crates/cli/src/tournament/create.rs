//! Setting a tournament up.

use std::{
    collections::HashMap,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
};

use agon_entrants::{Containment, Workshop};
use agon_originals::{Original, Preset};
use agon_referee::TimeControl;
use agon_rules::{RuleSet, inert, quote};
use agon_runs::{Contestant, SandboxOptions, workshop};
use agon_tournament::{
    Bots, Entered, Entries, Event, Format, Plan, Rung, Secret, StoredTournament, Team, TeamsError, TryOut, Written,
    forecast, prepare, read, read_teams,
};
use clap::Args;

use super::{Database, problem};
use crate::{contain::Contain, error::CliError, interrupt};

/// List the presets: formats of the courses that the games come from
#[derive(Args)]
pub(crate) struct Presets {
    /// Print the format of this one, to copy and change it
    name: Option<String>,
}

impl Presets {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        if let Some(name) = &self.name {
            let text = preset(name).ok_or_else(|| unknown_format(name))?;
            return Ok(write!(out, "{text}")?);
        }
        for Preset { name, format } in all_presets() {
            let title = read(format).map_or_else(|e| e.to_string(), |written| written.format.title);
            writeln!(out, "{name:<32} {title}")?;
        }
        Ok(())
    }
}

fn all_presets() -> impl Iterator<Item = &'static Preset> {
    agon_all::GAMES.iter().flat_map(|game| game.presets())
}

fn preset(name: &str) -> Option<&'static str> {
    all_presets().find(|preset| preset.name == name).map(|preset| preset.format)
}

fn unknown_format(name: &str) -> CliError {
    let names: Vec<&str> = all_presets().map(|preset| preset.name).collect();
    CliError::Input(format!("no file and no preset is called {}; the presets are {}", quote(name), names.join(", ")))
}

/// What a tournament is made of.
#[derive(Args, Clone)]
pub(crate) struct Setting {
    /// The teams: a CSV file with the columns team, bot and, if there was an earlier phase, score and house; or a folder with a bot
    /// for each team; or the standings.csv of an earlier tournament
    #[arg(long, value_name = "DIR|CSV")]
    pub(super) teams: Option<PathBuf>,
    /// Where the teams' bots are, by the names of the teams: a folder or a CSV file, as for --teams. Without it the table says it, and
    /// teams of an earlier tournament's standings.csv play with the bots that they had there
    #[arg(long, value_name = "DIR|CSV")]
    bots: Option<PathBuf>,
    /// What the tournament is called; the name of its format if absent
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Play with this time control in every part and rematch instead: for rehearsals
    #[arg(long, value_name = "TC", allow_hyphen_values = true)]
    tc: Option<String>,
    /// The rule set, `text` or `server`, instead of the format's
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// Keep the number of groups that the format announces, however few teams there are
    #[arg(long)]
    as_announced: bool,
    /// Where the random choices of bots begin
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_parser = crate::input::whole_number)]
    seed: u64,
    /// What coins are tossed with; random if absent. Its digest is published now, itself at the end
    #[arg(long, value_name = "TEXT")]
    secret: Option<String>,
}

/// Set a tournament up: read its format, build the bots of its teams, say how long it will take
#[derive(Args)]
pub(crate) struct New {
    /// A preset, or a file with a format
    #[arg(value_name = "PRESET|FILE")]
    format: String,
    #[command(flatten)]
    setting: Setting,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    contain: Contain,
}

impl New {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        interrupt::listen();
        let containment = self.contain.containment()?;
        let sandbox = self.contain.options();
        let (held, _) = create(&self.format, &self.setting, &self.database, &containment, sandbox.named_memory())?;
        let mut out = std::io::stdout().lock();
        let slots = std::thread::available_parallelism().map_or(1, usize::from);
        describe(&mut out, &held, slots, &sandbox)?;
        writeln!(out, "Play it with `agon tournament run {}`.", held.name)?;
        Ok(())
    }
}

/// What an organiser wants to know before the first match.
pub(super) fn describe(
    out: &mut dyn Write,
    held: &StoredTournament,
    slots: usize,
    sandbox: &SandboxOptions,
) -> Result<(), CliError> {
    let (plan, format) = (&held.plan, &held.plan.format);
    let (teams, rules) = (plan.teams.len(), format.rules);
    writeln!(out, "{}: {teams} teams, {} rules, tournament '{}'", format.title, rules, held.name)?;
    for note in &format.notes {
        writeln!(out, "{note} Add --as-announced to keep the announced number.")?;
    }
    write!(out, "\n{}\n", forecast(plan, slots, None))?;
    writeln!(out, "Each bot may use {} MiB of memory.", sandbox.memory())?;
    let nothing: Vec<String> =
        plan.teams.iter().filter(|team| team.handed_in_nothing()).map(|team| quote(&team.name)).collect();
    if !nothing.is_empty() {
        let count = if nothing.len() == 1 { "1 team has".to_owned() } else { format!("{} teams have", nothing.len()) };
        let (names, name) = (nothing.join(", "), &held.name);
        writeln!(out, "{count} handed in nothing and will lose all matches: {names}.")?;
        writeln!(out, "Whoever is late gets a bot with `agon tournament replace {name} TEAM BOT`.")?;
    }
    if let Some(Event::Created { digest, .. }) = held.log.first().map(|entry| &entry.event) {
        writeln!(out, "Coins will be tossed with a secret of digest {digest}.")?;
    }
    Ok(())
}

/// The format of a file or preset.
pub(super) fn read_format(name: &str) -> Result<(Written, String), CliError> {
    let path = Path::new(name);
    if path.is_file() {
        let text = std::fs::read_to_string(path).map_err(|e| CliError::Input(format!("{name}: {e}")))?;
        let written = read(&text).map_err(|e| CliError::Input(format!("{name}: {e}")))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        return Ok((written, stem));
    }
    let text = preset(name).ok_or_else(|| unknown_format(name))?;
    let written = read(text).map_err(|e| CliError::Input(format!("preset {name}: {e}")))?;
    Ok((written, name.to_owned()))
}

/// Sets a tournament up, and gives the bots of its teams.
pub(super) fn create(
    name: &str,
    setting: &Setting,
    database: &Database,
    containment: &Containment,
    memory: Option<String>,
) -> Result<(StoredTournament, Vec<Contestant>), CliError> {
    let db = database.path()?;
    let (mut written, usual_name) = read_format(name)?;
    let run = setting.name.clone().unwrap_or(usual_name);
    if run.is_empty() || run.contains(['/', '\\']) || run.chars().any(char::is_control) {
        return Err(CliError::Input(format!("name {}: expected a name without slashes", quote(&run))));
    }
    let game = agon_all::find(&written.format.game).map_err(CliError::input)?;
    let workshop = workshop(containment);
    let (teams, mut contestants) = enter(name, &written, setting, game, &workshop, database)?;
    if !setting.as_announced {
        written.fit(teams.len());
    }
    if let Some(problem) = written.format.lonely_groups(teams.len()) {
        let _ = writeln!(std::io::stderr(), "agon: {problem}");
    }
    let mut plan = resolve(written, setting, game, teams, &contestants)?;
    if let Some(problem) = forecast(&plan, 1, None).too_large() {
        return Err(CliError::Input(problem));
    }
    let tried = try_out(&plan.format, game, &contestants, containment)?;
    for ((team, contestant), why) in plan.teams.iter_mut().zip(&mut contestants).zip(tried) {
        if let Some(why) = why {
            contestant.bot = Err(why.clone());
            team.broken = Some(why);
        }
    }
    warn_about(&plan.teams);
    let held = StoredTournament::create(&db, &run, plan, memory).map_err(problem)?;
    Ok((held, contestants))
}

/// Reads the teams and builds their bots.
fn enter(
    name: &str,
    written: &Written,
    setting: &Setting,
    game: &'static dyn Original,
    workshop: &Workshop,
    database: &Database,
) -> Result<(Vec<Team>, Vec<Contestant>), CliError> {
    let beside = Path::new(name).parent().unwrap_or(Path::new("."));
    let path = setting.teams.clone().or_else(|| written.teams.as_ref().map(|teams| beside.join(teams)));
    let Some(path) = path else {
        return Err(CliError::Input("no teams: add --teams DIR|CSV, or teams = \"…\" to the format".to_owned()));
    };
    let mut entries = read_teams(&path, game).map_err(CliError::input)?;
    entries.find_bots(setting.bots.as_deref(), game, &|name| bots_of(database, name)).map_err(CliError::input)?;
    let Entries { teams, warnings, .. } = entries;
    enough(&teams, &written.format, &path)?;
    let screen = std::io::stderr();
    if path.is_dir() && !path.join("teams.csv").is_file() {
        let _ = writeln!(
            screen.lock(),
            "agon: the teams have the names of their folders in {}, and these names are published; a table with the columns team and bot gives them others",
            path.display()
        );
    }
    for warning in &warnings {
        let _ = writeln!(screen.lock(), "agon: {}", inert(warning));
    }
    let mut entered = (Vec::new(), Vec::new());
    for (i, team) in teams.iter().enumerate() {
        if screen.is_terminal() {
            let _ = write!(screen.lock(), "\r\x1b[Kbuilding {} of {}: {}", i + 1, teams.len(), inert(&team.name));
        }
        let (team, contestant) = prepare(team, game, workshop).map_err(|error| CliError::Host(error.0))?;
        entered.0.push(team);
        entered.1.push(contestant);
    }
    if screen.is_terminal() {
        let _ = write!(screen.lock(), "\r\x1b[K");
    }
    Ok(entered)
}

/// Starts each program once, on all cores: for each contestant, why it gives no turn.
pub(super) fn try_out(
    format: &Format,
    game: &'static dyn Original,
    contestants: &[Contestant],
    containment: &Containment,
) -> Result<Vec<Option<String>>, CliError> {
    let stop = interrupt::listen();
    let launcher = containment.launcher(None);
    let slots = std::thread::available_parallelism().map_or(1, usize::from);
    let (screen, all) = (std::io::stderr(), contestants.len());
    let tried = TryOut { format, game, launcher: &launcher, slots, stop }.run(contestants, &mut |done| {
        if screen.is_terminal() {
            let _ = write!(screen.lock(), "\r\x1b[Kstarting each bot once: {done} of {all}");
        }
    });
    if screen.is_terminal() {
        let _ = write!(screen.lock(), "\r\x1b[K");
    }
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(CliError::Failed("stopped; nothing was changed".to_owned()));
    }
    Ok(tried)
}

/// The teams of an earlier tournament, and their bots.
fn bots_of(database: &Database, name: &str) -> Result<Bots, TeamsError> {
    let held = database.look(name).map_err(|error| TeamsError::Earlier(match error {
        CliError::Input(problem) => format!(
            "the teams have the bots of an earlier tournament, but {problem}; name its database with --db, or the bots with --bots DIR|CSV"
        ),
        CliError::Failed(problem) | CliError::Host(problem) => problem,
        CliError::ReaderGone => "nobody reads".to_owned(),
    }))?;
    Ok(held.bots())
}

/// One team alone has nobody to play against, unless it meets house bots.
fn enough(teams: &[Entered], format: &Format, path: &Path) -> Result<(), CliError> {
    let [team] = teams else { return Ok(()) };
    if format.stages.iter().all(|stage| stage.kind.is_against_house_bots()) {
        return Ok(());
    }
    Err(CliError::Input(format!(
        "teams {}: expected at least two teams, found only {}; to try a bot, play it with `agon match`",
        path.display(),
        quote(&team.name)
    )))
}

/// Broken bots play and lose, and twins are allowed; an organiser wants to know.
fn warn_about(teams: &[Team]) {
    let mut screen = std::io::stderr().lock();
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for team in teams {
        if team.handed_in_nothing() {
            continue;
        }
        if let Some(problem) = &team.broken {
            let problem = inert(problem.lines().next().unwrap_or_default());
            let _ = writeln!(
                screen,
                "agon: the bot of {} cannot play and will lose its matches: {problem}",
                quote(&team.name)
            );
        } else if let Some(other) = seen.insert(&team.hash, &team.name) {
            let _ = writeln!(screen, "agon: {} and {} have entered the same bot", quote(other), quote(&team.name));
        }
    }
}

/// Fills in what the format leaves open.
fn resolve(
    written: Written,
    setting: &Setting,
    game: &'static dyn Original,
    teams: Vec<Team>,
    contestants: &[Contestant],
) -> Result<Plan, CliError> {
    let mut format = written.format;
    let original = contestants.iter().any(|bot| bot.bot.as_ref().is_ok_and(agon_entrants::Entrant::speaks_original));
    format.rules = match &setting.rules {
        Some(text) => text.parse::<RuleSet>().map_err(CliError::input)?,
        None if written.rules_named => format.rules,
        None => agon_entrants::usual_rules(game, original),
    };
    if !game.rule_sets().contains(&format.rules) {
        return Err(CliError::Input(format!("{} has no '{}' rule set", game.name(), format.rules)));
    }
    if let Some(text) = &setting.tc {
        let clock: TimeControl = text.parse().map_err(CliError::input)?;
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
        fits(contestant, format.parts.iter().map(|part| part.clock))?;
    }
    let secret = match &setting.secret {
        Some(text) => text.clone(),
        None => random_secret()?,
    };
    Ok(Plan { format, teams, seed: setting.seed, secret: Secret(secret) })
}

/// Some protocols cannot tell a bot its time for a turn.
pub(super) fn fits(contestant: &Contestant, mut clocks: impl Iterator<Item = TimeControl>) -> Result<(), CliError> {
    let Some(protocol) = contestant.bot.as_ref().ok().and_then(|entrant| entrant.protocol) else { return Ok(()) };
    let per_turn = |clock| matches!(clock, TimeControl::PerTurn(_) | TimeControl::PerTurnByLanguage { .. });
    if protocol.knows_turn_limits || !clocks.any(per_turn) {
        return Ok(());
    }
    Err(CliError::Input(format!(
        "{}: the '{protocol}' protocol tells a bot its time for the whole match; choose a clock in SECONDS",
        contestant.name
    )))
}

fn random_secret() -> Result<String, CliError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| CliError::Host(format!("no random numbers: {e}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
