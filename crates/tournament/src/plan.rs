//! What a tournament is before its first match: format, teams and secret.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use agon_rules::{Ending, RuleSet, Side};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    format::{Format, NonStarters},
    rung::Rung,
};

/// A team and its bot.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Team {
    /// Its name, unique.
    pub name: String,
    /// How its bot was named: a path, a house bot, a command. It is the organiser's alone, and never published.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub bot: String,
    /// The digest of its bot's content.
    pub hash: String,
    /// What the bot is written in.
    pub language: String,
    /// The score of an earlier phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What the house bots scored against it in an earlier phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house: Option<f64>,
    /// Why its bot cannot play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// The organiser's own columns of the table of teams: they mean nothing here, and are given back with the standings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<(String, String)>,
}

/// Everything that is decided before the first match. Together with the log and the results it determines all that follows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The format.
    pub format: Format,
    /// The teams, in the order in which they were entered.
    pub teams: Vec<Team>,
    /// Where the random choices of bots begin.
    pub seed: u64,
    /// What coins are tossed with.
    pub secret: Secret,
}

/// What coins are tossed with. Its digest is published at the start, the secret itself at the end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Secret(pub String);

/// How a secret begins that stands for one which is not known. No secret that somebody chose has such a letter.
const UNKNOWN: char = '\0';

impl Secret {
    /// What stands for a secret that is not published yet: it decides as was published. Occasions, and the teams of each, the
    /// luckiest first.
    pub(crate) fn of_tosses(tosses: &BTreeMap<String, Vec<String>>) -> Secret {
        Secret(format!("{UNKNOWN}{}", serde_json::to_string(tosses).unwrap_or_default()))
    }

    /// A lot by what was published, if the secret itself is not known.
    fn published_lot(&self, occasion: &str, team: &str) -> Option<[u8; 32]> {
        let tosses: BTreeMap<String, Vec<String>> = serde_json::from_str(self.0.strip_prefix(UNKNOWN)?).ok()?;
        let place = tosses.get(occasion)?.iter().position(|other| other == team)?;
        let mut lot = [u8::MAX; 32];
        lot[..8].copy_from_slice(&(u64::MAX - place as u64).to_be_bytes());
        Some(lot)
    }

    /// The digest that is published.
    pub fn digest(&self) -> String {
        hex(&Sha256::digest(self.0.as_bytes()))
    }

