//! What people and programs see of a run.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use agon_rating::{Decision, Estimate, Sprt};
use agon_rules::inert_lines;
use agon_store::Match;
use agon_wire::Language;
use serde_json::{Value, json};

use super::{cutechess, plan::Plan, tally::Tally};
use crate::{error::CliError, show::round};

/// The live table is redrawn no more often than this.
const REDRAW: Duration = Duration::from_millis(200);

/// How the run is reported.
pub(super) struct Report {
    style: Style,
    json: bool,
    begun: Instant,
    /// Matches that were played before this run began.
    before: u64,
    drawn: Option<Instant>,
    /// Lines of the live table on the screen.
    lines: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// A table that is redrawn in place.
    Live,
    /// Only the end.
    Quiet,
    /// Cutechess's lines.
    Cutechess,
}

impl Report {
    pub(super) fn new(json: bool) -> Report {
        let style = if io::stderr().is_terminal() { Style::Live } else { Style::Quiet };
        Report { style, json, begun: Instant::now(), before: 0, drawn: None, lines: 0 }
    }

    /// Lines as cutechess prints them.
    pub(super) fn cutechess() -> Report {
        Report { style: Style::Cutechess, json: false, begun: Instant::now(), before: 0, drawn: None, lines: 0 }
    }

    pub(super) fn begin(&mut self, plan: &Plan, tally: &Tally) {
        self.before = tally.matches();
        if self.before > 0 && self.style != Style::Cutechess {
            let (played, all) = (self.before, 2 * plan.battles);
            let _ = writeln!(io::stderr(), "run {}: {played} of {all} matches were played before", plan.run);
        }
    }

    pub(super) fn started(&mut self, plan: &Plan, battle: u32, half: u8) {
        if self.style == Style::Cutechess {
            let _ = writeln!(io::stdout(), "{}", inert_lines(&cutechess::started(plan, battle, half)));
        }
    }

    pub(super) fn finished(&mut self, plan: &Plan, played: &Match, tally: &Tally) {
        match self.style {
            Style::Quiet => {}
            Style::Live => self.tick(plan, tally),
            Style::Cutechess => {
                let _ = write!(io::stdout(), "{}", inert_lines(&cutechess::finished(plan, played, tally)));
            }
        }
    }

    /// Redraws the live table if it is time.
    pub(super) fn tick(&mut self, plan: &Plan, tally: &Tally) {
        if self.style != Style::Live || self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
            return;
        }
        self.drawn = Some(Instant::now());
        let text = format!("{}{}\n", table(plan, tally), self.progress(plan, tally));
        let mut screen = io::stderr().lock();
        let up = if self.lines > 0 { format!("\x1b[{}A\x1b[J", self.lines) } else { String::new() };
        let _ = write!(screen, "{up}{text}");
        self.lines = text.lines().count();
    }

    fn progress(&self, plan: &Plan, tally: &Tally) -> String {
        let played = tally.matches() - self.before;
        let left = (2 * u64::from(plan.battles)).saturating_sub(tally.matches());
        let rate = played as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        if played == 0 {
            return format!("{left} matches to play");
        }
        let seconds = (left as f64 / rate) as u64;
        format!(
            "{rate:.1} matches/s, {left} to play, about {} left (Ctrl-C stops; the same command goes on)",
            clock(seconds)
        )
    }

    /// `silent` says which bot can neither start nor speak.
    pub(super) fn end(
        &mut self,
        plan: &Plan,
        tally: &Tally,
        unfinished: bool,
        silent: Option<&str>,
    ) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        if self.lines > 0 {
            let _ = write!(io::stderr(), "\x1b[{}A\x1b[J", self.lines);
        }
        match self.style {
            Style::Cutechess => write!(out, "{}", inert_lines(&cutechess::end(plan, tally)))?,
            Style::Live | Style::Quiet => write!(out, "{}", table(plan, tally))?,
        }
        let stopped = unfinished && sprt_decision(plan, tally).is_none_or(|decision| decision == Decision::Continue);
        if stopped && silent.is_none() {
            let next = match &plan.db {
                Some(_) => "the same command goes on from here",
                None => "with --db FILE the same command would go on from here",
            };
            let (played, all) = (tally.matches(), 2 * plan.battles);
            let _ = writeln!(io::stderr(), "stopped after {played} of {all} matches; {next}");
        }
        if self.json {
            writeln!(out, "{}", summary(tally))?;
        }
        match silent {
            Some(silent) => Err(CliError::Failed(format!("{silent}; the run ends here, and --go-on plays on"))),
            None if stopped => Err(CliError::Failed("the run was stopped".to_owned())),
            None => Ok(()),
        }
    }
}

