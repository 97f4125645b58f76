//! Playing the phases.

use std::io::Write;

use agon_course::{GradeOptions, Watcher, grade};
use agon_tournament::{News, Preparing, StoredTournament};
use clap::Args;

use super::Folder;
use crate::{
    contain::Contain,
    error::CliError,
    interrupt,
    tournament::{Screen, prepare_on_screen, slots},
};

/// Play the phases, one after the other; goes on where it was stopped
#[derive(Args)]
pub(super) struct Grade {
    #[command(flatten)]
    folder: Folder,
    /// Play with this time control instead of the phases' own: for rehearsals
    #[arg(long, value_name = "TC", allow_hyphen_values = true)]
    tc: Option<String>,
    /// What coins are tossed with and pseudonyms are drawn with; random if absent
    #[arg(long, value_name = "TEXT")]
    secret: Option<String>,
    /// Where the random choices of bots begin
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_parser = crate::input::whole_number)]
    seed: u64,
    /// Keep the number of groups that a format announces, however few teams there are
    #[arg(long)]
    as_announced: bool,
    /// Matches at once; as many as there are cores if absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    #[command(flatten)]
    contain: Contain,
}

impl Grade {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt::listen();
        self.contain.containment()?;
        let mut folder = self.folder.open()?;
        let options = GradeOptions {
            time: self.tc.clone(),
            secret: self.secret.clone(),
            seed: self.seed,
            as_announced: self.as_announced,
            slots: slots(self.concurrency),
            sandbox: self.contain.options(),
        };
        let mut terminal = Terminal { screen: None, slots: options.slots };
        let played = grade(&mut folder, &options, stop, &mut terminal);
        terminal.clear();
        played?;
        writeln!(std::io::stdout(), "All phases are over. `agon course marks` says what everybody gets.")?;
        Ok(())
    }
}

/// What is shown meanwhile.
struct Terminal {
    screen: Option<Screen>,
    slots: usize,
}

impl Terminal {
    fn clear(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.clear();
        }
        self.screen = None;
    }
}

impl Watcher for Terminal {
    fn phase(&mut self, name: &str) {
        self.clear();
        let _ = writeln!(std::io::stderr(), "phase {}", agon_rules::inert(name));
    }

    fn preparing(&mut self, what: Preparing<'_>) {
        prepare_on_screen(what);
    }

    fn playing(&mut self, tournament: &StoredTournament, news: &News<'_>) {
        let slots = self.slots;
        self.screen.get_or_insert_with(|| Screen::new(tournament, slots)).hear(tournament, news);
    }
}
