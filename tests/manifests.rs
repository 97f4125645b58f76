//! `bot.toml` and the other ways to name a bot: what is built when, and what is said when something is wrong.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use agon_entrants::{BotSpec, Built, Entrant, Manifest, ManifestError, RosterError, Workshop as Builder};
use agon_originals::Original;
use agon_referee::{CoreRule, Language, MatchSpec, NoWatch, TimeControl, play_match};
use agon_rules::{BySide, RuleSet};
use agon_wire::{BotLimits, GameSetup, Launcher, PlainLauncher, RandomBrain};
use tempfile::TempDir;

fn game(name: &str) -> &'static dyn Original {
    agon_all::find(name).expect("a game")
}

/// A bot's folder, a cache, and a log that each build adds a line to.
struct Workshop {
    folder: TempDir,
}

impl Workshop {
    fn new(files: &[(&str, &str)]) -> Workshop {
        let workshop = Workshop { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir(workshop.bot()).expect("a folder for the bot");
        for (name, text) in files {
            workshop.write(name, text);
        }
        workshop
    }

    /// A bot whose build says so in the log, and whose program is made by the build.
    fn counting() -> Workshop {
        let workshop = Workshop::new(&[("source", "the first version\n")]);
        let build = format!("echo built >> {} && cp source program", workshop.log().display());
        workshop.write(
            "bot.toml",
            &format!("name = \"counting\"\nlanguage = \"python\"\nbuild = \"{build}\"\nrun = \"sh program\"\n"),
        );
        workshop
    }

    fn bot(&self) -> PathBuf {
        self.folder.path().join("bot")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.bot().join(name), text).expect("a file of the bot");
    }

    fn build(&self) -> Result<Built, ManifestError> {
        Built::from_folder(&self.bot(), &Builder::plain(&self.cache()))
    }

    fn builds(&self) -> usize {
        fs::read_to_string(self.log()).map_or(0, |log| log.lines().count())
    }
}

// ---- what a manifest says ----

#[test]
fn a_full_manifest_is_read() {
    let text = r#"
        name = "Ring lord"
        game = "yinsh"
        protocol = "ugi"
        language = "c++"
        build = "make"
        run = "./bot --fast"
        [options]
        Threads = "1"
        Book = "none at all"
    "#;
    let manifest = Manifest::parse(text, Path::new("bot.toml")).expect("a manifest");
    assert_eq!((manifest.name.as_str(), manifest.game.as_deref()), ("Ring lord", Some("yinsh")));
    assert_eq!((manifest.protocol.as_str(), manifest.language), ("ugi", Language::Cpp));
    assert_eq!((manifest.build.as_deref(), manifest.run.as_str()), (Some("make"), "./bot --fast"));
    let options: Vec<(&str, &str)> = manifest.options.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(options, [("Book", "none at all"), ("Threads", "1")]);

    let manifest = Manifest::parse("name = 'a'\nrun = 'b'", Path::new("bot.toml")).expect("a manifest");
    assert_eq!((manifest.game, manifest.build, manifest.language), (None, None, Language::Other));
}

#[test]
fn a_wrong_manifest_is_explained() {
    let cases: &[(&str, &[&str])] = &[
        ("name = 'a'\nrnu = 'b'\n", &["line 2", "rnu = 'b'", "unknown field `rnu`", "`run`"]),
        ("name = 'a'\n", &["missing field `run`"]),
        ("run = 'b'\n", &["missing field `name`"]),
        ("name = 'a'\nrun = ' '\n", &["'run' is empty; expected a text"]),
        ("name = ''\nrun = 'b'\n", &["'name' is empty; expected a text"]),
        ("name = 'a'\nrun = 'b'\nlanguage = 'klingon'\n", &["line 3", "unknown variant `klingon`", "`python`"]),
        ("name = 'a'\nrun = ['b']\n", &["line 2", "expected a string"]),
        ("name = 'a'\nrun = 'b'\n[options]\nDepth = 3\n", &["line 4", "integer `3`", "expected a string"]),
        ("name = 'a'\nrun = 'b\n", &["line 2"]),
        ("name = 'a'\nname = 'b'\nrun = 'c'\n", &["line 2", "duplicate key"]),
    ];
    for (text, parts) in cases {
        let error = Manifest::parse(text, Path::new("my/bot.toml")).expect_err(text);
        assert!(matches!(error, ManifestError::Manifest(_)), "{error:?}");
        let message = error.to_string();
        assert!(message.starts_with("my/bot.toml: "), "{message}");
        for part in *parts {
            assert!(message.contains(part), "'{message}' does not say '{part}'");
        }
        assert_eq!(message.trim_end(), message);
    }
}

