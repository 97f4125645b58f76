//! What the benchmarks of matches share.

use std::{
    env, fs,
    time::{Duration, Instant},
};

use agon_referee::{CoreRule, Language, MatchSpec, TimeControl, TurnMade, Watch};
use agon_rules::{AnyPosition, BySide, RuleSet};
use agon_wire::GameSetup;

/// Short matches without a clock to speak of.
pub(crate) fn spec() -> MatchSpec {
    let game = agon_all::find("connectx").expect("a game");
    MatchSpec {
        setup: GameSetup { game, variant: "standard".to_owned(), rules: RuleSet::Text, position: None, swapped: false },
        time: TimeControl::PerTurn(Duration::from_secs(60)),
        grace: Duration::ZERO,
        languages: BySide::new(Language::Rust, Language::Rust),
        opening: Vec::new(),
        most_turns: 1000,
        cores: CoreRule::default(),
    }
}

/// Takes the time from one position to the next: everything that a turn costs.
#[derive(Default)]
pub(crate) struct Stopwatch {
    last: Option<Instant>,
    pub(crate) turns: Vec<Duration>,
}

impl Watch for Stopwatch {
    fn position(&mut self, _position: &dyn AnyPosition, turns: &[TurnMade]) {
        let now = Instant::now();
        // The first turn of each bot includes its start.
        if let Some(last) = self.last.filter(|_| turns.len() > 2) {
            self.turns.push(now - last);
        }
        self.last = Some(now);
    }
}

pub(crate) fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort();
    times[((times.len() - 1) as f64 * share) as usize]
}

/// Prints a table, and writes it to the file that `--save` names.
pub(crate) fn show(text: &str) {
    print!("{text}");
    let arguments: Vec<String> = env::args().collect();
    if let Some(i) = arguments.iter().position(|argument| argument == "--save") {
        let file = arguments.get(i + 1).expect("a file name after --save");
        fs::write(file, text).unwrap_or_else(|e| panic!("cannot write {file}: {e}"));
    }
}
