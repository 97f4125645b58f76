//! One match of a run, played and written down as it is stored.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use agon_entrants::{Entrant, memory_tag};
use agon_referee::{MatchSpec, Played, Record, TurnMade, Watch, play_match};
use agon_rules::{AnyPosition, BySide, Side};
use agon_store::{BotRef, Live, Match};
use agon_wire::{Ask, Bot, BotFailure, Budget, Fault, GameSetup, HostError, Language, Launcher, Reply};
use thiserror::Error;

use crate::BattleError;

/// A match that the host spoiled is played again, but not for ever.
const MOST_TRIES: u32 = 3;

/// Those who look on are told no more often: bots may make thousands of turns a second.
const BETWEEN_NEWS: Duration = Duration::from_millis(300);

/// Who plays: a bot, or what is left of one that could not be built.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The name it plays under.
    pub name: String,
    /// The digest of its content.
    pub hash: String,
    /// The bot, or why there is none.
    pub bot: Result<Entrant, String>,
}

impl Contestant {
    /// A bot under the name that it has itself.
    pub fn of(entrant: Entrant) -> Contestant {
        Contestant { name: entrant.name.clone(), hash: entrant.hash.clone(), bot: Ok(entrant) }
    }

    /// What the bot is written in.
    pub fn language(&self) -> Language {
        self.bot.as_ref().map_or(Language::Other, |bot| bot.language)
    }

    /// A program of it, or what stands for a bot that cannot be started.
    pub fn start(&self, worker: usize, launcher: &Arc<dyn Launcher>, seed: u64) -> Box<dyn Bot> {
        match &self.bot {
            Ok(entrant) => entrant.bot(Some(worker), launcher, |name| agon_house::think(name, seed)),
            Err(reason) => Box::new(NoBot(reason.clone())),
        }
    }
}

/// A bot that could not be built: it would not start.
struct NoBot(String);

impl Bot for NoBot {
    fn name(&self) -> String {
        "no bot".to_owned()
    }

    fn begin(&mut self, _: &GameSetup, _: Side, _: Budget) -> Result<(), BotFailure> {
        Err(Fault::WouldNotStart(self.0.clone()).into())
    }

    fn turn(&mut self, _: &Ask) -> Result<Reply, BotFailure> {
        Err(Fault::WouldNotStart(self.0.clone()).into())
    }
}

/// A match cannot be played.
#[derive(Debug, Error)]
pub enum FixtureError {
    /// This host failed again and again.
    #[error("match {id} failed {MOST_TRIES} times, and no bot is to blame: {reason}")]
    Host {
        /// The match.
        id: String,
        /// Why, at last.
        #[source]
        reason: HostError,
    },
    /// Its battle cannot be set up.
    #[error(transparent)]
    Battle(#[from] BattleError),
    /// This program broke off.
    #[error("agon has a defect: please report what it said")]
    Defect,
}

/// A match that is to be played.
pub struct Fixture<'a> {
    /// What it is called in the database.
    pub id: String,
    /// The run it belongs to.
    pub run: &'a str,
    /// The number of its battle.
    pub battle: u32,
    /// Which match of the battle.
    pub half: u8,
    /// What is played.
    pub spec: MatchSpec,
    /// Who plays.
    pub contestants: BySide<&'a Contestant>,
    /// Where the random choices of each begin.
    pub seeds: BySide<u64>,
    /// What starts their programs.
    pub launcher: &'a Arc<dyn Launcher>,
    /// What the record says besides the match itself.
    pub tags: Vec<(&'a str, String)>,
}

impl Fixture<'_> {
    /// Plays it, on the core of a worker. `None` if it was stopped; an error if the host failed again and again. `tell` hears from
    /// time to time how it goes.
    pub fn play(
        &self,
        worker: usize,
        stop: &AtomicBool,
        tell: Option<&dyn Fn(Live)>,
    ) -> Result<Option<Match>, FixtureError> {
        let mut reason = HostError(String::new());
        for attempt in 1..=MOST_TRIES {
            match self.play_once(worker, stop, tell) {
                Ok(played) => return Ok(Some(played)),
                Err(_) if stop.load(Ordering::Relaxed) => return Ok(None),
                Err(problem) => {
                    tracing::warn!(id = self.id, attempt, %problem, "a match is void: the host spoiled it");
                    reason = problem;
                }
            }
        }
        let failed = || FixtureError::Host { id: self.id.clone(), reason: reason.clone() };
        // What the host cannot do for one bot, and can do for the other, is that bot's own fault.
        let Some((side, problem)) = self.culprit(worker) else { return Err(failed()) };
        let name = &self.contestants[side].name;
        tracing::warn!(
            id = self.id,
            name,
            problem,
            "only the opponent can be started here, so the bot has to answer for it"
        );
        let culprit = Contestant {
            bot: Err(format!("this host could not start it, and has tried {MOST_TRIES} times: {problem}")),
            ..self.contestants[side].clone()
        };
        let mut contestants = self.contestants;
        contestants[side] = &culprit;
        let without =
            Fixture { contestants, spec: self.spec.clone(), id: self.id.clone(), tags: self.tags.clone(), ..*self };
        match without.play_once(worker, stop, tell) {
            Ok(played) => Ok(Some(played)),
            Err(_) if stop.load(Ordering::Relaxed) => Ok(None),
            Err(problem) => {
                tracing::warn!(id = self.id, %problem, "a match is void even without the bot that cannot be started");
                Err(failed())
            }
        }
    }

