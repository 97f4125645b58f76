//! Is a bot fit for the official run, and if not, why?
//!
//! [`check`] builds it, walks it through its protocol, and plays it against `random` on both sides. It is judged by the limits of the
//! official run, but told a shorter clock of the same kind where it can live with that. Where it fails at a shortened clock, it is tried
//! at the official one before anything is said. A [`Verdict`] has the first fault, explained to a beginner.

mod advice;
mod build;
mod capitals;
mod crash;
mod error;
mod explain;
mod files;
mod first_line;
mod missing;
mod observe;
mod other_game;
mod pace;
mod processes;
mod python2;
mod report;
mod run;
mod target;
mod waiting;
mod warnings;

use std::{io::Write, time::Instant};

use agon_entrants::{Containment, Entrant, Workshop, build_cache, usual_rules};
use agon_originals::Original;
use agon_picture::terminal;
use agon_referee::{TimeControl, words};
use agon_rules::{RuleSet, Side};
use agon_wire::{GameSetup, Speaker, Spoken, Transcript};

pub use error::CheckError;
use explain::{Explanation, explain, step};
use pace::Pace;
pub use report::Verdict;
use report::{FaultReport, Report};
use run::{End, MatchSeen, Trial};
use target::{Target, Unfit};

/// Lines of the transcript that are shown.
const TRANSCRIPT: usize = 20;
/// Lines of stderr in a row that are shown, the last ones: an error message stands at the end.
const STDERR_IN_A_ROW: usize = 12;

/// What is to be checked, and how.
pub struct Request<'a> {
    /// The bot, as people name it.
    pub bot: &'a str,
    /// The game's short name; what the bot itself says if absent.
    pub game: Option<&'a str>,
    /// The board; the game's usual one if absent.
    pub variant: Option<&'a str>,
    /// The rule set; the usual one for the bot's protocol if absent.
    pub rules: Option<RuleSet>,
    /// A clock to play both matches to their end under, instead of one that fits.
    pub time: Option<TimeControl>,
    /// How far the bot is trusted.
    pub containment: Containment,
    /// Options of the command line that say the same, for the commands that are proposed.
    pub contain_options: String,
    /// How boards are drawn.
    pub style: terminal::Style,
}

fn workshop(containment: &Containment) -> Workshop {
    containment.workshop(build_cache())
}

/// Checks a bot. Steps are written to `out` as they happen.
///
/// # Errors
/// If there is no such bot or game, or this machine fails. A bot that is at fault is a verdict.
pub fn check(request: Request<'_>, out: Box<dyn Write + Send>) -> Result<Verdict, CheckError> {
    let begun = Instant::now();
    let target = Target::find(request.bot, request.game, &request.containment)?;
    let labels = Side::BOTH.map(|side| run::label(target.game, side));
    let mut report = Report::new(out, labels.iter().max_by_key(|label| label.len()).map_or("", |label| label));
    report.step("sandbox", request.containment.level().name());
    report.begin("building");
    let entrant = match target.prepare(&request.containment) {
        Ok(entrant) => entrant,
        Err(Unfit::Build(said)) => return Ok(build_failed(&target, &mut report, &said)),
        Err(Unfit::Other(error)) => {
            report.end("failed");
            return Err(error);
        }
    };
    let built =
        if target.builds { format!("ok ({})", words::seconds(begun.elapsed())) } else { "nothing to build".to_owned() };
    report.end(&built);
    let trial = trial(&request, &target, entrant, begun)?;
    report.step("protocol", &protocol_words(&trial));
    let transcript = Transcript::default();
    let matches = run::play(&trial, &transcript, &mut report)?;
    let mut warnings = warnings::warnings(&trial, &matches);
    let mut fault = matches.last().and_then(|last| fault_report(&trial, last, matches.len(), &transcript));
    if fault.is_none() {
        warnings.extend(wrong_files(&target));
    }
    if let (Some(fault), Some(last)) = (&mut fault, matches.last())
        && let Some(remedy) = python2::remedy(last).or_else(|| first_line::remedy(&trial, last, &mut report))
    {
        fault.explanation.remedies = vec![remedy];
    }
    let again = if fault.is_some() { again(&request, &trial, matches.last()) } else { Vec::new() };
    let protocol = trial.entrant.protocol.map_or("house", |protocol| protocol.name);
    Ok(Verdict { game: trial.game.name(), protocol, matches, warnings, fault, again })
}

fn trial(request: &Request<'_>, target: &Target, entrant: Entrant, begun: Instant) -> Result<Trial, CheckError> {
    let game: &'static dyn Original = target.game;
    let rules = request.rules.unwrap_or_else(|| usual_rules(game, entrant.speaks_original()));
    let variant = request.variant.unwrap_or_else(|| game.variants()[0]).to_owned();
    game.open(&variant, rules).map_err(CheckError::input)?;
    let hears_turns = entrant.protocol.is_none_or(|protocol| protocol.tells_turn_time);
    let pace = request.time.map_or_else(|| Pace::short(game.clock(&variant).into(), hears_turns), Pace::exact);
    let per_turn = matches!(pace.official, TimeControl::PerTurn(_) | TimeControl::PerTurnByLanguage { .. });
    if let Some(protocol) = entrant.protocol.filter(|protocol| per_turn && !protocol.knows_turn_limits) {
        return Err(CheckError::Input(format!(
            "the '{protocol}' protocol tells a bot its time for the whole match; choose --tc SECONDS"
        )));
    }
    Ok(Trial {
        game,
        setup: GameSetup { game, variant, rules, position: None, swapped: false },
        entrant,
        submission: target.submission.clone(),
        pace,
        begun,
        containment: request.containment.clone(),
        style: request.style,
    })
}

