//! The two matches of a check.

use std::{
    cell::Cell,
    path::PathBuf,
    time::{Duration, Instant},
};

use agon_entrants::{Containment, Entrant};
use agon_originals::Original;
use agon_picture::terminal;
use agon_referee::{CoreRule, MatchSpec, Played, Termination, TurnMade, Watch, play_match, words};
use agon_rules::{AnyPosition, BySide, Side, Verdict};
use agon_wire::{Bot, BotFailure, Budget, Fault, GameSetup, HostError, HouseBot, Language, Transcript};
use serde_json::{Value, json};

use crate::CheckError;
use crate::{
    explain::busy,
    missing,
    observe::{Observed, Seen, Stage},
    pace::{self, Pace},
    report::Report,
    waiting,
};

/// Where the opponent's choices begin: always the same, so that a fault can be seen again.
const SEED: u64 = 1;
/// A match is broken off as a draw after so many turns.
const MOST_TURNS: usize = 5000;
/// How long a check takes at most, if the bot answers at all.
const WHOLE_CHECK: Duration = Duration::from_secs(50);
/// What the matches get even if building took long.
const LEAST_PLAY: Duration = Duration::from_secs(20);

/// Everything that is needed to play.
pub(crate) struct Trial {
    pub(crate) game: &'static dyn Original,
    pub(crate) setup: GameSetup,
    pub(crate) entrant: Entrant,
    /// The folder or file that was handed in, unpacked, if that is what the bot is.
    pub(crate) submission: Option<PathBuf>,
    pub(crate) pace: Pace,
    /// When the check began.
    pub(crate) begun: Instant,
    /// How far the bot is trusted.
    pub(crate) containment: Containment,
    /// How boards are drawn.
    pub(crate) style: terminal::Style,
}

/// How a match ended, as far as the bot is concerned.
pub(crate) enum End {
    /// By the rules, or broken off, or by the opponent's doing.
    Fine(Termination),
    /// It had gone on for long enough.
    Stopped,
    /// By the bot's fault.
    Fault(Fault),
}

/// A match, and what was seen of the bot in it.
pub(crate) struct MatchSeen {
    pub(crate) end: End,
    /// Turns of both sides.
    pub(crate) turns: usize,
    pub(crate) seen: Seen,
    /// What it was told about its time.
    pub(crate) pace: Pace,
    /// How it failed before at a shortened clock, after which this match was played at the official one: what it was told, and
    /// what was seen.
    pub(crate) before: Option<(String, String)>,
    /// What the bot wrote to stderr after its last turn.
    pub(crate) last_stderr: String,
}

impl MatchSeen {
    /// The match in a line for people.
    fn words(&self) -> String {
        let turns = words::count(self.turns, "turn");
        let outcome = match &self.end {
            End::Fault(fault) => return format!("failed: {}", fault.name()),
            End::Stopped if matches!(self.seen.announced, Budget::Turn(told) if told == self.seen.official) => {
                let (turns, clock) = (words::count(self.seen.turns, "turn"), self.seen.official_words());
                format!("stopped after {turns} of its own at the official clock ({clock}): long enough")
            }
            End::Stopped => format!("stopped after {turns}: long enough"),
            End::Fine(termination) => {
                let verb = match self.result() {
                    "win" => "won",
                    "loss" => "lost",
                    _ => "drawn",
                };
                format!("{verb} in {turns}: {}", words::reason(termination.name()))
            }
        };
        match self.seen.announced {
            Budget::Clocks { left: told, .. } => {
                let used = format!("{:.1} of {}", self.seen.used.as_secs_f64(), pace::plain(told[self.seen.side]));
                format!("{outcome}; {used} used")
            }
            _ => format!("{outcome}; slowest turn {}", words::seconds(self.seen.slowest.0)),
        }
    }

    /// Whether it failed in a way that a clock which was too short may explain.
    fn may_blame_the_clock(&self) -> bool {
        let End::Fault(fault) = &self.end else { return false };
        let is_explained =
            !missing::remedies(&self.last_stderr).is_empty() || waiting::is_end_of_input(&self.last_stderr);
        let may = match fault {
            Fault::Timeout(_) => {
                self.seen.asked.as_ref().is_some_and(|asked| asked.answered || busy(asked) != Some(false))
            }
            Fault::IllegalTurn { .. } => true,
            Fault::Crash(_) | Fault::SilentExit(_) => !is_explained,
            _ => false,
        };
        may && self.pace.is_shortened() && self.seen.stage != Stage::Starting
    }

    fn result(&self) -> &'static str {
        match &self.end {
            End::Stopped => "stopped",
            End::Fault(_) => "fault",
            End::Fine(termination) => match termination.verdict() {
                Verdict::Drawn => "draw",
                verdict if verdict.lost_by(self.seen.side) => "loss",
                _ => "win",
            },
        }
    }

    pub(crate) fn json(&self) -> Value {
        let termination = match &self.end {
            End::Stopped => "stopped",
            End::Fault(fault) => fault.name(),
            End::Fine(termination) => termination.name(),
        };
        json!({
            "side": self.seen.side.number(),
            "result": self.result(),
            "termination": termination,
            "turns": self.turns,
            "clock": self.pace.name(),
        })
    }
}

/// What a match is called in the report.
pub(crate) fn label(game: &dyn Original, side: Side) -> String {
    format!("match {}, as {} against random", side.number(), game.sides()[side.index()])
}

