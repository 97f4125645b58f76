//! Damaged texts: never a panic, never a silent misreading.

use super::{SetupCheck, each_setup, on_damaged};
use crate::{AnyGame, AnyPosition, Game, Planes, Position, Random};

/// Letters that the texts of games are made of.
const LETTERS: &str = "0123456789 /.abcdefghABSTstHVhvPRKNprknXMEw_*-{}[]\",:+";

/// A position's text is refused, or read as a position whose own text gives the same position again.
pub fn damaged_positions<G: Game>(also: &[&str]) {
    each_setup::<G, _>(also, &DamagedPositions);
}

struct DamagedPositions;

impl SetupCheck for DamagedPositions {
    fn check<P: Position>(&self, setup: &str, start: &P) {
        let texts = texts_of_a_game(start);
        on_damaged(&texts, LETTERS, |text| {
            let Ok(position) = start.parse(text) else { return };
            let printed = position.text();
            let again = start.parse(&printed).unwrap_or_else(|e| panic!("{setup}: '{text}' → '{printed}': {e}"));
            assert_eq!(again.text(), printed, "{setup}: '{text}'");
            assert_eq!(again.key(), position.key(), "{setup}: '{text}'");
            assert_eq!(Planes::of(&again), Planes::of(&position), "{setup}: '{text}'");
            let mut moves = Vec::new();
            let outcome = position.generate(&mut moves);
            assert_eq!(position.count(), moves.len() as u64, "{setup}: '{text}'");
            assert_eq!(moves.is_empty(), outcome.is_some(), "{setup}: '{text}' has {} moves", moves.len());
            // A strange position must be playable: nothing the generator lists may break it.
            for &m in &moves {
                let mut next = position.clone();
                next.play(m);
                assert_eq!(next.key(), next.recompute_key(), "{setup}: '{text}' after {m:?}");
                let text = next.text();
                start.parse(&text).unwrap_or_else(|e| panic!("{setup}: '{text}' after {m:?}: {e}"));
            }
        });
    }
}

/// The positions of one random game, every third one.
fn texts_of_a_game<P: Position>(start: &P) -> Vec<String> {
    let mut random = Random::new(3);
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut texts = Vec::new();
    while texts.len() < 60 {
        moves.clear();
        texts.push(position.text());
        for _ in 0..3 {
            moves.clear();
            if position.generate(&mut moves).is_some() {
                texts.push(position.text());
                return texts;
            }
            position.play(random.pick(&moves));
        }
    }
    texts
}

/// A damaged turn is refused and changes nothing; or it is one of the legal turns, perhaps spelt another way.
pub fn damaged_turns(game: &dyn AnyGame, also: &[&str]) {
    for &rules in game.rule_sets() {
        for &variant in game.variants().iter().chain(also) {
            let Ok(start) = game.open(variant, rules) else { continue };
            let mut random = Random::new(4);
            let mut position = start.boxed();
            for _ in 0..4 {
                for _ in 0..15 {
                    let Some(turn) = random_turn(&*position, &mut random) else { break };
                    position.play(&turn).unwrap_or_else(|e| panic!("{variant} {rules}: legal turn '{turn}': {e}"));
                }
                if position.outcome().is_some() {
                    position = start.boxed();
                }
                damage_turns_of(&*position);
            }
        }
    }
}

fn random_turn(position: &dyn AnyPosition, random: &mut Random) -> Option<String> {
    let mut turns = position.legal_turns(100_000).expect("a list of turns");
    (!turns.is_empty()).then(|| turns.swap_remove(random.below(turns.len())).spellings.swap_remove(0))
}

fn damage_turns_of(position: &dyn AnyPosition) {
    let before = position.text();
    let turns = position.legal_turns(100_000).expect("a list of turns");
    let mut texts: Vec<String> = turns.iter().flat_map(|turn| turn.spellings.clone()).collect();
    let after = |text: &str| {
        let mut next = position.boxed();
        next.play(text).unwrap_or_else(|e| panic!("{before}: legal turn '{text}' is refused: {e}"));
        next.text()
    };
    let reachable: std::collections::HashSet<String> = texts.iter().map(|text| after(text)).collect();
    texts.extend(turns.iter().filter_map(|turn| turn.object.clone()));
    on_damaged(&texts, LETTERS, |text| {
        let mut next = position.boxed();
        match next.play(text) {
            Ok(_) => assert!(reachable.contains(&next.text()), "{before}: '{text}' leads where no legal turn does"),
            Err(_) => assert_eq!(next.text(), before, "the refused turn '{text}' changed the position"),
        }
    });
}
