//! Bots that live in this program.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use agon_rules::{Random, Side, keys::mix};

use crate::{
    Info,
    bot::{Ask, Bot, BotFailure, Budget, GameSetup, Reply},
};

/// Somebody who looks on while a brain thinks, and may interrupt it.
pub struct Onlooker<'a> {
    /// Is told what was found so far, after each depth and once more at the end.
    pub tell: &'a mut dyn FnMut(&Info),
    /// Once it is set, the best turn so far is wanted at once.
    pub stop: Option<Arc<AtomicBool>>,
    /// Whether only that ends the thinking, whatever the budget says.
    pub until_stopped: bool,
}

/// What decides for a house bot.
pub trait Brain: Send {
    /// What the bot is called.
    fn name(&self) -> String;

    /// Gets ready for a game while no clock runs; whatever takes time to set up belongs here.
    fn prepare(&mut self, setup: &GameSetup) {
        let _ = setup;
    }

    /// A new game begins.
    fn new_game(&mut self, setup: &GameSetup, side: Side);

    /// A legal turn in `ask`'s position, which is not over.
    fn choose(&mut self, ask: &Ask<'_>) -> String;

    /// The same while somebody looks on. A brain that answers at once need not know of it.
    fn think(&mut self, ask: &Ask<'_>, onlooker: Onlooker<'_>) -> String {
        let _ = onlooker;
        self.choose(ask)
    }
}

/// A bot in this process.
pub struct HouseBot {
    brain: Box<dyn Brain>,
}

impl HouseBot {
    /// A bot that thinks with `brain`.
    pub fn new(brain: Box<dyn Brain>) -> HouseBot {
        HouseBot { brain }
    }
}

impl Bot for HouseBot {
    fn name(&self) -> String {
        self.brain.name()
    }

    fn is_house(&self) -> bool {
        true
    }

    fn begin(&mut self, setup: &GameSetup, side: Side, _budget: Budget) -> Result<(), BotFailure> {
        self.brain.prepare(setup);
        self.brain.new_game(setup, side);
        Ok(())
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let start = Instant::now();
        let mut last = None;
        let mut tell = |info: &Info| last = Some(info.clone());
        let turn = self.brain.think(ask, Onlooker { tell: &mut tell, stop: None, until_stopped: false });
        let wall = start.elapsed();
        let info = last.map(|info| info.to_string());
        Ok(Reply { turn, wall, cpu: Some(wall), info, ..Reply::default() })
    }
}

/// Plays any legal turn. The same seed gives the same games.
pub struct RandomBrain {
    seed: u64,
    games: u64,
    random: Random,
}

impl RandomBrain {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> RandomBrain {
        RandomBrain { seed, games: 0, random: Random::new(seed) }
    }
}

impl Brain for RandomBrain {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn new_game(&mut self, _setup: &GameSetup, side: Side) {
        // Not a continuation of the last game: a match must not depend on what was played before it.
        self.random = Random::new(mix(self.seed ^ mix(self.games)) ^ u64::from(side.number()));
        self.games += 1;
    }

    fn choose(&mut self, ask: &Ask<'_>) -> String {
        ask.position.random_turn(&mut self.random).unwrap_or_default()
    }
}
