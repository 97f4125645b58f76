//! Battles written down, with everything that is needed to play them: here, or on another machine.

use std::{sync::Arc, time::Duration};

use agon_entrants::{BotSpec, Entrant, RosterError, Workshop};
use agon_originals::Original;
use agon_referee::{CoreRule, MatchSpec, TimeControl};
use agon_rules::{BySide, RuleSet, SetupError, Side};
use agon_wire::{GameSetup, Launcher};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Contestant, Fixture, Key, Opening, as_text};

/// A battle that is to be played, or what is left of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Battle {
    /// The run that it belongs to.
    pub run: String,
    /// Its number in the run.
    pub number: u32,
    /// The game's short name.
    pub game: String,
    /// The board and parameters.
    pub variant: String,
    /// The rule set.
    #[serde(with = "as_text")]
    pub rules: RuleSet,
    /// Where all its matches begin.
    pub opening: Opening,
    /// How long the bots may think.
    #[serde(with = "as_text")]
    pub time: TimeControl,
    /// How much later than that an answer may come.
    pub grace: Duration,
    /// A match is broken off as a draw after so many turns.
    pub most_turns: usize,
    /// What happens to a bot that uses more than one core, or its opponent's time.
    #[serde(with = "as_text")]
    pub cores: CoreRule,
    /// Who plays; the first of them has the first side in the first match.
    pub players: [Player; 2],
    /// The matches that are to be played.
    pub halves: Vec<Half>,
}

/// One match of a battle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Half {
    /// What it is called in the database.
    pub id: String,
    /// 0, or 1 with the sides swapped.
    pub half: u8,
    /// Where the random choices of the first and the second side begin.
    pub seeds: [u64; 2],
    /// What the record says besides the match itself.
    pub tags: Vec<(String, String)>,
}

/// Who plays, and how its program is found on the machine where it plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// The name it plays under.
    pub name: String,
    /// The digest of its content.
    pub digest: String,
    /// Its program.
    pub program: Program,
}

/// How a bot's program is found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// Every agon has it: a house bot.
    House(String),
    /// A command or an address, as somebody wrote it.
    Named(String),
    /// It was built from a submission; whoever keeps builds finds it by the digest.
    Build,
    /// It could not be built, and why: it would not start.
    Missing(String),
}

/// Why a battle that was written down cannot be played here.
#[derive(Debug, Error)]
pub enum BattleError {
    /// This agon does not know the game, the variant or the rule set.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A bot cannot be found.
    #[error(transparent)]
    Bot(#[from] RosterError),
    /// A bot is here, but another one.
    #[error("{name}: expected the bot with the digest {expected}, found {found}")]
    Differs {
        /// What it is called.
        name: String,
        /// The digest that was written down.
        expected: String,
        /// The digest of what is here.
        found: String,
    },
    /// A bot has to be fetched first.
    #[error("{name}: expected its build, whose digest is {digest}")]
    NoBuild {
        /// What it is called.
        name: String,
        /// The digest.
        digest: String,
    },
}

/// Which of a battle's players has each side in a half: sides are swapped in the second.
pub fn seats(half: u8) -> BySide<usize> {
    if half == 0 { BySide::new(0, 1) } else { BySide::new(1, 0) }
}

impl Player {
    /// A contestant, and what somebody wrote to name its bot.
    pub fn of(contestant: &Contestant, named: &str) -> Player {
        let program = match (&contestant.bot, BotSpec::parse(named, agon_house::NAMES)) {
            (Err(reason), _) => Program::Missing(reason.clone()),
            (Ok(_), Ok(BotSpec::House(name))) => Program::House(name),
            (Ok(_), Ok(BotSpec::Command { .. } | BotSpec::Address(_))) => Program::Named(named.to_owned()),
            (Ok(_), Ok(BotSpec::WithOptions(bot, _))) if !matches!(*bot, BotSpec::Path(_)) => {
                Program::Named(named.to_owned())
            }
            (Ok(_), _) => Program::Build,
        };
        Player { name: contestant.name.clone(), digest: contestant.hash.clone(), program }
    }

