//! Positions can be set up by hand: their texts have a letter for each spot of the picture.

use agon_rules::{AnyPosition, Random, RuleSet};

/// The letters of the spots, in order.
fn letters(text: &str, pieces: &[(char, &str)]) -> Vec<char> {
    let board = text.split(' ').next().unwrap_or_default();
    let mut letters = Vec::new();
    let mut number = String::new();
    for letter in board.chars().chain(['/']) {
        if letter.is_ascii_digit() && pieces.iter().all(|&(piece, _)| piece != letter) {
            number.push(letter);
            continue;
        }
        letters.extend(std::iter::repeat_n('.', number.parse().unwrap_or(0)));
        number.clear();
        if !"/_".contains(letter) {
            letters.push(letter);
        }
    }
    letters
}

fn check(position: &dyn AnyPosition, pieces: &[(char, &str)], side_words: [&str; 2], sides: [&str; 2]) {
    let (text, picture) = (position.text(), position.picture());
    let letters = letters(&text, pieces);
    assert_eq!(letters.len(), picture.spots.len(), "{text}");
    assert_eq!(text.split(' ').nth(1), Some(side_words[position.turn().index()]), "{text}");
    let mut seen = vec!['.'; letters.len()];
    for piece in &picture.pieces {
        let name = format!("{} {}", sides[piece.side.index()], piece.name);
        let known = pieces.iter().find(|(_, known)| *known == name);
        seen[piece.spot] = known.unwrap_or_else(|| panic!("no piece is called {name}")).0;
    }
    assert_eq!(letters, seen, "{text}");
}

#[test]
fn texts_and_pictures_agree_on_every_spot() {
    for game in agon_all::GAMES {
        for variant in game.variants() {
            for seed in 0..4 {
                let mut random = Random::new(seed);
                let mut position = game.open(variant, RuleSet::Text).unwrap();
                for _ in 0..60 {
                    check(&*position, game.pieces(), game.side_words(), game.sides());
                    if position.outcome().is_some() {
                        break;
                    }
                    let turn = position.random_turn(&mut random).unwrap();
                    position.play(&turn).unwrap();
                }
            }
        }
    }
}
