//! A process that plays a tournament: with its bots at hand, and the only one that does.

use std::sync::atomic::AtomicBool;

use agon_entrants::{BotSpec, Containment, Entrant, RosterError};
use agon_originals::Original;
use agon_rules::SetupError;
use agon_runs::{
    Contestant, OLDER_MEMORY, SandboxError, SandboxOptions,
    lock::{Holder, Lock},
    workshop,
};

use crate::{
    create::Created,
    database::Database,
    plan::Event,
    run::{End, News, Resources, run},
    stored::{StoredTournament, TournamentError},
};

/// How a tournament is to be played.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// Where it is kept.
    pub database: Database,
    /// Matches at once.
    pub slots: usize,
    /// How far the bots are trusted.
    pub sandbox: SandboxOptions,
}

/// A tournament cannot be played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// Another process plays it.
    #[error("'{name}' is being played by {holder}")]
    Busy {
        /// The tournament.
        name: String,
        /// Who.
        holder: Holder,
    },
    /// Its bots have had another amount of memory so far.
    #[error("'{name}' {began} with --memory {memory}, and all its matches have that: leave out --memory {named}")]
    OtherMemory {
        /// The tournament.
        name: String,
        /// When that was decided, in words.
        began: &'static str,
        /// What they have had.
        memory: String,
        /// What they should have now.
        named: String,
    },
    /// The bots cannot be contained as somebody wants it.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// This agon does not know the game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A house bot cannot be found.
    #[error(transparent)]
    House(#[from] RosterError),
    /// The tournament or its database does not allow it.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
}

/// A tournament that this process plays, as soon as somebody says so; meanwhile no other process does.
pub struct Session {
    tournament: StoredTournament,
    /// The bots of the teams, then the house bots.
    contestants: Vec<Contestant>,
    game: &'static dyn Original,
    sandbox: SandboxOptions,
    containment: Containment,
    slots: usize,
    _lock: Lock,
}

impl Session {
    /// Goes on with a tournament: its bots are built again if need be, and must be those that its log knows.
    ///
    /// # Errors
    /// If they are others, another process plays it, or the host fails.
    pub fn resume(tournament: StoredTournament, options: &PlayOptions) -> Result<Session, PlayError> {
        let containment = sandbox_of(&tournament, &options.sandbox)?.containment()?;
        let game = agon_all::find(&tournament.plan.format.game)?;
        let workshop = workshop(&containment);
        let teams = 0..tournament.plan.teams.len();
        let contestants = teams.map(|team| tournament.contestant(team, game, &workshop)).collect::<Result<_, _>>()?;
        Session::begin(Created { tournament, contestants }, options)
    }

    /// Begins with a tournament whose bots are built.
    ///
    /// # Errors
    /// If another process plays it, or the host fails.
    pub fn begin(created: Created, options: &PlayOptions) -> Result<Session, PlayError> {
        let Created { tournament, mut contestants } = created;
        let name = &tournament.name;
        let lock = options.database.lock(name)?;
        let lock = lock.map_err(|holder| PlayError::Busy { name: name.clone(), holder })?;
        let sandbox = sandbox_of(&tournament, &options.sandbox)?;
        let containment = sandbox.containment()?;
        let game = agon_all::find(&tournament.plan.format.game)?;
        for house in tournament.plan.house() {
            let entrant = Entrant::prepare(&BotSpec::House(house.to_owned()), game, &workshop(&containment))?;
            contestants.push(Contestant::of(entrant));
        }
        Ok(Session { tournament, contestants, game, sandbox, containment, slots: options.slots, _lock: lock })
    }

    /// The tournament.
    pub fn tournament(&self) -> &StoredTournament {
        &self.tournament
    }

    /// How far its bots are trusted.
    pub fn sandbox(&self) -> &SandboxOptions {
        &self.sandbox
    }

    /// Plays everything that is left. Matches in progress when somebody stops it are abandoned and played again later.
    ///
    /// # Errors
    /// If a bot was changed, the host or the database fails; what is stored stays, and the tournament can go on later.
    pub fn play(
        &mut self,
        stop: &AtomicBool,
        notify: &mut dyn FnMut(&StoredTournament, News),
    ) -> Result<End, PlayError> {
        if self.tournament.plan.format.parts.iter().any(|part| part.clock.is_a_clock()) {
            agon_wire::discount_stalls();
        }
        let (launcher, workshop) = (self.containment.launcher(None), workshop(&self.containment));
        self.tournament.add(Event::Started {
            sandbox: self.containment.level().to_string(),
            memory: Some(self.sandbox.memory().to_string()),
        })?;
        let renew = |held: &StoredTournament, team: usize| held.contestant(team, self.game, &workshop);
        let resources =
            Resources { contestants: &self.contestants, renew: &renew, launcher: &launcher, slots: self.slots, stop };
        Ok(run(&mut self.tournament, &resources, notify)?)
    }
}

/// The memory of a tournament's bots is fixed when it is set up with an amount, else when its first match begins.
fn sandbox_of(tournament: &StoredTournament, asked: &SandboxOptions) -> Result<SandboxOptions, PlayError> {
    let fixed = tournament.log.iter().find_map(|entry| match &entry.event {
        Event::Created { memory: Some(memory), .. } => Some((Some(memory.as_str()), "was set up")),
        Event::Started { memory, .. } => Some((memory.as_deref(), "began")),
        _ => None,
    });
    let Some((memory, began)) = fixed else { return Ok(asked.clone()) };
    match (memory, asked.named_memory()) {
        (Some(memory), Some(named)) if memory != named => {
            Err(PlayError::OtherMemory { name: tournament.name.clone(), began, memory: memory.to_owned(), named })
        }
        (None, Some(_)) => Ok(asked.clone()),
        (memory, _) => Ok(asked.with_memory(memory.unwrap_or(OLDER_MEMORY))?),
    }
}
