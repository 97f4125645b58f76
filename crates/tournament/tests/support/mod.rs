//! Tournaments that are played for tests, by house bots and without clocks.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use agon_entrants::{Containment, Workshop};
use agon_tournament::{Entered, Plan, Resources, Secret, StoredTournament, prepare, read, run};

/// A tournament in a database that lives as long as this value.
pub(crate) struct PlayedTournament {
    /// The tournament.
    pub(crate) tournament: StoredTournament,
    _folder: tempfile::TempDir,
}

impl PlayedTournament {
    /// The records of its matches.
    pub(crate) fn records(&mut self) -> BTreeMap<(u32, u8), String> {
        let name = self.tournament.name.clone();
        let matches = self.tournament.store().matches_of(&name).expect("the database can be read");
        matches.into_iter().map(|played| ((played.battle, played.half), played.record)).collect()
    }
}

/// Plays a tournament in this format: teams and their bots.
pub(crate) fn play(format: &str, teams: &[(&str, &str)]) -> PlayedTournament {
    let folder = tempfile::tempdir().expect("a folder");
    let format = read(format).expect("a good format").format;
    let game = agon_all::find(&format.game).expect("a game");
    let workshop = Workshop::plain(folder.path());
    let entered =
        |(name, bot): &(&str, &str)| Entered { name: (*name).to_owned(), bot: (*bot).to_owned(), ..Entered::default() };
    let (teams, contestants): (Vec<_>, Vec<_>) =
        teams.iter().map(|team| prepare(&entered(team), game, &workshop).expect("the host works")).unzip();
    let plan = Plan { format, teams, seed: 7, secret: Secret("a secret that nobody knows".to_owned()) };
    let mut tournament =
        StoredTournament::create(&folder.path().join("agon.db"), "spring", plan, None).expect("a new tournament");
    let (launcher, stop) = (Containment::none().launcher(None), AtomicBool::new(false));
    let renew = |tournament: &StoredTournament, team: usize| tournament.contestant(team, game, &workshop);
    let resources = Resources { contestants: &contestants, renew: &renew, launcher: &launcher, slots: 2, stop: &stop };
    run(&mut tournament, &resources, &mut |_, _| {}).expect("the host works");
    PlayedTournament { tournament, _folder: folder }
}
