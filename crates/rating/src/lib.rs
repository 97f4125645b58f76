//! How strong, and how sure: pure numbers, no input or output.
//!
//! | question | answer |
//! |---|---|
//! | What happened? | [`Score`] (matches), [`Pentanomial`] (battles) |
//! | How much stronger, and how sure? | [`Score::elo`], [`Pentanomial::elo`], [`Pentanomial::normalised_elo`], [`Estimate`] |
//! | Is it stronger at all? | [`Pentanomial::likelihood_of_superiority`] |
//! | May we stop the test? | [`Sprt`] |
//! | How strong is each of many? | [`BradleyTerry`] over a [`CrossTable`] gives [`Ratings`] |
//! | What is moving first worth, how often do equals draw? | [`Ratings::first_move`], [`Ratings::draw_rate`] |
//! | What is the running rating? | [`EloTable`] |
//!
//! A *match* is one played game. A *battle* is two matches with the sides swapped; its halves share an opening and a
//! seed, so they are not independent and the battle is the honest unit of statistics. Whoever has battles should use
//! [`Pentanomial`]; [`Score`] is for matches that stand alone.
//!
//! Nothing here answers with NaN or infinity: what has no finite answer has its own variant and its own sentence.
//!
//! ```
//! use agon_rating::{Decision, Model, Pentanomial, Sprt};
//!
//! // Battles in which the first bot scored 0, 0.5, 1, 1.5 and 2.
//! let battles = Pentanomial([36, 340, 767, 462, 82]);
//! assert_eq!(battles.elo().to_string(), "+22.1 ± 7.2");
//! assert_eq!(battles.normalised_elo().to_string(), "+36.2 ± 11.7");
//!
//! let test = Sprt::new(Model::Normalised, 0.0, 3.0, 0.05, 0.10)?;
//! let llr = test.llr_of_battles(&battles).expect("the model is not BayesElo");
//! assert_eq!(test.decide(llr), Decision::AcceptH1);
//! # Ok::<(), agon_rating::SprtError>(())
//! ```

mod bradley_terry;
mod cross_table;
mod elo_table;
mod estimate;
mod fit;
mod likelihood;
mod matrix;
mod normal;
mod ratings;
mod sample;
mod score;
mod sprt;

pub use bradley_terry::{BradleyTerry, Draws, RatingError, Scale};
pub use cross_table::CrossTable;
pub use elo_table::{EloTable, EloTableError};
pub use estimate::{Estimate, Interval, NORMALISED_ELO_PER_T, elo_from_score, score_from_elo};
pub use normal::{Z_95, normal_cdf};
pub use ratings::Ratings;
pub use score::{MatchResult, Pentanomial, Score};
pub use sprt::{Decision, Model, Sprt, SprtError, bayes_elo_probabilities};
