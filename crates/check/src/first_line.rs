//! Bots that die on the first line because they were written for that of another time.

use std::{collections::BTreeMap, time::Duration};

use agon_entrants::older_lines;
use agon_originals::{FIRST_LINE, LINES};
use agon_referee::{CoreRule, MatchSpec, NoWatch, Termination, play_match};
use agon_rules::{BySide, Side};
use agon_wire::{Ask, Bot, BotFailure, BotProcess, Budget, Fault, GameSetup, HouseBot, Reply};

use crate::{
    observe::Stage,
    pace::Pace,
    report::Report,
    run::{End, MatchSeen, Trial},
};

/// A bot that dies on a line dies at once; nobody waits longer for one that lives on.
const PATIENCE: Duration = Duration::from_secs(5);

/// What to do if the bot plays with another first line; `last` is the match in which it failed.
pub(crate) fn remedy(trial: &Trial, last: &MatchSeen, report: &mut Report) -> Option<String> {
    let has_died = matches!(last.end, End::Fault(Fault::Crash(_) | Fault::SilentExit(_)));
    let at_once = matches!(last.seen.stage, Stage::Starting | Stage::Turn(1));
    if trial.entrant.protocol.is_none_or(|protocol| protocol.name != LINES) || !has_died || !at_once {
        return None;
    }
    let line = older_lines(trial.game).iter().find(|line| {
        report.begin("another first line");
        let plays = plays(trial, last.seen.side, line.name);
        report.end(if plays { "ok: it plays with that" } else { "no better" });
        plays
    })?;
    let (name, about) = (line.name, line.about);
    Some(format!(
        "The bot plays when it is told another first line: {about}. Say so in its bot.toml, with {FIRST_LINE} = \"{name}\" \
         below [options], or behind its name on the command line: BOT;{FIRST_LINE}={name}."
    ))
}

/// Whether it gets past its first turn with this first line.
fn plays(trial: &Trial, side: Side, name: &str) -> bool {
    let options = BTreeMap::from([(FIRST_LINE.to_owned(), name.to_owned())]);
    let Ok(entrant) = trial.entrant.clone().with_options(&options, trial.game) else { return false };
    let launcher = trial.containment.launcher(None);
    let bot = entrant.bot(None, &launcher, |name| agon_house::think(name, 1));
    let mut subject = Hurried { bot, pace: trial.pace };
    let mut other = HouseBot::new(agon_house::think("random", 1));
    let spec = MatchSpec {
        setup: trial.setup.clone(),
        time: trial.pace.official,
        grace: Duration::from_secs(1),
        languages: BySide::from_fn(|_| entrant.language),
        opening: Vec::new(),
        most_turns: side.index() + 1,
        cores: CoreRule::default(),
    };
    let played = match side {
        Side::First => play_match(&spec, &mut subject, &mut other, &mut NoWatch),
        Side::Second => play_match(&spec, &mut other, &mut subject, &mut NoWatch),
    };
    played.is_ok_and(|played| matches!(played.termination, Termination::BrokenOff | Termination::Over(_)))
}

/// A bot that is told the clock of a check, and for which nobody waits long.
struct Hurried {
    bot: Box<dyn Bot>,
    pace: Pace,
}

impl Bot for Hurried {
    fn name(&self) -> String {
        self.bot.name()
    }

    fn begin(&mut self, setup: &GameSetup, side: Side, budget: Budget) -> Result<(), BotFailure> {
        self.bot.begin(setup, side, self.pace.announced(budget, side, Duration::ZERO))
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let budget = self.pace.announced(ask.budget, ask.side, Duration::ZERO);
        self.bot.turn(&Ask { budget, patience: Some(PATIENCE), ..*ask })
    }

    fn process(&mut self) -> Option<&mut BotProcess> {
        self.bot.process()
    }

    fn end(&mut self) -> String {
        self.bot.end()
    }
}
