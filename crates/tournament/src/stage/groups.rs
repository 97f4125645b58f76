//! Round robins within groups.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{FewerGroups, Key, ROUNDS, StageKind, System, Takes, Word, round_robin};
use crate::{
    battle::Spot,
    derive::{Contest, Derivation, Order, Progress, StageSetup, Table},
    forecast::{Extent, Wave},
    format::TieBreaks,
    plan::Plan,
    quick::QuickMap,
    rung::Rung,
    schedule,
    seeding::{Seeding, deal},
    source::{FormatError, StageReader},
};

pub(super) const WORD: Word = Word {
    word: "groups",
    keys: &[
        Key { name: "groups", takes: Takes::Size },
        Key { name: "smallest", takes: Takes::Size },
        Key { name: "size", takes: Takes::Size },
        Key { name: "seeding", takes: Takes::Word },
        ROUNDS,
    ],
    read,
};

/// Round robins within groups.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Groups {
    /// How many groups there are.
    pub groups: GroupCount,
    /// How teams are dealt to groups.
    pub seeding: Seeding,
    /// How often each meets each.
    pub rounds: u32,
}

/// How many groups there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupCount {
    /// So many.
    Number(usize),
    /// As many as it takes for about this size.
    Size(usize),
}

impl GroupCount {
    /// The number of groups for so many teams. None is empty.
    pub fn of(self, teams: usize) -> usize {
        let wanted = match self {
            GroupCount::Number(number) => number,
            GroupCount::Size(size) => (teams + size / 2) / size.max(1),
        };
        wanted.clamp(1, teams.max(1))
    }
}

fn read(stage: &StageReader) -> Result<StageKind, FormatError> {
    let groups = match (stage.size("groups", 1, 100_000), stage.size("size", 2, 100_000)) {
        (Some(number), None) => GroupCount::Number(number?),
        (None, Some(size)) => GroupCount::Size(size?),
        _ => return stage.wrong("groups: expected either groups = N or size = N"),
    };
    let seeding = stage.word("seeding").unwrap_or(Ok(Seeding::Modulo))?;
    let rounds = stage.count("rounds", 1, 100).unwrap_or(Ok(1))?;
    if stage.smallest().is_some() && matches!(groups, GroupCount::Size(_)) {
        return stage.wrong_at(
            "smallest",
            "smallest: it goes with groups = N; size = N makes as many groups as the teams fill",
        );
    }
    Ok(StageKind::Groups(Groups { groups, seeding, rounds }))
}

impl System for Groups {
    fn word(&self) -> &'static str {
        if self.in_groups() { WORD.word } else { round_robin::WORD.word }
    }

    fn usual_ties(&self) -> TieBreaks {
        vec![Rung::Points, Rung::HeadToHead, Rung::Margin, Rung::Coin]
    }

    fn derive(&self, derivation: &mut Derivation, setup: &StageSetup) -> Progress {
        let teams = setup.entrants.len();
        let begin = derivation.battles.len();
        let (mut tables, mut orders, mut indices) = (Vec::new(), Vec::new(), 0);
        for (group, seeds) in deal(teams, self.groups.of(teams), self.seeding).iter().enumerate() {
            let teams = seeds.iter().map(|&seed| setup.entrants[seed]).collect();
            let group = Group { number: group, first: indices, teams };
            let (table, order) = self.derive_group(&group, derivation, setup);
            indices += pairs(group.teams.len()) * self.rounds as usize;
            tables.push(table);
            orders.push(order);
        }
        derivation.numbers = derivation.numbers.after(indices);
        let orders: Option<Vec<Order>> = orders.into_iter().collect();
        derivation.close(setup, begin, tables, orders, HashMap::new())
    }

    fn extent(&self, teams: usize, _: &[usize], advance: usize) -> Extent {
        let sizes: Vec<usize> = deal(teams, self.groups.of(teams), self.seeding).iter().map(Vec::len).collect();
        let pairs: usize = sizes.iter().copied().map(pairs).sum();
        let winners = sizes.iter().filter(|&&size| size > 0).count();
        let advancing = sizes.into_iter().map(|size| size.min(advance)).collect();
        Extent { waves: vec![Wave { battles: pairs * self.rounds as usize, times: 1 }], advancing, winners }
    }

    fn words(&self) -> String {
        let times = match self.rounds {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            more => format!("{more} times"),
        };
        let count = match self.groups {
            GroupCount::Number(1) => return format!("everybody meets everybody {times}."),
            GroupCount::Number(number) => format!("{number} groups"),
            GroupCount::Size(size) => format!("groups of about {size}"),
        };
        let dealt = match self.seeding {
            Seeding::Modulo => "dealt out by seed in turn",
            Seeding::Serpentine => "dealt out by seed to and fro",
            Seeding::Tennis | Seeding::Slots => "dealt out by seed as in tennis",
        };
        format!("{count}, {dealt}; within a group everybody meets everybody {times}.")
    }

    fn left(&self, teams: usize, advance: usize) -> usize {
        advance.saturating_mul(self.groups.of(teams))
    }

    fn fit(&mut self, teams: usize, smallest: usize, before_knockout: bool) -> Option<FewerGroups> {
        let GroupCount::Number(announced) = self.groups else { return None };
        let groups = fitting(announced, teams, smallest, before_knockout);
        self.groups = GroupCount::Number(groups);
        (groups < announced).then_some(FewerGroups { announced, groups })
    }

    fn without_opponent(&self, teams: usize) -> usize {
        (2 * self.groups.of(teams)).saturating_sub(teams)
    }

    fn is_round_robin(&self) -> bool {
        true
    }

    fn in_groups(&self) -> bool {
        self.groups != GroupCount::Number(1)
    }

    fn has_rematches(&self) -> bool {
        true
    }

    fn columns(&self, _: &Plan, teams: &[usize]) -> Vec<usize> {
        teams.to_vec()
    }
}

