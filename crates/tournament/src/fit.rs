//! Fewer groups than announced, where there are too few teams for them.

use crate::{
    format::{Format, Stage},
    source::Written,
    stage::FewerGroups,
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
            let next = format.stages.get(index + 1);
            let before_knockout = next.is_some_and(|next| next.kind.system().knocks_out());
            let stage = &mut format.stages[index];
            if let Some(&Some(smallest)) = self.smallest.get(index)
                && let Some(fewer) = stage.kind.system_mut().fit(entrants, smallest, before_knockout)
            {
                let why = Why { teams, entrants, first: index == 0, parts: format.parts.len(), leave };
                format.notes.push(why.note(&stage.name, &fewer, smallest));
            }
            entrants = left(stage, entrants);
        }
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
    fn note(&self, stage: &str, fewer: &FewerGroups, smallest: usize) -> String {
        let FewerGroups { announced, groups } = *fewer;
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
    stage.kind.system().left(teams, stage.advance.unwrap_or(usize::MAX)).min(teams).max(1)
}

impl Format {
    /// What an organiser should know about groups that some teams make too small: some play no match in them.
    pub fn lonely_groups(&self, teams: usize) -> Option<String> {
        let mut entrants = teams;
        for stage in &self.stages {
            let alone = stage.kind.system().without_opponent(entrants);
            if alone > 0 && entrants > 1 {
                let (name, teams) = (&stage.name, if alone == 1 { "1 team is" } else { "several teams are" });
                return Some(format!("{name}: {teams} alone in a group and play no match there"));
            }
            entrants = left(stage, entrants);
        }
        None
    }
}