    /// The bot, on a machine that keeps no builds.
    ///
    /// # Errors
    /// If it is not there, or another one than was written down.
    pub fn contestant(&self, game: &dyn Original, workshop: &Workshop) -> Result<Contestant, BattleError> {
        let (name, digest) = (self.name.clone(), self.digest.clone());
        let spec = match &self.program {
            Program::Missing(reason) => return Ok(Contestant { name, hash: digest, bot: Err(reason.clone()) }),
            Program::Build => return Err(BattleError::NoBuild { name, digest }),
            Program::House(bot) => BotSpec::House(bot.clone()),
            Program::Named(text) => BotSpec::parse(text, agon_house::NAMES)?,
        };
        let mut entrant = Entrant::prepare(&spec, game, workshop)?;
        if entrant.hash != digest {
            return Err(BattleError::Differs { name, expected: digest, found: entrant.hash });
        }
        entrant.name = name;
        Ok(Contestant::of(entrant))
    }
}

impl Battle {
    /// A match of it, by its number and which match of the battle it is.
    pub fn key(&self, half: &Half) -> Key {
        (self.number, half.half)
    }

    /// A match of it, ready to be played by these contestants, who are its players.
    ///
    /// # Errors
    /// If this agon does not know the game.
    pub fn fixture<'a>(
        &'a self,
        half: &'a Half,
        contestants: [&'a Contestant; 2],
        launcher: &'a Arc<dyn Launcher>,
    ) -> Result<Fixture<'a>, BattleError> {
        let game = agon_all::find(&self.game)?;
        let contestants = seats(half.half).map(|seat| contestants[seat]);
        let setup = GameSetup {
            game,
            variant: self.variant.clone(),
            rules: self.rules,
            position: self.opening.position.clone(),
            swapped: half.half == 1,
        };
        Ok(Fixture {
            id: half.id.clone(),
            run: &self.run,
            battle: self.number,
            half: half.half,
            spec: MatchSpec {
                setup,
                time: self.time,
                grace: self.grace,
                languages: contestants.map(Contestant::language),
                opening: self.opening.turns.clone(),
                most_turns: self.most_turns,
                cores: self.cores,
            },
            contestants,
            seeds: BySide::from_fn(|side: Side| half.seeds[side.index()]),
            launcher,
            tags: half.tags.iter().map(|(name, value)| (name.as_str(), value.clone())).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use agon_all::GAMES;
    use agon_referee::Record;
    use agon_sandbox::Level;

    use super::*;
    use crate::{
        SandboxOptions,
        matches::{Plan, Settings},
        workshop,
    };

    fn settings(game: &str, bots: [&str; 2]) -> Settings {
        Settings {
            game: game.to_owned(),
            bots: bots.map(str::to_owned),
            names: [None, None],
            objective: agon_house::Aim::default(),
            variant: None,
            rules: None,
            battles: 4,
            time: Some("nodes=300".to_owned()),
            grace: None,
            concurrency: 1,
            force: false,
            openings: Some("random:2".to_owned()),
            sprt: None,
            seed: 7,
            most_turns: 40,
            db: None,
            run: None,
            records: None,
            cores: CoreRule::default(),
            go_on: false,
            sandbox: SandboxOptions { level: Some(Level::None), ..SandboxOptions::default() }
                .with_memory("64")
                .expect("an amount"),
        }
    }

    fn read_back(battle: &Battle) -> Battle {
        let text = serde_json::to_string(battle).expect("JSON");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// The turns of both matches, and who has won.
    fn played(battle: &Battle, contestants: [&Contestant; 2], launcher: &Arc<dyn Launcher>) -> Vec<String> {
        let stop = AtomicBool::new(false);
        let play = |half: &Half| {
            let fixture = battle.fixture(half, contestants, launcher).expect("a fixture");
            let played = fixture.play(0, &stop, None).expect("a match").expect("nobody stops it");
            let record = Record::parse(&played.record).expect("a record");
            assert_eq!((record.tag("Round"), &played.id), (Some(&*half.tags[2].1), &half.id));
            let turns: Vec<&str> = record.turns.iter().map(|turn| turn.text.as_str()).collect();
            format!("{} {}", turns.join("; "), played.result)
        };
        battle.halves.iter().map(play).collect()
    }

    #[test]
    fn a_battle_that_was_written_down_plays_the_same_match() {
        for game in GAMES {
            let plan = Plan::new(&settings(game.name(), ["level4", "mcts"])).expect("a plan");
            let battle = plan.battle(2, &[0, 1]).expect("a battle");
            let again = read_back(&battle);
            assert_eq!(again, battle);
            let workshop = workshop(&plan.sandbox.containment().expect("no sandbox"));
            let found = again.players.each_ref().map(|player| player.contestant(*game, &workshop).expect("a bot"));
            let here = played(&battle, plan.contestants.each_ref(), &plan.launcher);
            assert_eq!(played(&again, found.each_ref(), &plan.launcher), here, "{}", game.name());
            assert_eq!(here.len(), 2);
        }
    }

    #[test]
    fn everything_that_a_battle_says_is_written_down() {
        let game = GAMES[0];
        let plan = Plan::new(&settings(game.name(), ["random", "random"])).expect("a plan");
        let mut battle = plan.battle(0, &[1]).expect("a battle");
        assert_eq!(battle.players.each_ref().map(|player| player.name.as_str()), ["random", "random (2)"]);
        for time in ["60+0.5", "1,2,3/turn", "0.1/turn", "depth=6", "inf", "nodes=18446744073709551615"] {
            battle.time = time.parse().expect("a time control");
            assert_eq!(read_back(&battle).time.to_string(), time);
        }
        battle.rules = RuleSet::Server;
        battle.cores = CoreRule::Forfeit;
        battle.grace = Duration::from_nanos(1_234_567);
        battle.opening.position = Some("a \"position\"".to_owned());
        battle.halves[0].seeds = [u64::MAX, 0];
        for program in [Program::Build, Program::Missing("no".to_owned()), Program::Named("ws://host:1".to_owned())] {
            battle.players[1].program = program;
            assert_eq!(read_back(&battle), battle);
        }
    }

    #[test]
    fn bots_are_found_where_they_are_known() {
        let game = GAMES[0];
        let workshop = workshop(&agon_entrants::Containment::none());
        let player =
            |program: Program, digest: &str| Player { name: "it".to_owned(), digest: digest.to_owned(), program };
        let find = |player: Player| player.contestant(game, &workshop).map(|found| (found.name, found.bot.is_ok()));
        let house = player(Program::House("random".to_owned()), "house:random");
        assert_eq!(find(house).expect("a bot"), ("it".to_owned(), true));
        let broken = player(Program::Missing("it does not build".to_owned()), "0");
        assert_eq!(find(broken).expect("a bot that loses"), ("it".to_owned(), false));
        let refused = |player: Player| find(player).expect_err("no bot").to_string();
        assert_eq!(
            refused(player(Program::House("random".to_owned()), "house:novice")),
            "it: expected the bot with the digest house:novice, found house:random"
        );
        assert_eq!(refused(player(Program::Build, "ab12")), "it: expected its build, whose digest is ab12");
    }

    #[test]
    fn players_are_named_as_somebody_named_them() {
        let game = GAMES[0];
        let workshop = workshop(&agon_entrants::Containment::none());
        for text in ["level3:points", "cmd:python3 bot.py;name=mine"] {
            let spec = BotSpec::parse(text, agon_house::NAMES).expect("a name");
            let contestant = Contestant::of(Entrant::prepare(&spec, game, &workshop).expect("a bot"));
            let player = Player::of(&contestant, text);
            let found = player.contestant(game, &workshop).expect("the same bot");
            assert_eq!((found.name, found.hash), (contestant.name, contestant.hash), "{text}");
        }
    }
}