    fn play_once(&self, worker: usize, stop: &AtomicBool, tell: Option<&dyn Fn(Live)>) -> Result<Match, HostError> {
        let [mut first, mut second] = Side::BOTH.map(|side| self.start(side, worker));
        let mut watched = Watched { fixture: self, stop, tell, told: None };
        let played = play_match(&self.spec, &mut *first, &mut *second, &mut watched)?;
        Ok(self.written(&played))
    }

    fn start(&self, side: Side, worker: usize) -> Box<dyn Bot> {
        self.contestants[side].start(worker, self.launcher, self.seeds[side])
    }

    /// The only bot of the two that this host cannot start alone either, and why.
    fn culprit(&self, worker: usize) -> Option<(Side, String)> {
        let alone = |side: Side| {
            let mut bot = self.start(side, worker);
            match bot.begin(&self.spec.setup, side, Budget::Unlimited) {
                Err(BotFailure::Host(HostError(problem))) => Some((side, problem)),
                _ => None,
            }
        };
        match Side::BOTH.map(alone) {
            [Some(one), None] | [None, Some(one)] => Some(one),
            _ => None,
        }
    }

    fn names(&self) -> BySide<String> {
        self.contestants.map(|contestant| contestant.name.clone())
    }

    /// Everything that the record says besides the match itself.
    fn all_tags(&self) -> Vec<(&str, String)> {
        let mut tags = self.tags.clone();
        tags.push(("Sandbox", self.launcher.level().to_owned()));
        tags.extend(self.memory().map(|memory| ("Memory", memory)));
        tags.push(("FirstHash", self.contestants.first.hash.clone()));
        tags.push(("SecondHash", self.contestants.second.hash.clone()));
        tags
    }

    /// The memory of the bots that are programs; house bots have no limit.
    fn memory(&self) -> Option<String> {
        let is_program = |contestant: &&&Contestant| contestant.bot.as_ref().is_ok_and(|bot| bot.protocol.is_some());
        let BySide { first, second } = &self.contestants;
        let usual = [first, second].into_iter().find(|contestant| is_program(contestant))?;
        let languages =
            self.contestants.map(|each| if is_program(&&each) { each.language() } else { usual.language() });
        memory_tag(&**self.launcher, languages)
    }

    /// A played match as it is stored.
    fn written(&self, played: &Played) -> Match {
        let record = Record::of(&self.spec, played, &self.names(), &self.all_tags());
        let bot = |side: Side| {
            let contestant = self.contestants[side];
            BotRef { name: contestant.name.clone(), hash: contestant.hash.clone() }
        };
        let setup = &self.spec.setup;
        Match {
            id: self.id.clone(),
            run: self.run.to_owned(),
            battle: self.battle,
            half: self.half,
            game: setup.game.name().to_owned(),
            variant: setup.variant.clone(),
            rules: setup.rules.to_string(),
            first: bot(Side::First),
            second: bot(Side::Second),
            result: record.tag("Result").unwrap_or("*").to_owned(),
            first_points: played.points.first,
            second_points: played.points.second,
            termination: played.termination.name().to_owned(),
            evidence: played.termination.evidence().unwrap_or_default(),
            turns: played.turns.len() as u32,
            started_ms: unix_ms(played.started),
            duration_ms: played.duration.as_millis() as i64,
            record: record.text(),
        }
    }
}

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    unix_ms(SystemTime::now())
}

fn unix_ms(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// A match that can be stopped, and looked at by those who have the same database.
struct Watched<'a> {
    fixture: &'a Fixture<'a>,
    stop: &'a AtomicBool,
    tell: Option<&'a dyn Fn(Live)>,
    told: Option<Instant>,
}

impl Watch for Watched<'_> {
    fn position(&mut self, position: &dyn AnyPosition, turns: &[TurnMade]) {
        let Some(tell) = self.tell else { return };
        // A match that is over in a moment is not worth a look.
        let told = *self.told.get_or_insert_with(Instant::now);
        if told.elapsed() < BETWEEN_NEWS {
            return;
        }
        self.told = Some(Instant::now());
        let (fixture, names) = (self.fixture, self.fixture.names());
        let setup = &fixture.spec.setup;
        tell(Live {
            id: fixture.id.clone(),
            kind: "terminal".to_owned(),
            game: setup.game.name().to_owned(),
            variant: setup.variant.clone(),
            rules: setup.rules.to_string(),
            first: names.first.clone(),
            second: names.second.clone(),
            turns: turns.len() as u32,
            updated_ms: now_ms(),
            setting: "{}".to_owned(),
            record: Record::unfinished(&fixture.spec, turns, position, &names, &fixture.all_tags()).text(),
        });
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