/// Plays the bot on both sides; the second match only if the first went well.
pub(crate) fn play(trial: &Trial, transcript: &Transcript, report: &mut Report) -> Result<Vec<MatchSeen>, CheckError> {
    let play_time = WHOLE_CHECK.saturating_sub(trial.begun.elapsed()).max(LEAST_PLAY);
    let start = Instant::now();
    let mut matches = Vec::new();
    let mut pace = trial.pace;
    for (side, share) in [(Side::First, play_time / 2), (Side::Second, play_time)] {
        let mut table = Table { trial, side, transcript, meant: share.saturating_sub(start.elapsed()), report };
        let mut one = table.play(pace)?;
        if let Some(other) = one.seen.other_clock {
            one = table.play(other)?;
        }
        table.report.end(&one.words());
        if one.may_blame_the_clock() {
            one = table.play_again(one)?;
        }
        pace = one.pace;
        let failed = matches!(one.end, End::Fault(_));
        matches.push(one);
        if failed {
            break;
        }
    }
    Ok(matches)
}

/// Where one of the two matches is played, if need be more than once.
struct Table<'a> {
    trial: &'a Trial,
    side: Side,
    transcript: &'a Transcript,
    /// How long a match should take.
    meant: Duration,
    report: &'a mut Report,
}

impl Table<'_> {
    fn play(&mut self, pace: Pace) -> Result<MatchSeen, CheckError> {
        // A transcript tells of one match.
        self.transcript.clear();
        let deadline = pace.longest_match(self.meant).map(|longest| Instant::now() + longest);
        play_one(self.trial, pace, self.side, self.transcript, deadline, self.report)
    }

    /// Plays the match at the official clock, after it went wrong at a shorter one.
    fn play_again(&mut self, failed: MatchSeen) -> Result<MatchSeen, CheckError> {
        let pace = failed.pace.at_the_official_clock();
        let told = failed.seen.announced_words();
        let why = format!(
            "again, with {}: the short clock may be to blame ({told} were told). This takes longer",
            failed.seen.official_words()
        );
        self.report.step("the official clock", &why);
        let again = self.play(pace)?;
        self.report.end(&again.words());
        let End::Fault(fault) = &failed.end else { return Ok(again) };
        Ok(MatchSeen { before: Some((told, fault.to_string())), ..again })
    }
}

fn play_one(
    trial: &Trial,
    pace: Pace,
    side: Side,
    transcript: &Transcript,
    deadline: Option<Instant>,
    report: &mut Report,
) -> Result<MatchSeen, CheckError> {
    let launcher = trial.containment.launcher(Some(transcript.clone()));
    // Not bound to a core: only so can it be seen that a bot uses several.
    let bot = trial.entrant.bot(None, &launcher, |name| agon_house::think(name, SEED));
    let mut subject = Observed::new(bot, side, pace, report, label(trial.game, side));
    let mut opponent = Opponent(HouseBot::new(agon_house::think("random", SEED)));
    let spec = MatchSpec {
        setup: GameSetup { swapped: side == Side::Second, ..trial.setup.clone() },
        time: pace.official,
        grace: trial.game.grace(&trial.setup.variant),
        languages: BySide::from_fn(|each| if each == side { trial.entrant.language } else { Language::Rust }),
        opening: Vec::new(),
        most_turns: MOST_TURNS,
        cores: CoreRule::default(),
    };
    let mut watch = Patience { deadline, stopped: Cell::new(false), turns: 0 };
    let played = match side {
        Side::First => play_match(&spec, &mut subject, &mut opponent, &mut watch),
        Side::Second => play_match(&spec, &mut opponent, &mut subject, &mut watch),
    };
    judged(played, &watch, subject.seen, pace)
}

fn judged(
    played: Result<Played, HostError>,
    watch: &Patience,
    mut seen: Seen,
    pace: Pace,
) -> Result<MatchSeen, CheckError> {
    let (turns, side) = (watch.turns, seen.side);
    let last_stderr = match &played {
        Ok(played) => played.last_stderr[side].clone(),
        Err(_) => String::new(),
    };
    let seen_so = |end, seen| Ok(MatchSeen { end, turns, seen, pace, before: None, last_stderr });
    match played {
        Ok(Played { termination: Termination::Fault { side: culprit, fault }, .. }) if culprit == side => {
            // A bot that hangs has to be killed; that goes without saying.
            seen.lingered = false;
            seen_so(End::Fault(fault), seen)
        }
        Ok(played) => seen_so(End::Fine(played.termination), seen),
        Err(_) if watch.stopped.get() || seen.other_clock.is_some() => seen_so(End::Stopped, seen),
        Err(HostError(problem)) => Err(CheckError::Host(problem)),
    }
}

/// The house bot, which takes no time: a machine that is busy for a moment must not end the match.
struct Opponent(HouseBot);

impl Bot for Opponent {
    fn name(&self) -> String {
        self.0.name()
    }

    fn is_house(&self) -> bool {
        true
    }

    fn begin(&mut self, setup: &GameSetup, side: Side, budget: Budget) -> Result<(), BotFailure> {
        self.0.begin(setup, side, budget)
    }

    fn turn(&mut self, ask: &agon_wire::Ask<'_>) -> Result<agon_wire::Reply, BotFailure> {
        self.0.turn(ask).map(|reply| agon_wire::Reply { wall: Duration::ZERO, ..reply })
    }
}

/// Stops a match that has gone on for long enough.
struct Patience {
    deadline: Option<Instant>,
    stopped: Cell<bool>,
    turns: usize,
}

impl Watch for Patience {
    fn position(&mut self, _position: &dyn AnyPosition, turns: &[TurnMade]) {
        self.turns = turns.len();
    }

    fn stop(&self) -> bool {
        self.stopped.set(self.deadline.is_some_and(|deadline| Instant::now() >= deadline));
        self.stopped.get()
    }
}
