//! A board at which people and bots play: whose turn it is, turns that are taken back, hints, and games that are put away and gone on
//! with. Who drives it asks the people; see [`Table::next`].

mod keeper;
mod plan;
mod seat;
mod turn_list;
mod typed;

use std::{path::PathBuf, time::Duration};

use agon_referee::{CoreRule, MatchSpec, OpenMatch, Record, Termination};
use agon_rules::{AnyGame, BySide, Side, TurnError};
use agon_wire::{Bot, HostError};
use thiserror::Error;

pub use keeper::{Keeper, SaveError};
pub use plan::{Plan, PlanError, SavedError, Settings};
pub use seat::{HUMAN, Seat, SeatError};
pub use turn_list::TurnList;
pub use typed::{TypedError, play_typed};

/// A game is broken off as a draw after so many turns: some rule sets know no end.
const MOST_TURNS: usize = 10_000;

/// A game in progress and all who take part in it.
pub struct Table {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The match.
    pub open: OpenMatch,
    /// Who plays.
    pub seats: BySide<Seat>,
    /// Where random choices begin.
    pub seed: u64,
    /// The saved game that this one goes on with.
    pub resumed: Option<PathBuf>,
    keeper: Keeper,
    players: BySide<String>,
    people_timed: bool,
    /// How bots are contained.
    sandbox: &'static str,
    /// Mebibytes of memory that they may use.
    memory: Option<String>,
}

/// What comes next at a table.
pub enum Next {
    /// A person is to say a turn: [`Table::play`].
    Person(Side),
    /// A bot is to be asked: [`Table::ask`].
    Bot(Side),
    /// The match is over.
    Over(Termination),
}

/// Nobody plays.
#[derive(Debug, Error)]
pub enum TableError {
    /// Somebody cannot take a seat.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// This host failed.
    #[error(transparent)]
    Host(#[from] HostError),
    /// A bot failed before its first turn.
    #[error("{bot}: {}: {}", .termination.name(), .termination.evidence().unwrap_or_default())]
    Fault {
        /// What it is called.
        bot: String,
        /// How.
        termination: Box<Termination>,
        /// What it wrote to stderr.
        stderr: String,
    },
}

impl Table {
    /// Everyone takes a seat; bots are built if need be.
    ///
    /// # Errors
    /// If a bot cannot be built, or the turns of an earlier day cannot be played again.
    pub fn set(plan: Plan) -> Result<Table, TableError> {
        let (game, seed) = (plan.game, plan.seed);
        let find = |player: &str| Seat::find(player, game, seed, &plan.containment);
        let seats = BySide::new(find(&plan.players.first)?, find(&plan.players.second)?);
        let spec = MatchSpec {
            time: plan.time,
            grace: game.grace(&plan.setup.variant),
            languages: BySide::from_fn(|side| seats[side].language()),
            opening: Vec::new(),
            most_turns: MOST_TURNS,
            cores: CoreRule::default(),
            setup: plan.setup,
        };
        let memory = plan.containment.memory_tag(spec.languages);
        let timed = BySide::from_fn(|side| plan.people_timed || !seats[side].is_human());
        Ok(Table {
            game,
            open: OpenMatch::new(spec, timed, plan.turns)?,
            seats,
            seed,
            resumed: plan.resumed,
            keeper: plan.keeper,
            players: plan.players,
            people_timed: plan.people_timed,
            sandbox: plan.containment.level().name(),
            memory,
        })
    }

    /// Tells the bots that they are about to play.
    ///
    /// # Errors
    /// If one of them fails, or this host does.
    pub fn begin(&mut self) -> Result<(), TableError> {
        for side in Side::BOTH {
            let Seat::Bot { name, bot, .. } = &mut self.seats[side] else { continue };
            if let Some(termination) = self.open.begin(&mut **bot, side)? {
                let (bot, stderr) = (name.clone(), bot.end());
                return Err(TableError::Fault { bot, termination: Box::new(termination), stderr });
            }
        }
        Ok(())
    }

