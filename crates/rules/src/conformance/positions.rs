//! What every position of every game must hold to.

use std::collections::HashSet;

use super::{SetupCheck, cases, each_setup};
use agon_picture::Click;

use crate::{AnyGame, EndKind, Game, Outcome, Planes, Position, Random, Side, perft};

/// Games without any limit (a rule set may have none) are left after so many moves.
const LONGEST_GAME: usize = 3000;
/// Positions with more moves than this are not searched for symmetry.
const WIDEST_FOR_SYMMETRY: u64 = 260;

/// Random games end, their end is stable, and a game that is over has no moves.
pub fn random_games_end<G: Game>(also: &[&str]) {
    each_setup::<G, _>(also, &RandomGamesEnd);
}

struct RandomGamesEnd;

impl SetupCheck for RandomGamesEnd {
    fn check<P: Position>(&self, setup: &str, start: &P) {
        let mut random = Random::new(1);
        for game in 0..20 * cases() {
            let mut moves = Vec::new();
            let mut position = start.clone();
            let mut history = Vec::new();
            while history.len() < LONGEST_GAME {
                moves.clear();
                if let Some(outcome) = position.generate(&mut moves) {
                    assert!(moves.is_empty(), "{setup}, game {game}: moves after {outcome:?} in {}", position.text());
                    let is_win = outcome.reason.kind() == EndKind::Win;
                    assert!(!is_win || outcome.winner.is_some(), "{setup}, game {game}: {outcome:?} without a winner");
                    break;
                }
                assert!(!moves.is_empty(), "{setup}, game {game}: no end and no moves in {}", position.text());
                if position.adjudicate(&history).is_some() {
                    break;
                }
                history.push(position.history_key());
                position.play(random.pick(&moves));
            }
        }
    }
}

/// Keys, planes, texts, clicks, symmetries and counts of the positions in random games.
pub fn positions_keep_their_promises<G: Game>(also: &[&str]) {
    each_setup::<G, _>(also, &Promises);
}

struct Promises;

impl SetupCheck for Promises {
    fn check<P: Position>(&self, setup: &str, start: &P) {
        let mut random = Random::new(2);
        for _ in 0..3 * cases() {
            let mut position = start.clone();
            let mut history = Vec::new();
            for ply in 0..400 {
                let here = format!("{setup}, ply {ply}, {}", position.text());
                let moves = check_moves(&position, &here);
                check_texts(&position, &here);
                if ply % 7 == 0 || moves.is_err() {
                    check_symmetries(&position, &here);
                }
                let Ok(moves) = moves else { break };
                if position.adjudicate(&history).is_some() {
                    break;
                }
                check_turn_text(&position, random.pick(&moves), &here);
                let m = random.pick(&moves);
                history.push(position.history_key());
                position.play(m);
            }
        }
    }
}

/// Moves are counted right, unique, and have texts and clicks of their own. Gives the moves or how the game ended.
fn check_moves<P: Position>(position: &P, here: &str) -> Result<Vec<P::Move>, Outcome> {
    let mut moves = Vec::new();
    let outcome = position.generate(&mut moves);
    assert_eq!(position.count(), moves.len() as u64, "{here}: count and generate differ");
    if let Some(outcome) = outcome {
        return Err(outcome);
    }
    let unique: HashSet<P::Move> = moves.iter().copied().collect();
    assert_eq!(unique.len(), moves.len(), "{here}: a move is listed twice");
    let mut texts = HashSet::new();
    let mut paths = Vec::new();
    let spots = position.picture(&[]).spots.len();
    for &m in &moves {
        let spellings = position.spellings(m);
        assert_eq!(position.count_spellings(m), spellings.len() as u64, "{here}: spellings of {m:?} are counted wrong");
        assert!(spellings.contains(&position.move_text(m)), "{here}: the text of {m:?} is no spelling of it");
        for text in spellings {
            assert!(texts.insert(text.clone()), "{here}: '{text}' means two things");
        }
        let clicks = position.clicks(m);
        let on_board = |click: &Click| !matches!(click, Click::Spot(spot) if *spot >= spots);
        assert!(!clicks.is_empty() && clicks.iter().all(on_board), "{here}: clicks of {m:?}: {clicks:?}");
        paths.push(clicks);
    }
    for (i, path) in paths.iter().enumerate() {
        let prefix = |(j, other): (usize, &Vec<Click>)| i != j && other.starts_with(path);
        assert!(!paths.iter().enumerate().any(prefix), "{here}: clicks {path:?} begin two moves");
    }
    Ok(moves)
}

