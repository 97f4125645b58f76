//! The numbers that shape a search, each declared once: the search reads them, the lab sets them by name.

/// What is known of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// Its value where a game does not say otherwise.
    pub usual: i32,
    /// The least sensible value.
    pub least: i32,
    /// The greatest sensible value.
    pub most: i32,
}

/// A parameter could not be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ParameterError(String);

macro_rules! parameters {
    ($($name:ident: $usual:literal in $least:literal ..= $most:literal, $meaning:literal;)*) => {
        /// The numbers that shape a search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Parameters {
            $(#[doc = $meaning] pub $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $usual,)* }
            }
        }

        impl Parameters {
            /// Every parameter.
            pub const LIST: &'static [Parameter] = &[
                $(Parameter {
                    name: stringify!($name),
                    meaning: $meaning,
                    usual: $usual,
                    least: $least,
                    most: $most,
                },)*
            ];

            fn slot(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }

            /// The values, in the order of [`Parameters::LIST`].
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }
        }
    };
}

parameters! {
    quiescence: 1 in 0..=1, "look at noisy moves before a position is judged";
    foresight: 1 in 0..=1, "use ends that the game sees a few moves ahead without a search";
    proof_share: 0 in 0..=90, "hundredths of the nodes or the time for proofs before the search, where the end may be near";
    reductions: 1 in 0..=1, "search late moves less deeply";
    reduction_base: 60 in 0..=200, "hundredths of a ply taken off every late move";
    reduction_divisor: 230 in 100..=500, "greater values reduce less";
    history_reductions: 1 in 0..=1, "reduce quiet moves less that often cut, and others more";
    late_move_pruning: 1 in 0..=1, "skip late quiet moves near the leaves";
    late_move_base: 4 in 1..=20, "moves that late-move pruning lets pass, besides the square of the depth; half as many where the estimate falls";
    futility: 1 in 0..=1, "skip quiet moves that cannot reach alpha near the leaves";
    futility_margin: 90 in 10..=400, "hundredths of the game's unit for each ply";
    reverse_futility: 1 in 0..=1, "give up nodes that stand far above beta";
    reverse_futility_margin: 80 in 10..=400, "hundredths of the game's unit for each ply";
    repetition: 0 in 0..=1, "take a position that was there before for a draw";
    contempt: 0 in 0..=200, "hundredths of the game's unit that a draw costs whoever searches";
    impatience: 0 in 0..=50, "hundredths that contempt grows for every four of the last hundred positions that were there before, up to five times";
    singular: 1 in 0..=1, "search a move deeper when all others are much worse";
    singular_depth: 6 in 4..=12, "from this depth on";
    threat_extension: 1 in 0..=1, "search deeper when the side to move is threatened";
    history: 1 in 0..=1, "order quiet moves by how often they cut";
    continuation: 1 in 0..=1, "order quiet moves by how they did after the move before";
    killers: 1 in 0..=1, "try quiet moves first that cut at the same ply or in answer to the same move";
    no_move_reduction: 1 in 0..=1, "search less deeply where the table knows no move";
    aspiration: 20 in 5..=200, "hundredths of the game's unit on each side of the expected score";
    table: 1 in 0..=1, "remember positions";
    exact_depth: 0 in 0..=1, "believe the table only at exactly the same depth";
}

impl Parameters {
    /// Everything off that can change the value of a fixed-depth search: what is left must agree with plain minimax.
    pub fn exact() -> Parameters {
        Parameters {
            quiescence: 0,
            foresight: 0,
            reductions: 0,
            late_move_pruning: 0,
            futility: 0,
            reverse_futility: 0,
            singular: 0,
            threat_extension: 0,
            repetition: 0,
            contempt: 0,
            impatience: 0,
            no_move_reduction: 0,
            exact_depth: 1,
            ..Parameters::default()
        }
    }

    /// Sets a parameter by name.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        let Some(known) = Parameters::LIST.iter().find(|known| known.name == name) else {
            let names: Vec<&str> = Parameters::LIST.iter().map(|known| known.name).collect();
            let found = agon_rules::quote(name);
            return Err(ParameterError(format!("unknown parameter {found}, expected one of {}", names.join(", "))));
        };
        if !(known.least..=known.most).contains(&value) {
            let (least, most) = (known.least, known.most);
            return Err(ParameterError(format!("{name}={value}: expected a number from {least} to {most}")));
        }
        if let Some(slot) = self.slot(name) {
            *slot = value;
        }
        Ok(())
    }

    /// Sets parameters from `name=value,name=value`.
    pub fn set_all(&mut self, text: &str) -> Result<(), ParameterError> {
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || ParameterError(format!("{}: expected NAME=NUMBER", agon_rules::quote(part)));
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            self.set(name.trim(), value.trim().parse().map_err(|_| wrong())?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_set_by_name_and_within_bounds() {
        let mut parameters = Parameters::default();
        parameters.set_all("quiescence=0, reduction_base=75").unwrap();
        assert_eq!((parameters.quiescence, parameters.reduction_base), (0, 75));
        assert!(parameters.set("quiescence", 2).unwrap_err().to_string().contains("from 0 to 1"));
        assert!(parameters.set("magic", 2).unwrap_err().to_string().contains("expected one of quiescence"));
        assert!(parameters.set_all("quiescence").is_err() && parameters.set_all("quiescence=x").is_err());
    }

    #[test]
    fn usual_values_are_within_their_bounds() {
        for (known, value) in Parameters::LIST.iter().zip(Parameters::default().values()) {
            assert!((known.least..=known.most).contains(&value) && known.usual == value, "{}", known.name);
        }
    }
}
