//! What the terminal shows of a tournament.

use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};

use agon_rules::{inert, inert_lines};
use agon_tournament::{
    News, Occupant, Pairing, Plan, StageState, State, StoredTournament, Table, forecast, note, report::number, ties,
};
use clap::Args;

use super::{Database, problem};
use crate::error::CliError;

/// The screen is redrawn no more often than this.
const REDRAW: Duration = Duration::from_millis(250);

/// Rows of a table on the live screen.
const LIVE_ROWS: usize = 12;
/// Lines of it.
const LIVE_LINES: usize = 22;
/// Letters of a line: every terminal has so many.
const LIVE_WIDTH: usize = 79;

/// Where a tournament stands; without a name, all of them
#[derive(Args)]
pub(crate) struct Status {
    /// The name of the tournament
    name: Option<String>,
    #[command(flatten)]
    database: Database,
}

impl Status {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        let Some(name) = &self.name else { return self.all(&mut out) };
        let held = self.database.look(name)?;
        let state = held.state();
        writeln!(out, "{}", inert(&summary(&held, &state)))?;
        write!(out, "{}", whole(&held.plan, &state))?;
        Ok(())
    }

    fn all(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let path = self.database.path()?;
        let names = match self.database.is_new()? {
            true => Vec::new(),
            false => {
                let store = StoredTournament::reader(&path).map_err(|e| problem(e.into()))?;
                StoredTournament::names(&store).map_err(|e| problem(e.into()))?
            }
        };
        if names.is_empty() {
            writeln!(out, "There are no tournaments in {} yet: see `agon tournament new --help`.", path.display())?;
        }
        for name in names {
            let held = self.database.look(&name)?;
            let state = held.state();
            writeln!(out, "{}", inert(&summary(&held, &state)))?;
        }
        Ok(())
    }
}

/// One line about a tournament.
fn summary(held: &StoredTournament, state: &State) -> String {
    let (played, known) = counts(state);
    let doing = if state.is_over() {
        "over".to_owned()
    } else if !state.undecided.is_empty() && state.open().next().is_none() {
        format!("waits for the organiser to decide a tie of {}", ties(&held.plan, state).join("; and of "))
    } else if held.interventions().paused {
        format!("paused, {played} of {known} known matches played")
    } else if played == 0 {
        "not begun".to_owned()
    } else {
        format!("{played} of {known} known matches played")
    };
    let parts = held.plan.format.parts.len();
    let part = if parts > 1 && !state.is_over() {
        format!(", part {} of {parts} ({})", state.parts.len(), held.plan.format.parts[state.parts.len() - 1].name)
    } else {
        String::new()
    };
    format!("{}: {}, {} teams: {doing}{part}", held.name, held.plan.format.title, held.plan.teams.len())
}

/// Matches that are played, and matches that are known to be played.
fn counts(state: &State) -> (usize, usize) {
    let halves = || state.battles.iter().flat_map(|battle| &battle.halves);
    (halves().filter(|half| half.outcome.is_some()).count(), halves().count())
}

/// Everything there is to see.
pub(super) fn whole(plan: &Plan, state: &State) -> String {
    let mut text = String::new();
    for (part, format) in state.parts.iter().zip(&plan.format.parts) {
        for (stage, named) in part.stages.iter().zip(&plan.format.stages) {
            text += &format!("\n{}, {} (clock {})\n", format.name, named.name, format.clock);
            text += &stage_text(plan, state, stage, usize::MAX);
        }
    }
    if state.is_over() {
        text += &format!("\n{}", final_table(plan, state));
    }
    inert_lines(&text)
}

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
        text += &format!("  {}\n", round_name(2 * round.len()));
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

fn round_name(of: usize) -> String {
    match of {
        2 => "final".to_owned(),
        4 => "semi-finals".to_owned(),
        8 => "quarter-finals".to_owned(),
        of => format!("round of {of}"),
    }
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
pub(super) fn final_table(plan: &Plan, state: &State) -> String {
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

/// The live screen of a tournament that is played.
pub(super) struct Screen {
    slots: usize,
    live: bool,
    begun: Instant,
    before: Option<usize>,
    drawn: Option<Instant>,
    lines: usize,
    /// How many matches it will be, as far as that can be known.
    total: Option<usize>,
}

impl Screen {
    pub(super) fn new(slots: usize) -> Screen {
        let live = std::io::stderr().is_terminal();
        Screen { slots, live, begun: Instant::now(), before: None, drawn: None, lines: 0, total: None }
    }

    pub(super) fn hear(&mut self, held: &StoredTournament, news: News) {
        let before = held.results.len();
        self.before.get_or_insert(before);
        if matches!(news, News::Paused) {
            self.clear();
            let _ = writeln!(std::io::stderr(), "paused; go on with `agon tournament resume {}`", held.name);
        }
        if self.live && self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW) {
            self.draw(held);
        }
    }

    fn draw(&mut self, held: &StoredTournament) {
        // Results that came since the last state are counted already.
        let state = held.state();
        self.drawn = Some(Instant::now());
        let mut text = format!("{}\n", summary(held, &state));
        if let Some(stage) = state.parts.last().and_then(|part| part.stages.last()) {
            text += &stage_text(&held.plan, &state, stage, LIVE_ROWS);
        }
        let progress = self.progress(held);
        let lines = text.lines().take(LIVE_LINES).chain([progress.as_str()]);
        // A line that the terminal breaks would count twice when the screen is cleared.
        let lines: Vec<String> = lines.map(|line| inert(line).chars().take(LIVE_WIDTH).collect()).collect();
        self.clear();
        let _ = writeln!(std::io::stderr(), "{}", lines.join("\n"));
        self.lines = lines.len();
    }

    /// How far it is, and how long it will still take.
    fn progress(&mut self, held: &StoredTournament) -> String {
        let played = held.results.len();
        let now = played - self.before.unwrap_or(played);
        let (slots, expected) = (self.slots, self.total);
        let expected = expected.unwrap_or_else(|| forecast(&held.plan, slots, None).matches());
        self.total = Some(expected);
        // Rematches come on top.
        let total = expected.max(played);
        let rate = now as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let left = total.saturating_sub(played);
        let bar = "#".repeat(20 * played.min(total) / total.max(1));
        if now == 0 {
            return format!("[{bar:<20}] {played} of about {total} matches");
        }
        let minutes = (left as f64 / rate / 60.0).ceil();
        format!("[{bar:<20}] {played} of about {total} matches, {minutes} min left (Ctrl-C stops)")
    }

    /// Takes the live part off the screen.
    pub(super) fn clear(&mut self) {
        if self.lines > 0 {
            let _ = write!(std::io::stderr(), "\x1b[{}A\x1b[J", self.lines);
            self.lines = 0;
        }
    }
}
