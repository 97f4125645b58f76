//! The static evaluation of a searcher: the game's evaluation, or one that differs from it.

use agon_rules::{Position, keys::mix};

use crate::{Searchable, Weight, WeightError};

/// Says what positions are worth, without looking ahead.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evaluator {
    /// Other weights than the game's own.
    weights: Option<Vec<i32>>,
    /// How wrong it is, in hundredths of the game's unit: about the size of the usual mistake.
    pub(crate) noise: i32,
    /// Of the mistakes: they are the same whenever a position is looked at in one game, and others in another game.
    pub(crate) seed: u64,
}

impl Evaluator {
    /// Evaluates by changed weights: `name=NUMBER` or `name=PERCENT%`, separated by commas; the others are those of `position`'s board.
    pub fn by_weights<P: Searchable>(position: &P, changes: &str) -> Result<Evaluator, WeightError> {
        let list = position.weights();
        let mut weights: Vec<i32> = list.iter().map(|weight| weight.value).collect();
        let parts: Vec<&str> = changes.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        for part in &parts {
            let (place, value) = change(&list, part)?;
            weights[place] = value;
        }
        Ok(Evaluator { weights: (!parts.is_empty()).then_some(weights), ..Evaluator::default() })
    }

    /// What a position seems to be worth to the side to move.
    #[inline]
    pub(crate) fn evaluate<P: Searchable>(&self, position: &P) -> i32 {
        let estimate = match &self.weights {
            None => position.evaluate(),
            Some(weights) => position.features().iter().zip(weights).map(|(count, weight)| count * weight).sum(),
        };
        if self.noise == 0 { estimate } else { estimate + self.mistake(position) }
    }

    /// A mistake that depends on the position alone: the sum of four dice, so that small ones are common and great ones rare.
    fn mistake<P: Position + Searchable>(&self, position: &P) -> i32 {
        let bits = mix(position.key() ^ self.seed);
        let dice: i64 = (0..4).map(|die| (bits >> (16 * die) & 0xffff) as i64 - 0x7fff).sum();
        // Four such dice deviate by 37,837 as a rule.
        (dice * i64::from(self.noise) * i64::from(P::UNIT) / 3_783_700) as i32
    }
}

/// Reads one change of a weight: its place and its new value.
fn change(list: &[Weight], text: &str) -> Result<(usize, i32), WeightError> {
    let wrong = || WeightError::NoChange(text.to_owned());
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let Some(place) = list.iter().position(|weight| weight.name == name) else {
        let known = list.iter().map(|weight| weight.name).collect();
        return Err(WeightError::Unknown { name: name.to_owned(), known });
    };
    let number = |text: &str| text.parse().ok().filter(|number: &i32| number.abs() <= 100_000).ok_or_else(wrong);
    let value = match value.strip_suffix('%') {
        Some(percent) => (i64::from(list[place].value) * i64::from(number(percent)?) / 100) as i32,
        None => number(value)?,
    };
    Ok((place, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &[Weight] = &[
        Weight { name: "man", meaning: "a man", value: 100 },
        Weight { name: "king", meaning: "a king", value: -250 },
    ];

    #[test]
    fn weights_are_changed_by_number_or_by_percent() {
        assert_eq!(change(LIST, "man=7"), Ok((0, 7)));
        assert_eq!(change(LIST, "king=150%"), Ok((1, -375)));
        let unknown = change(LIST, "queen=1").unwrap_err();
        assert_eq!(unknown.to_string(), "unknown weight 'queen', expected one of man, king");
        for wrong in ["man", "man=", "man=x", "man=%", "man=1000000"] {
            assert!(change(LIST, wrong).unwrap_err().to_string().contains("expected WEIGHT=NUMBER"), "{wrong}");
        }
    }
}
