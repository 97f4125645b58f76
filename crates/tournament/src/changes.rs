//! Teams that come back, and bots that are changed, while a tournament goes on.

use agon_entrants::{Workshop, same_bot};
use agon_originals::Original;
use agon_rules::{Side, Verdict};
use agon_runs::{Contestant, now_ms};
use agon_store::{Logged, Seen};

use crate::{
    battle::{Battle, Spot},
    database::Database,
    derive::State,
    plan::{Entry, Event, Version},
    stored::{StoredTournament, TournamentError},
    teams::{Entered, prepare},
};

/// What it means for a team that it is back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reinstated {
    /// Its matches that stay forfeited, because later ones were paired by them.
    pub stands: usize,
    /// Whether it has a match to play now.
    pub plays: bool,
    /// Whether the tournament is over, so that nothing is left to play.
    pub over: bool,
}

impl StoredTournament {
    /// Begins no further matches; those in progress end.
    ///
    /// # Errors
    /// If it is paused already, or over.
    pub fn pause(&mut self, reason: &str) -> Result<(), TournamentError> {
        if self.state().is_over() {
            return Err(TournamentError::Refused(format!("'{}' is over: there is nothing to pause", self.name)));
        }
        if self.interventions().paused {
            return Err(TournamentError::Refused(format!("'{}' is paused already", self.name)));
        }
        self.add(Event::Paused { reason: reason.to_owned() })
    }

    /// Ends a pause.
    ///
    /// # Errors
    /// If it is not paused.
    pub fn end_pause(&mut self, reason: &str) -> Result<(), TournamentError> {
        if !self.interventions().paused {
            return Err(TournamentError::Refused(format!(
                "'{}' is not paused; play it with `agon tournament run`",
                self.name
            )));
        }
        self.add(Event::Resumed { reason: reason.to_owned() })
    }

    /// Declares a match void, so that it is played again: one that is named as in records, with or without the tournament's name.
    ///
    /// # Errors
    /// If there is no such match, later ones were paired by its result, or could be while this is found out.
    pub fn replay(&mut self, database: &Database, played: &str, reason: &str) -> Result<(), TournamentError> {
        let lock = database.lock(&self.name)?;
        if lock.is_err() && !self.interventions().paused {
            let problem = "matches are being played; pause the tournament first, so that nothing is paired meanwhile";
            return Err(TournamentError::Busy(problem.to_owned()));
        }
        let id = match played.starts_with(&format!("{}/", self.name)) {
            true => played.to_owned(),
            false => format!("{}/{played}", self.name),
        };
        self.declare_void(&id, reason)
    }

