//! A tournament in lines of text, for terminals.

mod live;

use agon_rules::{inert, inert_lines, quote};
use agon_runs::SandboxOptions;

pub use live::LiveText;

use crate::{
    derive::{Occupant, Pairing, StageState, State, Table},
    forecast::forecast,
    plan::{Event, Plan},
    published::note,
    report::{number, round_name},
    stored::{StoredTournament, ties},
};

/// What an organiser wants to know before the first match.
pub fn announcement(tournament: &StoredTournament, slots: usize, sandbox: &SandboxOptions) -> String {
    let (plan, format, name) = (&tournament.plan, &tournament.plan.format, &tournament.name);
    let mut text =
        format!("{}: {} teams, {} rules, tournament '{name}'\n", format.title, plan.teams.len(), format.rules);
    for note in &format.notes {
        text += &format!("{note} Add --as-announced to keep the announced number.\n");
    }
    text += &format!("\n{}\n", forecast(plan, slots, None));
    text += &format!("Each bot may use {} MiB of memory.\n", sandbox.memory());
    let nothing: Vec<String> =
        plan.teams.iter().filter(|team| team.handed_in_nothing()).map(|team| quote(&team.name)).collect();
    if !nothing.is_empty() {
        let count = if nothing.len() == 1 { "1 team has".to_owned() } else { format!("{} teams have", nothing.len()) };
        text += &format!("{count} handed in nothing and will lose all matches: {}.\n", nothing.join(", "));
        text += &format!("Whoever is late gets a bot with `agon tournament replace {name} TEAM BOT`.\n");
    }
    if let Some(Event::Created { digest, .. }) = tournament.log.first().map(|entry| &entry.event) {
        text += &format!("Coins will be tossed with a secret of digest {digest}.\n");
    }
    text
}

/// One line about a tournament.
pub fn summary(tournament: &StoredTournament, state: &State) -> String {
    let (plan, (played, known)) = (&tournament.plan, counts(state));
    let doing = if state.is_over() {
        "over".to_owned()
    } else if !state.undecided.is_empty() && state.open().next().is_none() {
        format!("waits for the organiser to decide a tie of {}", ties(plan, state).join("; and of "))
    } else if tournament.interventions().paused {
        format!("paused, {played} of {known} known matches played")
    } else if played == 0 {
        "not begun".to_owned()
    } else {
        format!("{played} of {known} known matches played")
    };
    let parts = plan.format.parts.len();
    let part = if parts > 1 && !state.is_over() {
        format!(", part {} of {parts} ({})", state.parts.len(), plan.format.parts[state.parts.len() - 1].name)
    } else {
        String::new()
    };
    inert(&format!("{}: {}, {} teams: {doing}{part}", tournament.name, plan.format.title, plan.teams.len()))
}

/// Matches that are played, and matches that are known to be played.
fn counts(state: &State) -> (usize, usize) {
    let halves = || state.battles.iter().flat_map(|battle| &battle.halves);
    (halves().filter(|half| half.outcome.is_some()).count(), halves().count())
}

/// Everything there is to see: the tables and brackets of all stages, and the standings if it is over.
pub fn stages_and_standings(plan: &Plan, state: &State) -> String {
    let mut text = String::new();
    for (part, format) in state.parts.iter().zip(&plan.format.parts) {
        for (stage, named) in part.stages.iter().zip(&plan.format.stages) {
            text += &format!("\n{}, {} (clock {})\n", format.name, named.name, format.clock);
            text += &stage_text(plan, state, stage, usize::MAX);
        }
    }
    if state.is_over() {
        text += &format!("\n{}", final_standings(plan, state));
    }
    inert_lines(&text)
}

/// A stage, with so many rows of each table.
fn stage_text(plan: &Plan, state: &State, stage: &StageState, rows: usize) -> String {
    let mut text = String::new();
    for (group, table) in stage.tables.iter().enumerate() {
        if stage.tables.len() > 1 {
            text += &format!("  group {}{}\n", group + 1, if table.decided { "" } else { " (so far)" });
        }
        text += &table_text(plan, table, rows);
    }
    let Some(bracket) = &stage.bracket else { return text };
    let occupant = |occupant: Occupant| match occupant {
        Occupant::Team(team) => plan.name(team).to_owned(),
        Occupant::Nobody => "bye".to_owned(),
        Occupant::Open => "?".to_owned(),
    };
    for round in &bracket.rounds {
        text += &format!("  {}\n", round_name(2 * round.len()).to_lowercase());
        for pairing in round {
            text += &pairing_text(state, pairing, &occupant);
        }
    }
    if let Some(third) = &bracket.third_place {
        text += "  third place\n";
        text += &pairing_text(state, third, &occupant);
    }
    text
}

fn pairing_text(state: &State, pairing: &Pairing, occupant: &dyn Fn(Occupant) -> String) -> String {
    let [one, other] = pairing.opponents;
    let points = pairing.battles.iter().map(|&battle| {
        let battle = &state.battles[battle];
        format!("{} : {}", number(battle.tally(0).points), number(battle.tally(1).points))
    });
    let points: Vec<String> = points.collect();
    let winner = match pairing.winner {
        Occupant::Open => String::new(),
        _ if pairing.is_won_by_nobody() => "  → nobody".to_owned(),
        winner => format!("  → {}", occupant(winner)),
    };
    format!("    {:<24} {:<24} {}{winner}\n", occupant(one), occupant(other), points.join(", then "))
}

fn table_text(plan: &Plan, table: &Table, rows: usize) -> String {
    let mut text = format!(
        "    {:>3}  {:<28} {:>7} {:>5} {:>5} {:>5} {:>10}\n",
        "", "team", "matches", "won", "drawn", "lost", "points"
    );
    for row in table.rows.iter().take(rows) {
        let tally = &row.tally;
        text += &format!(
            "    {:>3}  {:<28} {:>7} {:>5} {:>5} {:>5} {:>10}\n",
            row.place,
            plan.name(row.team),
            tally.matches,
            tally.wins,
            tally.draws,
            tally.losses(),
            number(tally.points)
        );
    }
    if table.rows.len() > rows {
        text += &format!("         and {} more\n", table.rows.len() - rows);
    }
    text
}

/// The standings at the end.
pub fn final_standings(plan: &Plan, state: &State) -> String {
    let mut text = format!("  {:>5}  {:<28} {:>8} {:>10}  {}\n", "place", "team", "marks", "points", "reached");
    for standing in state.standings.iter().flatten() {
        let reached: Vec<String> = standing
            .parts
            .iter()
            .map(|part| part.map_or_else(|| "–".to_owned(), |part| part.reached.to_string()))
            .chain(Some(note(standing).to_owned()).filter(|note| !note.is_empty()))
            .collect();
        let marks = standing.marks.map_or_else(|| "–".to_owned(), number);
        text += &format!(
            "  {:>5}  {:<28} {:>8} {:>10}  {}\n",
            standing.place,
            plan.name(standing.team),
            marks,
            number(standing.points),
            reached.join(", ")
        );
    }
    inert_lines(&text)
}
