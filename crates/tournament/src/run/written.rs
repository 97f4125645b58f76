//! Matches written down, as any slot can play them.

use std::{sync::Arc, time::Duration};

use agon_rules::{Side, keys::mix};
use agon_runs::{Battle as WrittenBattle, Contestant, Half as WrittenHalf, Opening, Player};

use crate::{
    battle::Battle,
    plan::{Interventions, Plan},
    stored::match_id,
};

/// Who plays, and which of its team's bots it is.
#[derive(Clone)]
pub(super) struct VersionedBot {
    pub(super) contestant: Arc<Contestant>,
    pub(super) version: usize,
    /// How others find it.
    player: Player,
}

impl VersionedBot {
    /// A bot that plays now, as [`Plan::players`] numbers them.
    pub(super) fn now(
        plan: &Plan,
        interventions: &Interventions,
        player: usize,
        contestant: Contestant,
    ) -> VersionedBot {
        let replaced = interventions.versions.get(&player).and_then(|versions| versions.last()?.bot.as_deref());
        let entered = plan.teams.get(player).map(|team| team.bot.as_str());
        let named = replaced.or(entered).unwrap_or_else(|| plan.name(player));
        let version = interventions.version(player);
        VersionedBot { player: Player::of(&contestant, named), contestant: Arc::new(contestant), version }
    }
}

/// A match of a battle, written down. Both matches of a pair have the same seeds, and no match depends on another.
pub(super) fn written(
    plan: &Plan,
    run: &str,
    battle: &Battle,
    index: usize,
    players: [&VersionedBot; 2],
) -> WrittenBattle {
    let (half, format) = (battle.halves[index], &plan.format);
    let seed = |side: Side| mix(plan.seed ^ mix(u64::from(half.number) << 1 | half.seat(side) as u64));
    WrittenBattle {
        run: run.to_owned(),
        number: half.number,
        game: format.game.clone(),
        variant: format.parts[battle.place.part].variant.clone(),
        rules: format.rules,
        opening: Opening::default(),
        time: battle.clock,
        grace: Duration::from_millis(format.grace_ms),
        most_turns: format.max_turns,
        cores: format.cores,
        players: players.map(|bot| bot.player.clone()),
        halves: vec![WrittenHalf {
            id: match_id(run, battle, index),
            half: half.half,
            seeds: Side::BOTH.map(seed),
            tags: tags(plan, run, battle, index, players),
        }],
    }
}

fn tags(plan: &Plan, run: &str, battle: &Battle, index: usize, players: [&VersionedBot; 2]) -> Vec<(String, String)> {
    let half = battle.halves[index];
    let mut tags = vec![
        ("Event", plan.format.title.clone()),
        ("Site", format!("agon {}", env!("CARGO_PKG_VERSION"))),
        ("Round", format!("{}.{}", battle.place, index + 1)),
        ("Seed", plan.seed.to_string()),
        ("Tournament", run.to_owned()),
        ("Battle", half.number.to_string()),
        ("Half", half.half.to_string()),
        ("Format", serde_json::to_string(&plan.format).unwrap_or_default()),
    ];
    for side in Side::BOTH {
        let version = players[half.seat(side)].version;
        if version > 1 {
            tags.push((version_tag(side), version.to_string()));
        }
    }
    tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The tag of a record that says which of its team's bots played; absent it is the one that was entered.
pub(crate) fn version_tag(side: Side) -> &'static str {
    match side {
        Side::First => "FirstVersion",
        Side::Second => "SecondVersion",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use agon_entrants::{Containment, Workshop};
    use agon_referee::Record;
    use agon_store::Match;

    use super::*;
    use crate::{End, Entered, Resources, Secret, StoredTournament, prepare, read, run};

    /// What happened, without the times that it took.
    fn course(played: &Match) -> (String, Vec<(String, String)>) {
        let mut record = Record::parse(&played.record).expect("a record");
        record.tags.retain(|(name, _)| name != "Date");
        let turns: Vec<&str> = record.turns.iter().map(|turn| turn.text.as_str()).collect();
        (format!("{} {} {}", played.id, played.result, turns.join("; ")), record.tags)
    }

    #[test]
    fn what_is_handed_out_is_all_that_a_slot_elsewhere_needs() {
        let game = agon_all::GAMES[0];
        let format = format!(
            "title = \"T\"\ngame = \"{}\"\nmatches = 2\nmax_turns = 30\n[[part]]\nclock = \"nodes=50\"\n\
             [[stage]]\nkind = \"round-robin\"\n",
            game.name()
        );
        let folder = tempfile::tempdir().expect("a folder");
        let workshop = Workshop::plain(folder.path());
        let enter = |(name, bot): (&str, &str)| {
            let entered = Entered { name: name.to_owned(), bot: bot.to_owned(), ..Entered::default() };
            prepare(&entered, game, &workshop).expect("the host works")
        };
        // One of them has handed in nothing.
        let (teams, contestants): (Vec<_>, Vec<_>) =
            [("Ada", "random"), ("Bob", "level1"), ("Cay", "")].into_iter().map(enter).unzip();
        let format = read(&format).expect("a format").format;
        let plan = Plan { format, teams, seed: 7, secret: Secret("s".to_owned()) };
        let db = folder.path().join("agon.db");
        let mut held = StoredTournament::create(&db, "spring", plan.clone(), None).expect("a new tournament");
        let (launcher, stop) = (Containment::none().launcher(None), AtomicBool::new(false));
        let renew = |held: &StoredTournament, team: usize| held.contestant(team, game, &workshop);
        let resources =
            Resources { contestants: &contestants, renew: &renew, launcher: &launcher, slots: 1, stop: &stop };
        assert_eq!(run(&mut held, &resources, &mut |_, _| {}), Ok(End::Over));

        let players: Vec<VersionedBot> = (0..3)
            .map(|team| VersionedBot::now(&plan, &Interventions::default(), team, contestants[team].clone()))
            .collect();
        let mut again = Vec::new();
        for battle in &held.state().battles {
            for index in 0..battle.halves.len() {
                let here = written(&plan, "spring", battle, index, battle.players.map(|player| &players[player]));
                let text = serde_json::to_string(&here).expect("it can be written down");
                let read: WrittenBattle = serde_json::from_str(&text).expect("and read");
                let found = read.players.each_ref().map(|player| player.contestant(game, &workshop).expect("a bot"));
                let fixture = read.fixture(&read.halves[0], found.each_ref(), &launcher).expect("a match");
                let played = fixture.play(0, &stop, None).expect("the host works").expect("nobody stops it");
                again.push(((played.battle, played.half), course(&played)));
            }
        }
        again.sort();
        let stored = held.store().matches_of("spring").expect("the matches");
        let stored: Vec<_> = stored.iter().map(|played| ((played.battle, played.half), course(played))).collect();
        assert_eq!(again, stored);
        assert_eq!(stored.len(), 6);
    }
}
