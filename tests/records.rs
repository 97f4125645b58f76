//! Records: what is written is read back, by this version and by others, and nothing that is read can break the reader.

use std::time::Duration;

use agon_all::GAMES;
use agon_referee::{
    CoreRule, MatchSpec, NoWatch, Played, Record, RecordError, RecordedTurn, Termination, TimeControl, play_match,
};
use agon_rules::{AnyGame, BySide, Ending, Outcome, Random, Reason, RuleSet, Side, conformance::on_damaged};
use agon_wire::{Ask, Bot, BotFailure, Budget, Fault, GameSetup, HouseBot, RandomBrain, Reply};
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

/// Texts that would break a record if they were written as they are.
const HOSTILE: &[&str] = &[
    "",
    "plain",
    "\"quoted\" and \\escaped\\",
    "\\",
    "\"] [Result \"0-1\"]\n\n1. a",
    "{[%emt 5]} } ] [",
    "[%err \"x\"] [%clk 9",
    "two\nlines\r\nand\ta tab\n",
    "\u{0}\u{1b}[31mred\u{7f}\u{85}\u{2028}",
    "žluťoučký 馬 🐎 e\u{301}",
    "1-0",
    "12.",
    "*",
    " blanks around ",
];

fn find(name: &str) -> Option<&'static dyn AnyGame> {
    agon_all::rules(name)
}

// ---- matches to write down ----

fn spec(game: &'static dyn AnyGame, variant: &str, rules: RuleSet) -> MatchSpec {
    MatchSpec {
        setup: GameSetup { game, variant: variant.to_owned(), rules, position: None, swapped: false },
        time: TimeControl::Nodes(1),
        grace: Duration::ZERO,
        languages: BySide::default(),
        opening: Vec::new(),
        most_turns: 300,
        cores: CoreRule::default(),
    }
}

/// A random player with a lot to say, that fails after some turns.
struct Chatterbox {
    house: HouseBot,
    turns: usize,
    fault: Option<(usize, Fault)>,
}

impl Chatterbox {
    fn new(seed: u64, fault: Option<(usize, Fault)>) -> Chatterbox {
        Chatterbox { house: HouseBot::new(Box::new(RandomBrain::new(seed))), turns: 0, fault }
    }
}

impl Bot for Chatterbox {
    fn name(&self) -> String {
        "chatterbox".to_owned()
    }

    fn begin(&mut self, setup: &GameSetup, side: Side, budget: Budget) -> Result<(), BotFailure> {
        self.turns = 0;
        self.house.begin(setup, side, budget)
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let number = self.turns;
        self.turns += 1;
        if let Some((_, fault)) = self.fault.as_ref().filter(|(turns, _)| *turns == number) {
            return Err(fault.clone().into());
        }
        let text = |offset: usize| HOSTILE[(number + offset) % HOSTILE.len()].to_owned();
        let time = |seconds: u64, nanos: u32| Duration::new(seconds * number as u64, nanos);
        Ok(Reply {
            wall: time(1, 1),
            cpu: (!number.is_multiple_of(3)).then(|| time(3600, 999_999_999)),
            latency: number.is_multiple_of(2).then(|| time(0, 123_456_789)),
            stderr: text(0),
            info: (!number.is_multiple_of(5)).then(|| text(1)),
            ..self.house.turn(ask)?
        })
    }

    fn end(&mut self) -> String {
        HOSTILE[self.turns % HOSTILE.len()].to_owned()
    }
}

fn play(spec: &MatchSpec, seed: u64, fault: Option<(usize, Fault)>) -> Played {
    let mut first = Chatterbox::new(seed, fault);
    let mut second = Chatterbox::new(seed + 1, None);
    play_match(spec, &mut first, &mut second, &mut NoWatch).expect("no fault of the host")
}

fn names(seed: u64) -> BySide<String> {
    let name = |at: u64| HOSTILE[at as usize % HOSTILE.len()].to_owned();
    BySide::new(name(seed), name(seed / 3 + 1))
}

fn faults() -> Vec<Fault> {
    let texts = HOSTILE.iter().map(|text| (*text).to_owned());
    texts
        .flat_map(|text| {
            let illegal = Fault::IllegalTurn { turn: text.clone(), rule: format!("no rule allows {text}") };
            [illegal, Fault::Crash(text.clone()), Fault::WouldNotStart(text)]
        })
        .collect()
}

