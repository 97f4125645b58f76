//! `agon check`: is this bot fit for the official run, and if not, why?

mod advice;
mod build;
mod capitals;
mod crash;
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

use std::time::Instant;

use agon_entrants::{Containment, Entrant};
use agon_referee::TimeControl;
use agon_rules::{RuleSet, Side};
use agon_wire::{GameSetup, Original, Protocol, Speaker, Spoken, Transcript};
use clap::Args;

use crate::{contain::Contain, describe, error::CliError, interrupt, setup::usual_rules};
use explain::{Explanation, explain, step};
use pace::Pace;
use report::{FaultReport, Report, Verdict};
use run::{End, MatchSeen, Plan};
use target::{Target, Unfit};

/// Lines of the transcript that are shown.
const TRANSCRIPT: usize = 20;
/// Lines of stderr in a row that are shown, the last ones: an error message stands at the end.
const STDERR_IN_A_ROW: usize = 12;

/// Build a bot, walk it through its protocol, and play it against `random` on both sides
///
/// The bot is judged by the limits of the official run, but told a shorter clock of the same kind where it can live with that, so
/// that a check takes less than a minute. If it fails there, it is tried at the official clock before anything is said. The exit code
/// is 0 if it completes both matches without a fault, whatever the result; else 1, and the first fault is
/// explained.
#[derive(Args)]
pub(crate) struct Check {
    /// The bot: a folder, a file, or any other name that `agon match` takes
    #[arg(value_name = "PATH")]
    path: String,
    /// The game's short name: see `agon games`; from the bot.toml if absent
    #[arg(long, value_name = "G")]
    game: Option<String>,
    /// The board and parameters; the game's default if absent
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The rule set, `text` or `server`; `text` unless the bot speaks an original protocol
    #[arg(long, value_name = "R")]
    rules: Option<RuleSet>,
    /// Play both matches to their end under this very clock, as `agon match --tc` takes it
    #[arg(long, value_name = "TC", allow_hyphen_values = true)]
    tc: Option<TimeControl>,
    /// End with a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    contain: Contain,
}

