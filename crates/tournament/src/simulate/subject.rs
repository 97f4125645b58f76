//! What is simulated: a tournament that was set up, or one that a format could become.

use std::{path::PathBuf, time::Duration};

use super::{
    assumed_strengths, measured_plan, measured_strengths,
    strengths::{StrengthsError, by_name, read_strengths},
};
use crate::{
    database::Database,
    plan::{Plan, Secret, Team},
    preset::{FindFormatError, find_format},
    source::Written,
    stored::{StoredTournament, TournamentError},
};

/// Elo by which teams differ of which nothing is known.
const USUAL_SPREAD: f64 = 200.0;

/// What somebody wants to have simulated.
#[derive(Clone, Debug)]
pub struct SubjectOptions {
    /// A tournament that was set up; or a preset; or a file with a format.
    pub which: String,
    /// Where tournaments are kept.
    pub database: Database,
    /// How many teams, for a preset or a format.
    pub teams: usize,
    /// Keep the number of groups that the format announces, however few teams there are.
    pub as_announced: bool,
    /// A table with strengths, instead of assumed or measured ones.
    pub strengths: Option<PathBuf>,
    /// Assume strengths that differ by so many Elo.
    pub spread: Option<f64>,
    /// The earlier phase seeds teams by strength, with errors of so many Elo; without it the seeds say nothing.
    pub seed_error: Option<f64>,
    /// Where random choices begin.
    pub seed: u64,
}

/// There is nothing to simulate.
#[derive(Debug, thiserror::Error)]
pub enum SubjectError {
    /// It is neither a tournament nor a format.
    #[error("{tournament}; and {format}")]
    Neither {
        /// Why it is no tournament.
        tournament: TournamentError,
        /// Why it is no format.
        format: FindFormatError,
    },
    /// It is no format, and whether it is a tournament cannot be found out.
    #[error(transparent)]
    Format(FindFormatError),
    /// The table of strengths cannot be used.
    #[error(transparent)]
    Strengths(#[from] StrengthsError),
}

/// What is simulated.
#[derive(Clone, PartialEq, Debug)]
pub struct Subject {
    /// The tournament.
    pub plan: Plan,
    /// How strong its teams are, in Elo.
    pub strengths: Vec<f64>,
    /// How long a match took on average, if any was played.
    pub measured: Option<Duration>,
    /// Whether there is also a format of its name, which is something else.
    pub is_also_a_format: bool,
}

impl Subject {
    /// Finds a tournament or a format. What was played is more than what a format says, and a tournament often has the name of its
    /// preset, so tournaments come first.
    ///
    /// # Errors
    /// If there is neither, or the table of strengths does not fit.
    pub fn find(options: &SubjectOptions) -> Result<Subject, SubjectError> {
        match (options.database.look(&options.which), find_format(&options.which)) {
            (Ok(held), format) => Subject::of_tournament(held, options, format.is_ok()),
            (Err(_), Ok((written, _))) => Subject::of_format(written, options),
            (Err(tournament @ TournamentError::Refused(_)), Err(format)) => {
                Err(SubjectError::Neither { tournament, format })
            }
            (Err(_), Err(format)) => Err(SubjectError::Format(format)),
        }
    }

    fn of_tournament(
        held: StoredTournament,
        options: &SubjectOptions,
        is_also_a_format: bool,
    ) -> Result<Subject, SubjectError> {
        let measured = mean_duration(&held);
        let (plan, strengths) = match (&options.strengths, options.spread) {
            (Some(path), _) => {
                let strengths = by_name(&held.plan.teams, &read_strengths(path)?)?;
                (held.plan, strengths)
            }
            (None, None) if !held.results.is_empty() => {
                let state = held.state();
                (measured_plan(&held.plan, &state), measured_strengths(&held.plan, &state))
            }
            (None, spread) => {
                let teams = held.plan.teams.len();
                (held.plan, assumed_strengths(teams, spread.unwrap_or(USUAL_SPREAD), options.seed))
            }
        };
        Ok(Subject { plan, strengths, measured, is_also_a_format })
    }

    /// Teams that could play a format.
    fn of_format(mut written: Written, options: &SubjectOptions) -> Result<Subject, SubjectError> {
        let named = match &options.strengths {
            Some(path) => read_strengths(path)?,
            None => {
                let spread = options.spread.unwrap_or(USUAL_SPREAD);
                let strengths = assumed_strengths(options.teams, spread, options.seed);
                strengths.into_iter().enumerate().map(|(i, elo)| (format!("team {}", i + 1), elo)).collect()
            }
        };
        let errors = assumed_strengths(named.len(), options.seed_error.unwrap_or(0.0), options.seed.wrapping_add(1));
        let teams = named.iter().zip(errors).map(|((name, strength), error)| Team {
            name: name.clone(),
            language: "other".to_owned(),
            score: options.seed_error.map(|_| strength + error),
            ..Team::default()
        });
        if !options.as_announced {
            written.fit(named.len());
        }
        let plan =
            Plan { format: written.format, teams: teams.collect(), seed: options.seed, secret: Secret(String::new()) };
        let strengths = named.into_iter().map(|(_, strength)| strength).collect();
        Ok(Subject { plan, strengths, measured: None, is_also_a_format: false })
    }
}

fn mean_duration(held: &StoredTournament) -> Option<Duration> {
    let took = held.briefs.iter().map(|brief| brief.duration_ms.max(0) as u64);
    let matches = held.briefs.len() as u64;
    (matches > 0).then(|| Duration::from_millis(took.sum::<u64>() / matches))
}
