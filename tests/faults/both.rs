//! Matches in which neither bot has started, and those that only look like it.

use agon_referee::OpenMatch;
use agon_wire::Protocol;

use super::*;

/// Fails as it is told, when it is begun or when it is asked, or plays any turn.
struct Fails {
    at_begin: Option<Fault>,
    at_turn: Option<Fault>,
    /// How often it was begun and asked.
    asked: [u32; 2],
}

impl Fails {
    fn begun(fault: &str) -> Fails {
        Fails { at_begin: Some(Fault::WouldNotStart(fault.to_owned())), at_turn: None, asked: [0; 2] }
    }

    fn asked(fault: Fault) -> Fails {
        Fails { at_begin: None, at_turn: Some(fault), asked: [0; 2] }
    }

    fn never() -> Fails {
        Fails { at_begin: None, at_turn: None, asked: [0; 2] }
    }
}

impl Bot for Fails {
    fn name(&self) -> String {
        "fails".to_owned()
    }

    fn begin(&mut self, _setup: &GameSetup, _side: Side, _budget: Budget) -> Result<(), BotFailure> {
        self.asked[0] += 1;
        self.at_begin.clone().map_or(Ok(()), |fault| Err(fault.into()))
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        self.asked[1] += 1;
        if let Some(fault) = self.at_turn.clone() {
            return Err(fault.into());
        }
        let turn = ask.position.random_turn(&mut Random::new(7)).expect("a turn");
        Ok(Reply { turn, ..Reply::default() })
    }
}

/// Plays a match from the start of Connect-X.
fn two_bots(first: &mut Fails, second: &mut Fails) -> Played {
    let stage = Stage::beginning("connectx", RuleSet::Text, Side::First);
    let spec = spec_of(&stage, "5".parse().expect("a clock"));
    play_match(&spec, first, second, &mut NoWatch).expect("no fault of the host")
}

#[test]
fn two_bots_that_cannot_play_both_lose_with_the_points_of_a_loser() {
    let gone = || Fault::Crash("exit code 1".to_owned());
    let pairs: [fn(Fault) -> [Fails; 2]; 4] = [
        |_| [Fails::begun("no file"), Fails::begun("no such folder")],
        |gone| [Fails::begun("no file"), Fails::asked(gone)],
        |gone| [Fails::asked(gone), Fails::begun("no such folder")],
        |gone| [Fails::asked(gone.clone()), Fails::asked(gone)],
    ];
    for (index, pair) in pairs.into_iter().enumerate() {
        let [mut first, mut second] = pair(gone());
        let played = two_bots(&mut first, &mut second);
        let termination = &played.termination;
        assert_eq!(termination.name(), "double fault", "pair {index}: {termination}");
        assert_eq!(termination.verdict(), Verdict::BothLost, "pair {index}");
        assert_eq!(played.points, BySide::new(0.0, 0.0), "pair {index}: a loss in Connect-X is worth nothing");
        assert!(played.turns.is_empty(), "pair {index}: the turn that stands in is part of nothing");
        let evidence = termination.evidence().expect("evidence");
        assert!(evidence.contains("side 1: ") && evidence.contains("side 2: "), "{evidence}");
        let begun = [&first, &second].map(|bot| bot.asked[0]);
        assert_eq!(begun, [1, 1], "pair {index}: each is begun, and only once");
        let most = [&first, &second].map(|bot| bot.asked[1]).into_iter().max();
        assert!(most <= Some(1), "pair {index}: asked once at most");
    }
}

/// Whoever says something that could be a turn has started: then the first fault decides, as in every other match.
#[test]
fn an_illegal_first_turn_is_no_double_fault() {
    let illegal = || Fault::IllegalTurn { turn: "9 9".to_owned(), rule: "no such cell".to_owned() };
    let played = two_bots(&mut Fails::asked(illegal()), &mut Fails::asked(illegal()));
    assert_eq!(played.termination.name(), "illegal turn");
    assert_eq!(played.termination.verdict(), Verdict::Won(Side::Second));
    let played = two_bots(&mut Fails::begun("no file"), &mut Fails::asked(illegal()));
    assert_eq!(played.termination.verdict(), Verdict::Won(Side::Second), "the other one has started");
    let played = two_bots(&mut Fails::asked(illegal()), &mut Fails::begun("no file"));
    assert_eq!(played.termination.verdict(), Verdict::Won(Side::First), "the other one has started");
}

/// Whatever the first one does wrong, the second one does not win by it if nothing comes from it either.
#[test]
fn no_fault_of_the_first_lets_one_win_that_cannot_play() {
    let faults = [
        Fault::IllegalTurn { turn: "9 9".to_owned(), rule: "no such cell".to_owned() },
        Fault::OutputFlood("too much".to_owned()),
        Fault::ProtocolViolation("two answers".to_owned()),
        Fault::OverLimit("too many files".to_owned()),
    ];
    for fault in faults {
        let played = two_bots(&mut Fails::asked(fault.clone()), &mut Fails::asked(Fault::Crash("gone".to_owned())));
        let termination = &played.termination;
        assert_eq!(termination.verdict(), Verdict::BothLost, "{termination}");
        let evidence = termination.evidence().expect("evidence");
        assert!(evidence.contains(&fault.to_string()) && evidence.contains("side 2: crash: gone"), "{evidence}");
        assert_eq!(played.points, BySide::new(0.0, 0.0));
    }
}