/// Random beginnings of a game, as an opening and as a position.
fn with_beginnings(spec: &MatchSpec, seed: u64) -> [MatchSpec; 3] {
    let setup = &spec.setup;
    let mut random = Random::new(seed);
    let mut position = setup.game.open(&setup.variant, setup.rules).expect("a listed variant");
    let mut opening = Vec::new();
    for _ in 0..5 {
        let turn = position.random_turn(&mut random).expect("a turn so early");
        position.play(&turn).expect("a legal turn");
        opening.push(turn);
    }
    let mut placed = spec.clone();
    placed.setup.position = Some(position.text());
    [spec.clone(), MatchSpec { opening, ..spec.clone() }, placed]
}

/// Plays something in every game, variant and rule set, from all kinds of beginnings, with and without faults.
fn each_match(mut check: impl FnMut(&MatchSpec, &Played, u64)) {
    let faults = faults();
    let mut seed = 0;
    for &game in GAMES {
        for &rules in game.rule_sets() {
            for variant in game.variants() {
                for spec in with_beginnings(&spec(game, variant, rules), seed) {
                    check(&spec, &play(&spec, seed, None), seed);
                    let fault = faults[seed as usize % faults.len()].clone();
                    check(&spec, &play(&spec, seed, Some((seed as usize % 4, fault))), seed);
                    seed += 1;
                }
            }
        }
    }
    assert!(seed as usize > faults.len(), "every fault has been played");
}

