//! What house bots are called, and what their names say.

use std::{str::FromStr, time::Duration};

use agon_search::{MCTS, Objective, Personality, leaves_for_depth};
use agon_wire::Budget;

/// The ladder, from the weakest to the strongest.
pub const LADDER: [&str; 5] = ["random", "greedy", "novice", "adept", "master"];

/// The levels for people; the last one is `master`.
pub const LEVELS: [&str; 10] =
    ["level1", "level2", "level3", "level4", "level5", "level6", "level7", "level8", "level9", "level10"];

/// Three ways to play at the same strength, that of `adept`.
pub const STYLES: [&str; 3] = ["aggressive", "defensive", "balanced"];

/// Bots of another design, which take what their clock allows.
pub const RIVALS: [&str; 1] = [MCTS];

/// The names of them all.
pub const NAMES: &[&str] = &[
    LADDER[0], LADDER[1], LADDER[2], LADDER[3], LADDER[4], LEVELS[0], LEVELS[1], LEVELS[2], LEVELS[3], LEVELS[4],
    LEVELS[5], LEVELS[6], LEVELS[7], LEVELS[8], LEVELS[9], STYLES[0], STYLES[1], STYLES[2], RIVALS[0],
];

/// What people call it: `Level 4`.
pub fn title(name: &str) -> String {
    if let Some(number) = name.strip_prefix("level") {
        return format!("Level {number}");
    }
    if name == MCTS {
        return name.to_uppercase();
    }
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// How long to think where nobody sets a limit.
pub(crate) const AT_LEISURE: Duration = Duration::from_secs(1);

/// How long a house bot takes for a turn, in words for whoever plays against it; `None` if there is none of that name. `budget` is what it
/// begins with.
pub fn pace(name: &str, budget: Budget) -> Option<String> {
    let (name, _) = objective(name);
    if !NAMES.contains(&name) {
        return None;
    }
    if !Personality::is_master(name) && name != MCTS {
        return Some("answers at once".to_owned());
    }
    Some(match budget {
        Budget::Clocks { left, increment } => {
            let more = increment.first.as_secs_f64();
            let more = if more > 0.0 { format!(", and of the {more} s that each adds") } else { String::new() };
            format!("takes a share of its {} s for each turn{more}", left.first.as_secs_f64())
        }
        Budget::Turn(limit) => format!("takes up to {} s a turn", limit.as_secs_f64()),
        Budget::Depth(moves) if name == MCTS => {
            let leaves = leaves_for_depth(i32::try_from(moves).unwrap_or(i32::MAX));
            format!("looks at {leaves} positions for each turn")
        }
        Budget::Nodes(nodes) => format!("looks at {nodes} positions for each turn"),
        Budget::Depth(moves) => format!("looks {moves} moves ahead"),
        Budget::Unlimited => format!("takes up to {} s a turn", AT_LEISURE.as_secs_f64()),
    })
}

/// What a house bot may try to achieve, as command lines say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aim {
    /// To win; points decide only between wins that are proven.
    #[default]
    Win,
    /// As many points more than the opponent as possible.
    Points,
}

impl FromStr for Aim {
    type Err = UnknownAim;

    fn from_str(text: &str) -> Result<Aim, UnknownAim> {
        match text {
            "win" => Ok(Aim::Win),
            "points" => Ok(Aim::Points),
            _ => Err(UnknownAim),
        }
    }
}

/// A word that names no aim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected 'win' or 'points'")]
pub struct UnknownAim;

impl Aim {
    /// The spelling of a bot with this aim, if it is a house bot that names none itself; any other stays as it is.
    pub fn spelled(self, bot: &str) -> String {
        let thinks = Personality::NAMES.contains(&bot) || bot.strip_prefix("level:").is_some();
        if self == Aim::Points && thinks { format!("{bot}:points") } else { bot.to_owned() }
    }
}

/// A house bot's name without what it is to achieve, which may follow after a colon: `master:points`.
pub(crate) fn objective(name: &str) -> (&str, Objective) {
    match name.split_once(':') {
        Some((name, "points")) => (name, Objective::Points),
        Some((name, _)) => (name, Objective::Win),
        None => (name, Objective::Win),
    }
}
