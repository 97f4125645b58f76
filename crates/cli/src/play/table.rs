//! The course of a game: whose turn it is, and what happens at its end.

use std::io::Write;

use agon_picture::terminal::Style;
use agon_referee::{CoreRule, MatchSpec, OpenMatch, Record, Termination};
use agon_rules::{AnyGame, BySide, Side};
use agon_wire::Bot;

use super::{
    list::TurnList,
    plan::Plan,
    save::Keeper,
    screen,
    seat::{HUMAN, Seat},
};
use crate::{
    describe,
    error::CliError,
    input::{Heard, Input},
    show::style,
};

/// A game is broken off as a draw after so many turns: some rule sets know no end.
const MOST_TURNS: usize = 10_000;

/// A game in progress and all who take part in it.
pub(super) struct Table {
    pub(super) game: &'static dyn AnyGame,
    pub(super) open: OpenMatch,
    pub(super) seats: BySide<Seat>,
    pub(super) keeper: Keeper,
    pub(super) style: Style,
    /// What `list` showed in this position.
    pub(super) list: Option<TurnList>,
    /// Absent when nobody is asked anything.
    pub(super) input: Option<Input>,
    players: BySide<String>,
    people_timed: bool,
    seed: u64,
    /// How bots are contained.
    sandbox: &'static str,
    /// Mebibytes of memory that they may use.
    memory: Option<String>,
    resumed: Option<String>,
    /// How many turns the last board showed.
    drawn: Option<usize>,
}

/// What comes after a turn.
pub(super) enum Next {
    /// The next turn.
    Turn,
    /// The end of the match.
    End(Termination),
    /// Somebody wants to leave.
    Quit,
}

impl Table {
    /// Everyone takes a seat; bots are built if need be.
    pub(super) fn set(plan: Plan, ascii: bool, step: bool) -> Result<Table, CliError> {
        let (game, seed, has_people) = (plan.game, plan.seed, plan.has_people());
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
        let open = OpenMatch::new(spec, timed, plan.turns).map_err(|e| CliError::Host(e.to_string()))?;
        Ok(Table {
            game,
            open,
            seats,
            keeper: plan.keeper,
            style: style(ascii),
            list: None,
            input: (has_people || step).then(Input::stdin),
            players: plan.players,
            people_timed: plan.people_timed,
            seed,
            sandbox: plan.containment.level().name(),
            memory,
            resumed: plan.resumed.map(|file| file.display().to_string()),
            drawn: None,
        })
    }

    /// Plays until the game is over or somebody leaves.
    pub(super) fn play(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        self.begin()?;
        // Whoever asked for a file hears at once, not after an hour, that it cannot be written.
        self.save(None, BySide::default()).map_err(CliError::Host)?;
        write!(out, "{}", screen::header(self, self.seed, self.resumed.as_deref()))?;
        loop {
            if let Some(termination) = self.open.over() {
                return self.finish(out, &termination);
            }
            let side = self.open.position().turn();
            let next = match self.seats[side] {
                Seat::Human => self.human_turn(out)?,
                Seat::Bot { .. } => self.bot_turn(out, side)?,
            };
            match next {
                Next::Turn => self.save_and_go_on(out)?,
                Next::End(termination) => return self.finish(out, &termination),
                Next::Quit => return self.leave(out),
            }
        }
    }

    fn begin(&mut self) -> Result<(), CliError> {
        for side in Side::BOTH {
            let Seat::Bot { name, bot, .. } = &mut self.seats[side] else { continue };
            let begun = self.open.begin(&mut **bot, side).map_err(|error| CliError::Host(error.to_string()))?;
            let Some(termination) = begun else { continue };
            let noise = screen::indented(&bot.end(), screen::NOISE_LINES);
            let said = if noise.is_empty() { noise } else { format!("\nIts stderr:\n{}", noise.trim_end()) };
            let evidence = termination.evidence().unwrap_or_default();
            return Err(CliError::Failed(format!("{name}: {}: {evidence}{said}", termination.name())));
        }
        Ok(())
    }

    /// What the engine would play.
    pub(super) fn hint(&self) -> String {
        let turns: Vec<String> = self.open.turns().iter().map(|turn| turn.text.clone()).collect();
        agon_house::hint(&self.open.spec().setup, &turns).unwrap_or_default()
    }