#[test]
fn a_folder_without_a_manifest_is_no_bot() {
    let workshop = Workshop::new(&[]);
    let error = workshop.build().expect_err("no bot").to_string();
    let path = workshop.bot().join("bot.toml");
    assert_eq!(error, format!("cannot read {}: No such file or directory (os error 2)", path.display()));
    fs::write(&path, b"name = '\xff'").expect("a file");
    let error = workshop.build().expect_err("no bot").to_string();
    assert!(error.contains("bot.toml: it is not UTF-8 text"), "{error}");
}

// ---- building ----

#[test]
fn a_bot_is_built_once_and_again_when_it_changes() {
    let workshop = Workshop::counting();
    let first = workshop.build().expect("a bot");
    assert_eq!(workshop.builds(), 1);
    assert_eq!(workshop.build().expect("the same bot"), first);
    assert_eq!(workshop.builds(), 1, "nothing has changed");
    assert!(!workshop.bot().join("program").exists(), "the author's folder stays as it was");
    let home = first.command.folder.clone().expect("a folder");
    assert!(home.starts_with(workshop.cache()) && home.join("program").is_file());

    workshop.write("source", "the second version\n");
    let second = workshop.build().expect("another bot");
    assert_ne!(second.hash, first.hash);
    assert_eq!(workshop.builds(), 2, "a file has changed");

    workshop.write("notes", "");
    assert_ne!(workshop.build().expect("another bot").hash, second.hash);
    assert_eq!(workshop.builds(), 3, "a file is new");

    fs::set_permissions(workshop.bot().join("notes"), fs::Permissions::from_mode(0o755)).expect("a program");
    workshop.build().expect("another bot");
    assert_eq!(workshop.builds(), 4, "a file has become a program");

    fs::remove_file(workshop.bot().join("notes")).expect("one file less");
    assert_eq!(workshop.build().expect("a bot of before"), second);
    assert_eq!(workshop.builds(), 4, "these files were built before");
}

#[test]
fn builds_at_the_same_time_do_not_disturb_each_other() {
    let workshop = Workshop::counting();
    let built: Vec<Built> = std::thread::scope(|scope| {
        let builders: Vec<_> = (0..4).map(|_| scope.spawn(|| workshop.build().expect("a bot"))).collect();
        builders.into_iter().map(|builder| builder.join().expect("no panic")).collect()
    });
    assert!(built.windows(2).all(|pair| pair[0] == pair[1]));
    let home = built[0].command.folder.clone().expect("a folder");
    assert!(home.join("program").is_file());
    let kept = fs::read_dir(workshop.cache().join("bots")).expect("the cache").count();
    assert_eq!(kept, 1, "no half-built folders are left");
}

#[test]
fn a_bot_without_a_build_runs_in_its_own_folder() {
    let workshop = Workshop::new(&[("bot.toml", "name = 'a'\nrun = './bot'\n")]);
    let built = workshop.build().expect("a bot");
    assert_eq!(built.command.folder, workshop.bot().canonicalize().ok());
    assert_eq!(built.command.arguments, ["-c", "exec ./bot \"$@\"", "sh"]);
    assert!(!workshop.cache().exists());
}

