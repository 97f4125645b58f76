//! Whether the bots start: tried before the first match, since a team whose bot does not start gets no bye past one that can play.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use agon_originals::Original;
use agon_referee::{MatchSpec, OpenMatch};
use agon_rules::{BySide, Side};
use agon_runs::Contestant;
use agon_wire::{BotFailure, GameSetup, HostError, Launcher};

use crate::format::Format;

/// How long a bot has for its first turn at least, however fast the tournament is: another one is asked on every other core.
const AT_LEAST: Duration = Duration::from_secs(30);

/// How long it is waited for at most. A bot that may think longer and is silent until then may still start.
const AT_MOST: Duration = Duration::from_secs(60);

/// What bots are tried with.
pub struct TryOut<'a> {
    /// What is played.
    pub format: &'a Format,
    /// The game.
    pub game: &'static dyn Original,
    /// What starts their programs.
    pub launcher: &'a Arc<dyn Launcher>,
    /// Bots at once.
    pub slots: usize,
    /// Whether to stop.
    pub stop: &'a AtomicBool,
}

impl TryOut<'_> {
    /// Begins every program once and asks it for a first turn: for each contestant, why it gave none. House bots and bots that run
    /// elsewhere are not tried, and what this host could not do says nothing about a bot. `notify` hears how many are done.
    pub fn run(&self, contestants: &[Contestant], notify: &mut (dyn FnMut(usize) + Send)) -> Vec<Option<String>> {
        let found: Vec<Mutex<Option<String>>> = contestants.iter().map(|_| Mutex::new(None)).collect();
        let (next, done) = (AtomicUsize::new(0), Mutex::new((0, notify)));
        let work = |worker: usize| {
            while !self.stop.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(contestant) = contestants.get(index) else { return };
                *found[index].lock().unwrap_or_else(PoisonError::into_inner) = self.why_not(contestant, worker);
                let (done, notify) = &mut *done.lock().unwrap_or_else(PoisonError::into_inner);
                *done += 1;
                notify(*done);
            }
        };
        std::thread::scope(|scope| {
            let work = &work;
            (0..self.slots.clamp(1, contestants.len().max(1)))
                .for_each(|worker| drop(scope.spawn(move || work(worker))));
        });
        found.into_iter().map(|found| found.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    fn why_not(&self, contestant: &Contestant, worker: usize) -> Option<String> {
        let is_program = contestant.bot.as_ref().is_ok_and(agon_entrants::Entrant::is_program);
        is_program.then(|| self.first_turn(contestant, worker).ok().flatten()).flatten()
    }

    fn first_turn(&self, contestant: &Contestant, worker: usize) -> Result<Option<String>, HostError> {
        let (format, side) = (self.format, Side::First);
        let Some(part) = format.parts.first() else { return Ok(None) };
        let spec = MatchSpec {
            setup: GameSetup {
                game: self.game,
                variant: part.variant.clone(),
                rules: format.rules,
                position: None,
                swapped: false,
            },
            time: part.clock,
            grace: Duration::from_millis(format.grace_ms),
            languages: BySide::new(contestant.language(), contestant.language()),
            opening: Vec::new(),
            most_turns: format.max_turns,
            cores: format.cores,
        };
        let open = OpenMatch::new(spec, BySide::new(true, true), Vec::new())?;
        let Some(trial) = open.first_turn(side, AT_LEAST, AT_MOST) else { return Ok(None) };
        let mut bot = contestant.start(worker, self.launcher, 1);
        let fault = match bot.begin(&open.spec().setup, side, trial.budget()) {
            Ok(()) => trial.hold(&mut *bot),
            Err(BotFailure::Fault(fault)) => Ok(Some(fault)),
            Err(BotFailure::Host(error)) => Err(error),
        };
        let words = bot.end();
        let fault = fault?;
        Ok(fault.map(|fault| match words.trim().lines().last() {
            Some(last) => format!("{fault}; its last words: {}", agon_rules::quote(last)),
            None => fault.to_string(),
        }))
    }
}
