//! The options of the original's launcher, as options of `agon play`.

use std::path::Path;

use agon_originals::{ArgumentError, PlayLauncher};
use agon_rules::{Game, quote};

use super::submission::{PRINTED_WRAPPER, PYTHON, WRAPPER, is_compiled};
use crate::Rivers;

/// `gameEngine.py`.
pub(super) struct GameEngine;

impl PlayLauncher for GameEngine {
    fn has_window(&self) -> bool {
        true
    }

    fn play_options(&self, arguments: &[String]) -> Option<Result<Vec<String>, ArgumentError>> {
        translate(arguments).map(|translated| translated.map_err(ArgumentError))
    }
}

/// The launcher's clock where nobody chose one, in minutes.
const MINUTES: f64 = 1.0;

/// The options of the launcher.
#[derive(Default)]
struct Options {
    mode: Option<String>,
    circle: Option<String>,
    square: Option<String>,
    board_size: Option<String>,
    time: Option<String>,
    no_page: bool,
}

/// Translates the launcher's options among `arguments`; everything else is handed on. `None` if there are none. Unless it was told
/// otherwise, the launcher opened a window; here it is a page.
fn translate(arguments: &[String]) -> Option<Result<Vec<String>, String>> {
    let mut options = Options::default();
    let mut translated = Vec::new();
    let mut found = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (argument.as_str(), None),
        };
        let place = match name {
            "--nogui" => {
                found = true;
                options.no_page = true;
                continue;
            }
            "--load" => {
                let problem = "--load was accepted and ignored by the original; `agon play --resume FILE` goes on with a saved game";
                return Some(Err(problem.to_owned()));
            }
            "--mode" => &mut options.mode,
            "--circle" => &mut options.circle,
            "--square" => &mut options.square,
            "--board-size" => &mut options.board_size,
            "--time" => &mut options.time,
            _ => {
                translated.push(argument.clone());
                continue;
            }
        };
        found = true;
        let Some(value) = value.or_else(|| rest.next().cloned()) else {
            return Some(Err(format!("expected a value after {name}")));
        };
        *place = Some(value);
    }
    found.then(|| {
        translated.extend(options.options(arguments)?);
        Ok(translated)
    })
}

impl Options {
    fn options(&self, arguments: &[String]) -> Result<Vec<String>, String> {
        let mode = self.mode.as_deref().unwrap_or("hvai");
        let [circle, square] = self.players(mode)?;
        let mut options = vec!["--first".to_owned(), circle, "--second".to_owned(), square];
        if !self.no_page {
            options.push("--page".to_owned());
        }
        if let Some(size) = &self.board_size {
            if !Rivers::VARIANTS.contains(&size.as_str()) {
                return Err(format!("--board-size {}: expected {}", quote(size), Rivers::VARIANT_FORM));
            }
            options.extend(["--variant".to_owned(), size.clone()]);
        }
        let minutes = match &self.time {
            Some(text) => Some(minutes(text)?),
            None => {
                (mode == "aivai" && !arguments.iter().any(|a| a == "--tc" || a.starts_with("--tc="))).then_some(MINUTES)
            }
        };
        options.extend(minutes.into_iter().flat_map(|minutes| ["--tc".to_owned(), (60.0 * minutes).to_string()]));
        Ok(options)
    }

    fn players(&self, mode: &str) -> Result<[String; 2], String> {
        let human = || "human".to_owned();
        let bot = |name: &Option<String>| strategy(name.as_deref().unwrap_or("random"));
        Ok(match mode {
            "hvh" => [human(), human()],
            "hvai" if self.circle.is_some() && self.square.is_none() => [bot(&self.circle)?, human()],
            "hvai" => [human(), bot(&self.square)?],
            "aivai" => [bot(&self.circle)?, bot(&self.square)?],
            _ => return Err(format!("--mode {}: expected hvh, hvai or aivai", quote(mode))),
        })
    }
}

/// The bot that the launcher means by a name: its own three, or any that `agon` knows.
fn strategy(name: &str) -> Result<String, String> {
    let here = Path::new(".");
    let has = |file: &str| here.join(file).is_file();
    let wrapped = has(WRAPPER) || has(PRINTED_WRAPPER);
    match name.to_lowercase().as_str() {
        "random" => Ok("random".to_owned()),
        // The whole folder: the class may need its neighbours.
        "student_cpp" if wrapped => Ok(".".to_owned()),
        "student" | "student_cpp" if !has(PYTHON) => {
            Err(format!("the strategy {} needs {PYTHON} in the current folder", quote(name)))
        }
        "student" | "student_cpp" if wrapped && is_compiled(here) => Ok(PYTHON.to_owned()),
        "student" | "student_cpp" => Ok(".".to_owned()),
        _ => Ok(name.to_owned()),
    }
}

fn minutes(text: &str) -> Result<f64, String> {
    let minutes: f64 = text.parse().ok().filter(|minutes| (0.001..=1e6).contains(minutes)).ok_or_else(|| {
        format!("--time {}: expected the minutes that each player has, for example 1 or 0.5", quote(text))
    })?;
    Ok(minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> Option<Result<String, String>> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        translate(&arguments).map(|result| result.map(|options| options.join(" ")))
    }

    #[test]
    fn the_launchers_options_become_ours() {
        for (theirs, ours) in [
            ("rivers --mode hvh", "rivers --first human --second human --page"),
            ("rivers --mode hvai --nogui", "rivers --first human --second random"),
            ("rivers --mode=hvai --circle RANDOM", "rivers --first random --second human --page"),
            ("rivers --circle random --square ./bot", "rivers --first human --second ./bot --page"),
            ("rivers --mode aivai --nogui --seed 3", "rivers --seed 3 --first random --second random --tc 60"),
            ("rivers --mode aivai --time 0.5", "rivers --first random --second random --page --tc 30"),
            ("rivers --mode aivai --tc inf", "rivers --tc inf --first random --second random --page"),
            ("rivers --board-size large --nogui", "rivers --first human --second random --variant large"),
            ("rivers --mode aivai --circle cmd:x --time=2", "rivers --first cmd:x --second random --page --tc 120"),
        ] {
            assert_eq!(translated(theirs), Some(Ok(ours.to_owned())), "{theirs}");
        }
    }

    #[test]
    fn ours_are_left_alone() {
        assert_eq!(translated("rivers --vs random --ascii"), None);
        assert_eq!(translated(""), None);
    }

    #[test]
    fn nonsense_is_explained() {
        for (line, word) in [
            ("rivers --mode both", "hvh, hvai or aivai"),
            ("rivers --mode", "a value after --mode"),
            ("rivers --board-size huge", "small"),
            ("rivers --time soon", "minutes"),
            ("rivers --time -1", "minutes"),
            ("rivers --time nan", "minutes"),
            ("rivers --load game.json", "--resume"),
            ("rivers --mode aivai --square student", "student_agent.py"),
        ] {
            let Some(Err(problem)) = translated(line) else { panic!("{line} was accepted") };
            assert!(problem.contains(word), "{line}: {problem}");
        }
    }
}
