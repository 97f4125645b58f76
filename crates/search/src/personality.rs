//! The personalities of the house bots: one engine, held back or with another style.

use std::{fmt, str::FromStr};

use crate::{Searchable, SkillError};

/// How a bot is held back so that people can beat it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Skill {
    /// Plies that it looks ahead at most; 0 is no limit.
    pub depth: i32,
    /// Positions that it looks at for each move at most; 0 is no limit.
    pub nodes: u64,
    /// How wrong its evaluation is: the usual mistake, in hundredths of the game's unit.
    pub noise: i32,
    /// How many moves of a hundred are slips: made with a look of one ply, and with four times the noise.
    pub slips: u32,
}

impl Skill {
    /// All that the engine has.
    pub const FULL: Skill = Skill { depth: 0, nodes: 0, noise: 0, slips: 0 };

    /// A skill in four numbers.
    pub const fn new(depth: i32, nodes: u64, noise: i32, slips: u32) -> Skill {
        Skill { depth, nodes, noise, slips }
    }

    /// What it is worth to try out a ladder with, where a game has none of its own yet.
    pub const USUAL: [Skill; 9] = [
        Skill::new(1, 0, 200, 40),
        Skill::new(1, 0, 120, 20),
        Skill::new(1, 0, 60, 10),
        Skill::new(2, 0, 60, 5),
        Skill::new(2, 0, 30, 0),
        Skill::new(3, 0, 30, 0),
        Skill::new(0, 500, 20, 0),
        Skill::new(0, 2_000, 10, 0),
        Skill::new(0, 10_000, 0, 0),
    ];
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:{}", self.depth, self.nodes, self.noise, self.slips)
    }
}

impl FromStr for Skill {
    type Err = SkillError;

    /// `DEPTH:NODES:NOISE:SLIPS`.
    fn from_str(text: &str) -> Result<Skill, SkillError> {
        let parts: Vec<u64> = text.split(':').map_while(|part| part.parse().ok()).collect();
        match parts[..] {
            [depth @ 0..=100, nodes, noise @ 0..=10_000, slips @ 0..=100] if text.split(':').count() == 4 => {
                Ok(Skill::new(depth as i32, nodes, noise as i32, slips as u32))
            }
            _ => Err(SkillError(text.to_owned())),
        }
    }
}

/// What makes one house bot different from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Personality {
    /// How far it is held back.
    pub skill: Skill,
    /// Changes to the search: see [`crate::Parameters::set_all`].
    pub parameters: &'static str,
    /// Changes to the weights: see [`crate::Evaluator::by_weights`].
    pub weights: &'static str,
}

/// The level that `novice` plays at.
const NOVICE: usize = 3;

impl Personality {
    /// All that the engine has.
    pub const MASTER: Personality = Personality { skill: Skill::FULL, parameters: "", weights: "" };

    /// Those that think, from the weakest to the strongest; then the levels, and the styles.
    pub const NAMES: [&'static str; 17] = [
        "greedy",
        "novice",
        "adept",
        "master",
        "level1",
        "level2",
        "level3",
        "level4",
        "level5",
        "level6",
        "level7",
        "level8",
        "level9",
        "level10",
        "aggressive",
        "defensive",
        "balanced",
    ];

    /// Whether the bot of this name is not held back, in any game.
    pub fn is_master(name: &str) -> bool {
        ["master", "level10"].contains(&name)
    }

    /// The personality of the bot of this name in a game.
    pub fn of<P: Searchable>(name: &str) -> Option<Personality> {
        let level = |number: usize| Personality {
            skill: if number == 10 { Skill::FULL } else { P::SKILLS[number - 1] },
            ..Personality::MASTER
        };
        let adept = Personality { skill: P::ADEPT, ..Personality::MASTER };
        let [aggressive, defensive] = P::STYLES;
        Some(match name {
            // Its mistakes are too small to cost anything: they only decide between moves of equal worth.
            "greedy" => {
                Personality { skill: Skill::new(1, 0, 1, 0), parameters: "quiescence=0", weights: P::GREEDY_WEIGHTS }
            }
            "novice" => level(NOVICE),
            "adept" | "balanced" => adept,
            "aggressive" => Personality { weights: aggressive, ..adept },
            "defensive" => Personality { weights: defensive, ..adept },
            "master" => Personality::MASTER,
            _ => {
                let number = name.strip_prefix("level")?.parse().ok().filter(|number| (1..=10).contains(number))?;
                level(number)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_read_as_it_is_written() {
        let skill = Skill::new(3, 500, 20, 7);
        assert_eq!(skill.to_string().parse(), Ok(skill));
        for wrong in ["", "1:2:3", "1:2:3:4:5", "1:2:3:x", "1:2:3:101", "-1:2:3:4"] {
            assert!(wrong.parse::<Skill>().is_err(), "{wrong}");
        }
    }
}
