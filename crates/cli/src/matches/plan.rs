//! Everything that is decided before the first match.

use std::{path::PathBuf, sync::Arc, time::Duration};

use agon_entrants::{BotSpec, Entrant, Workshop, text_only};
use agon_originals::Original;
use agon_rating::Sprt;
use agon_referee::{CoreRule, MatchSpec, TimeControl};
use agon_rules::{BySide, RuleSet, keys::mix};
use agon_runs::{Contestant, Fixture};
use agon_wire::{GameSetup, Launcher};
use serde_json::{Value, json};

use super::{
    Match,
    openings::{Opening, Openings},
    parse_sprt,
};
use crate::{
    contain::{self, Contain},
    error::CliError,
};

/// A resolved `agon match`.
pub(super) struct Plan {
    pub(super) game: &'static dyn Original,
    pub(super) setup: GameSetup,
    pub(super) contestants: [Contestant; 2],
    pub(super) time: TimeControl,
    pub(super) grace: Duration,
    pub(super) battles: u32,
    pub(super) concurrency: usize,
    pub(super) openings: Openings,
    pub(super) sprt: Option<Sprt>,
    pub(super) seed: u64,
    pub(super) most_turns: usize,
    pub(super) db: Option<PathBuf>,
    pub(super) records: Option<PathBuf>,
    pub(super) run: String,
    /// The name that an older program gave the same run, which knew commands by their text alone.
    pub(super) older_run: Option<String>,
    pub(super) configuration: Value,
    /// Play on even if a bot cannot start or speak.
    pub(super) go_on: bool,
    pub(super) launcher: Arc<dyn Launcher>,
    pub(super) contain: Contain,
    pub(super) cores: CoreRule,
}

impl Plan {
    pub(super) fn new(args: &Match) -> Result<Plan, CliError> {
        let game = agon_all::find(&args.game).map_err(CliError::input)?;
        let containment = args.contain.containment()?;
        let workshop = contain::workshop(&containment);
        let mut entrants = [
            entrant(&args.objective.spelled(&args.first), game, &workshop)?,
            entrant(&args.objective.spelled(&args.second), game, &workshop)?,
        ];
        let rules: RuleSet = match &args.rules {
            Some(text) => text.parse().map_err(CliError::input)?,
            None => agon_entrants::usual_rules(game, entrants.iter().any(Entrant::speaks_original)),
        };
        let variant = args.variant.clone().unwrap_or_else(|| game.variants()[0].to_owned());
        game.open(&variant, rules).map_err(CliError::input)?;
        let time: TimeControl = match &args.tc {
            Some(text) => text.parse().map_err(CliError::input)?,
            None => game.clock(&variant).into(),
        };
        let grace = args.grace.map_or_else(|| game.grace(&variant), Duration::from_millis);
        let setup = GameSetup { game, variant, rules, position: None, swapped: false };
        let openings = Openings::parse(args.openings.as_deref(), &setup)?;
        let sprt = args.sprt.as_deref().map(parse_sprt).transpose()?;
        let concurrency = checked_concurrency(args.concurrency, args.force)?;
        for entrant in &entrants {
            fits(entrant, time, args.openings.is_some())?;
        }
        for (entrant, name) in entrants.iter_mut().zip(&args.names) {
            entrant.name = name.clone().unwrap_or_else(|| entrant.name.clone());
        }
        let bot = |entrant: &Entrant| json!({ "name": entrant.name, "hash": entrant.hash });
        let mut configuration = json!({
            "game": game.name(),
            "variant": setup.variant,
            "rules": rules.name(),
            "bots": [bot(&entrants[0]), bot(&entrants[1])],
            "time": time.to_string(),
            "grace_ms": grace.as_millis() as u64,
            "openings": format!("{openings:?}"),
            "seed": args.seed,
            "max_turns": args.max_turns,
            "sandbox": containment.level().name(),
            "cores": args.cores.name(),
        });
        // The usual amount is the host's affair, and no part of a run's name: the same command goes on elsewhere too.
        let older_run = args.run.is_none().then(|| run_name(&older(&configuration)));
        if let Some(memory) = args.contain.named_memory() {
            configuration["memory"] = memory.into();
        }
        let run = args.run.clone().unwrap_or_else(|| run_name(&configuration));
        configuration["memory"] = args.contain.memory().to_string().into();
        Ok(Plan {
            game,
            run,
            older_run,
            go_on: args.go_on,
            setup,
            contestants: distinct_names(entrants).map(Contestant::of),
            time,
            grace,
            battles: args.battles,
            concurrency,
            openings,
            sprt,
            seed: args.seed,
            most_turns: args.max_turns,
            db: args.db.clone(),
            records: args.records.clone(),
            configuration,
            launcher: containment.launcher(None),
            contain: args.contain.clone(),
            cores: args.cores,
        })
    }

