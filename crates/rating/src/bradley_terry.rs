//! Ratings of many players at once.

use std::collections::BTreeMap;

use crate::{
    cross_table::CrossTable,
    fit::{Model, Question},
    ratings::{ELO_PER_UNIT, Ratings},
};

/// How to turn a [`CrossTable`] into ratings.
///
/// The Bradley-Terry model with ties (R. R. Davidson, 1970) and a first move (R. R. Davidson and R. J. Beaver, 1977). Let
/// `a` be the strength of who moves first, `b` that of the other, `g` the worth of the first move and `ν` the weight of
/// draws: then the first wins, loses and draws in the proportions `a·g : b : ν·√(a·g·b)`. The rating is
/// `400 · log10(strength)`, and the ratings, `g` and `ν` are those that make the table likeliest.
///
/// So a rating difference tells **wins to losses**: 400 apart, sides aside, there are ten wins to each loss, however many
/// draws lie between. Where few matches are drawn that is the usual Elo, the one of the score; where many are, it is more
/// (with half of the matches drawn about twice as much). With [`Draws::HalfWins`] it is always the Elo of the score, but
/// then nothing is known of draws, and the errors, which take draws for the wins and losses that they are counted as, are
/// on the safe side.
///
/// To the table each player is given `prior_draws` imagined draws with an imagined player in the middle of the field. They
/// keep the ratings of those who won or lost everything finite, and connect groups that never met. As many imagined
/// matches of two equals, half of them drawn, the others won by either side as often, do the same for `g` and `ν`.
///
/// Computed by Newton's method, which needs memory and time for a matrix with a row and a column for each player: a second
/// for a thousand. The errors come from the Fisher information, prior included. They know of chance but not of what the
/// model leaves out, such as openings played from both sides; [`Pentanomial`](crate::Pentanomial) does, for two players.
///
/// ```
/// use agon_rating::{BradleyTerry, CrossTable, Scale, Score};
///
/// // The first number is who moved first, and the score is seen by it.
/// let mut table = CrossTable::new(3);
/// table.add(0, 1, Score { wins: 7, draws: 2, losses: 1 });
/// table.add(1, 0, Score { wins: 5, draws: 1, losses: 4 });
/// table.add(1, 2, Score { wins: 8, draws: 1, losses: 1 });
/// table.add(2, 1, Score { wins: 5, draws: 2, losses: 3 });
///
/// let ratings = BradleyTerry { scale: Scale::Mean(1500.0), ..BradleyTerry::default() }.rate(&table)?;
/// assert_eq!(ratings.ranking(), [0, 1, 2]);
/// let best = ratings.of(0);
/// assert_eq!(format!("{:.0} ± {:.0}", best.value, best.error()), "1615 ± 137");
/// assert!(ratings.first_move().value > 100.0 && ratings.likelihood_of_superiority(0, 1) > 0.8);
///
/// // The last player is of the house and has a rating already: the others are measured from there.
/// let anchored = BradleyTerry { scale: Scale::anchors([(2, 1200.0)]), ..BradleyTerry::default() }.rate(&table)?;
/// assert_eq!((anchored.of(2).value, anchored.of(2).error()), (1200.0, 0.0));
/// assert_eq!(anchored.ranking(), [0, 1, 2]);
/// # Ok::<(), agon_rating::RatingError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct BradleyTerry {
    /// Imagined draws of each player. `BayesElo`'s customary 2 by default; 0 for the plain maximum of likelihood, which
    /// exists only for a [strongly connected](CrossTable::is_strongly_connected) table (players with known ratings count
    /// as connected with each other).
    pub prior_draws: f64,
    /// Where the ratings lie; around 0 by default.
    pub scale: Scale,
    /// What a draw is; [`Draws::Estimated`] by default.
    pub draws: Draws,
    /// Whether moving first may be worth something, which is then estimated; so by default. Not for tables that do not
    /// know who moved first.
    pub first_move: bool,
}

/// What makes a rating a number: only differences follow from a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Scale {
    /// The ratings of all players average to this.
    Mean(f64),
    /// Some players, at least one, have these ratings, fixed and without error.
    Anchors(BTreeMap<usize, f64>),
}

impl Scale {
    /// Players with known ratings.
    pub fn anchors(ratings: impl IntoIterator<Item = (usize, f64)>) -> Scale {
        Scale::Anchors(ratings.into_iter().collect())
    }
}

