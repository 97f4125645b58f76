//! Sequential tests, as people write them.

use agon_rating::{Model, Sprt, SprtError};
use agon_rules::quote;
use thiserror::Error;

/// A text is no sequential test.
#[derive(Debug, Error)]
pub enum SprtTextError {
    /// It has another form.
    #[error(
        "sprt {}: expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA or ELO0,ELO1,ALPHA,BETA,MODEL",
        quote(.0)
    )]
    Form(String),
    /// There is no such test.
    #[error("sprt: {0}")]
    Test(#[from] SprtError),
}

/// `ELO0,ELO1[,ALPHA,BETA[,MODEL]]`.
///
/// # Errors
/// If the text is something else, or the numbers make no test.
pub fn parse_sprt(text: &str) -> Result<Sprt, SprtTextError> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let form = || SprtTextError::Form(text.to_owned());
    let number = |text: &str| text.parse::<f64>().map_err(|_| form());
    let (elos, errors, model) = match parts.as_slice() {
        [elo0, elo1] => ((elo0, elo1), ("0.05", "0.05"), "normalised"),
        [elo0, elo1, alpha, beta] => ((elo0, elo1), (*alpha, *beta), "normalised"),
        [elo0, elo1, alpha, beta, model] => ((elo0, elo1), (*alpha, *beta), *model),
        _ => return Err(form()),
    };
    let model: Model = model.parse()?;
    Ok(Sprt::new(model, number(elos.0)?, number(elos.1)?, number(errors.0)?, number(errors.1)?)?)
}