    /// Which entrant plays the first side in a half: sides are swapped in the second.
    pub(super) fn seats(half: u8) -> BySide<usize> {
        if half == 0 { BySide::new(0, 1) } else { BySide::new(1, 0) }
    }

    /// The name of a match in the database.
    pub(super) fn match_id(&self, battle: u32, half: u8) -> String {
        format!("{}/{}.{}", self.run, battle + 1, half + 1)
    }

    /// A half of a battle, ready to be played. Both halves have the same seeds, and no match depends on another.
    pub(super) fn fixture(&self, battle: u32, half: u8, opening: &Opening) -> Fixture<'_> {
        let Opening { position, turns } = opening.clone();
        let seats = Plan::seats(half);
        let contestants = seats.map(|seat| &self.contestants[seat]);
        let spec = MatchSpec {
            setup: GameSetup { position, swapped: half == 1, ..self.setup.clone() },
            time: self.time,
            grace: self.grace,
            languages: contestants.map(Contestant::language),
            opening: turns,
            most_turns: self.most_turns,
            cores: self.cores,
        };
        Fixture {
            id: self.match_id(battle, half),
            run: &self.run,
            battle,
            half,
            game: self.game,
            spec,
            contestants,
            seeds: seats.map(|seat| mix(self.seed ^ mix(u64::from(battle) << 1 | seat as u64))),
            launcher: &self.launcher,
            tags: vec![
                ("Event", format!("agon match {}", self.run)),
                ("Site", format!("agon {}", env!("CARGO_PKG_VERSION"))),
                ("Round", format!("{}.{}", battle + 1, half + 1)),
                ("Seed", self.seed.to_string()),
            ],
        }
    }

    /// Where both halves of a battle begin.
    pub(super) fn opening(&self, battle: u32) -> Result<Opening, CliError> {
        self.openings.of_battle(battle, self.seed, &self.setup)
    }
}

fn entrant(text: &str, game: &dyn Original, workshop: &Workshop) -> Result<Entrant, CliError> {
    Ok(Entrant::prepare(&BotSpec::parse(text, agon_house::NAMES)?, game, workshop)?)
}

/// Some protocols cannot say everything.
fn fits(entrant: &Entrant, time: TimeControl, openings: bool) -> Result<(), CliError> {
    let Some(protocol) = entrant.protocol else { return Ok(()) };
    let per_turn = matches!(time, TimeControl::PerTurn(_) | TimeControl::PerTurnByLanguage { .. });
    let problem = if openings && !protocol.knows_positions {
        "knows only games from the start position; leave out --openings"
    } else if per_turn && !protocol.knows_turn_limits {
        "tells a bot its time for the whole match; choose --tc SECONDS"
    } else {
        return Ok(());
    };
    Err(CliError::Input(format!("{}: the '{protocol}' protocol {problem}", entrant.name)))
}

/// Two bots of the same name are told apart by a number.
fn distinct_names(mut entrants: [Entrant; 2]) -> [Entrant; 2] {
    if entrants[0].name == entrants[1].name {
        entrants[1].name.push_str(" (2)");
    }
    entrants
}

fn checked_concurrency(wanted: usize, force: bool) -> Result<usize, CliError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match wanted {
        0 => Err(CliError::Input("concurrency 0: expected at least 1".to_owned())),
        _ if wanted > cores && !force => Err(CliError::Input(format!(
            "concurrency {wanted}: this machine has {cores} cores, and bots that share a core lose time; \
             choose at most {cores}, or add --force"
        ))),
        _ => Ok(wanted),
    }
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
