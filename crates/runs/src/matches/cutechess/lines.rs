//! What cutechess prints.

use agon_rating::{Score, Z_95};
use agon_rules::{Side, Verdict};
use agon_store::Match;

use crate::{
    matches::{Plan, Tally},
    seats,
};

/// Cutechess takes the 95 % quantile from an approximation, and its error bars with it.
const ITS_Z_95: f64 = 1.9572;

fn game_number(battle: u32, half: u8) -> u32 {
    2 * battle + u32::from(half) + 1
}

fn names(plan: &Plan, half: u8) -> (&str, &str) {
    let seats = seats(half);
    (&plan.contestants[seats.first].name, &plan.contestants[seats.second].name)
}

/// `Started game 1 of 20 (A vs B)`.
pub fn started(plan: &Plan, battle: u32, half: u8) -> String {
    let (white, black) = names(plan, half);
    format!("Started game {} of {} ({white} vs {black})", game_number(battle, half), plan.matches())
}

/// The result of a game, and the score so far.
pub fn finished(plan: &Plan, played: &Match, tally: &Tally) -> String {
    let (white, black) = names(plan, played.half);
    let (number, result) = (game_number(played.battle, played.half), &played.result);
    let line = format!("Finished game {number} ({white} vs {black}): {result} {{{}}}\n", reason(played));
    line + &score_line(plan, tally)
}

fn reason(played: &Match) -> String {
    let verdict = played.result.parse().ok();
    let (winner, loser) =
        if verdict == Some(Verdict::Won(Side::First)) { ("White", "Black") } else { ("Black", "White") };
    match (played.termination.as_str(), verdict) {
        (_, Some(Verdict::BothLost)) => "Both disconnect".to_owned(),
        ("checkmate", _) => format!("{winner} mates"),
        ("timeout", _) => format!("{loser} loses on time"),
        ("illegal turn", _) => format!("{loser} makes an illegal move: {}", played.evidence),
        ("crash" | "silent exit" | "closed output" | "would not start", _) => format!("{loser} disconnects"),
        (termination, Some(Verdict::Drawn)) => format!("Draw by {termination}"),
        (termination, _) => format!("{winner} wins by {termination}"),
    }
}

fn score_text(score: &Score) -> String {
    let (wins, losses, draws, fraction) = (score.wins, score.losses, score.draws, score.fraction().unwrap_or(0.0));
    format!("{wins} - {losses} - {draws}  [{fraction:.3}] {}", score.matches())
}

fn score_line(plan: &Plan, tally: &Tally) -> String {
    let [one, other] = &plan.contestants;
    format!("Score of {} vs {}: {}\n", one.name, other.name, score_text(&tally.score))
}

/// The lines after the last game.
pub fn end(plan: &Plan, tally: &Tally) -> String {
    let name = &plan.contestants[0].name;
    let mut text = score_line(plan, tally);
    let [white, black] = &tally.by_side;
    let [rated_white, rated_black] = &tally.rated_by_side;
    text += &format!("...      {name} playing White: {}\n", score_text(white));
    text += &format!("...      {name} playing Black: {}\n", score_text(black));
    let first_side = Score {
        wins: rated_white.wins + rated_black.losses,
        draws: rated_white.draws + rated_black.draws,
        losses: rated_white.losses + rated_black.wins,
    };
    text += &format!("...      White vs Black: {}\n", score_text(&first_side));
    let (elo, error) = elo_text(&tally.rated);
    let superiority = match tally.rated.matches() {
        0 => "nan".to_owned(),
        _ => format!("{:.1}", 100.0 * tally.rated.likelihood_of_superiority()),
    };
    let draws = 100.0 * tally.rated.draw_ratio().unwrap_or(0.0);
    text += &format!("Elo difference: {elo} +/- {error}, LOS: {superiority} %, DrawRatio: {draws:.1} %\n");
    if let Some(sprt) = &plan.sprt {
        let ((low, high), llr) = (sprt.bounds(), tally.llr(sprt));
        let share = 100.0 * if llr > 0.0 { llr / high } else { llr / low };
        text += &format!("SPRT: llr {llr:.3} ({share:.1}%), lbound {low:.3}, ubound {high:.3}\n");
    }
    text + "Finished match\n"
}

/// Its words where there is no finite estimate are `inf`, `-inf` and `nan`.
fn elo_text(score: &Score) -> (String, String) {
    match score.elo().interval() {
        Some(interval) => (format!("{:.1}", interval.value), format!("{:.1}", interval.error() * ITS_Z_95 / Z_95)),
        None if score.losses == 0 && score.wins > 0 => ("inf".to_owned(), "nan".to_owned()),
        None if score.wins == 0 && score.losses > 0 => ("-inf".to_owned(), "nan".to_owned()),
        None => ("0.0".to_owned(), "nan".to_owned()),
    }
}
