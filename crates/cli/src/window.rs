//! A page of the arena for a game that this program plays.

use std::{
    env,
    io::Write,
    process::{Command, Stdio},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use agon_entrants::Containment;
use agon_originals::Original;
use agon_referee::{CoreRule, Language, MatchSpec, Played, Record, Termination, TimeControl, TurnMade};
use agon_rules::{AnyPosition, BySide, Ending, RuleSet};
use agon_server::Background;
use agon_store::Live;
use agon_wire::GameSetup;

use crate::error::CliError;

/// The page of one game after the other, for as long as the program runs.
pub(crate) struct Window {
    arena: Background,
    game: &'static dyn Original,
    id: String,
    presented: bool,
}

impl Window {
    /// Prepares a page for a game of somebody else's: it is looked at here, not played.
    pub(crate) fn open(game: &'static dyn Original) -> Result<Window, CliError> {
        let arena = start(Containment::strongest())?;
        let id = format!("{}-{}", game.name(), std::process::id());
        Ok(Window { arena, game, id, presented: false })
    }

    /// Shows a position and all turns that led to it. The first one opens the page.
    pub(crate) fn show(&mut self, variant: &str, position: &dyn AnyPosition) {
        let setup = GameSetup {
            game: self.game,
            variant: variant.to_owned(),
            rules: RuleSet::Server,
            position: position.start_text(),
            swapped: false,
        };
        let record = record(setup, position);
        self.arena.show(&Live {
            id: self.id.clone(),
            kind: "terminal".to_owned(),
            game: self.game.name().to_owned(),
            variant: variant.to_owned(),
            rules: RuleSet::Server.to_string(),
            first: "client 0".to_owned(),
            second: "client 1".to_owned(),
            turns: position.turns().len() as u32,
            updated_ms: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as i64),
            setting: "{}".to_owned(),
            record: record.text(),
        });
        if !self.presented {
            self.presented = true;
            present(&self.arena.page(&self.id));
        }
    }
}

/// What is known of a game between two others.
fn record(setup: GameSetup, position: &dyn AnyPosition) -> Record {
    let spec = MatchSpec {
        time: TimeControl::Unlimited,
        grace: Duration::ZERO,
        languages: BySide::from_fn(|_| Language::default()),
        opening: Vec::new(),
        most_turns: usize::MAX,
        cores: CoreRule::default(),
        setup,
    };
    let names = BySide::new("client 0".to_owned(), "client 1".to_owned());
    let made = |text: &String| TurnMade { text: text.clone(), ..TurnMade::default() };
    let turns: Vec<TurnMade> = position.turns().iter().map(made).collect();
    let Some(outcome) = position.outcome() else {
        return Record::unfinished(&spec, &turns, position, &names, &[]);
    };
    let played = Played {
        turns,
        opening: 0,
        points: position.points(Ending::Over(outcome)),
        termination: Termination::Over(outcome),
        position: position.text(),
        last_stderr: BySide::default(),
        conduct: BySide::default(),
        started: SystemTime::now(),
        duration: Duration::ZERO,
    };
    Record::of(&spec, &played, &names, &[])
}

/// An arena beside this program.
pub(crate) fn start(containment: Containment) -> Result<Background, CliError> {
    Background::start(containment).map_err(|error| CliError::Host(format!("no page can be shown: {error}")))
}

/// Says where a page is, and shows it if there is a browser to show it with.
pub(crate) fn present(address: &str) {
    let _ = writeln!(std::io::stderr(), "agon: the board is at {address}");
    let has = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    // Without a screen some systems would open a browser in this terminal.
    if has("DISPLAY") || has("WAYLAND_DISPLAY") || has("BROWSER") {
        let program = env::var_os("BROWSER").unwrap_or_else(|| "xdg-open".into());
        let opened =
            Command::new(program).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        // Nobody waits for a browser: it stays when this program ends.
        if let Ok(mut browser) = opened {
            std::thread::spawn(move || browser.wait());
        }
    }
}
