//! Points, clocks and faults of the host, with bots in this process.

use super::*;

/// Does the same whenever it is asked.
#[derive(Clone)]
struct Does(Result<Reply, BotFailure>);

impl Bot for Does {
    fn name(&self) -> String {
        "does".to_owned()
    }

    fn begin(&mut self, _setup: &GameSetup, _side: Side, _budget: Budget) -> Result<(), BotFailure> {
        Ok(())
    }

    fn turn(&mut self, _ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        self.0.clone()
    }
}

#[test]
fn every_fault_scores_as_the_rule_set_says() {
    let text = "what was seen".to_owned();
    let faults = [
        Fault::WouldNotStart(text.clone()),
        Fault::Timeout(text.clone()),
        Fault::IllegalTurn { turn: "x".to_owned(), rule: text.clone() },
        Fault::Crash(text.clone()),
        Fault::SilentExit(text.clone()),
        Fault::ClosedOutput(text.clone()),
        Fault::OutputFlood(text.clone()),
        Fault::ProtocolViolation(text.clone()),
        Fault::OutOfMemory(text.clone()),
        Fault::OverLimit(text),
    ];
    for game in ["cannon", "connectx", "yinsh"] {
        for &rules in agon_all::find(game).expect("a game").rule_sets() {
            for side in Side::BOTH {
                for stage in [Stage::beginning(game, rules, side), Stage::middle(game, rules, side)] {
                    for fault in &faults {
                        let bot = Does(Err(fault.clone().into()));
                        let played =
                            play_on(spec_of(&stage, TimeControl::Unlimited), side, bot).expect("no fault of the host");
                        assert_eq!(played.termination.name(), fault.name());
                        assert_eq!(played.termination.verdict().winner(), Some(side.other()));
                        assert_points(&played, &stage.setup, side);
                    }
                }
            }
        }
    }
}

#[test]
fn a_fault_at_the_start_of_the_other_games() {
    // Rollerball: 100 less the moves that the winner needed, none, for a win; and 13 for the men that each side has.
    // Rivers: no stones are at home or near, so the winner gets everything.
    for (game, win, loss) in [("rollerball", 113.0, 13.0), ("rivers", 100.0, 0.0)] {
        for &rules in agon_all::find(game).expect("a game").rule_sets() {
            let stage = Stage::beginning(game, rules, Side::First);
            let bot = Does(Err(Fault::Crash(String::new()).into()));
            let played =
                play_on(spec_of(&stage, TimeControl::Unlimited), Side::First, bot).expect("no fault of the host");
            assert_eq!(played.points, BySide::new(loss, win), "{game} {rules}");
        }
    }
}

#[test]
fn an_answer_after_the_limit_is_late_by_the_referees_clock() {
    let stage = Stage::beginning("connectx", RuleSet::Text, Side::First);
    let answered_after = |wall, grace| {
        let bot = Does(Ok(Reply { turn: stage.legal.clone(), wall, ..Reply::default() }));
        let second = Duration::from_secs(1);
        let time = TimeControl::PerTurnByLanguage { native: FOR_EVER, java: FOR_EVER, python: second };
        let spec = MatchSpec { grace, most_turns: 1, ..spec_of(&stage, time) };
        play_on(spec, Side::First, bot).expect("no fault of the host").termination
    };
    let (exactly, later, grace) = (Duration::from_secs(1), Duration::from_millis(1200), Duration::from_millis(200));
    assert_eq!(answered_after(exactly, Duration::ZERO), Termination::BrokenOff);
    assert_eq!(answered_after(later, grace), Termination::BrokenOff);
    let late = answered_after(later, Duration::ZERO);
    assert_eq!(late.to_string(), "side 1: timeout: answered after 1.200 s, allowed were 1.000 s");
}

// ---- faults of the host ----

#[test]
fn nobody_is_blamed_for_the_host() {
    let stage = Stage::beginning("connectx", RuleSet::Text, Side::First);
    let spec = spec_of(&stage, TimeControl::Unlimited);
    let mut homeless = shell("exits_at_once.sh");
    homeless.command.folder = Some(Path::new(BOTS).join("nowhere"));
    let error = play_on(spec.clone(), Side::First, homeless.bot("homeless")).expect_err("a void match");
    assert!(error.to_string().ends_with("nowhere is missing"), "{error}");

    let bot = Does(Err(HostError("no more processes".to_owned()).into()));
    let error = play_on(spec.clone(), Side::First, bot.clone()).expect_err("a void match");
    assert_eq!(error.to_string(), "no more processes");

    let wrong = MatchSpec { opening: vec!["9 9".to_owned()], ..spec.clone() };
    let error = play_on(wrong, Side::First, bot).expect_err("a void match");
    assert!(error.to_string().starts_with("cannot set up the match: opening turn '9 9': "), "{error}");

    let mut wrong = spec;
    wrong.setup.variant = "huge".to_owned();
    let error = play_on(wrong, Side::First, Does(Ok(Reply::default()))).expect_err("a void match");
    assert_eq!(error.to_string(), "cannot set up the match: unknown variant 'huge', expected 'standard'");
}

/// Looks on for a while and has seen enough.
struct Leaves(usize);

impl Watch for Leaves {
    fn position(&mut self, _position: &dyn AnyPosition, _turns: &[agon_referee::TurnMade]) {
        self.0 -= 1;
    }

    fn stop(&self) -> bool {
        self.0 == 0
    }
}

#[test]
fn a_stopped_match_is_void() {
    let stage = Stage::beginning("connectx", RuleSet::Text, Side::First);
    let spec = spec_of(&stage, TimeControl::Unlimited);
    let mut bots = [1, 2].map(|seed| HouseBot::new(Box::new(RandomBrain::new(seed))));
    let [first, second] = &mut bots;
    let stopped = play_match(&spec, first, second, &mut Leaves(4));
    assert_eq!(stopped, Err(HostError("the match was stopped".to_owned())));
}