/// Programs that only say what is wrong with them, and end with a code that says so.
#[test]
fn last_words_are_no_turn() {
    let failing = |words: &str, code: u8| {
        let stage = Stage::beginning("connectx", RuleSet::Text, Side::First);
        let spec = spec_of(&stage, TimeControl::Unlimited);
        let script = format!("read line; echo '{words}'; exit {code}");
        let bot = |protocol: &Protocol| {
            let command = BotCommand {
                program: "sh".to_owned(),
                arguments: vec!["-c".to_owned(), script.clone()],
                ..BotCommand::default()
            };
            let program = Program {
                name: "fails".to_owned(),
                reach: Reach::Start(command),
                options: BTreeMap::new(),
                launcher: Arc::new(PlainLauncher { limits: BotLimits::default(), transcript: None }),
            };
            (protocol.bot)(program)
        };
        [0, 1].map(|number| {
            let protocol = agon_all::find("connectx").expect("a game").protocols()[number];
            let (mut first, mut second) = (bot(protocol), bot(protocol));
            play_match(&spec, &mut *first, &mut *second, &mut NoWatch).expect("no fault of the host").termination
        })
    };
    for termination in failing("Error: could not find or load main class", 1) {
        assert_eq!(termination.verdict(), Verdict::BothLost, "{termination}");
    }
    for termination in failing("Hello, who is there?", 0).into_iter().chain(failing("7 9", 1)) {
        assert_eq!(termination.verdict(), Verdict::Won(Side::Second), "{termination}");
    }
}

/// In a match that somebody else drives, too.
#[test]
fn an_open_match_tries_the_opponent_of_one_that_fails() {
    let stage = Stage::beginning("connectx", RuleSet::Text, Side::First);
    let open = || {
        let spec = spec_of(&stage, "5".parse().expect("a clock"));
        OpenMatch::new(spec, BySide::new(true, true), Vec::new()).expect("a match")
    };
    let gone = || Fault::Crash("gone".to_owned());
    let mut table = open();
    let ended = table.answered(Err(gone().into())).expect("no fault of the host").expect("an ending");
    let trial = table.trial(&ended).expect("the second side has made no turn");
    assert_eq!(trial.side(), Side::Second);
    let found = trial.hold(&mut Fails::asked(gone())).expect("no fault of the host");
    let both = ended.clone().with_fault_of_other(found);
    assert_eq!((both.verdict(), table.points(&both)), (Verdict::BothLost, BySide::new(0.0, 0.0)));
    let found = trial.hold(&mut Fails::never()).expect("no fault of the host");
    assert_eq!(ended.clone().with_fault_of_other(found), ended, "one that can play wins");
    let mut table = open();
    table.play_human("3 3", Duration::ZERO).expect("a legal turn");
    let ended = table.answered(Err(gone().into())).expect("no fault of the host").expect("an ending");
    assert!(table.trial(&ended).is_none(), "whoever has made a turn can play");
}

#[test]
fn both_losers_points_are_those_of_every_rule_set() {
    for game in agon_all::GAMES {
        for &rules in game.rule_sets() {
            let stage = Stage::beginning(game.name(), rules, Side::First);
            let spec = spec_of(&stage, TimeControl::Unlimited);
            let (mut first, mut second) = (Fails::begun("gone"), Fails::begun("gone"));
            let played = play_match(&spec, &mut first, &mut second, &mut NoWatch).expect("no fault of the host");
            let start = game.open(&spec.setup.variant, rules).expect("a start");
            for side in Side::BOTH {
                let alone = start.points(agon_rules::Ending::Fault(side));
                assert_eq!(played.points[side], alone[side], "{} {rules}", game.name());
                assert!(played.points[side] <= alone[side.other()], "{} {rules}: no more than a winner", game.name());
            }
        }
    }
}

#[test]
fn a_bot_that_can_make_its_first_turn_wins_against_one_that_cannot() {
    let gone = || Fault::Crash("exit code 1".to_owned());
    for (mut first, mut second, winner) in [
        (Fails::begun("no file"), Fails::never(), Side::Second),
        (Fails::never(), Fails::begun("no file"), Side::First),
    ] {
        let played = two_bots(&mut first, &mut second);
        assert_eq!(played.termination.verdict(), Verdict::Won(winner), "{}", played.termination);
        assert_eq!(played.termination.name(), "would not start");
        assert!(played.turns.is_empty());
    }
    let (mut first, mut second) = (Fails::asked(gone()), Fails::never());
    let played = two_bots(&mut first, &mut second);
    assert_eq!((played.termination.name(), played.termination.verdict()), ("crash", Verdict::Won(Side::Second)));
    // One that has made a turn is not tried: the other one failed alone.
    let (mut first, mut second) = (Fails::never(), Fails::asked(gone()));
    let played = two_bots(&mut first, &mut second);
    assert_eq!(played.termination.verdict(), Verdict::Won(Side::First), "{}", played.termination);
    assert_eq!(first.asked, [1, 1]);
}