/// `1:05:09`.
fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

fn sprt_decision(plan: &Plan, tally: &Tally) -> Option<Decision> {
    plan.sprt.as_ref().map(|sprt| sprt.decide(llr(sprt, tally)))
}

/// The log-likelihood ratio from battles, or from matches where the model knows no battles.
pub(super) fn llr(sprt: &Sprt, tally: &Tally) -> f64 {
    sprt.llr_of_battles(&tally.battles).unwrap_or_else(|| sprt.llr_of_matches(&tally.rated))
}

/// The table: everything there is to know about the run so far.
fn table(plan: &Plan, tally: &Tally) -> String {
    let [one, other] = &plan.contestants;
    let setup = &plan.setup;
    let (game, variant, rules, time) = (setup.game.title(), &setup.variant, setup.rules, plan.time);
    let mut text = format!("{} against {}: {game} {variant}, {rules} rules, time {time}\n", one.name, other.name);
    let score = &tally.score;
    let (wins, draws, losses) = (score.wins, score.draws, score.losses);
    let (battles, matches) = (tally.finished, tally.matches());
    text += &format!("  battles      {battles} of {}, {matches} matches\n", plan.battles);
    text += &format!("  score        {wins} won, {draws} drawn, {losses} lost\n");
    if tally.lost_by_both > 0 {
        text += &format!("{}\n", both_lost(tally.lost_by_both));
    }
    text += &format!("  points       {} : {}\n", round(tally.points[0]), round(tally.points[1]));
    text += &format!("  Elo          {}\n", elo(tally));
    text += &match tally.rated.matches() {
        // A match that both lost says nothing about who is stronger.
        0 => "  superiority  unknown: no match says anything about it\n".to_owned(),
        _ => format!("  superiority  {:.1} %\n", 100.0 * tally.rated.likelihood_of_superiority()),
    };
    text += &format!("  pentanomial  {:?}\n", tally.battles.0);
    if !tally.terminations.is_empty() {
        let reasons: Vec<String> =
            tally.terminations.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        text += &format!("  endings      {}\n", reasons.join(", "));
    }
    if plan.contestants.iter().any(|contestant| contestant.bot.as_ref().is_ok_and(|bot| bot.protocol.is_some())) {
        text += &format!("  sandbox      {}\n", plan.launcher.level());
        let limited = plan.launcher.memory(Language::Other).is_some();
        let memory = if limited { format!("{} MiB a bot", plan.contain.memory()) } else { "not limited".to_owned() };
        text += &format!("  memory       {memory}\n");
    }
    if let Some(sprt) = &plan.sprt {
        let ((low, high), llr) = (sprt.bounds(), llr(sprt, tally));
        let verdict = match sprt.decide(llr) {
            Decision::AcceptH0 => "no gain: H0 accepted",
            Decision::AcceptH1 => "a gain: H1 accepted",
            Decision::Continue => "undecided",
        };
        let (elo0, elo1) = sprt.elo();
        text += &format!("  SPRT         LLR {llr:.2} in ({low:.2}, {high:.2}) for [{elo0}, {elo1}]: {verdict}\n");
    }
    // Bots are called what their authors want.
    inert_lines(&text)
}

/// What a double fault means, in words.
fn both_lost(matches: u64) -> String {
    let of_them = if matches == 1 { "1 of them".to_owned() } else { format!("{matches} of them") };
    format!("               {of_them} lost by both: neither bot could play, so nobody won; left out of Elo")
}

/// The difference in Elo, from battles as soon as there are any.
fn elo(tally: &Tally) -> Estimate {
    if tally.battles.battles() > 0 { tally.battles.elo() } else { tally.rated.elo() }
}

/// The line for programs.
fn summary(tally: &Tally) -> Value {
    let interval = elo(tally).interval();
    json!({
        "battles": tally.finished,
        "matches": tally.matches(),
        "wins": tally.score.wins,
        "draws": tally.score.draws,
        "losses": tally.score.losses,
        "points": tally.points.map(round),
        "elo": interval.map(|interval| round(interval.value)),
        "error": interval.map(|interval| round(interval.error())),
        "terminations": tally.terminations,
    })
}
