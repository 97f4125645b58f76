//! Fewer groups than announced, where there are too few teams for them.

use crate::{
    format::{Format, GroupCount, Stage, StageKind},
    source::Written,
};

impl Written {
    /// Makes as many groups as these teams fill: where the format names the size of the smallest group, there are only so many
    /// groups that each has it, if that is possible. What is changed, and why, is noted in the format.
    pub fn fit(&mut self, teams: usize) {
        let format = &mut self.format;
        // The winners of a series leave one after another; the last of its tournaments has the fewest teams.
        let leave = if format.winner_leaves.is_some() { format.parts.len().saturating_sub(1) } else { 0 };
        let mut entrants = teams.saturating_sub(leave).max(1);
        for index in 0..format.stages.len() {
            let before_knockout =
                format.stages.get(index + 1).is_some_and(|next| matches!(next.kind, StageKind::Knockout { .. }));
            let stage = &mut format.stages[index];
            if let (StageKind::Groups { groups: GroupCount::Number(groups), .. }, Some(Some(smallest))) =
                (&mut stage.kind, self.smallest.get(index))
            {
                let announced = *groups;
                *groups = fitting(announced, entrants, *smallest, before_knockout);
                if *groups < announced {
                    let why = Why { teams, entrants, first: index == 0, parts: format.parts.len(), leave };
                    format.notes.push(why.note(&stage.name, announced, *groups, *smallest));
                }
            }
            entrants = left(stage, entrants);
        }
    }
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

/// Why there are fewer groups.
struct Why {
    /// The teams that were entered.
    teams: usize,
    /// Those of them that play the stage, in the last tournament of a series.
    entrants: usize,
    /// Whether it is the first stage.
    first: bool,
    /// The tournaments of the series.
    parts: usize,
    /// How many teams have won and left before the last of them.
    leave: usize,
}

impl Why {
    fn note(&self, stage: &str, announced: usize, groups: usize, smallest: usize) -> String {
        let count = |number: usize| if number == 1 { "1 group".to_owned() } else { format!("{number} groups") };
        let Why { teams, entrants, parts, .. } = self;
        let small = |teams: usize| too_small(teams, announced, smallest);
        let why = match (self.first, self.leave) {
            (false, _) => format!(
                "with the {entrants} teams that get there {} would be smaller than {smallest}",
                small(*entrants)
            ),
            (true, 1..) if teams / announced >= smallest => format!(
                "the number is the same in all {parts} tournaments of the series, whose winners leave, and with the {entrants} teams of the last one, {} would be smaller than {smallest}",
                small(*entrants)
            ),
            (true, _) => format!("with {teams} teams {} would be smaller than {smallest}", small(*teams)),
        };
        format!("{stage}: {} instead of the {announced} that the text announces: {why}.", count(groups))
    }
}

/// How many groups have fewer teams than they should have, in words.
fn too_small(teams: usize, groups: usize, smallest: usize) -> &'static str {
    let (each, more) = (teams / groups, teams % groups);
    // As many groups as there are teams left over have one more.
    let small = if each + 1 < smallest { groups } else { groups - more };
    match (small, 2 * small > groups) {
        (small, _) if small == groups => "all groups",
        (_, true) => "most groups",
        (1, _) => "one group",
        _ => "some groups",
    }
}

/// How many go on from a stage, at least about.
fn left(stage: &Stage, teams: usize) -> usize {
    let advance = stage.advance.unwrap_or(usize::MAX);
    let on = match &stage.kind {
        StageKind::Groups { groups, .. } => advance.saturating_mul(groups.of(teams)),
        StageKind::Knockout { until, .. } => *until,
        StageKind::Gauntlet { .. } | StageKind::Swiss { .. } | StageKind::Ladder { .. } => advance,
    };
    on.min(teams).max(1)
}

impl Format {
    /// What an organiser should know about groups that some teams make too small: some play no match in them.
    pub fn lonely_groups(&self, teams: usize) -> Option<String> {
        let mut entrants = teams;
        for stage in &self.stages {
            if let StageKind::Groups { groups, .. } = &stage.kind {
                let alone = (2 * groups.of(entrants)).saturating_sub(entrants);
                if alone > 0 && entrants > 1 {
                    let (name, teams) = (&stage.name, if alone == 1 { "1 team is" } else { "several teams are" });
                    return Some(format!("{name}: {teams} alone in a group and play no match there"));
                }
            }
            entrants = left(stage, entrants);
        }
        None
    }
}
