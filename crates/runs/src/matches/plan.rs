//! Everything that is decided before the first match.

use std::{path::PathBuf, sync::Arc, time::Duration};

use agon_entrants::{BotSpec, Entrant, RosterError, Workshop, text_only};
use agon_house::Aim;
use agon_originals::Original;
use agon_rating::Sprt;
use agon_referee::{CoreRule, TimeControl, TimeControlError};
use agon_rules::{RuleSet, SetupError, keys::mix};
use agon_wire::{GameSetup, Launcher, Protocol};
use serde_json::{Value, json};
use thiserror::Error;

use super::{Openings, OpeningsError, SprtTextError, parse_sprt};
use crate::{Battle, Contestant, Half, Player, SandboxError, SandboxOptions, battle::seats, sandbox_options::workshop};

/// What somebody asks for, in the words in which people name things.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The game's short name.
    pub game: String,
    /// The bots.
    pub bots: [String; 2],
    /// What the bots are called, if not what they call themselves.
    pub names: [Option<String>; 2],
    /// What house bots try to achieve.
    pub objective: Aim,
    /// The board and parameters; the game's default if absent.
    pub variant: Option<String>,
    /// The rule set; `text` unless a bot speaks an original protocol if absent.
    pub rules: Option<String>,
    /// How many battles.
    pub battles: u32,
    /// The time control; the game's own if absent.
    pub time: Option<String>,
    /// How much later than that an answer may come; the game's own if absent.
    pub grace: Option<Duration>,
    /// Matches at once.
    pub concurrency: usize,
    /// Allow more of them than there are cores.
    pub force: bool,
    /// `random:N`, or a file.
    pub openings: Option<String>,
    /// A sequential test that ends the run.
    pub sprt: Option<String>,
    /// Where random choices begin.
    pub seed: u64,
    /// A match is broken off as a draw after so many turns.
    pub most_turns: usize,
    /// The database; matches are forgotten if absent.
    pub db: Option<PathBuf>,
    /// What the run is called in it; made from the settings if absent.
    pub run: Option<String>,
    /// A file for the records of all matches.
    pub records: Option<PathBuf>,
    /// What happens to a bot that uses more than one core, or its opponent's time.
    pub cores: CoreRule,
    /// Play on even if a bot cannot start or speak.
    pub go_on: bool,
    /// How far the bots are trusted.
    pub sandbox: SandboxOptions,
}

/// Settings that make sense.
pub struct Plan {
    /// Game, variant and rule set.
    pub setup: GameSetup,
    /// Who plays.
    pub contestants: [Contestant; 2],
    /// How long the bots may think.
    pub time: TimeControl,
    /// How many battles.
    pub battles: u32,
    /// A sequential test that ends the run.
    pub sprt: Option<Sprt>,
    /// The database; matches are forgotten if absent.
    pub db: Option<PathBuf>,
    /// What the run is called.
    pub run: String,
    /// How far the bots are trusted.
    pub sandbox: SandboxOptions,
    /// What starts the bots.
    pub launcher: Arc<dyn Launcher>,
    pub(super) grace: Duration,
    pub(super) concurrency: usize,
    pub(super) openings: Openings,
    pub(super) seed: u64,
    pub(super) most_turns: usize,
    pub(super) cores: CoreRule,
    pub(super) records: Option<PathBuf>,
    pub(super) go_on: bool,
    /// The name that an older program gave the same run, which knew commands by their text alone.
    pub(super) older_run: Option<String>,
    pub(super) configuration: Value,
    players: [Player; 2],
}