fn read(text: &str) -> Record {
    Record::parse(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

// ---- round trips ----

#[test]
fn every_record_is_read_back_as_it_was() {
    each_match(|spec, played, seed| {
        let more = [("Event", "a \"test\"\n".to_owned()), ("Round", seed.to_string())];
        let record = Record::of(spec, played, &names(seed), &more);
        let text = record.text();
        assert_eq!(read(&text), record, "{text}");
        assert_eq!(read(&text.replace('\n', "\r\n")), record, "as a program from elsewhere would save it");
        assert_eq!(read(&text).text(), text);
        assert_eq!(record.turns, played.turns);
    });
}

#[test]
fn a_record_replays_to_the_same_end() {
    each_match(|spec, played, seed| {
        let record = read(&Record::of(spec, played, &names(seed), &[]).text());
        let positions = record.replay(find).expect("legal turns");
        assert_eq!(positions.len(), played.turns.len() + 1);
        let last = positions.last().expect("a position");
        assert_eq!(last.text(), played.position);
        assert_eq!(record.tag("FinalPosition"), Some(played.position.as_str()));
        let ending = match record.tag("FaultBy") {
            Some(number) => Ending::Fault(Side::from_number(number.parse().expect("a number")).expect("a side")),
            None => Ending::Over(last.outcome().unwrap_or(Outcome::draw(Reason::MOVE_LIMIT))),
        };
        let points = last.points(ending);
        let written: Vec<f64> =
            record.tag("Points").expect("points").split(' ').map(|text| text.parse().expect("a number")).collect();
        for (written, points) in written.into_iter().zip([points.first, points.second]) {
            assert!((written - points).abs() < 1e-8, "{written} instead of {points}");
        }
    });
}

#[test]
fn the_headers_say_who_played_what_and_how_it_ended() {
    each_match(|spec, played, seed| {
        let names = names(seed);
        let record = read(&Record::of(spec, played, &names, &[]).text());
        let tag = |name: &str| record.tag(name);
        assert_eq!((tag("White"), tag("First")), (Some(names.first.as_str()), Some(names.first.as_str())));
        assert_eq!((tag("Black"), tag("Second")), (Some(names.second.as_str()), Some(names.second.as_str())));
        assert_eq!(tag("Result"), Some(played.termination.verdict().name()));
        assert_eq!(tag("Record"), Some("1"));
        assert_eq!(tag("Game"), Some(spec.setup.game.name()));
        assert_eq!((tag("Variant"), tag("Rules")), (Some(spec.setup.variant.as_str()), Some(spec.setup.rules.name())));
        assert_eq!(tag("TimeControl"), Some("nodes=1"));
        assert_eq!(tag("Position"), spec.setup.position.as_deref());
        assert_eq!(tag("Opening").is_some(), !spec.opening.is_empty());
        assert_eq!(tag("Termination"), Some(played.termination.name()));
        assert_eq!(tag("Evidence").map(str::to_owned), played.termination.evidence());
        let sent = match &played.termination {
            Termination::Fault { fault: Fault::IllegalTurn { turn, .. }, .. } => Some(turn.as_str()),
            _ => None,
        };
        assert_eq!(tag("Sent"), sent, "all of it");
        assert_eq!(tag("FirstStderr").unwrap_or_default(), played.last_stderr.first);
        assert_eq!(tag("SecondStderr").unwrap_or_default(), played.last_stderr.second);
    });
}

#[test]
fn rating_tools_read_the_headers() {
    // As they do: a line at a time, what is between the first and the last quote.
    each_match(|spec, played, seed| {
        let text = Record::of(spec, played, &BySide::new("one".to_owned(), "two".to_owned()), &[]).text();
        let header = |name: &str| {
            let start = format!("[{name} \"");
            let lines: Vec<&str> = text.lines().filter(|line| line.starts_with(&start)).collect();
            assert_eq!(lines.len(), 1, "seed {seed}: {name} once\n{text}");
            lines[0].strip_prefix(&start).and_then(|rest| rest.strip_suffix("\"]")).map(str::to_owned)
        };
        assert_eq!(header("White").as_deref(), Some("one"));
        assert_eq!(header("Black").as_deref(), Some("two"));
        let result = header("Result").expect("a result");
        assert_eq!(text.lines().last(), Some(result.as_str()), "the movetext ends with the result");
        let blank = text.lines().position(str::is_empty).expect("an empty line between the headers and the moves");
        assert!(text.lines().take(blank).all(|line| line.starts_with('[') && line.ends_with(']')), "{text}");
    });
}

/// Any record at all, from any game that there may ever be.
fn any_record() -> impl Strategy<Value = Record> {
    let letters = prop::sample::select(" \n\t\"\\[]{}%.*-/01a9žé\u{0}\u{85}".chars().collect::<Vec<_>>());
    let letter = prop_oneof![8 => letters, 1 => any::<char>()];
    let hostile = prop::sample::select(HOSTILE).prop_map(str::to_owned);
    let made_up = prop::collection::vec(letter, 0..12).prop_map(String::from_iter);
    let text = prop_oneof![1 => hostile, 3 => made_up].boxed();
    let time = prop::option::of((0..200_000u64, 0..1_000_000_000u32).prop_map(|(s, n)| Duration::new(s, n))).boxed();
    let turn = (
        text.clone(),
        (time.clone(), time.clone(), time.clone(), time.clone(), time.clone(), time),
        text.clone(),
        prop::option::of(text.clone()),
    )
        .prop_map(|(text, (wall, stalled, cpu, latency, idle, left), stderr, info)| RecordedTurn {
            text,
            wall,
            stalled,
            cpu,
            latency,
            idle,
            left,
            stderr,
            info,
        });
    let tags = prop::collection::vec(("[A-Za-z0-9_]{1,8}", text), 0..4);
    (tags, prop::collection::vec(turn, 0..6)).prop_map(|(tags, turns)| {
        let mut all = vec![("Record".to_owned(), "1".to_owned())];
        all.extend(tags.into_iter().filter(|(name, _)| !["Record", "Result"].contains(&name.as_str())));
        Record { tags: all, turns }
    })
}

/// The same cases in every run.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn whatever_a_record_holds_is_read_back() {
    let result = runner(2000).run(&any_record(), |record| {
        let text = record.text();
        prop_assert_eq!(Record::parse(&text), Ok(record), "{}", text);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn a_double_fault_is_written_and_read_back() {
    let game = agon_all::GAMES[0];
    let spec = spec(game, game.variants()[0], game.rule_sets()[0]);
    let fault = || Fault::WouldNotStart("exit code 1: \"no\" 1-0 {\n}".to_owned());
    let mut bots = [1, 2].map(|seed| Chatterbox::new(seed, Some((0, fault()))));
    let [first, second] = &mut bots;
    let played = play_match(&spec, first, second, &mut NoWatch).expect("no fault of the host");
    let text = Record::of(&spec, &played, &names(3), &[]).text();
    let record = read(&text);
    assert_eq!(record.text(), text);
    let tag = |name: &str| record.tag(name);
    assert_eq!((tag("Result"), tag("Termination"), tag("FaultBy")), (Some("0-0"), Some("double fault"), Some("both")));
    assert_eq!(tag("Evidence").map(str::to_owned), played.termination.evidence());
    for each in ["FirstFault", "SecondFault"] {
        assert_eq!(tag(each), Some(fault().to_string().as_str()));
    }
    assert!(text.ends_with("\n0-0\n"), "{text}");
    assert_eq!(record.replay(find).expect("a start").len(), 1);
    let another = text.replace("\n0-0\n", "\n1/2-1/2\n");
    assert!(
        Record::parse(&another).unwrap_err().to_string().contains("the result is 1/2-1/2 here and '0-0' in the tags")
    );
}

// ---- other versions ----

/// A short match in the format, written by hand.
const BY_HAND: &str = r#"[White "one"]
[Black "two"]
[Result "1-0"]
[Record "1"]
[Game "connectx"]
[Variant "standard"]
[Rules "text"]

1. "4 4" {[%emt 0.5] [%stall 0.012] [%clk 119.5] [%cpu 0.25] [%lat 0.001] [%idle 0.125] [%info "depth 3"] [%err "hm\n"]} "3 3"
2. "0 0"
1-0
"#;

#[test]
fn a_record_written_by_hand_is_read() {
    let record = read(BY_HAND);
    assert_eq!(record.tag("Black"), Some("two"));
    let millis = |time| Some(Duration::from_millis(time));
    let first = RecordedTurn {
        text: "4 4".to_owned(),
        wall: millis(500),
        stalled: millis(12),
        left: millis(119_500),
        cpu: millis(250),
        latency: millis(1),
        idle: millis(125),
        stderr: "hm\n".to_owned(),
        info: Some("depth 3".to_owned()),
    };
    assert_eq!(record.turns[0], first);
    let texts: Vec<&str> = record.turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts, ["4 4", "3 3", "0 0"]);
    assert_eq!(record.replay(find).expect("legal turns").len(), 4);
}

#[test]
fn scores_and_depths_stand_beside_what_a_bot_reported() {
    let text = |info: &str| {
        let turn = RecordedTurn { text: "4 4".to_owned(), info: Some(info.to_owned()), ..RecordedTurn::default() };
        Record { tags: Vec::new(), turns: vec![turn] }.text()
    };
    for (info, fields) in [
        ("depth 7 seldepth 9 score cp -31 pv \"0 0\"", "{[%eval -0.31] [%depth 7] ["),
        ("score mate -2", "{[%eval #-2] ["),
        ("depth 3 score 250", "{[%eval 2.50] [%depth 3] ["),
        ("string depth 3 score cp 5", "{[%info"),
        ("depth \"3] [%clk 5", "{[%info"),
    ] {
        assert!(text(info).contains(fields), "{info}: {}", text(info));
    }
}

#[test]
fn what_a_newer_program_adds_is_passed_over() {
    let newer = BY_HAND
        .replace("[Game ", "[Weather \"rain\"]\n[Judge_2 \"a \\u263a\"]\n[Game ")
        .replace("[%emt", "a word [%eval +0.3] [%heat \"]\" 4] [%emt")
        .replace("2. \"0 0\"", "2. \"0 0\" {[%new]} {nothing but words}");
    let record = read(&newer);
    assert_eq!(record.turns, read(BY_HAND).turns);
    assert_eq!(record.tag("Weather"), Some("rain"));
    assert_eq!(record.tag("Judge_2"), Some("a ☺"));
    assert_eq!(read(&record.text()).tags, record.tags, "and kept where it can be");
}

#[test]
fn a_record_of_a_newer_version_is_refused_with_advice() {
    let advice = "the record has version 2, and this program knows versions up to 1: update agon to read it";
    let newer = BY_HAND.replace("[Record \"1\"]", "[Record \"2\"]");
    assert_eq!(Record::parse(&newer).expect_err("too new").to_string(), advice);
    // Whatever has changed in it: the version is looked at first.
    let strange = newer.replace("1. ", "{ <<1>> (");
    assert_eq!(Record::parse(&strange).expect_err("too new").to_string(), advice);
}

// ---- broken records ----

#[test]
fn a_broken_record_is_explained_with_the_line() {
    let broken = |from: &str, to: &str| {
        assert!(BY_HAND.contains(from), "{from}");
        Record::parse(&BY_HAND.replacen(from, to, 1)).expect_err(to).to_string()
    };
    assert_eq!(broken("[Black \"two\"]", "[Black two]"), "line 2: expected [Name \"value\"]");
    assert_eq!(broken("[Black \"two\"]", "[Black]"), "line 2: expected [Name \"value\"]");
    assert_eq!(broken("[Black \"two\"]", "[Bl-ck \"two\"]"), "line 2: expected [Name \"value\"]");
    assert_eq!(broken("[Rules \"text\"]", "[Rules \"text]"), "line 7: a tag has no end");
    assert_eq!(broken("]} \"3 3\"", "] \"3 3\""), "line 9: a comment has no end");
    assert_eq!(broken("2. \"0 0\"", "2. \"0 0"), "line 10: a quoted turn has no closing quote");
    assert_eq!(broken("2. \"0 0\"", "2. \"0 0\" [Late \"tag\"]"), "line 10: a tag after the first turn");
    assert_eq!(broken("\n1-0\n", "\n1-0\n1-0\n"), "line 12: text after the result; one record at a time");
    assert_eq!(broken("\n1-0\n", "\n"), "line 10: the record has no result at its end");
    let differs = "line 11: the result is 0-1 here and '1-0' in the tags";
    assert_eq!(broken("\n1-0\n", "\n0-1\n"), differs);
    let no_record = "no [Record \"…\"] tag: this is not a record that agon wrote";
    assert_eq!(broken("[Record \"1\"]\n", ""), no_record);
    assert_eq!(Record::parse("").expect_err("nothing").to_string(), no_record);
}

#[test]
fn a_record_that_cannot_be_replayed_says_why() {
    let replay = |from: &str, to: &str| {
        assert!(BY_HAND.contains(from), "{from}");
        let replayed = read(&BY_HAND.replacen(from, to, 1)).replay(find);
        replayed.err().unwrap_or_else(|| panic!("{to} is replayed"))
    };
    let message = |from: &str, to: &str| replay(from, to).to_string();
    assert_eq!(message("[Game \"connectx\"]\n", ""), "no [Game \"…\"] tag");
    assert_eq!(message("\"connectx\"", "\"chess\""), "unknown game 'chess'");
    assert_eq!(message("[Variant \"standard\"]\n", ""), "no [Variant \"…\"] tag");
    assert_eq!(message("\"standard\"", "\"huge\""), "Variant: unknown variant 'huge', expected 'standard'");
    let rules = "Rules: unknown rule set 'house', expected 'text' or 'server'";
    assert_eq!(message("[Rules \"text\"]", "[Rules \"house\"]"), rules);
    assert!(message("[Rules \"text\"]", "[Rules \"text\"]\n[Position \"x\"]").starts_with("Position: "));
    let rule = "cell 0 0 lies in local board 0, but the active one is 4";
    assert_eq!(replay("\"3 3\"", "\"0 0\""), RecordError::Turn(2, rule.to_owned()));
    assert_eq!(message("\"3 3\"", "\"0 0\""), format!("turn 2: {rule}"));
}

#[test]
fn a_damaged_record_never_breaks_the_reader() {
    let mut texts = vec![BY_HAND.to_owned()];
    each_match(|spec, played, seed| {
        if seed % 7 == 0 {
            let mut played = played.clone();
            played.turns.truncate(12);
            texts.push(Record::of(spec, &played, &names(seed), &[]).text());
        }
    });
    let letters = " \n\"\\[]{}%.0123456789-/*eE+Rn";
    on_damaged(&texts, letters, |text| match Record::parse(text) {
        // What could be read means something: it can be written and read again, and replayed or refused.
        Ok(record) => {
            assert_eq!(read(&record.text()), record, "{text}");
            drop(record.replay(find));
        }
        Err(RecordError::Syntax(line, _)) => assert!(line <= text.lines().count().max(1), "{text}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    });
}
