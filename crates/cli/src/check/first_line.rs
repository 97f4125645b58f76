//! Bots that die on the first line because they were written for that of another time.

use std::{collections::BTreeMap, time::Duration};

use agon_referee::{CoreRule, MatchSpec, NoWatch, Termination, older_lines, play_match};
use agon_rules::{BySide, Side};
use agon_wire::{FIRST_LINE, Protocol};

use super::run::{MatchSeen, Plan};

/// A bot that is asked for its first turn and for another one has understood the first line.
const TURNS: usize = 3;

/// What to do if the bot plays with another first line; `last` is the match in which it failed.
pub(super) fn remedy(plan: &Plan, last: &MatchSeen) -> Option<String> {
    if plan.entrant.protocol != Some(Protocol::Lines) || last.turns > 1 {
        return None;
    }
    let line = older_lines(plan.game).iter().find(|line| plays(plan, last.seen.side, line.name))?;
    let (name, about) = (line.name, line.about);
    Some(format!(
        "The bot plays when it is told another first line: {about}. Say so in its bot.toml, with {FIRST_LINE} = \"{name}\" \
         below [options], or behind its name on the command line: BOT;{FIRST_LINE}={name}."
    ))
}

/// Whether it makes turns with this first line.
fn plays(plan: &Plan, side: Side, name: &str) -> bool {
    let options = BTreeMap::from([(FIRST_LINE.to_owned(), name.to_owned())]);
    let Ok(entrant) = plan.entrant.clone().told(&options, plan.game) else { return false };
    let launcher = plan.containment.launcher(None);
    let think = |name: &str| agon_all::house::think(name, 1);
    let mut bot = entrant.bot(plan.game, None, &launcher, think);
    let mut other = agon_wire::HouseBot::new(agon_all::house::think("random", 1));
    let spec = MatchSpec {
        setup: plan.setup.clone(),
        time: plan.pace.official,
        grace: Duration::from_secs(1),
        languages: BySide::from_fn(|_| entrant.language),
        opening: Vec::new(),
        most_turns: TURNS,
        cores: CoreRule::default(),
    };
    let played = match side {
        Side::First => play_match(&spec, &mut *bot, &mut other, &mut NoWatch),
        Side::Second => play_match(&spec, &mut other, &mut *bot, &mut NoWatch),
    };
    played.is_ok_and(|played| matches!(played.termination, Termination::BrokenOff | Termination::Over(_)))
}