/// The text gives the same position again, in every respect that a text can carry.
fn check_texts<P: Position>(position: &P, here: &str) {
    let text = position.text();
    assert_eq!(position.key(), position.recompute_key(), "{here}: the key was not kept up to date");
    let parsed = position.parse(&text).unwrap_or_else(|e| panic!("{here}: own text is refused: {e}"));
    assert_eq!(parsed.text(), text, "{here}: the text does not round trip");
    assert_eq!(parsed.key(), position.key(), "{here}: the key does not round trip");
    assert_eq!(parsed.turn(), position.turn(), "{here}: the turn does not round trip");
    assert_eq!(Planes::of(&parsed), Planes::of(position), "{here}: the planes do not round trip");
    let (mut before, mut after) = (Vec::new(), Vec::new());
    assert_eq!(position.generate(&mut before), parsed.generate(&mut after), "{here}: the outcome does not round trip");
    assert_eq!(before, after, "{here}: the moves do not round trip");
}

/// A legal move's text is read as that move, where it is a turn of its own.
fn check_turn_text<P: Position>(position: &P, m: P::Move, here: &str) {
    let mut next = position.clone();
    next.play(m);
    if next.turn() == position.turn() && next.count() > 0 {
        return;
    }
    let mut texts = position.spellings(m);
    texts.extend(position.object_text(m));
    for text in texts {
        let read = position.parse_turn(&text).unwrap_or_else(|e| panic!("{here}: legal turn '{text}' is refused: {e}"));
        assert_eq!(read, [m], "{here}: '{text}' is read as another move");
    }
}

/// Every symmetry preserves the number of continuations, and leads to a proper position.
fn check_symmetries<P: Position>(position: &P, here: &str) {
    let depth = if position.count() > WIDEST_FOR_SYMMETRY / 2 { 1 } else { 2 };
    if position.count() > WIDEST_FOR_SYMMETRY {
        return;
    }
    let count = perft(position, depth);
    for symmetry in 0..position.symmetries(depth) {
        let image = position.transform(symmetry);
        check_texts(&image, &format!("{here}, symmetry {symmetry}"));
        assert_eq!(perft(&image, depth), count, "{here}: symmetry {symmetry} changes perft {depth}");
        if symmetry == 0 {
            assert_eq!(image.text(), position.text(), "{here}: symmetry 0 is not the identity");
        }
    }
}

/// Setting up a position forgets the game so far.
pub fn history_is_fresh_after_set_up(game: &dyn AnyGame, also: &[&str]) {
    for &rules in game.rule_sets() {
        for &variant in game.variants().iter().chain(also) {
            let Ok(mut position) = game.open(variant, rules) else { continue };
            let start = position.text();
            let turn = position.legal_turns(usize::MAX).expect("a list of turns").swap_remove(0);
            position.play(&turn.spellings[0]).expect("a legal turn");
            assert_eq!(position.turns_made()[Side::First], 1, "{variant} {rules}: the turn was not counted");
            position.set_up(&start).unwrap_or_else(|e| panic!("{variant} {rules}: the start is refused: {e}"));
            assert_eq!(position.turns_made()[Side::First], 0, "{variant} {rules}: counters were kept");
            assert_eq!(position.text(), start);
        }
    }
}
