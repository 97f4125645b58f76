//! The standings as a table for spreadsheets, which is also a table of teams for the next phase.

use crate::{
    battle::Tally,
    cell::harmless,
    published::{Published, note, round},
    report,
    rung::Rung,
    standings::Standing,
};

/// The columns of every table of standings, before those of its parts.
pub(crate) const COLUMNS: [&str; 8] = ["place", "team", "marks", "points", "matches", "wins", "draws", "losses"];

/// What a later tournament needs to know of a team: where its bot is found, its seed, and the seed's tie-break.
const FOR_LATER: [&str; 4] = ["note", "bot", "score", "house"];

/// Before the name of an earlier tournament: the bot that the team had there.
pub(crate) const FROM: &str = "from:";

/// Columns that a table of teams has beside these came from the organiser, and are given back.
pub(crate) fn is_own(header: &str) -> bool {
    COLUMNS.contains(&header)
        || FOR_LATER.contains(&header)
        || header.ends_with(REACHED_COLUMN)
        || header.ends_with(MARKS_COLUMN)
}

const REACHED_COLUMN: &str = ": reached";
const MARKS_COLUMN: &str = ": marks";

impl Published {
    /// The standings as a table for spreadsheets.
    pub fn csv(&self) -> String {
        let more = self.more_columns();
        let mut header: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
        for part in &self.plan.format.parts {
            header.extend([format!("{}{REACHED_COLUMN}", part.name), format!("{}{MARKS_COLUMN}", part.name)]);
        }
        header.extend(FOR_LATER.map(str::to_owned));
        let given_back = |name: &&str| if is_own(name) { format!("entered: {name}") } else { (*name).to_owned() };
        header.extend(more.iter().map(given_back));
        let rows = self.state.standings.iter().flatten().map(|standing| self.row(standing, &more));
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(header).chain(rows) {
            // Writing to memory does not fail.
            let _ = writer.write_record(row.iter().map(|cell| harmless(cell)));
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    fn row(&self, standing: &Standing, more: &[&str]) -> Vec<String> {
        let number = |number: Option<f64>| number.map_or_else(String::new, report::number);
        let tally = &standing.tally;
        let mut row = vec![
            standing.place.to_string(),
            self.plan.name(standing.team).to_owned(),
            number(standing.marks),
            report::number(standing.points),
            tally.matches.to_string(),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses().to_string(),
        ];
        for part in &standing.parts {
            row.push(part.map_or_else(|| "did not play".to_owned(), |part| part.reached.to_string()));
            row.push(number(part.and_then(|part| part.marks)));
        }
        row.push(note(standing).to_owned());
        row.push(format!("{FROM}{}", self.name));
        row.push(round(self.score(standing)).to_string());
        row.push(self.house_points(standing.team).map_or_else(String::new, |points| round(points).to_string()));
        let entered = self.plan.teams.get(standing.team).map_or(&[][..], |team| &team.more);
        let given = |name: &&str| entered.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        row.extend(more.iter().map(|name| given(name).unwrap_or_default()));
        row
    }

    /// The organiser's own columns, in the order in which they were met.
    fn more_columns(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.plan.teams.iter().flat_map(|team| &team.more) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The score by which a later tournament seeds a team: what a gauntlet counts, points or won matches; after anything else the
    /// place, counted from the last, since points of a knockout say little.
    fn score(&self, standing: &Standing) -> f64 {
        let stages = &self.plan.format.stages;
        let gauntlet = stages.iter().all(|stage| stage.kind.is_against_house_bots());
        match stages.last().and_then(|stage| stage.ties.first()) {
            Some(Rung::Points) if gauntlet => standing.points,
            Some(Rung::Score) if gauntlet => standing.tally.score(),
            _ => (self.plan.teams.len() + 1 - standing.place) as f64,
        }
    }

    /// What the house bots scored against a team, if it met any.
    fn house_points(&self, team: usize) -> Option<f64> {
        let against = |battle: &&crate::Battle| battle.players[0] == team && battle.players[1] >= self.plan.teams.len();
        let tallies: Vec<Tally> = self.state.battles.iter().filter(against).map(|battle| battle.tally(1)).collect();
        (!tallies.is_empty()).then(|| tallies.iter().map(|tally| tally.points).sum())
    }
}