    /// The team of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn team(&self, name: &str) -> Result<usize, TournamentError> {
        self.plan.team(name).ok_or_else(|| {
            let names: Vec<&str> = self.plan.teams.iter().map(|team| team.name.as_str()).collect();
            TournamentError::Refused(format!("no team is called '{name}'; there are {}", names.join(", ")))
        })
    }

    /// Takes a team out; what it has not played is forfeited.
    ///
    /// # Errors
    /// If there is no such team, or it is out already.
    pub fn take_out(&mut self, team: &str, reason: &str, disqualified: bool) -> Result<(), TournamentError> {
        let index = self.team(team)?;
        loop {
            self.refresh()?;
            match (self.interventions().out.get(&index), disqualified) {
                (Some(true), _) => return Err(TournamentError::Refused(format!("'{team}' is disqualified already"))),
                (Some(false), false) => {
                    return Err(TournamentError::Refused(format!("'{team}' has withdrawn already")));
                }
                _ => {}
            }
            let (team, reason) = (team.to_owned(), reason.to_owned());
            let kept = Some(self.state().decided_by_forfeits_to(index));
            let event = match disqualified {
                true => Event::Disqualified { team, reason, kept },
                false => Event::Withdrawn { team, reason, kept },
            };
            if self.add_if_unchanged(event)? {
                return Ok(());
            }
        }
    }

    /// Brings a team back. What it forfeited meanwhile is played, except for matches by which later ones were paired already.
    ///
    /// # Errors
    /// If there is no such team, or it is not out.
    pub fn reinstate(&mut self, team: &str, reason: &str) -> Result<Reinstated, TournamentError> {
        let index = self.team(team)?;
        loop {
            self.refresh()?;
            if !self.interventions().out.contains_key(&index) {
                return Err(TournamentError::Refused(format!("'{team}' is not out of the tournament")));
            }
            let matches = self.state().paired_by_forfeits(index);
            let stands = matches.len();
            let event = Event::Reinstated { team: team.to_owned(), reason: reason.to_owned(), stands: matches };
            // A match that ends at this moment may be the one by which others are paired.
            if self.add_if_unchanged(event)? {
                let state = self.state();
                let plays = state.open().any(|battle| battle.players.contains(&index));
                return Ok(Reinstated { stands, plays, over: state.is_over() });
            }
        }
    }

    /// Gives a team another bot, which it plays with from its next match on.
    ///
    /// # Errors
    /// If there is no such team, or it plays with this bot already.
    pub fn replace(&mut self, team: &str, version: Version, reason: &str) -> Result<(), TournamentError> {
        let index = self.team(team)?;
        self.refresh()?;
        let interventions = self.interventions();
        if interventions.hash(&self.plan, index, interventions.version(index)) == Some(&version.hash) {
            return Err(TournamentError::Refused(format!(
                "'{team}' plays with this bot already: its content is the same"
            )));
        }
        self.add(Event::Replaced { team: team.to_owned(), version, reason: reason.to_owned() })
    }

    /// The bot that a team plays with now, which must be the one that the log knows. A team that is out needs none.
    ///
    /// # Errors
    /// If the bot is not the one that was entered, or this host failed.
    pub fn contestant(
        &self,
        team: usize,
        game: &'static dyn Original,
        workshop: &Workshop,
    ) -> Result<Contestant, TournamentError> {
        let (entered, interventions) = (&self.plan.teams[team], self.interventions());
        let version = interventions.versions.get(&team).and_then(|versions| versions.last());
        let hash = version.map_or(&entered.hash, |version| &version.hash).clone();
        let without =
            |reason: &str| Contestant { name: entered.name.clone(), hash: hash.clone(), bot: Err(reason.to_owned()) };
        if interventions.out.contains_key(&team) {
            return Ok(without("its team is out of the tournament"));
        }
        // One that was broken stays so until it is replaced: it may not be mended in the middle of a tournament.
        if let (None, Some(problem)) = (version, &entered.broken) {
            return Ok(without(problem));
        }
        let bot = version.and_then(|version| version.bot.as_ref()).unwrap_or(&entered.bot);
        let named = Entered { name: entered.name.clone(), bot: bot.clone(), ..Entered::default() };
        let (found, contestant) = prepare(&named, game, workshop).map_err(|error| TournamentError::Store(error.0))?;
        if same_bot(&hash, &found.hash) {
            // What was entered under an older program keeps the name that its records have.
            return Ok(Contestant { hash, ..contestant });
        }
        let why = found.broken.unwrap_or_else(|| "its content is another one now".to_owned());
        let (name, run) = (&entered.name, &self.name);
        Err(TournamentError::Changed(format!(
            "the bot of '{name}' ({bot}) is not the one that was entered: {why}; put it back, or let the new one play with \
             `agon tournament replace {run} '{name}' BOT`, or take the team out with `agon tournament withdraw {run} '{name}'`"
        )))
    }

    /// Where the bots are that the teams play with now.
    pub fn bots(&self) -> Vec<(String, String)> {
        let interventions = self.interventions();
        let teams = self.plan.teams.iter().enumerate().map(|(index, team)| {
            let version = interventions.versions.get(&index).and_then(|versions| versions.last());
            let bot = version.and_then(|version| version.bot.as_ref()).unwrap_or(&team.bot);
            (team.name.clone(), bot.clone())
        });
        teams.collect()
    }

    fn add_if_unchanged(&mut self, event: Event) -> Result<bool, TournamentError> {
        let entry = Entry { at_ms: now_ms(), event };
        let text = serde_json::to_string(&entry).map_err(|e| TournamentError::Store(e.to_string()))?;
        let seen = Seen { entries: self.log.len(), matches: self.briefs.len() };
        let name = self.name.clone();
        let added = self.store().append_log_if_unchanged(&name, &Logged { at_ms: entry.at_ms, entry: text }, seen)?;
        if added {
            self.log.push(entry);
        }
        Ok(added)
    }
}

impl State {
    /// Matches that a team forfeits and by which later ones were paired: they stay forfeited when it comes back.
    pub fn paired_by_forfeits(&self, team: usize) -> Vec<(u32, u8)> {
        self.forfeits(team, |battle| self.is_paired_by(battle), Verdict::lost_by)
    }

    /// Matches that a team has won because its opponent was out, and that decided something: they stay won when it leaves too.
    pub fn decided_by_forfeits_to(&self, team: usize) -> Vec<(u32, u8)> {
        let decided = |battle: &Battle| self.is_paired_by(battle) || self.is_in_a_decided_table(battle);
        self.forfeits(team, decided, |verdict, side| verdict.winner() == Some(side))
    }

    fn is_paired_by(&self, battle: &Battle) -> bool {
        self.battles.iter().any(|later| later.place.rests_on(&battle.place))
    }

    /// Whether the table that a battle belongs to is decided, or the whole tournament of the series.
    fn is_in_a_decided_table(&self, battle: &Battle) -> bool {
        let place = &battle.place;
        let Some(part) = self.parts.get(place.part) else { return false };
        let table = match place.spot {
            Spot::Group { group, .. } => group,
            Spot::Bracket { .. } | Spot::ThirdPlace | Spot::Round { .. } => 0,
        };
        let table = part.stages.get(place.stage).and_then(|stage| stage.tables.get(table));
        part.ranking.is_some() || table.is_some_and(|table| table.decided)
    }

    /// Forfeited matches of a team in such battles that ended like this for it.
    fn forfeits(
        &self,
        team: usize,
        counts: impl Fn(&Battle) -> bool,
        ended: impl Fn(Verdict, Side) -> bool,
    ) -> Vec<(u32, u8)> {
        let forfeited = self.battles.iter().filter(|battle| battle.players.contains(&team) && counts(battle));
        let halves = forfeited.flat_map(|battle| battle.halves.iter().map(move |half| (battle, half)));
        let found = halves.filter(|(battle, half)| {
            let side = Side::BOTH.into_iter().find(|&side| battle.players[half.seat(side)] == team);
            let forfeit = half.outcome.filter(|outcome| outcome.forfeit);
            forfeit.is_some_and(|outcome| side.is_some_and(|side| ended(outcome.verdict, side)))
        });
        found.map(|(_, half)| (half.number, half.half)).collect()
    }
}
