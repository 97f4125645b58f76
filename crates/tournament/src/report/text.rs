//! Numbers, times and places in words.

use agon_referee::TimeControl;
use jiff::Timestamp;

use crate::{
    battle::{Place, Spot},
    derive::State,
    plan::Plan,
};

/// A number with at most three decimals, and none that say nothing.
pub fn number(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    // Minus zero is zero.
    let rounded = if rounded == 0.0 { 0.0 } else { rounded };
    rounded.to_string()
}

/// A clock in words.
pub fn clock_words(clock: TimeControl) -> String {
    match clock {
        TimeControl::Total { time, increment } if increment.is_zero() => {
            format!("{} s for the whole match", number(time.as_secs_f64()))
        }
        TimeControl::Total { time, increment } => format!(
            "{} s for the whole match and {} s more after each turn",
            number(time.as_secs_f64()),
            number(increment.as_secs_f64())
        ),
        TimeControl::PerTurn(time) => format!("{} s for each turn", number(time.as_secs_f64())),
        TimeControl::PerTurnByLanguage { native, java, python } => format!(
            "{} s for each turn, {} s in Java, {} s in Python",
            number(native.as_secs_f64()),
            number(java.as_secs_f64()),
            number(python.as_secs_f64())
        ),
        TimeControl::Nodes(nodes) => format!("{nodes} nodes for each turn"),
        TimeControl::Depth(depth) => format!("depth {depth} for each turn"),
        TimeControl::Unlimited => "no limit".to_owned(),
    }
}

/// What a round of a knockout is called when so many places are left.
pub(crate) fn round_name(places: usize) -> String {
    match places {
        2 => "Final".to_owned(),
        4 => "Semi-finals".to_owned(),
        8 => "Quarter-finals".to_owned(),
        _ => format!("Round of {places}"),
    }
}

/// Where in a stage a battle has its place, in words.
pub fn place_words(place: &Place) -> String {
    let spot = match place.spot {
        Spot::Group { group, battle } => format!("Group {}, battle {}", group + 1, battle + 1),
        Spot::Bracket { of: 2, .. } => round_name(2),
        Spot::Bracket { of, battle } => format!("{}, battle {}", round_name(of), battle + 1),
        Spot::ThirdPlace => "Third place".to_owned(),
        Spot::Round { round, battle } => format!("Round {}, battle {}", round + 1, battle + 1),
    };
    if place.rematch > 0 { format!("{spot}, rematch {}", place.rematch) } else { spot }
}

/// A moment: `2026-03-01 14:05:09 UTC`. One that no calendar reaches, which only a damaged log can name, is the nearest that one does.
pub fn utc(at_ms: i64) -> String {
    let nearest = if at_ms < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_millisecond(at_ms).unwrap_or(nearest).strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// What was played and how much of it, in a sentence.
pub(super) fn headline(plan: &Plan, state: &State) -> String {
    let halves = || state.battles.iter().flat_map(|battle| &battle.halves);
    let played = halves().filter(|half| half.outcome.is_some_and(|outcome| !outcome.forfeit)).count();
    let forfeits = halves().filter(|half| half.outcome.is_some_and(|outcome| outcome.forfeit)).count();
    let game = agon_all::find(&plan.format.game).map_or(plan.format.game.as_str(), |game| game.title());
    let mut text = format!("{game}: {} teams, {played} matches played", plan.teams.len());
    if forfeits > 0 {
        text.push_str(&format!(", {forfeits} forfeited"));
    }
    text.push_str(if state.is_over() { ". Everything is played." } else { ". It is not over." });
    text
}

/// A text of at most so many letters; wide ones count twice.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let width = |letter: char| if (letter as u32) < 0x1100 { 1 } else { 2 };
    if text.chars().map(width).sum::<usize>() <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let mut short: String = text
        .chars()
        .take_while(|&letter| {
            let fits = width(letter) <= left;
            left = left.saturating_sub(width(letter));
            fits
        })
        .collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_leap_years_and_before_1970() {
        assert_eq!(utc(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(utc(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc(951_868_799_999), "2000-02-29 23:59:59 UTC");
        assert_eq!(utc(1_772_373_909_000), "2026-03-01 14:05:09 UTC");
        assert_eq!(utc(4_107_542_399_000), "2100-02-28 23:59:59 UTC");
        assert_eq!(utc(4_107_542_400_000), "2100-03-01 00:00:00 UTC");
        assert_eq!(utc(-1), "1969-12-31 23:59:59 UTC");
        assert_eq!(utc(i64::MAX), "9999-12-30 22:00:00 UTC");
    }

    #[test]
    fn numbers_have_no_noise() {
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(-0.0001), "0");
        assert_eq!(number(12.0), "12");
    }

    #[test]
    fn long_names_are_cut_by_width() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("longer", 5), "long…");
        assert_eq!(shortened("漢字漢字", 5), "漢字…");
    }
}