impl Check {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        interrupt::listen();
        let begun = Instant::now();
        let containment = self.contain.containment()?;
        let target = Target::find(&self.path, self.game.as_deref(), &containment)?;
        let labels = Side::BOTH.map(|side| run::label(target.game, side));
        let mut report = Report::new(labels.iter().max_by_key(|label| label.len()).map_or("", |label| label));
        report.step("sandbox", containment.level().name());
        report.begin("building");
        let entrant = match target.prepare(&containment) {
            Ok(entrant) => entrant,
            Err(Unfit::Build(said)) => return self.build_failed(&target, &mut report, &said),
            Err(Unfit::Other(error)) => {
                report.end("failed");
                return Err(error);
            }
        };
        let built = if target.builds {
            format!("ok ({})", describe::seconds(begun.elapsed()))
        } else {
            "nothing to build".to_owned()
        };
        report.end(&built);
        let plan =
            Plan { submission: target.submission.clone(), ..self.plan(target.game, entrant, begun, containment)? };
        report.step("protocol", &protocol_words(&plan));
        let transcript = Transcript::default();
        let matches = run::play(&plan, &transcript, &mut report)?;
        let mut warnings = warnings::warnings(&plan, &matches);
        let mut fault = matches.last().and_then(|last| fault_report(&plan, last, matches.len(), &transcript));
        if fault.is_none() {
            warnings.extend(self.wrong_files(&target));
        }
        if let (Some(fault), Some(last)) = (&mut fault, matches.last())
            && let Some(remedy) = python2::remedy(last).or_else(|| first_line::remedy(&plan, last, &mut report))
        {
            fault.explanation.remedies = vec![remedy];
        }
        let again = if fault.is_some() { self.again(&plan, matches.last()) } else { Vec::new() };
        let protocol = plan.entrant.protocol.map_or("house", Protocol::name);
        let verdict = Verdict { game: plan.game.name(), protocol, matches, warnings, fault, again };
        self.finish(&verdict)
    }

    fn plan(
        &self,
        game: &'static dyn Original,
        entrant: Entrant,
        begun: Instant,
        containment: Containment,
    ) -> Result<Plan, CliError> {
        let rules = self.rules.unwrap_or_else(|| usual_rules(game, entrant.speaks_original()));
        let variant = self.variant.clone().unwrap_or_else(|| game.variants()[0].to_owned());
        game.open(&variant, rules).map_err(CliError::input)?;
        let hears_turns = entrant.protocol.is_none_or(Protocol::tells_turn_time);
        let pace = self.tc.map_or_else(|| Pace::short(game.clock(&variant).into(), hears_turns), Pace::exact);
        let per_turn = matches!(pace.official, TimeControl::PerTurn(_) | TimeControl::PerTurnByLanguage { .. });
        if let Some(protocol) = entrant.protocol.filter(|protocol| per_turn && !protocol.knows_turn_limits()) {
            return Err(CliError::Input(format!(
                "the '{protocol}' protocol tells a bot its time for the whole match; choose --tc SECONDS"
            )));
        }
        let setup = GameSetup { game, variant, rules, position: None, swapped: false };
        Ok(Plan { game, setup, entrant, submission: None, pace, begun, containment })
    }

    fn build_failed(&self, target: &Target, report: &mut Report, said: &str) -> Result<(), CliError> {
        report.end("failed");
        let named = target.submission.as_deref().map_or_else(Vec::new, |path| capitals::remedies(said, path));
        let evidence = said.lines().next().unwrap_or_default().trim_end_matches(':').to_owned();
        let fault = FaultReport {
            kind: "build",
            number: None,
            step: "building".to_owned(),
            clock: "",
            evidence,
            explanation: build::explain(said, self.wrong_files(target), named),
            transcript: Vec::new(),
        };
        let (matches, warnings, again) = (Vec::new(), Vec::new(), Vec::new());
        self.finish(&Verdict { game: target.game.name(), protocol: "", matches, warnings, fault: Some(fault), again })
    }

    fn wrong_files(&self, target: &Target) -> Vec<String> {
        target.submission.as_deref().map_or_else(Vec::new, |path| files::remedies(target.game, path))
    }

    fn finish(&self, verdict: &Verdict) -> Result<(), CliError> {
        verdict.print(self.json)?;
        match &verdict.fault {
            None => Ok(()),
            Some(fault) => {
                let whose = match fault.number {
                    Some(number) => format!("match {number}, {}", fault.step),
                    None => fault.step.clone(),
                };
                Err(CliError::Failed(format!("not ready for the official run ({whose}: {})", fault.kind)))
            }
        }
    }

    /// Commands that show the fault again.
    fn again(&self, plan: &Plan, last: Option<&MatchSeen>) -> Vec<(String, &'static str)> {
        let (bot, game) = (shell_word(&self.path), plan.game.name());
        let options = [("--variant", &self.variant), ("--rules", &self.rules.map(|rules| rules.to_string()))];
        let options: String = options
            .iter()
            .filter_map(|(name, value)| value.as_ref().map(|value| format!(" {name} {}", shell_word(value))))
            .collect();
        let contain = self.contain.repeated();
        let seats = match last.map_or(Side::First, |last| last.seen.side) {
            Side::First => format!("--first {bot} --second random"),
            Side::Second => format!("--first random --second {bot}"),
        };
        let clock = self.tc.map_or(String::new(), |tc| format!(" --tc {tc}"));
        let check = format!("agon check {bot} --game {game}{options}{clock}{contain}");
        let play = format!("agon play {game} {seats} --step{options}{contain}");
        vec![(check, "the same again: the opponent makes the same choices"), (play, "another match, turn by turn")]
    }
}

fn protocol_words(plan: &Plan) -> String {
    let setup = &plan.setup;
    let board = format!("{} {} by the '{}' rules", setup.game.name(), setup.variant, setup.rules);
    match plan.entrant.protocol {
        Some(protocol) => format!("'{protocol}', {board}"),
        None => format!("none, it lives in this program; {board}"),
    }
}

fn fault_report(plan: &Plan, last: &MatchSeen, number: usize, transcript: &Transcript) -> Option<FaultReport> {
    let End::Fault(fault) = &last.end else { return None };
    let evidence = match (fault, &last.seen.asked) {
        // The referee names the official limit, which is not always how long it was waited for.
        (agon_wire::Fault::Timeout(what), Some(asked)) if !asked.answered => {
            let what = what.split(": allowed were").next().unwrap_or(what);
            format!("{what}, after {}", describe::seconds(asked.wall))
        }
        _ => fault.evidence(),
    };
    Some(FaultReport {
        kind: fault.name(),
        number: Some(number),
        step: step(last.seen.stage),
        clock: last.pace.name(),
        evidence,
        explanation: which_clock(last, explain(fault, plan, &last.seen, &last.last_stderr)),
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