#[test]
fn a_failed_build_shows_what_the_compiler_said_and_leaves_nothing() {
    let workshop = Workshop::new(&[
        ("bot.toml", "name = 'a'\nbuild = 'c++ -o bot bot.cpp'\nrun = './bot'\n"),
        ("bot.cpp", "int main() { return nonsense; }\n"),
    ]);
    for _ in 0..2 {
        let error = workshop.build().expect_err("no bot");
        assert!(matches!(error, ManifestError::Build(_)), "{error:?}");
        let message = error.to_string();
        assert!(message.starts_with("the build 'c++ -o bot bot.cpp' failed (exit status: 1):\n"), "{message}");
        assert!(message.contains("bot.cpp:1:") && message.contains("nonsense"), "{message}");
        let kept = fs::read_dir(workshop.cache().join("bots")).expect("the cache").count();
        assert_eq!(kept, 0, "a failed build is tried again");
    }
    workshop.write("bot.cpp", "int main() { return 0; }\n");
    workshop.build().expect("a bot");

    let long = "i=0; while [ $i -lt 100 ]; do echo line $i; i=$((i+1)); done; exit 7";
    workshop.write("bot.toml", &format!("name = 'a'\nbuild = '{long}'\nrun = './bot'\n"));
    let message = workshop.build().expect_err("no bot").to_string();
    assert!(message.contains("failed (exit status: 7):\nline 60\n") && message.ends_with("line 99"), "{message}");
}

#[test]
fn a_cache_that_cannot_be_written_is_the_hosts_fault() {
    let workshop = Workshop::counting();
    fs::write(workshop.cache(), "a file where a folder should be").expect("a file");
    let error = workshop.build().expect_err("no bot");
    assert!(matches!(error, ManifestError::Host(_)), "{error:?}");
    assert!(error.to_string().starts_with("cannot copy the bot to "), "{error}");
    assert_eq!(workshop.builds(), 0);
}

// ---- naming bots ----

const HOUSE: &[&str] = &["random", "strong"];

#[test]
fn bots_are_named_in_four_ways() {
    let workshop = Workshop::counting();
    let folder = workshop.bot();
    let parse = |text: &str| BotSpec::parse(text, HOUSE).expect("a bot");
    assert_eq!(parse("random"), BotSpec::House("random".to_owned()));
    assert_eq!(parse(&folder.display().to_string()), BotSpec::Path(folder.clone()));
    assert_eq!(parse(&folder.join("bot.toml").display().to_string()), BotSpec::Path(folder));
    let command = |run: &str, language, name: Option<&str>| BotSpec::Command {
        run: run.to_owned(),
        protocol: "ugi".to_owned(),
        language,
        name: name.map(str::to_owned),
    };
    assert_eq!(parse("cmd:./bot"), command("./bot", Language::Other, None));
    let text = "cmd:python3 bot.py -x=1;proto=ugi;lang=python;name=mine";
    assert_eq!(parse(text), command("python3 bot.py -x=1", Language::Python, Some("mine")));
    assert_eq!(parse("cmd: java Bot ; lang=java"), command("java Bot", Language::Java, None));
    assert_eq!(parse("cmd:a;lang=c++"), command("a", Language::Cpp, None));
}

