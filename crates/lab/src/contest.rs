//! Many pairs on all cores, counted, stopped and gone on with.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use agon_rating::{Decision, MatchResult, Pentanomial, Score, Sprt};
use agon_rules::{RuleSet, keys::mix};
use agon_search::{SearchVisitor, Searchable};
use serde_json::json;

use crate::{Contender, Duel, Effort, LabError, Openings, Pair, play_pair};

/// What is played.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The game's short name; only a word in the log.
    pub game: String,
    /// The variant.
    pub variant: String,
    /// The rule set.
    pub rules: RuleSet,
    /// Who plays.
    pub contenders: [Contender; 2],
    /// What each may spend on a move.
    pub effort: Effort,
    /// So many pairs at most.
    pub pairs: usize,
    /// Ends the contest when it is decided.
    pub sprt: Option<Sprt>,
    /// Where random choices begin.
    pub seed: u64,
    /// Games at once.
    pub threads: usize,
}

/// What has been played so far.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Every pair by its number.
    pub pairs: BTreeMap<usize, Pair>,
}

impl Progress {
    /// Wins, draws and losses.
    pub fn score(&self) -> Score {
        let mut score = Score::default();
        self.pairs.values().flat_map(|pair| pair.results).for_each(|result| score.record(result));
        score
    }

    /// Pairs by their sums.
    pub fn pentanomial(&self) -> Pentanomial {
        let mut pentanomial = Pentanomial::default();
        self.pairs.values().for_each(|&Pair { results: [one, other], .. }| pentanomial.record(one, other));
        pentanomial
    }

    /// The share of the course's points that the first contender has made, from 0 to 1, if any were made.
    pub fn share_of_points(&self) -> Option<f64> {
        let [first, second] =
            self.pairs.values().fold([0.0; 2], |[a, b], pair| [a + pair.points[0], b + pair.points[1]]);
        (first + second > 0.0).then(|| first / (first + second))
    }
}

/// A contest: give it to [`agon_search::SearchGame::start_search`].
pub struct Contest<'a> {
    /// What is played.
    pub setting: Setting,
    /// The text of the openings: see [`Openings::text`].
    pub openings: String,
    /// Finished pairs are written here, and those found here are not played again.
    pub log: Option<&'a Path>,
    /// Shown every finished pair.
    pub watch: &'a (dyn Fn(&Progress) + Sync),
    /// Ends it after the pairs that are being played.
    pub stop: &'a AtomicBool,
}

impl SearchVisitor for Contest<'_> {
    type Output = Result<Progress, LabError>;

    fn visit<P: Searchable>(self, start: P) -> Self::Output {
        let openings = Openings::parse(&self.openings, &start)?;
        if openings.list.is_empty() {
            return Err(LabError::NoOpenings);
        }
        // An unknown parameter is an error before anything is played.
        Duel::new(&start, &self.setting.contenders, self.setting.effort)?;
        let (progress, log) = self.open_log().map_err(LabError::Log)?;
        let shared = Mutex::new((progress, log));
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..self.setting.threads.max(1) {
                scope.spawn(|| {
                    if self.work(&start, &openings, &next, &shared).is_err() {
                        failed.store(true, Ordering::Relaxed);
                        self.stop.store(true, Ordering::Relaxed);
                    }
                });
            }
        });
        if failed.into_inner() {
            return Err(LabError::LogLost);
        }
        Ok(shared.into_inner().unwrap_or_else(PoisonError::into_inner).0)
    }
}

impl Contest<'_> {
    fn work<P: Searchable>(
        &self,
        start: &P,
        openings: &Openings<P>,
        next: &AtomicUsize,
        shared: &Mutex<(Progress, Option<File>)>,
    ) -> io::Result<()> {
        let Ok(mut duel) = Duel::new(start, &self.setting.contenders, self.setting.effort) else { return Ok(()) };
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.setting.pairs || self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if shared.lock().unwrap_or_else(PoisonError::into_inner).0.pairs.contains_key(&number) {
                continue;
            }
            let opening = &openings.list[number % openings.list.len()];
            let pair = play_pair(&mut duel, start, opening, mix(self.setting.seed ^ mix(number as u64)));
            let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let (progress, log) = &mut *guard;
            progress.pairs.insert(number, pair);
            if let Some(log) = log {
                let scores = pair.results.map(MatchResult::score);
                writeln!(log, "{}", json!({ "pair": number, "scores": scores, "points": pair.points }))?;
            }
            (self.watch)(progress);
            if self.decided(progress) {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn decided(&self, progress: &Progress) -> bool {
        let llr =
            self.setting.sprt.as_ref().and_then(|sprt| Some((sprt, sprt.llr_of_battles(&progress.pentanomial())?)));
        llr.is_some_and(|(sprt, llr)| sprt.decide(llr) != Decision::Continue)
    }

    /// What the log holds, and the log to go on with. Its first line says what was played; another contest is refused.
    fn open_log(&self) -> io::Result<(Progress, Option<File>)> {
        let Some(path) = self.log else { return Ok((Progress::default(), None)) };
        let setting = &self.setting;
        let head = json!({
            "game": setting.game,
            "variant": setting.variant,
            "rules": setting.rules.name(),
            "contenders": [setting.contenders[0].name, setting.contenders[1].name],
            "effort": setting.effort.to_string(),
            "seed": setting.seed,
        });
        let mut progress = Progress::default();
        let mut known_head = false;
        if let Ok(file) = File::open(path) {
            for line in BufReader::new(file).lines() {
                let line = line?;
                // The last line of a killed contest may be torn.
                let Ok(value) = serde_json::from_str::<serde_json::Value>(&line) else { continue };
                if !known_head {
                    if value != head {
                        return Err(io::Error::other(format!("{} is of another contest: {value}", path.display())));
                    }
                    known_head = true;
                    continue;
                }
                let scores = [&value["scores"][0], &value["scores"][1]].map(|score| result_of(score.as_f64()));
                if let (Some(number), [Some(one), Some(other)]) = (value["pair"].as_u64(), scores) {
                    // Logs of old say nothing of points.
                    let points = [0, 1].map(|at| value["points"][at].as_f64().unwrap_or(0.0));
                    progress.pairs.insert(number as usize, Pair { results: [one, other], points });
                }
            }
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if known_head {
            // A torn line is ended, so that the next one stands alone.
            writeln!(file)?;
        } else {
            writeln!(file, "{head}")?;
        }
        Ok((progress, Some(file)))
    }
}

fn result_of(score: Option<f64>) -> Option<MatchResult> {
    [MatchResult::Win, MatchResult::Draw, MatchResult::Loss].into_iter().find(|result| Some(result.score()) == score)
}