/// A group that is being derived.
struct Group {
    number: usize,
    /// The index of its first battle in the stage.
    first: usize,
    teams: Vec<usize>,
}

impl Groups {
    fn derive_group(&self, group: &Group, derivation: &mut Derivation, setup: &StageSetup) -> (Table, Option<Order>) {
        let teams = &group.teams;
        let schedule = schedule::round_robin(teams.len());
        let begin = derivation.battles.len();
        let spot = |battle: usize| Spot::Group { group: group.number, battle };
        for round in 0..self.rounds as usize {
            for (i, &(one, other)) in schedule.iter().enumerate() {
                // Who begins is swapped from round to round, which matters where battles have one match.
                let players = if round % 2 == 0 { [teams[one], teams[other]] } else { [teams[other], teams[one]] };
                let battle = round * schedule.len() + i;
                let place = derivation.place(setup, spot(battle), 0);
                derivation.battle(place, group.first + battle, players, setup.clock);
            }
        }
        let met = first_meetings(setup, teams, &schedule);
        let meeting = |one: usize, other: usize| {
            let met = met.get(&(one.min(other), one.max(other))).copied()?;
            Some((group.first + met, spot(met)))
        };
        let occasion = derivation.occasion(setup, &format!("group {}", group.number + 1));
        let contest = Contest::new(setup, occasion, (begin, derivation.battles.len()), &meeting);
        derivation.table(&contest, teams)
    }
}

/// How many pairs there are of so many teams.
fn pairs(teams: usize) -> usize {
    teams * teams.saturating_sub(1) / 2
}

/// Which battle of the schedule is that of two teams, the lower number first. Only rematches ask.
fn first_meetings(setup: &StageSetup, teams: &[usize], schedule: &[(usize, usize)]) -> QuickMap<(usize, usize), usize> {
    if !setup.stage.ties.iter().any(|rung| matches!(rung, Rung::Rematch(_))) {
        return QuickMap::default();
    }
    let pair = |one: usize, other: usize| (one.min(other), one.max(other));
    schedule.iter().enumerate().map(|(battle, &(one, other))| (pair(teams[one], teams[other]), battle)).collect()
}

/// How many groups there are, if each is to have at least so many teams. Before a knockout a power of two leaves no gaps in the
/// bracket.
fn fitting(announced: usize, teams: usize, smallest: usize, before_knockout: bool) -> usize {
    let most = (teams / smallest.max(1)).max(1);
    match announced <= most {
        true => announced,
        false if before_knockout => 1 << most.ilog2(),
        false => most,
    }
}