fn build_failed(target: &Target, report: &mut Report, said: &str) -> Verdict {
    report.end("failed");
    let named = target.submission.as_deref().map_or_else(Vec::new, |path| capitals::remedies(said, path));
    let evidence = said.lines().next().unwrap_or_default().trim_end_matches(':').to_owned();
    let fault = FaultReport {
        kind: "build",
        number: None,
        step: "building".to_owned(),
        clock: "",
        evidence,
        explanation: build::explain(said, wrong_files(target), named),
        transcript: Vec::new(),
    };
    let (matches, warnings, again) = (Vec::new(), Vec::new(), Vec::new());
    Verdict { game: target.game.name(), protocol: "", matches, warnings, fault: Some(fault), again }
}

fn wrong_files(target: &Target) -> Vec<String> {
    target.submission.as_deref().map_or_else(Vec::new, |path| files::remedies(target.game, path))
}

/// Commands that show the fault again.
fn again(request: &Request<'_>, trial: &Trial, last: Option<&MatchSeen>) -> Vec<(String, &'static str)> {
    let (bot, game) = (shell_word(request.bot), trial.game.name());
    let options =
        [("--variant", request.variant.map(str::to_owned)), ("--rules", request.rules.map(|rules| rules.to_string()))];
    let options: String = options
        .iter()
        .filter_map(|(name, value)| value.as_ref().map(|value| format!(" {name} {}", shell_word(value))))
        .collect();
    let contain = &request.contain_options;
    let seats = match last.map_or(Side::First, |last| last.seen.side) {
        Side::First => format!("--first {bot} --second random"),
        Side::Second => format!("--first random --second {bot}"),
    };
    let clock = request.time.map_or(String::new(), |time| format!(" --tc {time}"));
    let check = format!("agon check {bot} --game {game}{options}{clock}{contain}");
    let play = format!("agon play {game} {seats} --step{options}{contain}");
    vec![(check, "the same again: the opponent makes the same choices"), (play, "another match, turn by turn")]
}

fn protocol_words(trial: &Trial) -> String {
    let setup = &trial.setup;
    let board = format!("{} {} by the '{}' rules", setup.game.name(), setup.variant, setup.rules);
    match trial.entrant.protocol {
        Some(protocol) => format!("'{protocol}', {board}"),
        None => format!("none, it lives in this program; {board}"),
    }
}

fn fault_report(trial: &Trial, last: &MatchSeen, number: usize, transcript: &Transcript) -> Option<FaultReport> {
    let End::Fault(fault) = &last.end else { return None };
    let evidence = match (fault, &last.seen.asked) {
        // The referee names the official limit, which is not always how long it was waited for.
        (agon_wire::Fault::Timeout(what), Some(asked)) if !asked.answered => {
            let what = what.split(": allowed were").next().unwrap_or(what);
            format!("{what}, after {}", words::seconds(asked.wall))
        }
        _ => fault.evidence(),
    };
    Some(FaultReport {
        kind: fault.name(),
        number: Some(number),
        step: step(last.seen.stage),
        clock: last.pace.name(),
        evidence,
        explanation: which_clock(last, explain(fault, trial, &last.seen, &last.last_stderr)),
        transcript: last_said(transcript),
    })
}

/// Says at which clock it happened, if that was in doubt.
fn which_clock(last: &MatchSeen, mut explanation: Explanation) -> Explanation {
    if let Some((told, before)) = &last.before {
        explanation.happened.push(format!(
            "That was at the official clock ({}). Before, with {told}: {before}.",
            last.seen.official_words()
        ));
    }
    explanation
}

/// The end of a transcript, in which stderr does not drown the rest.
fn last_said(transcript: &Transcript) -> Vec<String> {
    let mut said = transcript.last(usize::MAX);
    // The farewell comes after the fault, and has nothing to do with it.
    said.retain(|spoken| !(spoken.speaker == Speaker::Referee && spoken.line == "quit"));
    let mut kept: Vec<Spoken> = Vec::new();
    let mut row = 0;
    for spoken in said.into_iter().rev() {
        row = if spoken.speaker == Speaker::Stderr { row + 1 } else { 0 };
        if row <= STDERR_IN_A_ROW {
            kept.push(spoken);
        } else if row == STDERR_IN_A_ROW + 1 {
            kept.push(Spoken { speaker: Speaker::Stderr, line: "…".to_owned() });
        }
        if kept.len() >= TRANSCRIPT {
            break;
        }
    }
    kept.iter().rev().map(|spoken| report::shown(&spoken.to_string())).collect()
}

/// A word as a shell reads it back.
fn shell_word(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:=+,@".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
