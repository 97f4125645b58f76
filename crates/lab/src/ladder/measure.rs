//! The ladder, measured: everyone plays those whom they meet.

use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use agon_rating::Score;
use agon_search::Personality;

use super::{MEETINGS, Meeting};
use crate::{Contender, Contest, Effort, LabError, Progress, Setting, Start};

/// How a ladder is measured.
pub struct Measure<'a> {
    /// What is played.
    pub start: Start,
    /// What the highest rung may spend on a move; the lower ones are held back by their skill.
    pub effort: Effort,
    /// Pairs of games that each two play.
    pub pairs: usize,
    /// Pairs of games where the highest rung plays, which takes almost all of the time.
    pub master_pairs: usize,
    /// Openings, one a line.
    pub openings: String,
    /// Where random choices begin.
    pub seed: u64,
    /// Games at once.
    pub threads: usize,
    /// Keeps finished pairs in files of this folder, and goes on with those that are there.
    pub log: Option<PathBuf>,
    /// Shown how many pairs of a meeting are done, and how many there will be.
    pub watch: &'a (dyn Fn(Meeting, usize, usize) + Sync),
    /// Ends it after the pairs that are being played.
    pub stop: &'a AtomicBool,
}

impl Measure<'_> {
    /// Plays, and tells each score, which is the higher one's.
    ///
    /// # Errors
    /// If it is stopped, or the log cannot be used.
    pub fn run(&self, mut tell: impl FnMut(Meeting, &Score)) -> Result<Vec<(Meeting, Score)>, LabError> {
        if let Some(folder) = &self.log {
            let unmade = |reason| LabError::Folder { folder: folder.clone(), reason };
            fs::create_dir_all(folder).map_err(unmade)?;
        }
        let mut scores = Vec::new();
        for meeting in MEETINGS {
            let score = self.meet(meeting)?;
            scores.push((meeting, score));
            tell(meeting, &score);
            if self.stop.load(Ordering::Relaxed) {
                return Err(LabError::Stopped);
            }
        }
        Ok(scores)
    }

    fn meet(&self, (lower, higher): Meeting) -> Result<Score, LabError> {
        let read = |text: &str| text.parse::<Contender>();
        let pairs = if Personality::is_master(higher) { self.master_pairs } else { self.pairs };
        let Start { game, variant, rules } = self.start.clone();
        let log = self.log.as_ref().map(|folder| folder.join(format!("{game}-{higher}-{lower}.jsonl")));
        let setting = Setting {
            game,
            variant,
            rules,
            contenders: [read(higher)?, read(lower)?],
            effort: self.effort,
            pairs,
            sprt: None,
            seed: self.seed,
            threads: self.threads,
        };
        let watch = |progress: &Progress| (self.watch)((lower, higher), progress.pairs.len(), pairs);
        let (openings, log) = (self.openings.clone(), log.as_deref());
        let played = self.start.search(Contest { setting, openings, log, watch: &watch, stop: self.stop })?;
        Ok(played?.score())
    }
}