    /// What a team draws when a coin is tossed; the highest comes first.
    pub(crate) fn lot(&self, occasion: &str, team: &str) -> [u8; 32] {
        if let Some(lot) = self.published_lot(occasion, team) {
            return lot;
        }
        let mut hash = Sha256::new();
        for part in [self.0.as_str(), occasion, team] {
            // Lengths keep the parts apart: "ab" and "c" are not "a" and "bc".
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        hash.finalize().into()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The occasion of the lots that order teams with the same seed.
pub(crate) const SEEDS: &str = "seeds";

impl Plan {
    /// Teams and house bots: players are numbered in this order.
    pub fn players(&self) -> Vec<&str> {
        self.teams.iter().map(|team| team.name.as_str()).chain(self.house()).collect()
    }

    /// The house bots of all gauntlets, each once.
    pub fn house(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.format.stages.iter().flat_map(|stage| stage.kind.system().house_bots()) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The name of a player.
    pub fn name(&self, player: usize) -> &str {
        match self.teams.get(player) {
            Some(team) => &team.name,
            None => self.house().get(player - self.teams.len()).copied().unwrap_or("?"),
        }
    }

    /// The team of this name.
    pub fn team(&self, name: &str) -> Option<usize> {
        self.teams.iter().position(|team| team.name == name)
    }

    /// Teams by seed, the best first: by the score of an earlier phase, then by the house bots' scores, then by lot. Without
    /// scores, in the order in which they were entered. Teams whose bots could not be built come last.
    pub fn seeds(&self) -> Vec<usize> {
        let mut seeds: Vec<usize> = (0..self.teams.len()).collect();
        // A team without a bot gets no bye before one that can play.
        let last = |team: usize| self.format.non_starters == NonStarters::Last && self.teams[team].broken.is_some();
        if self.teams.iter().all(|team| team.score.is_none()) {
            seeds.sort_by_key(|&team| last(team));
            return seeds;
        }
        let lots: Vec<[u8; 32]> = self.teams.iter().map(|team| self.secret.lot(SEEDS, &team.name)).collect();
        seeds.sort_by(|&a, &b| {
            let (left, right) = (&self.teams[a], &self.teams[b]);
            let score = |team: &Team| team.score.unwrap_or(f64::NEG_INFINITY);
            let house = |team: &Team| team.house.unwrap_or(f64::INFINITY);
            let by_score = score(right).total_cmp(&score(left));
            last(a).cmp(&last(b)).then(by_score).then(house(left).total_cmp(&house(right))).then(lots[b].cmp(&lots[a]))
        });
        seeds
    }

    /// What a match brings that is not played because a side is missing: the points of either side when this side is at fault
    /// before its first turn. By variant.
    pub(crate) fn forfeits(&self) -> HashMap<String, [[f64; 2]; 2]> {
        let points = |variant: &str, rules: RuleSet, side: Side| -> [f64; 2] {
            let position = agon_all::find(&self.format.game).and_then(|game| game.open(variant, rules));
            let points = position.map(|position| position.points(Ending::Fault(side)));
            points.map_or([0.0; 2], |points| [points.first, points.second])
        };
        let parts = self.format.parts.iter();
        parts
            .map(|part| (part.variant.clone(), Side::BOTH.map(|side| points(&part.variant, self.format.rules, side))))
            .collect()
    }
}

impl Plan {
    /// Whether margin scores decide anything that the points do not say.
    pub(crate) fn counts_margins(&self) -> bool {
        !self.start_margins().is_empty()
    }

    /// The margin scores of the position that each board begins with, by variant: those of a match that is not played. Empty if no
    /// tie is broken by margins, or the game's text does not define any.
    pub(crate) fn start_margins(&self) -> HashMap<String, [f64; 2]> {
        let format = &self.format;
        let counts = format.stages.iter().flat_map(|stage| &stage.ties).any(|rung| *rung == Rung::Margin);
        let game = agon_all::find(&format.game).ok().filter(|_| counts);
        let margins = |variant: &str| {
            let margins = game?.open(variant, format.rules).ok()?.margins()?;
            Some((variant.to_owned(), [margins.first, margins.second]))
        };
        format.parts.iter().filter_map(|part| margins(&part.variant)).collect()
    }
}

/// What an organiser did, or what happened, and when.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// What.
    #[serde(flatten)]
    pub event: Event,
}

/// What is kept in the audit log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The tournament was set up; coins will be tossed with the secret that has this digest.
    Created {
        /// The digest.
        digest: String,
        /// Mebibytes of memory that a bot may use, as the option takes them, if somebody asked for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory: Option<String>,
    },
    /// Matches begin, on this host and in this sandbox.
    Started {
        /// Its level.
        sandbox: String,
        /// Mebibytes of memory that a bot may use, as the option takes them. Older programs did not write it down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory: Option<String>,
    },
    /// No further matches begin.
    Paused {
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// They do again.
    Resumed {
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// A team withdrew: what it has not played is forfeited.
    Withdrawn {
        /// The team.
        team: String,
        /// Why.
        reason: String,
        /// Matches that it has won because its opponent was out, and that decided something: these wins stay. Absent in logs of
        /// older programs, under which all of them stayed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<Vec<(u32, u8)>>,
    },
    /// A team was disqualified: as if withdrawn, and it gets no marks.
    Disqualified {
        /// The team.
        team: String,
        /// Why.
        reason: String,
        /// Matches that it has won because its opponent was out, and that decided something: these wins stay. Absent in logs of
        /// older programs, under which all of them stayed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<Vec<(u32, u8)>>,
    },
    /// A team that was out is back.
    Reinstated {
        /// The team.
        team: String,
        /// Why.
        reason: String,
        /// Matches that stay forfeited because later ones were paired by them: the number of the battle and the match of the pair.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stands: Vec<(u32, u8)>,
    },
    /// A team plays with another version of its bot, from its next match on.
    Replaced {
        /// The team.
        team: String,
        /// The new version.
        #[serde(flatten)]
        version: Version,
        /// Why.
        reason: String,
    },
    /// A match does not count and is played again.
    Void {
        /// The battle's number, of its first attempt.
        battle: u32,
        /// Which match of the pair.
        half: u8,
        /// Why.
        reason: String,
    },
    /// The organiser decided a tie.
    Decided {
        /// The teams that were tied, the best first.
        order: Vec<String>,
        /// Why.
        reason: String,
    },
    /// Everything is played.
    Finished,
}

/// A bot that a team plays with instead of the one that it entered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Version {
    /// How the bot was named. It is the organiser's alone: see [`Entry::published`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// The digest of its content.
    pub hash: String,
    /// What it is written in.
    pub language: String,
}

impl Entry {
    /// The entry as everybody may read it: without the places where bots are kept.
    pub fn published(&self) -> Entry {
        let mut entry = self.clone();
        if let Event::Replaced { version, .. } = &mut entry.event {
            version.bot = None;
        }
        entry
    }
}

/// The log, as far as it changes the course of things.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Interventions {
    /// Teams that are out of it, and whether they are disqualified.
    pub out: BTreeMap<usize, bool>,
    /// The same teams in the order in which they left.
    pub left: Vec<usize>,
    /// Matches that stay won by a team that left later than its opponent, because others were paired by that.
    pub kept: HashMap<(u32, u8), usize>,
    /// Teams that keep every match that they have won like this, as logs of older programs mean it.
    pub keep_all: BTreeSet<usize>,
    /// Matches that stay forfeited though a team is back, and by which teams.
    pub stands: HashMap<(u32, u8), Vec<usize>>,
    /// The bots that a team has had since the one that it entered, the first first.
    pub versions: BTreeMap<usize, Vec<Version>>,
    /// How often each match was declared void.
    pub void: HashMap<(u32, u8), u32>,
    /// Decisions: the teams, the best first.
    pub decisions: Vec<Vec<usize>>,
    /// Whether no further matches are to begin.
    pub paused: bool,
}

impl Interventions {
    /// What the log says.
    pub fn of(plan: &Plan, log: &[Entry]) -> Interventions {
        let mut all = Interventions::default();
        for entry in log {
            match &entry.event {
                Event::Withdrawn { team, kept, .. } => {
                    plan.team(team).into_iter().for_each(|team| all.take_out(team, false, kept.as_deref()));
                }
                Event::Disqualified { team, kept, .. } => {
                    plan.team(team).into_iter().for_each(|team| all.take_out(team, true, kept.as_deref()));
                }
                Event::Reinstated { team, stands, .. } => {
                    plan.team(team).into_iter().for_each(|team| all.bring_back(team, stands));
                }
                Event::Replaced { team, version, .. } => {
                    plan.team(team).into_iter().for_each(|team| all.replace(team, version.clone()));
                }
                Event::Void { battle, half, .. } => *all.void.entry((*battle, *half)).or_default() += 1,
                Event::Decided { order, .. } => {
                    all.decisions.push(order.iter().filter_map(|team| plan.team(team)).collect());
                }
                Event::Paused { .. } => all.paused = true,
                Event::Resumed { .. } => all.paused = false,
                Event::Created { .. } | Event::Started { .. } | Event::Finished => {}
            }
        }
        all
    }

    /// Takes a team out. Who has withdrawn can still be disqualified. Of what it has won because others were out, `kept` stays so;
    /// all of it if absent.
    pub fn take_out(&mut self, team: usize, disqualified: bool, kept: Option<&[(u32, u8)]>) {
        *self.out.entry(team).or_insert(false) |= disqualified;
        if self.left.contains(&team) {
            return;
        }
        self.left.push(team);
        match kept {
            Some(kept) => self.kept.extend(kept.iter().map(|&played| (played, team))),
            None => drop(self.keep_all.insert(team)),
        }
    }

    /// Brings a team back. Of what it forfeited, only `stands` stays so.
    pub fn bring_back(&mut self, team: usize, stands: &[(u32, u8)]) {
        self.out.remove(&team);
        self.left.retain(|left| *left != team);
        self.kept.retain(|_, winner| *winner != team);
        self.keep_all.remove(&team);
        for &played in stands {
            self.stands.entry(played).or_default().push(team);
        }
    }

    /// Gives a team another bot.
    pub fn replace(&mut self, team: usize, version: Version) {
        self.versions.entry(team).or_default().push(version);
    }

    /// Which of its bots a team plays with now: 1 is the one that it entered.
    pub fn version(&self, team: usize) -> usize {
        1 + self.versions.get(&team).map_or(0, Vec::len)
    }

    /// The digest of a version of a team's bot, if there is such a version.
    pub fn hash<'a>(&'a self, plan: &'a Plan, team: usize, version: usize) -> Option<&'a str> {
        match version {
            0 => None,
            1 => plan.teams.get(team).map(|team| team.hash.as_str()),
            _ => self.versions.get(&team)?.get(version - 2).map(|version| version.hash.as_str()),
        }
    }
}
