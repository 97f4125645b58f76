//! What people and programs see of a run.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use agon_rating::Decision;
use agon_rules::inert_lines;
use agon_runs::matches::{End, News, Plan, Tally};
use agon_store::Match;
use agon_wire::Language;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::cutechess;
use crate::{error::CliError, progress::progress, show::round};

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
    /// The live table on the screen.
    bar: ProgressBar,
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
        let bar = progress(true);
        let style = if bar.is_hidden() { Style::Quiet } else { Style::Live };
        Report { style, json, begun: Instant::now(), before: 0, drawn: None, bar }
    }

    /// Lines as cutechess prints them.
    pub(super) fn cutechess() -> Report {
        let (style, bar) = (Style::Cutechess, progress(false));
        Report { style, json: false, begun: Instant::now(), before: 0, drawn: None, bar }
    }

    pub(super) fn hear(&mut self, plan: &Plan, news: &News<'_>) {
        match *news {
            News::MayHaveChanged(bots) => {
                let _ = writeln!(
                    io::stderr(),
                    "run {} was begun by an older agon, which did not look at the files that a command names: \
                     whether {bots} changed since then is not known",
                    plan.run
                );
            }
            News::Begins(tally) => self.begin(plan, tally),
            News::Started((battle, half)) => self.started(plan, battle, half),
            News::Finished(played, tally) => self.finished(plan, played, tally),
            News::Tick(tally) => self.tick(plan, tally),
        }
    }

    fn begin(&mut self, plan: &Plan, tally: &Tally) {
        self.before = tally.matches();
        if self.before > 0 && self.style != Style::Cutechess {
            let (played, all) = (self.before, plan.matches());
            let _ = writeln!(io::stderr(), "run {}: {played} of {all} matches were played before", plan.run);
        }
    }

    fn started(&mut self, plan: &Plan, battle: u32, half: u8) {
        if self.style == Style::Cutechess {
            let _ = writeln!(io::stdout(), "{}", inert_lines(&cutechess::started(plan, battle, half)));
        }
    }

    fn finished(&mut self, plan: &Plan, played: &Match, tally: &Tally) {
        match self.style {
            Style::Quiet => {}
            Style::Live => self.tick(plan, tally),
            Style::Cutechess => {
                let _ = write!(io::stdout(), "{}", inert_lines(&cutechess::finished(plan, played, tally)));
            }
        }
    }

    /// Redraws the live table if it is time.
    fn tick(&mut self, plan: &Plan, tally: &Tally) {
        if self.style != Style::Live || self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
            return;
        }
        self.drawn = Some(Instant::now());
        self.bar.set_message(format!("{}{}", table(plan, tally), self.pace(plan, tally)));
    }

    fn pace(&self, plan: &Plan, tally: &Tally) -> String {
        let played = tally.matches() - self.before;
        let left = plan.matches().saturating_sub(tally.matches());
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

    /// Says what came of it.
    pub(super) fn end(&mut self, plan: &Plan, end: &End) -> Result<(), CliError> {
        let tally = &end.counts.tally;
        let mut out = io::stdout().lock();
        self.bar.finish_and_clear();
        match self.style {
            Style::Cutechess => write!(out, "{}", inert_lines(&cutechess::end(plan, tally)))?,
            Style::Live | Style::Quiet => write!(out, "{}", table(plan, tally))?,
        }
        if end.stopped && end.silent.is_none() {
            let next = match &plan.db {
                Some(_) => "the same command goes on from here",
                None => "with --db FILE the same command would go on from here",
            };
            let (played, all) = (tally.matches(), plan.matches());
            let _ = writeln!(io::stderr(), "stopped after {played} of {all} matches; {next}");
        }
        if self.json {
            writeln!(out, "{}", summary(tally))?;
        }
        match &end.silent {
            Some(silent) => Err(CliError::Failed(format!("{silent}; the run ends here, and --go-on plays on"))),
            None if end.stopped => Err(CliError::Failed("the run was stopped".to_owned())),
            None => Ok(()),
        }
    }
}

/// `1:05:09`.
fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
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
    text += &format!("  Elo          {}\n", tally.elo());
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
        let memory = if limited { format!("{} MiB a bot", plan.sandbox.memory()) } else { "not limited".to_owned() };
        text += &format!("  memory       {memory}\n");
    }
    if let Some(sprt) = &plan.sprt {
        let ((low, high), llr) = (sprt.bounds(), tally.llr(sprt));
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

/// The line for programs.
fn summary(tally: &Tally) -> Value {
    let interval = tally.elo().interval();
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
