//! Bots that cannot start or speak: going on with them makes no sense.

use std::collections::BTreeMap;

use agon_referee::Record;
use agon_rules::Side;
use agon_store::Match;

use crate::{Contestant, battle::seats};

/// What is known of the bots' first turns.
#[derive(Debug, Default)]
pub(crate) struct Silence {
    /// What each bot showed in each half of a battle that is not complete.
    open: BTreeMap<u32, [Option<[Shown; 2]>; 2]>,
    /// What was found, in words; the first one counts.
    found: Option<String>,
}

/// What a bot showed in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shown {
    /// At least one of its turns was accepted.
    Played,
    /// It was never asked: its opponent failed first, or the match was over.
    Unasked,
    /// It failed before that: how, and the evidence.
    Failed(String),
}

impl Silence {
    /// What was found, if a bot can neither start nor speak.
    pub(crate) fn found(&self) -> Option<&str> {
        self.found.as_deref()
    }

    /// Looks at a match. A bot that had a turn accepted in either match of a battle can speak.
    pub(crate) fn look(&mut self, contestants: &[Contestant; 2], played: &Match) {
        let halves = self.open.entry(played.battle).or_default();
        halves[usize::from(played.half.min(1))] = Some(shown(played));
        let [Some(one), Some(other)] = halves else { return };
        let bots: Vec<[Shown; 2]> = one.iter().cloned().zip(other.iter().cloned()).map(|(a, b)| [a, b]).collect();
        self.open.remove(&played.battle);
        let silent = |(bot, contestant): (&[Shown; 2], &Contestant)| {
            let why = bot.iter().find_map(|shown| match shown {
                Shown::Failed(why) => Some(why),
                Shown::Played | Shown::Unasked => None,
            })?;
            (!bot.contains(&Shown::Played)).then(|| (contestant.name.clone(), why.clone()))
        };
        let silent: Vec<(String, String)> = bots.iter().zip(contestants).filter_map(silent).collect();
        if let Some((_, why)) = silent.first()
            && self.found.is_none()
        {
            let names: Vec<&str> = silent.iter().map(|(name, _)| name.as_str()).collect();
            let names = names.join(" and ");
            self.found = Some(format!("{names} could not play a single turn in either match of a battle: {why}"));
        }
    }
}

/// What the two bots showed in a match, in the order of the plan.
fn shown(played: &Match) -> [Shown; 2] {
    let seats = seats(played.half);
    let mut shown = [Shown::Played, Shown::Played];
    let opening = played.record.split_once("[Opening \"").and_then(|(_, rest)| rest.split('"').next()?.parse().ok());
    let opening: usize = opening.unwrap_or(0);
    // No opening is played by the bots, and after two turns both have spoken. Most records are long, and need not be read.
    if played.turns as usize > opening + 2 {
        return shown;
    }
    let Ok(record) = Record::parse(&played.record) else { return shown };
    let Ok(positions) = record.replay(agon_all::rules) else { return shown };
    let played_by_bots = positions.get(opening..record.turns.len()).unwrap_or_default();
    let movers: Vec<Side> = played_by_bots.iter().map(|position| position.turn()).collect();
    for side in Side::BOTH {
        if movers.contains(&side) {
            continue;
        }
        let failed = record.tag("FaultBy").is_some_and(|by| by == "both" || by == side.number().to_string());
        shown[seats[side]] = match failed {
            true => Shown::Failed(format!("{}: {}", played.termination, played.evidence)),
            false => Shown::Unasked,
        };
    }
    shown
}
