//! Evaluations against their declared weights, on every game, variant and rule set.

use std::collections::HashSet;

use agon_rules::Random;
use agon_search::{SearchVisitor, Searchable};

/// The evaluation of every position in random games is the sum of its weights, each times its count.
struct Sums {
    name: String,
    games: u64,
}

impl SearchVisitor for Sums {
    /// Which of the weights counted anywhere.
    type Output = Vec<bool>;

    fn visit<P: Searchable>(self, start: P) -> Vec<bool> {
        let weights = start.weights();
        let mut counted = vec![false; weights.len()];
        for game in 0..self.games {
            let mut random = Random::new(game);
            let mut position = start.clone();
            let (mut history, mut moves) = (Vec::new(), Vec::new());
            while history.len() < 200
                && position.generate(&mut moves).is_none()
                && position.adjudicate(&history).is_none()
            {
                let counts = position.features();
                assert_eq!(counts.len(), weights.len(), "{}", self.name);
                let sum: i32 = weights.iter().zip(&counts).map(|(weight, count)| weight.value * count).sum();
                assert_eq!(position.evaluate(), sum, "{}: {counts:?} in {}", self.name, position.text());
                counted.iter_mut().zip(counts).for_each(|(counted, count)| *counted |= count != 0);
                history.push(position.history_key());
                position.play(random.pick(&moves));
                moves.clear();
            }
        }
        counted
    }
}

#[test]
fn an_evaluation_is_its_weights_times_their_counts() {
    for game in agon_all::GAMES {
        let mut counted: Vec<bool> = Vec::new();
        for &variant in game.variants() {
            for &rules in game.rule_sets() {
                let name = format!("{} {variant} {rules}", game.name());
                let here = agon_all::start_search(game.name(), variant, rules, Sums { name, games: 12 });
                let here = here.expect("a listed variant");
                counted.resize(here.len(), false);
                counted.iter_mut().zip(here).for_each(|(anywhere, here)| *anywhere |= here);
            }
        }
        // Random games meet everything that an evaluation speaks of; a weight that never counts is a slip.
        assert!(counted.iter().all(|&counted| counted), "{}: {counted:?}", game.name());
    }
}

#[test]
fn weights_have_names_of_their_own_and_a_meaning() {
    struct Names;
    impl SearchVisitor for Names {
        type Output = ();
        fn visit<P: Searchable>(self, start: P) {
            let weights = start.weights();
            assert!(!weights.is_empty() && weights.iter().all(|weight| !weight.meaning.is_empty()));
            assert_eq!(weights.iter().map(|weight| weight.name).collect::<HashSet<_>>().len(), weights.len());
        }
    }
    for game in agon_all::GAMES {
        agon_all::start_search(game.name(), game.variants()[0], game.rule_sets()[0], Names).expect("a variant");
    }
}
