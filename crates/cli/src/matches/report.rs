//! What people and programs see of a run.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use agon_rules::inert_lines;
use agon_runs::matches::{
    End, News, Plan, Tally, cutechess,
    text::{Pace, summary, table},
};
use agon_store::Match;
use indicatif::ProgressBar;

use crate::{error::CliError, progress::progress};

/// The live table is redrawn no more often than this.
const REDRAW: Duration = Duration::from_millis(200);

/// How the run is reported.
pub(super) struct Report {
    style: Style,
    json: bool,
    pace: Pace,
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
        Report { style, json, pace: Pace::from(0), drawn: None, bar }
    }

    /// Lines as cutechess prints them.
    pub(super) fn cutechess() -> Report {
        Report { style: Style::Cutechess, json: false, pace: Pace::from(0), drawn: None, bar: progress(false) }
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
        let (played, all) = (tally.matches(), plan.matches());
        self.pace = Pace::from(played);
        if played > 0 && self.style != Style::Cutechess {
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
        self.bar.set_message(format!("{}{}", table(plan, tally), self.pace.line(plan, tally)));
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