    /// Who is to move, unless the match is over.
    pub fn next(&self) -> Next {
        if let Some(termination) = self.open.over() {
            return Next::Over(termination);
        }
        let side = self.open.position().turn();
        if self.seats[side].is_human() { Next::Person(side) } else { Next::Bot(side) }
    }

    /// Asks the bot that is to move for its turn. `Some` is the fault that ends the match.
    ///
    /// # Errors
    /// If this host fails.
    pub fn ask(&mut self) -> Result<Option<Termination>, HostError> {
        let (seat, opposite) = match self.open.position().turn() {
            Side::First => (&mut self.seats.first, &mut self.seats.second),
            Side::Second => (&mut self.seats.second, &mut self.seats.first),
        };
        let Seat::Bot { bot, .. } = seat else { return Ok(None) };
        let other: Option<&mut dyn Bot> = match opposite {
            Seat::Bot { bot, .. } => Some(&mut **bot),
            Seat::Human => None,
        };
        self.open.ask(&mut **bot, other)
    }

    /// Plays the turn of a person who thought for so long.
    ///
    /// # Errors
    /// If the rules refuse it; then nothing has changed.
    pub fn play(&mut self, turn: &str, used: Duration) -> Result<(), TurnError> {
        self.open.play_human(turn, used)
    }

    /// Takes back the last turn that a person made, and what came after it. Gives these turns; none if no person has made one.
    ///
    /// # Errors
    /// If the turns that are left cannot be played again.
    pub fn take_back(&mut self) -> Result<Vec<String>, HostError> {
        let Some(last) = self.open.movers().iter().rposition(|&side| self.seats[side].is_human()) else {
            return Ok(Vec::new());
        };
        let taken = self.open.turns()[last..].iter().map(|turn| turn.text.clone()).collect();
        self.open.take_back(last)?;
        Ok(taken)
    }

    /// What the engine would play.
    pub fn hint(&self) -> String {
        let turns: Vec<String> = self.open.turns().iter().map(|turn| turn.text.clone()).collect();
        agon_house::hint(&self.open.spec().setup, &turns).unwrap_or_default()
    }

    /// How many people play.
    pub fn people(&self) -> usize {
        Side::BOTH.iter().filter(|&&side| self.seats[side].is_human()).count()
    }

    /// Where the game is kept.
    pub fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    /// Keeps the game in a new file, if one is named, and writes it. Where that fails, it is kept where it was before.
    ///
    /// # Errors
    /// If there is something of this name, or the file cannot be written.
    pub fn keep(&mut self, file: Option<PathBuf>) -> Result<(), SaveError> {
        let before = self.keeper.clone();
        let chosen = file.map_or(Ok(()), |file| self.keeper.new_file(file));
        let kept = chosen.and_then(|()| self.save(None, BySide::default()));
        // The place where the game was kept until now is still good.
        kept.inspect_err(|_| self.keeper = before)
    }

    /// Writes the game to its file, if it has one. `ended` says how it ended, if it did.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, ended: Option<&Termination>, last_stderr: BySide<String>) -> Result<(), SaveError> {
        self.keeper.save(|| self.record(ended, last_stderr))
    }

    /// Ends the bots; gives what they wrote to stderr after their last turns.
    pub fn end_bots(&mut self) -> BySide<String> {
        let at_end = BySide::from_fn(|side| match &mut self.seats[side] {
            Seat::Human => String::new(),
            Seat::Bot { bot, .. } => bot.end(),
        });
        self.open.last_stderr(at_end)
    }

    fn record(&self, ended: Option<&Termination>, last_stderr: BySide<String>) -> Record {
        let names = BySide::from_fn(|side| self.seats[side].name().to_owned());
        let mut more = vec![
            ("FirstPlayer", self.players.first.clone()),
            ("SecondPlayer", self.players.second.clone()),
            ("Seed", self.seed.to_string()),
            ("Sandbox", self.sandbox.to_owned()),
        ];
        more.extend(self.memory.clone().map(|memory| ("Memory", memory)));
        if !self.people_timed && Side::BOTH.iter().any(|&side| self.players[side] == HUMAN) {
            more.push(("HumanClock", "off".to_owned()));
        }
        self.open.record(ended, &names, last_stderr, &more)
    }
}