    /// Draws the position unless it was the last thing drawn.
    pub(super) fn draw(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let count = self.open.turns().len();
        if self.drawn.replace(count) != Some(count) {
            write!(out, "\n{}{}", describe::board(self.open.position(), self.style), screen::status(self))?;
        }
        Ok(())
    }

    /// Forgets what was drawn and listed: the position is another one, or is to be shown again.
    pub(super) fn redraw(&mut self) {
        self.drawn = None;
        self.list = None;
    }

    fn bot_turn(&mut self, out: &mut dyn Write, side: Side) -> Result<Next, CliError> {
        let watched = Side::BOTH.iter().all(|&side| !self.seats[side].is_human());
        if watched {
            self.draw(out)?;
            if self.wait_for_enter(out)? {
                return Ok(Next::Quit);
            }
        }
        let (seat, opposite) = match side {
            Side::First => (&mut self.seats.first, &mut self.seats.second),
            Side::Second => (&mut self.seats.second, &mut self.seats.first),
        };
        let Seat::Bot { name, process, bot, .. } = seat else { return Ok(Next::Turn) };
        if *process && !watched {
            writeln!(out, "{} is thinking ...", describe::clean(name))?;
        }
        out.flush()?;
        let other: Option<&mut dyn Bot> = match opposite {
            Seat::Bot { bot, .. } => Some(&mut **bot),
            Seat::Human => None,
        };
        match self.open.ask(&mut **bot, other) {
            Ok(None) => Ok(Next::Turn),
            Ok(Some(termination)) => Ok(Next::End(termination)),
            Err(error) => Err(CliError::Host(format!("{error}; {}", self.how_to_resume()))),
        }
    }

    /// Waits if steps are wanted; says whether to leave.
    fn wait_for_enter(&mut self, out: &mut dyn Write) -> Result<bool, CliError> {
        let Some(input) = &self.input else { return Ok(false) };
        loop {
            match input.ask(out, "Enter, run or quit> ", None)? {
                Heard::Line(line) if line.is_empty() => return Ok(false),
                Heard::Line(line) if line == "run" => {
                    self.input = None;
                    return Ok(false);
                }
                Heard::Line(line) if ["q", "quit", "exit"].contains(&line.as_str()) => return Ok(true),
                Heard::Line(_) => writeln!(out, "Enter alone shows the next turn, run all of them, quit none.")?,
                Heard::End | Heard::TimeUp => return Ok(true),
            }
        }
    }

    fn finish(&mut self, out: &mut dyn Write, termination: &Termination) -> Result<(), CliError> {
        self.draw(out)?;
        let last_stderr = self.end_bots();
        write!(out, "\n{}", screen::ending(self, termination, &last_stderr))?;
        self.save(Some(termination), last_stderr).map_err(CliError::Host)?;
        if let Some(file) = self.keeper.file() {
            let file = file.display();
            writeln!(out, "The record is in {file}; `agon replay {file}` shows it again.")?;
        }
        Ok(())
    }

    fn leave(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let last_stderr = self.end_bots();
        self.save(None, last_stderr).map_err(CliError::Host)?;
        writeln!(out, "{}", screen::sentence(&self.how_to_resume()))?;
        Ok(())
    }

    fn how_to_resume(&self) -> String {
        match self.keeper.file() {
            Some(file) => format!("the game is saved: go on with `agon play --resume {}`", file.display()),
            None => "the game was not saved".to_owned(),
        }
    }

    fn end_bots(&mut self) -> BySide<String> {
        let at_end = BySide::from_fn(|side| match &mut self.seats[side] {
            Seat::Human => String::new(),
            Seat::Bot { bot, .. } => bot.end(),
        });
        self.open.last_stderr(at_end)
    }

    /// A save that fails does not end the game: the disk may have room again, or another one has.
    fn save_and_go_on(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        self.list = None;
        if let Err(problem) = self.save(None, BySide::default()) {
            writeln!(out, "Not saved: {problem}. The game goes on; `save FILE` tries another place.")?;
        }
        Ok(())
    }

    /// Writes the game to its file, if it has one.
    pub(super) fn save(&self, ended: Option<&Termination>, last_stderr: BySide<String>) -> Result<(), String> {
        self.keeper.save(|| self.record(ended, last_stderr))
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