/// What a draw is to the ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draws {
    /// A result of its own, the likelier the nearer the strengths: how likely is estimated.
    Estimated,
    /// Half a win and half a loss.
    HalfWins,
}

impl Default for BradleyTerry {
    fn default() -> BradleyTerry {
        BradleyTerry { prior_draws: 2.0, scale: Scale::Mean(0.0), draws: Draws::Estimated, first_move: true }
    }
}

/// Why a table cannot be rated.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RatingError {
    /// There is nobody to rate.
    #[error("no players to rate")]
    NoPlayers,
    /// The number of imagined draws is not a usable number.
    #[error("expected prior draws of at least 0, found {0}")]
    PriorDraws(f64),
    /// The mean is not a usable number.
    #[error("expected a number as the mean rating, found {0}")]
    Mean(f64),
    /// The ratings shall hang on players of whom there are none.
    #[error("expected at least one player with a known rating, found none")]
    NoAnchors,
    /// The known rating of a player is not a usable number.
    #[error("expected a number as the known rating of player {player}, found {rating}")]
    Anchor {
        /// Whose.
        player: usize,
        /// What it is.
        rating: f64,
    },
    /// Somebody with a known rating is not in the table.
    #[error("expected known ratings of players below {players}, found one of player {player}")]
    UnknownAnchor {
        /// Who.
        player: usize,
        /// How many are in the table.
        players: usize,
    },
    /// Without imagined draws, some players' ratings would be infinitely far from others'.
    #[error(
        "some players never scored against some others, not even through a chain of opponents: no finite ratings without prior draws"
    )]
    NotConnected,
    /// The numbers are too extreme for the computation.
    #[error("the ratings did not converge")]
    NoConvergence,
}

impl BradleyTerry {
    /// The ratings of all players of the table.
    pub fn rate(&self, table: &CrossTable) -> Result<Ratings, RatingError> {
        self.check(table.players())?;
        let anchors = match &self.scale {
            Scale::Mean(_) => &BTreeMap::new(),
            Scale::Anchors(anchors) => anchors,
        };
        let anchored: Vec<usize> = anchors.keys().copied().collect();
        if self.prior_draws == 0.0 && !table.is_strongly_connected_with(&anchored) {
            return Err(RatingError::NotConnected);
        }
        // In the midst of the anchors, so that the numbers are small whatever the scale.
        let origin = anchors.values().map(|rating| rating / anchors.len() as f64).sum::<f64>();
        let known: Vec<Option<f64>> = (0..table.players())
            .map(|player| anchors.get(&player).map(|rating| (rating - origin) / ELO_PER_UNIT))
            .collect();
        let model = Model::new(&Question {
            table,
            known: &known,
            prior_draws: self.prior_draws,
            draws: self.draws == Draws::Estimated,
            first_move: self.first_move,
        });
        let summit = model.maximum().ok_or(RatingError::NoConvergence)?;
        let ratings = match &self.scale {
            Scale::Mean(mean) => Ratings::around_mean(&model, &summit, table.players(), *mean),
            Scale::Anchors(anchors) => Ratings::with_anchors(&model, &summit, table.players(), origin, anchors),
        };
        // Absurd scales may have no room for the differences.
        if ratings.values().iter().all(|rating| rating.is_finite()) {
            Ok(ratings)
        } else {
            Err(RatingError::NoConvergence)
        }
    }

    fn check(&self, players: usize) -> Result<(), RatingError> {
        if players == 0 {
            return Err(RatingError::NoPlayers);
        }
        if !(self.prior_draws >= 0.0 && self.prior_draws.is_finite()) {
            return Err(RatingError::PriorDraws(self.prior_draws));
        }
        match &self.scale {
            Scale::Mean(mean) if mean.is_finite() => Ok(()),
            Scale::Mean(mean) => Err(RatingError::Mean(*mean)),
            Scale::Anchors(anchors) if anchors.is_empty() => Err(RatingError::NoAnchors),
            Scale::Anchors(anchors) => anchors.iter().try_for_each(|(&player, &rating)| {
                if player >= players {
                    Err(RatingError::UnknownAnchor { player, players })
                } else if !rating.is_finite() {
                    Err(RatingError::Anchor { player, rating })
                } else {
                    Ok(())
                }
            }),
        }
    }
}