/// Why there is nothing to play.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum PlanError {
    /// No such game, variant or rule set.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The bots cannot be contained as somebody wants it.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A bot cannot be found or built.
    #[error(transparent)]
    Bot(#[from] RosterError),
    /// No such time control.
    #[error(transparent)]
    Time(#[from] TimeControlError),
    /// No such openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// No such sequential test.
    #[error(transparent)]
    Sprt(#[from] SprtTextError),
    /// No match at once.
    #[error("concurrency 0: expected at least 1")]
    NoSlots,
    /// More matches at once than cores.
    #[error(
        "concurrency {wanted}: this machine has {cores} cores, and bots that share a core lose time; \
         choose at most {cores}, or add --force"
    )]
    FewCores { wanted: usize, cores: usize },
    /// The protocol of a bot cannot say where its games begin.
    #[error("{bot}: the '{protocol}' protocol knows only games from the start position; leave out --openings")]
    KnowsNoPositions { bot: String, protocol: &'static Protocol },
    /// The protocol of a bot cannot say how long it has for a turn.
    #[error("{bot}: the '{protocol}' protocol tells a bot its time for the whole match; choose --tc SECONDS")]
    KnowsNoTurnLimits { bot: String, protocol: &'static Protocol },
}

impl Plan {
    /// Builds the bots if need be.
    ///
    /// # Errors
    /// If the settings make no sense together, or a bot cannot be built.
    pub fn new(settings: &Settings) -> Result<Plan, PlanError> {
        let game = agon_all::find(&settings.game)?;
        let containment = settings.sandbox.containment()?;
        let workshop = workshop(&containment);
        let [one, other] = settings.bots.each_ref().map(|bot| settings.objective.spelled(bot));
        let mut entrants = [entrant(&one, game, &workshop)?, entrant(&other, game, &workshop)?];
        let rules: RuleSet = match &settings.rules {
            Some(text) => text.parse()?,
            None => agon_entrants::usual_rules(game, entrants.iter().any(Entrant::speaks_original)),
        };
        let variant = settings.variant.clone().unwrap_or_else(|| game.variants()[0].to_owned());
        game.open(&variant, rules)?;
        let time: TimeControl = match &settings.time {
            Some(text) => text.parse()?,
            None => game.clock(&variant).into(),
        };
        let grace = settings.grace.unwrap_or_else(|| game.grace(&variant));
        let setup = GameSetup { game, variant, rules, position: None, swapped: false };
        let openings = Openings::parse(settings.openings.as_deref(), &setup)?;
        let sprt = settings.sprt.as_deref().map(parse_sprt).transpose()?;
        let concurrency = checked_concurrency(settings.concurrency, settings.force)?;
        for entrant in &entrants {
            fits(entrant, time, settings.openings.is_some())?;
        }
        for (entrant, name) in entrants.iter_mut().zip(&settings.names) {
            entrant.name = name.clone().unwrap_or_else(|| entrant.name.clone());
        }
        let identity = identity(settings, &setup, &entrants, time, grace, &openings, containment.level().name());
        let contestants = distinct_names(entrants).map(Contestant::of);
        let players = [Player::of(&contestants[0], &one), Player::of(&contestants[1], &other)];
        Ok(Plan {
            setup,
            contestants,
            players,
            time,
            grace,
            battles: settings.battles,
            concurrency,
            openings,
            sprt,
            seed: settings.seed,
            most_turns: settings.most_turns,
            db: settings.db.clone(),
            records: settings.records.clone(),
            run: identity.run,
            older_run: identity.older_run,
            configuration: identity.configuration,
            go_on: settings.go_on,
            launcher: containment.launcher(None),
            sandbox: settings.sandbox.clone(),
            cores: settings.cores,
        })
    }

    /// How many matches that is.
    pub fn matches(&self) -> u64 {
        2 * u64::from(self.battles)
    }

    /// A battle as far as it is to be played. Both halves have the same seeds, and no match depends on another.
    ///
    /// # Errors
    /// If there is no opening for it.
    pub fn battle(&self, number: u32, halves: &[u8]) -> Result<Battle, OpeningsError> {
        let half = |&half: &u8| {
            let seed = |seat: usize| mix(self.seed ^ mix(u64::from(number) << 1 | seat as u64));
            let seats = seats(half);
            Half {
                id: format!("{}/{}.{}", self.run, number + 1, half + 1),
                half,
                seeds: [seed(seats.first), seed(seats.second)],
                tags: vec![
                    ("Event".to_owned(), format!("agon match {}", self.run)),
                    ("Site".to_owned(), format!("agon {}", env!("CARGO_PKG_VERSION"))),
                    ("Round".to_owned(), format!("{}.{}", number + 1, half + 1)),
                    ("Seed".to_owned(), self.seed.to_string()),
                ],
            }
        };
        Ok(Battle {
            run: self.run.clone(),
            number,
            game: self.setup.game.name().to_owned(),
            variant: self.setup.variant.clone(),
            rules: self.setup.rules,
            opening: self.openings.of_battle(number, self.seed, &self.setup)?,
            time: self.time,
            grace: self.grace,
            most_turns: self.most_turns,
            cores: self.cores,
            players: self.players.clone(),
            halves: halves.iter().map(half).collect(),
        })
    }
}

fn entrant(text: &str, game: &dyn Original, workshop: &Workshop) -> Result<Entrant, RosterError> {
    Entrant::prepare(&BotSpec::parse(text, agon_house::NAMES)?, game, workshop)
}

/// Some protocols cannot say everything.
fn fits(entrant: &Entrant, time: TimeControl, openings: bool) -> Result<(), PlanError> {
    let Some(protocol) = entrant.protocol else { return Ok(()) };
    let per_turn = matches!(time, TimeControl::PerTurn(_) | TimeControl::PerTurnByLanguage { .. });
    let bot = entrant.name.clone();
    if openings && !protocol.knows_positions {
        return Err(PlanError::KnowsNoPositions { bot, protocol });
    }
    if per_turn && !protocol.knows_turn_limits {
        return Err(PlanError::KnowsNoTurnLimits { bot, protocol });
    }
    Ok(())
}

/// Two bots of the same name are told apart by a number.
fn distinct_names(mut entrants: [Entrant; 2]) -> [Entrant; 2] {
    if entrants[0].name == entrants[1].name {
        entrants[1].name.push_str(" (2)");
    }
    entrants
}

fn checked_concurrency(wanted: usize, force: bool) -> Result<usize, PlanError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match wanted {
        0 => Err(PlanError::NoSlots),
        _ if wanted > cores && !force => Err(PlanError::FewCores { wanted, cores }),
        _ => Ok(wanted),
    }
}

/// What a run is known by.
struct Identity {
    run: String,
    older_run: Option<String>,
    configuration: Value,
}

/// Runs that were begun go on under their names: nothing here may be written in another way.
fn identity(
    settings: &Settings,
    setup: &GameSetup,
    entrants: &[Entrant; 2],
    time: TimeControl,
    grace: Duration,
    openings: &Openings,
    sandbox: &str,
) -> Identity {
    let bot = |entrant: &Entrant| json!({ "name": entrant.name, "hash": entrant.hash });
    let mut configuration = json!({
        "game": setup.game.name(),
        "variant": setup.variant,
        "rules": setup.rules.name(),
        "bots": [bot(&entrants[0]), bot(&entrants[1])],
        "time": time.to_string(),
        "grace_ms": grace.as_millis() as u64,
        "openings": format!("{openings:?}"),
        "seed": settings.seed,
        "max_turns": settings.most_turns,
        "sandbox": sandbox,
        "cores": settings.cores.name(),
    });
    // The usual amount is the host's affair, and no part of a run's name: the same command goes on elsewhere too.
    let older_run = settings.run.is_none().then(|| run_name(&older(&configuration)));
    if let Some(memory) = settings.sandbox.named_memory() {
        configuration["memory"] = memory.into();
    }
    let run = settings.run.clone().unwrap_or_else(|| run_name(&configuration));
    configuration["memory"] = settings.sandbox.memory().to_string().into();
    Identity { run, older_run, configuration }
}

/// The settings as an older program would have written them: it knew commands by their text alone.
fn older(configuration: &Value) -> Value {
    let mut older = configuration.clone();
    for bot in older["bots"].as_array_mut().into_iter().flatten() {
        if let Some(text) = bot["hash"].as_str().and_then(text_only) {
            bot["hash"] = text.into();
        }
    }
    older
}

/// A name that stands for the settings.
fn run_name(configuration: &Value) -> String {
    let digest = configuration.to_string().bytes().fold(0, |digest, byte| mix(digest ^ u64::from(byte)));
    format!("match-{digest:016x}")
}
