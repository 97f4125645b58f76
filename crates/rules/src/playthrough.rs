//! Golden playthroughs: a random game written down with every question answered, so that a change of rules shows as a diff.

use std::fmt::Write;

use crate::{AnyGame, AnyPosition, Ending, Random, RuleSet, Side, keys::mix};

/// Turns after which a playthrough stops; enough to meet every kind of turn, little enough to read.
const LONGEST: usize = 120;
/// No position of a random game comes near so many turns.
const MOST_TURNS: usize = 1_000_000;

/// The playthroughs of a game, one for each listed variant and rule set, with their file names.
pub fn all(game: &dyn AnyGame) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for &rules in game.rule_sets() {
        for &variant in game.variants() {
            files.push((format!("{variant}-{rules}.txt"), playthrough(game, variant, rules)));
        }
    }
    files
}

fn playthrough(game: &dyn AnyGame, variant: &str, rules: RuleSet) -> String {
    let mut position = game.open(variant, rules).expect("a listed variant");
    let mut text = format!(
        "game: {}\ntitle: {}\nvariant: {variant}\nrules: {rules}\nsides: {}\nclock: {}\nplanes: {:?}\n\n",
        game.name(),
        game.title(),
        game.sides().join(", "),
        game.clock(variant),
        position.planes().shape(),
    );
    let mut random = Random::new(mix(variant.len() as u64) ^ rules as u64);
    for number in 1..=LONGEST {
        describe(&*position, &mut text);
        let turns = position.legal_turns(MOST_TURNS).expect("a list of turns");
        if turns.is_empty() {
            break;
        }
        let turn = &turns[random.below(turns.len())].spellings[0];
        let name = game.sides()[position.turn().index()];
        writeln!(text, "\n{number}. {name}: {turn}").expect("writing to a string");
        position.play(turn).expect("a legal turn");
    }
    text
}

/// The position, its key, planes and legal turns in short, and the points of every way it could end now.
fn describe(position: &dyn AnyPosition, text: &mut String) {
    let turns = position.legal_turns(MOST_TURNS).expect("a list of turns");
    let spellings: Vec<&String> = turns.iter().flat_map(|turn| &turn.spellings).collect();
    let digest = |words: &mut dyn Iterator<Item = u64>| words.fold(0, |digest, word| mix(digest ^ word));
    let legal = digest(&mut spellings.iter().flat_map(|turn| turn.bytes().chain([b'\n'])).map(u64::from));
    let planes = digest(&mut position.planes().words().iter().copied());
    let fault = |side: Side| position.points(Ending::Fault(side));
    let (first, second) = (fault(Side::First), fault(Side::Second));
    let key = position.key();
    let lines = format!(
        "position: {}\nkey: {key:016x} planes: {planes:016x}\nturns: {} in {} spellings {legal:016x}\n\
         faults: {:.4} {:.4} / {:.4} {:.4}\n",
        position.text(),
        turns.len(),
        spellings.len(),
        first.first,
        first.second,
        second.first,
        second.second,
    );
    text.push_str(&lines);
    if let Some(outcome) = position.outcome() {
        let points = position.points(Ending::Over(outcome));
        let winner = outcome.winner.map_or(0, Side::number);
        writeln!(text, "over: {} winner {winner} points {:.4} {:.4}", outcome.reason, points.first, points.second)
            .expect("writing to a string");
    }
}