#[test]
fn a_wrong_name_is_explained() {
    let cases = [
        (
            "nobody",
            "unknown bot 'nobody', expected a house bot (random, strong), a bot's folder or file, cmd:COMMAND;proto=PROTOCOL, \
             or ws://HOST:PORT",
        ),
        ("cmd:", "bot '': expected a command after 'cmd:'"),
        ("cmd: ;name=x", "bot ' ;name=x': expected a command after 'cmd:'"),
        (
            "cmd:a;lang=pyhton",
            "bot 'a;lang=pyhton': unknown language 'pyhton', expected 'cpp', 'java', 'python', 'rust' or 'other'",
        ),
        ("cmd:a;nmae=b", "bot 'a;nmae=b': expected proto=, lang= or name=, found 'nmae=b'"),
        ("cmd:a;name=", "bot 'a;name=': expected proto=, lang= or name=, found 'name='"),
        ("cmd:a;", "bot 'a;': expected proto=, lang= or name=, found ''"),
    ];
    for (text, message) in cases {
        let error = BotSpec::parse(text, HOUSE).expect_err(text);
        assert!(matches!(error, RosterError::Unknown(_)), "{error:?}");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_bot_for_another_game_is_refused() {
    let workshop = Workshop::new(&[("bot.toml", "name = 'a'\ngame = 'yinsh'\nrun = './bot'\n")]);
    let spec = BotSpec::Path(workshop.bot());
    let error =
        Entrant::prepare(&spec, game("cannon"), &Builder::plain(&workshop.cache())).expect_err("the wrong game");
    let message = format!("{} plays yinsh, not cannon: see its bot.toml", workshop.bot().display());
    assert_eq!(error.to_string(), message);
    assert!(Entrant::prepare(&spec, game("yinsh"), &Builder::plain(&workshop.cache())).is_ok());
    workshop.write("bot.toml", "name = 'a'\n");
    let error = Entrant::prepare(&spec, game("yinsh"), &Builder::plain(&workshop.cache())).expect_err("no manifest");
    assert!(matches!(error, RosterError::Manifest(ManifestError::Manifest(_))), "{error:?}");
}

#[test]
fn a_bot_that_speaks_what_its_game_does_not_is_refused_before_it_is_built() {
    let workshop = Workshop::counting();
    workshop.write("bot.toml", "name = 'a'\nbuild = 'touch built'\nrun = './bot'\nprotocol = 'uci'\n");
    let refused = |spec: &BotSpec| {
        Entrant::prepare(spec, game("yinsh"), &Builder::plain(&workshop.cache()))
            .expect_err("another protocol")
            .to_string()
    };
    let sentence = "bots of yinsh speak 'ugi', 'lines', not 'uci'";
    let manifest = workshop.bot().join("bot.toml");
    assert_eq!(refused(&BotSpec::Path(workshop.bot())), format!("{}: {sentence}", manifest.display()));
    assert!(!workshop.cache().exists(), "nothing was built");
    assert_eq!(refused(&BotSpec::parse("cmd:./bot;proto=uci", HOUSE).expect("a bot")), format!("./bot: {sentence}"));
    let address = BotSpec::parse("ws://127.0.0.1:9", HOUSE).expect("a bot");
    assert_eq!(refused(&address), "ws://127.0.0.1:9: bots of yinsh speak 'ugi', 'lines', not 'websocket'");
}

#[test]
fn a_bot_from_a_folder_plays() {
    let workshop = Workshop::counting();
    workshop.write("source", &format!("exec {} bot connectx\n", env!("CARGO_BIN_EXE_agon")));
    let prepare =
        |spec: &BotSpec| Entrant::prepare(spec, game("connectx"), &Builder::plain(&workshop.cache())).expect("a bot");
    let built = prepare(&BotSpec::Path(workshop.bot()));
    let house = prepare(&BotSpec::House("random".to_owned()));
    assert_eq!(
        (built.name.as_str(), built.language, built.protocol.map(|protocol| protocol.name)),
        ("counting", Language::Python, Some("ugi"))
    );
    assert_eq!((house.hash.as_str(), house.protocol), ("house:random", None));
    let limits = BotLimits { start: Duration::from_secs(300), ..BotLimits::default() };
    let launcher: Arc<dyn Launcher> = Arc::new(PlainLauncher { limits, transcript: None });
    let mut bots = [&built, &house].map(|bot| bot.bot(None, &launcher, |_| Box::new(RandomBrain::new(3))));
    let game = agon_all::find("connectx").expect("a game");
    let spec = MatchSpec {
        setup: GameSetup { game, variant: "standard".to_owned(), rules: RuleSet::Text, position: None, swapped: false },
        time: TimeControl::Unlimited,
        grace: Duration::ZERO,
        languages: BySide::new(built.language, house.language),
        opening: Vec::new(),
        most_turns: 2000,
        cores: CoreRule::default(),
    };
    let [first, second] = &mut bots;
    assert_eq!((first.name(), second.name()), ("counting".to_owned(), "random".to_owned()));
    for _ in 0..2 {
        let played = play_match(&spec, &mut **first, &mut **second, &mut NoWatch).expect("no fault of the host");
        assert_eq!(played.termination.evidence(), None, "{}", played.termination);
    }
    assert_eq!(workshop.builds(), 1);
}
