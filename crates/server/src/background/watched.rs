//! A game between two others that this program sees and does not play.

use std::time::{Duration, SystemTime};

use agon_entrants::Containment;
use agon_originals::Original;
use agon_referee::{CoreRule, Language, MatchSpec, Played, Record, Termination, TimeControl, TurnMade};
use agon_rules::{AnyPosition, BySide, Ending, RuleSet};
use agon_store::Live;
use agon_wire::GameSetup;

use super::Background;
use crate::{ServeError, live_match::now_ms};

/// The page of one game after the other, for as long as this lives.
pub struct WatchedGame {
    arena: Background,
    game: &'static dyn Original,
    id: String,
}

impl WatchedGame {
    /// Prepares a page.
    ///
    /// # Errors
    /// If the host does not start an arena.
    pub fn open(game: &'static dyn Original) -> Result<WatchedGame, ServeError> {
        let arena = Background::start(Containment::strongest())?;
        let id = format!("{}-{}", game.name(), std::process::id());
        Ok(WatchedGame { arena, game, id })
    }

    /// The address of the page.
    pub fn page(&self) -> String {
        self.arena.page(&self.id)
    }

    /// Shows a position and all turns that led to it.
    pub fn show(&self, variant: &str, position: &dyn AnyPosition) {
        let setup = GameSetup {
            game: self.game,
            variant: variant.to_owned(),
            rules: RuleSet::Server,
            position: position.start_text(),
            swapped: false,
        };
        let names = BySide::new("client 0".to_owned(), "client 1".to_owned());
        self.arena.show(&Live {
            id: self.id.clone(),
            kind: "terminal".to_owned(),
            game: self.game.name().to_owned(),
            variant: variant.to_owned(),
            rules: RuleSet::Server.to_string(),
            record: record(setup, position, &names).text(),
            first: names.first,
            second: names.second,
            turns: position.turns().len() as u32,
            updated_ms: now_ms(),
            setting: "{}".to_owned(),
        });
    }
}

/// What is known of a game between two others.
fn record(setup: GameSetup, position: &dyn AnyPosition, names: &BySide<String>) -> Record {
    let spec = MatchSpec {
        time: TimeControl::Unlimited,
        grace: Duration::ZERO,
        languages: BySide::from_fn(|_| Language::default()),
        opening: Vec::new(),
        most_turns: usize::MAX,
        cores: CoreRule::default(),
        setup,
    };
    let made = |text: &String| TurnMade { text: text.clone(), ..TurnMade::default() };
    let turns: Vec<TurnMade> = position.turns().iter().map(made).collect();
    let Some(outcome) = position.outcome() else {
        return Record::unfinished(&spec, &turns, position, names, &[]);
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
    Record::of(&spec, &played, names, &[])
}
