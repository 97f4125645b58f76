//! Damaging texts.

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use super::cases;

/// What may happen to a text.
#[derive(Clone, Debug)]
enum Damage {
    Replace(prop::sample::Index, char),
    Insert(prop::sample::Index, char),
    Delete(prop::sample::Index),
    Repeat(prop::sample::Index),
    Cut(prop::sample::Index),
}

impl Damage {
    fn apply(&self, text: &str) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        let length = letters.len();
        if length == 0 {
            return String::new();
        }
        match self {
            Damage::Replace(at, letter) => letters[at.index(length)] = *letter,
            Damage::Insert(at, letter) => letters.insert(at.index(length), *letter),
            Damage::Delete(at) => drop(letters.remove(at.index(length))),
            Damage::Repeat(at) => letters.extend_from_within(at.index(length)..),
            Damage::Cut(at) => letters.truncate(at.index(length)),
        }
        letters.into_iter().collect()
    }
}

fn damage(letters: &str) -> impl Strategy<Value = Damage> + use<> {
    let at = any::<prop::sample::Index>;
    let letter = prop_oneof![6 => prop::sample::select(letters.chars().collect::<Vec<_>>()), 1 => any::<char>()];
    prop_oneof![
        4 => (at(), letter.clone()).prop_map(|(at, letter)| Damage::Replace(at, letter)),
        2 => (at(), letter).prop_map(|(at, letter)| Damage::Insert(at, letter)),
        2 => at().prop_map(Damage::Delete),
        1 => at().prop_map(Damage::Repeat),
        1 => at().prop_map(Damage::Cut),
    ]
}

/// Runs `property`, which panics where it does not hold, on damaged copies of `texts` and on arbitrary strings. What is put into texts is
/// mostly from `letters`, those that they are made of, so that damaged ones often still mean something. Every run is the same.
pub fn on_damaged(texts: &[String], letters: &str, property: impl Fn(&str)) {
    let cases = 1500 * cases() as u32;
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let damaged = (prop::sample::select(texts.to_vec()), prop::collection::vec(damage(letters), 1..5))
        .prop_map(|(text, steps)| steps.iter().fold(text, |text, step| step.apply(&text)));
    let arbitrary = prop::collection::vec(any::<char>(), 0..60).prop_map(String::from_iter);
    let strategy = prop_oneof![9 => damaged, 1 => arbitrary];
    let result = runner.run(&strategy, |text| {
        property(&text);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}
