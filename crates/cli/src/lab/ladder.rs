//! The ladder of the house bots, measured.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use agon_lab::{Contender, Contest, Effort, Progress, Setting, ladder};
use agon_rating::{Interval, Score};
use agon_search::{Personality, SearchVisitor, Searchable};
use clap::Args;
use serde_json::json;

use super::{contest::stopped_by_signals, openings};
use crate::{error::CliError, setup::GameArgs};

/// Measure the ladder of the house bots, and draw it
///
/// Neighbours play pairs of games from balanced openings, each opening once from either side. The lower rungs are held back by
/// their skill; the effort is what the highest one has for a move.
#[derive(Args)]
pub(super) struct Ladder {
    #[command(flatten)]
    game: GameArgs,
    /// Pairs of games that each two play
    #[arg(long, default_value_t = 100)]
    pairs: usize,
    /// Pairs of games where the highest rung plays: its thinking takes almost all of the time; as many as the others if absent
    #[arg(long, value_name = "PAIRS")]
    master_pairs: Option<usize>,
    /// What the highest rung may spend on a move: nodes=N, depth=N or time=SECONDS (of its thread on a core); the time for which the
    /// game's levels were chosen if absent
    #[arg(long, value_name = "EFFORT")]
    effort: Option<Effort>,
    /// Openings, one a line; those of `agon lab openings` if absent
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Where random choices begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; all cores if absent
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Keep finished pairs in files of this folder; the same command goes on where a stopped one was
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// Draw the ladder into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// End with a line of JSON
    #[arg(long)]
    json: bool,
}

/// The effort for which the game's levels were chosen.
struct Usual;

impl SearchVisitor for Usual {
    type Output = Effort;

    fn visit<P: Searchable>(self, _start: P) -> Effort {
        Effort::Time(Duration::from_millis(P::LADDER_MILLISECONDS))
    }
}

impl Ladder {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (name, variant, rules) = self.game.names()?;
        let text = openings::find(&name, &variant, rules, self.openings.as_ref())?;
        let effort = match self.effort {
            Some(effort) => effort,
            None => agon_all::start_search(&name, &variant, rules, Usual).map_err(CliError::input)?,
        };
        println!("{name} {variant}, {rules} rules; the highest rung has {effort} for a move");
        if let Some(folder) = &self.log {
            fs::create_dir_all(folder)
                .map_err(|e| CliError::Host(format!("cannot make the folder {}: {e}", folder.display())))?;
        }
        let stop = stopped_by_signals()?;
        let mut scores = Vec::new();
        for meeting in ladder::MEETINGS {
            let score = self.meet(meeting, (&name, &variant, rules), effort, &text, &stop)?;
            scores.push((meeting, score));
            let (lower, higher) = meeting;
            let share = score.fraction().map_or_else(String::new, |share| format!("{:5.1} %", 100.0 * share));
            println!("{higher:<11} against {lower:<9} {share:>8}  {:<15} {score}", ladder::step(&score));
            if stop.load(Ordering::Relaxed) {
                return Err(CliError::Input("stopped; the same command with --log goes on".to_owned()));
            }
        }
        let worth = ladder::worth(&scores).ok_or_else(|| CliError::Input("nothing was played".to_owned()))?;
        self.report(&name, &scores, &worth)
    }

    /// Lets two of the house play; the score is the higher one's.
    fn meet(
        &self,
        (lower, higher): ladder::Meeting,
        (name, variant, rules): (&str, &str, agon_rules::RuleSet),
        effort: Effort,
        openings: &str,
        stop: &AtomicBool,
    ) -> Result<Score, CliError> {
        let read = |text: &str| text.parse::<Contender>().map_err(CliError::Input);
        let highest = Personality::is_master(higher);
        let pairs = self.master_pairs.filter(|_| highest).unwrap_or(self.pairs);
        let setting = Setting {
            game: name.to_owned(),
            variant: variant.to_owned(),
            rules,
            contenders: [read(higher)?, read(lower)?],
            effort,
            pairs,
            sprt: None,
            seed: self.seed,
            threads: self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        };
        let shown = io::stderr().is_terminal() && !self.json;
        let watch = |progress: &Progress| {
            if shown {
                // Whoever cannot see the progress can do without it.
                let _ = write!(io::stderr(), "\r\x1b[K{higher}, {lower}: {} of {pairs} pairs\r", progress.pairs.len());
            }
        };
        let log = self.log.as_ref().map(|folder| folder.join(format!("{name}-{higher}-{lower}.jsonl")));
        let contest = Contest { setting, openings: openings.to_owned(), log: log.as_deref(), watch: &watch, stop };
        let played = agon_all::start_search(name, variant, rules, contest).map_err(CliError::input)?;
        if shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        Ok(played.map_err(CliError::Input)?.score())
    }

    fn report(&self, name: &str, scores: &[(ladder::Meeting, Score)], worth: &[Interval]) -> Result<(), CliError> {
        println!();
        for (rung, elo) in ladder::RUNGS.iter().zip(worth) {
            println!("{rung:<10} {:>6.0} ± {:.0}", elo.value, elo.error());
        }
        if let Some(file) = &self.svg {
            let title = format!("The house bots of {name}: Elo above level 1, with 95 % intervals");
            fs::write(file, ladder::picture(&title, worth))
                .map_err(|e| CliError::Host(format!("cannot write {}: {e}", file.display())))?;
        }
        if self.json {
            let meetings = scores.iter().map(|((lower, higher), score)| {
                json!({ "higher": higher, "lower": lower, "wins": score.wins, "draws": score.draws, "losses": score.losses })
            });
            let rungs = ladder::RUNGS
                .iter()
                .zip(worth)
                .map(|(rung, elo)| json!({ "bot": rung, "elo": elo.value, "error": elo.error() }));
            println!("{}", json!({ "meetings": meetings.collect::<Vec<_>>(), "rungs": rungs.collect::<Vec<_>>() }));
        }
        Ok(())
    }
}
