//! Faults, explained to somebody who writes a first bot.

use agon_picture::terminal;
use agon_referee::words;
use agon_rules::{AnyPosition, Random, quote};
use agon_wire::{Advice, Budget, Fault, ITS_GAME, Language, Output, Protocol, UGI};

use crate::{
    advice::{examples, flush_advice, looks_like_a_turn, stderr_advice},
    capitals, crash, files, missing,
    observe::{Asked, Seen, Stage},
    other_game::other_game,
    pace::plain,
    report::WIDTH,
    run::Trial,
    waiting,
};

/// Random turns that are looked at to learn what a turn looks like.
const SAMPLE: u64 = 60;

/// What happened and what helps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Explanation {
    /// Paragraphs.
    pub(crate) happened: Vec<String>,
    /// A drawing, with line breaks.
    pub(crate) picture: Option<String>,
    /// One or more pieces of advice.
    pub(crate) remedies: Vec<String>,
    /// A command that shows more, with what it shows.
    pub(crate) command: Option<(String, &'static str)>,
}

/// Explains the fault that ended a match; `stderr` is what the bot wrote last.
pub(crate) fn explain(fault: &Fault, trial: &Trial, seen: &Seen, stderr: &str) -> Explanation {
    let failure = Failure { trial, seen, stderr };
    let explanation = explain_fault(&failure, fault);
    let Some(submission) = trial.submission.as_deref() else { return explanation };
    let named = capitals::remedies(&format!("{}\n{stderr}", fault.evidence()), submission);
    let explanation = with_certain(named, explanation);
    // What is wrong with the files themselves shows when the bot starts.
    if !matches!(seen.stage, Stage::Starting | Stage::Turn(1)) {
        return explanation;
    }
    let is_gone = matches!(fault, Fault::SilentExit(_) | Fault::Crash(_) | Fault::ClosedOutput(_));
    let mut first = files::remedies(trial.game, submission);
    first.extend(files::in_the_background(submission).filter(|_| is_gone));
    with_first(first, explanation)
}

/// What is certainly wrong takes the place of what might be.
fn with_certain(remedies: Vec<String>, explanation: Explanation) -> Explanation {
    if remedies.is_empty() { explanation } else { Explanation { remedies, ..explanation } }
}

/// What lies nearest comes first.
fn with_first(mut remedies: Vec<String>, explanation: Explanation) -> Explanation {
    remedies.extend(explanation.remedies);
    Explanation { remedies, ..explanation }
}

fn explain_fault(failure: &Failure<'_>, fault: &Fault) -> Explanation {
    match fault {
        Fault::Timeout(evidence) => failure.timeout(evidence),
        Fault::IllegalTurn { turn, rule } => failure.illegal(turn, rule),
        Fault::Crash(evidence) => failure.crash(evidence),
        Fault::SilentExit(_) => failure.silent_exit(),
        Fault::WouldNotStart(evidence) => failure.would_not_start(evidence),
        Fault::ClosedOutput(_) => failure.closed_output(),
        Fault::OutputFlood(evidence) => failure.flood(evidence),
        Fault::ProtocolViolation(evidence) => failure.violation(evidence),
        Fault::OutOfMemory(evidence) => failure.out_of_memory(evidence),
        Fault::OverLimit(evidence) => failure.over_limit(evidence),
    }
}

/// The step that failed, for people and programs.
pub(crate) fn step(stage: Stage) -> String {
    match stage {
        Stage::Starting => "starting".to_owned(),
        Stage::Turn(1) => "first turn".to_owned(),
        Stage::Turn(number) => format!("turn {number}"),
    }
}

/// Where it happened.
struct Failure<'a> {
    trial: &'a Trial,
    seen: &'a Seen,
    stderr: &'a str,
}

impl Failure<'_> {
    fn protocol(&self) -> &'static Protocol {
        self.trial.entrant.protocol.unwrap_or(&UGI)
    }

    fn language(&self) -> Language {
        self.trial.entrant.language
    }

    fn side(&self) -> &'static str {
        match self.trial.game.sides()[self.seen.side.index()] {
            "first" => "the first side",
            "second" => "the second side",
            name => name,
        }
    }

    /// `when it was asked for its third turn`, as it were.
    fn when(&self) -> String {
        match self.seen.stage {
            Stage::Starting => "while it was starting".to_owned(),
            Stage::Turn(1) => format!("when it was asked for its first turn, as {}", self.side()),
            Stage::Turn(number) => format!("when it was asked for its turn {number}, as {}", self.side()),
        }
    }

    fn timeout(&self, evidence: &str) -> Explanation {
        let Some(asked) = &self.seen.asked else {
            return Explanation { happened: vec![evidence.to_owned()], ..Explanation::default() };
        };
        let waited = words::seconds(asked.wall);
        let first = if asked.answered {
            let allowed = asked.patience.map_or(String::new(), |time| format!("; {} were allowed", plain(time)));
            format!("Its answer came after {waited}{allowed}. That was {}.", self.when())
        } else if evidence.starts_with("it ") {
            format!("Within {waited} {evidence}. That was {}.", self.when().replace("when it was asked", "asked"))
        } else {
            format!("It sent nothing for {waited} {}.", self.when())
        };
        let busy = busy(asked);
        let thought = asked.cpu.map_or(String::new(), words::seconds);
        let second = match busy {
            Some(true) => {
                format!("It was computing meanwhile ({thought} of processor time): it thinks too long.")
            }
            Some(false) => {
                format!("It was not computing meanwhile ({thought} of processor time), but waiting for something.")
            }
            None => "Either it thinks too long, or it waits for something.".to_owned(),
        };
        let mut remedies = Vec::new();
        let total = self.total_clock();
        if total.is_some() {
            remedies
                .push("Let it think less when little time is left: what it is told is for the whole match.".to_owned());
        }
        let place = waiting::place(self.stderr).filter(|_| busy != Some(true) && !asked.answered);
        if let Some(place) = &place {
            let sent = self.protocol().advice.input;
            remedies.push(format!("Look at {place}: there it waits for a line that does not come. {sent}"));
        }
        if busy != Some(true) && !asked.answered {
            remedies.extend(self.waiting_remedies());
        }
        if busy != Some(false) || asked.answered {
            let look = "Look at the clock inside the search, not only between turns, and answer with the best turn \
                        found so far.";
            remedies.push(look.to_owned());
        }
        Explanation {
            happened: vec![format!("{first} {second}{}", total.unwrap_or_default())],
            remedies,
            ..Explanation::default()
        }
    }

    /// Where the time went, if most of the clock was gone before the turn that came too late.
    fn total_clock(&self) -> Option<String> {
        let Budget::Clocks { .. } = self.seen.announced else { return None };
        let (turns, used, official) = (self.seen.turns, self.seen.used, self.seen.official);
        (turns > 0 && used * 2 > official).then(|| {
            let (mean, number) = (used / u32::try_from(turns).unwrap_or(u32::MAX), self.seen.turns + 1);
            format!(" Its {} ran out at turn {number}: it took {} a turn.", plain(official), words::seconds(mean))
        })
    }

    /// Why a bot may wait that should answer.
    fn waiting_remedies(&self) -> Vec<String> {
        let flush = format!(
            "Did it answer without flushing? Text for a pipe stays in a buffer until the program says that it is to \
             be sent: {}.",
            flush_advice(self.language())
        );
        let mut remedies =
            vec![flush, "Does the answer end with a line break? Without one it is not complete.".to_owned()];
        remedies.push(self.protocol().advice.waiting.to_owned());
        remedies
    }

    fn illegal(&self, turn: &str, rule: &str) -> Explanation {
        let Some(Asked { position, opponent, .. }) = &self.seen.asked else {
            return Explanation { happened: vec![rule.to_owned()], ..Explanation::default() };
        };
        let texts: Vec<String> = (0..SAMPLE).filter_map(|seed| position.random_turn(&mut Random::new(seed))).collect();
        let (sent, number) = (quote(turn), step(self.seen.stage));
        let happened = format!("As {}, for its {number}, it sent {sent}. That is not allowed: {rule}.", self.side());
        let setup = &self.trial.setup;
        let board = terminal::compact(position.picture(), self.trial.style, WIDTH);
        let picture = format!(
            "  The position in which it was asked ({} to move):\n\n{board}\n  Some turns that are legal here: {}\n",
            self.side(),
            examples(&texts).join(" | ")
        );
        let doubtful = self.seen.stage == Stage::Turn(1) || !looks_like_a_turn(turn, &texts);
        let other = if doubtful { other_game(self.trial.game, turn) } else { None };
        let mut remedies: Vec<String> = other.iter().cloned().collect();
        let chatter = other.is_none() && !looks_like_a_turn(turn, &texts);
        // Where turns do not come through stdout, nothing that was printed is taken for one.
        if let Output::Stdout(rule) = self.protocol().advice.output
            && chatter
        {
            remedies.push(format!(
                "If {sent} was not meant as a turn: {rule} Send debugging output to stderr: {}.",
                stderr_advice(self.language())
            ));
        }
        remedies.extend(other.is_none().then(|| self.doubt(turn, rule, &**position, opponent.as_deref())));
        let command = format!(
            "agon moves {} --variant {} --rules {} --position '{}'",
            setup.game.name(),
            setup.variant,
            setup.rules,
            position.text()
        );
        let command = Some((command, "every turn that is legal there"));
        Explanation { happened: vec![happened], picture: Some(picture), remedies, command }
    }

    /// What is most likely wrong with a bot whose turn was refused: the rule says it, unless the text was no turn of this board.
    fn doubt(&self, turn: &str, rule: &str, position: &dyn AnyPosition, opponent: Option<&str>) -> String {
        if let Some((_, remedy)) = self.protocol().advice.no_turn.filter(|(text, _)| *text == turn) {
            return remedy.to_owned();
        }
        let refused = position.boxed().play(turn).err();
        // Where a protocol has an answer of its own for what is no turn, its words say what is wrong.
        let unreadable = refused.is_some_and(|error| error.is_unreadable() && error.to_string() == rule);
        let mistakes = "rows and columns swapped, counting from the wrong end, or from 1 instead of 0";
        match opponent {
            None if !unreadable => format!("Do not send such a turn: {rule}."),
            Some(last) if !unreadable => format!(
                "Do not send such a turn: {rule}. If the bot knows that rule, it takes the position for another: let it print \
                 its board to stderr and compare; the opponent's last turn was {last}."
            ),
            Some(last) => format!(
                "Let the bot print to stderr what it takes the position to be, and compare: the opponent's last turn \
                 was {last}. \
                 Common mistakes: that turn was read wrongly or not at all; {mistakes}."
            ),
            None => format!("Compare with the picture and the legal turns. Common mistakes: {mistakes}."),
        }
    }

    fn crash(&self, evidence: &str) -> Explanation {
        let crash = crash::read(evidence, self.stderr);
        let mut happened = vec![match evidence.strip_prefix("raised an exception: ") {
            Some(error) => format!("It raised an exception {}: {error}.", self.when()),
            None => format!("It ended {}: it {}.", self.when(), crash.ending),
        }];
        happened.extend(crash.last_words.map(|words| format!("Its last words on stderr: {words}")));
        let ended = waiting::is_end_of_input(self.stderr) || waiting::is_end_of_input(evidence);
        let remedies = if ended { vec![self.end_of_input()] } else { crash.remedies };
        Explanation { happened, remedies, ..Explanation::default() }
    }

    /// Its input was at its end although the match was not over.
    fn end_of_input(&self) -> String {
        let Advice { input, output, .. } = &self.protocol().advice;
        let place = waiting::place(self.stderr).map_or(String::new(), |place| format!(" ({place})"));
        let own = match output {
            Output::Driver | Output::Connection => "",
            Output::Stdout(_) => {
                " Or has its input been taken away? A script must start it in the foreground: without `&`, and without `<`."
            }
        };
        format!("{input} It ended because there was no more to read{place}.{own}")
    }

    fn silent_exit(&self) -> Explanation {
        let happened = format!("It ended, as if all were well, {}. The match was not over.", self.when());
        let goes_on = self.protocol().advice.until;
        let mut first = missing::remedies(self.stderr);
        if waiting::is_end_of_input(self.stderr) {
            first.push(self.end_of_input());
        }
        let explanation = Explanation {
            happened: vec![happened],
            remedies: vec![
                goes_on.to_owned(),
                "Does it catch an error and exit? Print the error to stderr before exiting, so that it is seen here."
                    .to_owned(),
            ],
            ..Explanation::default()
        };
        with_first(first, explanation)
    }

    fn would_not_start(&self, evidence: &str) -> Explanation {
        if let Some(games) = evidence.strip_prefix(ITS_GAME) {
            let its = games.split('\'').nth(1).and_then(|name| agon_all::find(name).ok());
            let remedy = match its {
                Some(its) => format!("Check it with --game {}: it says that it is a bot for that game.", its.name()),
                None => format!("Hand in a bot for {}.", self.trial.game.name()),
            };
            let happened = vec![format!("It was not ready for the match: {evidence}.")];
            return Explanation { happened, remedies: vec![remedy], ..Explanation::default() };
        }
        let mut happened = vec![format!("It was not ready for the match: {evidence}.")];
        let mut remedies = missing::remedies(&format!("{evidence}\n{}", self.stderr));
        if evidence.starts_with("exited") || evidence.starts_with("ended") {
            let crash = crash::read(evidence, self.stderr);
            happened = vec![format!("It ended before it was ready for the match: it {}.", crash.ending)];
            happened.extend(crash.last_words.map(|words| format!("Its last words on stderr: {words}")));
            if remedies.is_empty() {
                remedies = crash.remedies;
            }
        } else if evidence.starts_with("cannot start") {
            remedies.push(
                "Is the program there, built, and executable (chmod +x)? The names in its run command are \
                           relative to its folder."
                    .to_owned(),
            );
        }
        if let Some(greeting) = self.protocol().advice.greeting {
            remedies.push(format!("{greeting}: {}.", flush_advice(self.language())));
            let originals = self.trial.game.protocols();
            if let Some(usual) = originals.first() {
                let names: Vec<&str> = originals.iter().map(|protocol| protocol.name).collect();
                remedies.push(format!(
                    "If the bot was written for another protocol ({}), say so: protocol = \"{usual}\" in its \
                     bot.toml, or \
                     cmd:COMMAND;proto={usual}.",
                    names.join(", ")
                ));
            }
        }
        if remedies.is_empty() {
            remedies
                .push("Start it by hand, with its own run command in its own folder, and see what it says.".to_owned());
        }
        Explanation { happened, remedies, ..Explanation::default() }
    }

    fn closed_output(&self) -> Explanation {
        Explanation {
            happened: vec![format!("It closed its stdout {}, but went on running.", self.when())],
            remedies: vec![
                "Stdout must stay open until the match is over: look for a close of it, or for a `with` block that \
                 closes it."
                    .to_owned(),
                "Is the bot started in the background (with `&`) by a script? It must run in the \
                 foreground."
                    .to_owned(),
            ],
            ..Explanation::default()
        }
    }

    fn flood(&self, evidence: &str) -> Explanation {
        Explanation {
            happened: vec![format!("It wrote too much to stdout {}: {evidence}.", self.when())],
            remedies: vec![
                format!(
                    "Is there a loop that prints and does not end? Debugging output belongs on stderr: {}.",
                    stderr_advice(self.language())
                ),
                "Does it ignore the end of its input, and answer nothing again and again?".to_owned(),
            ],
            ..Explanation::default()
        }
    }

    fn violation(&self, evidence: &str) -> Explanation {
        let remedy = if evidence.contains("double quotes") || evidence.contains("bestmove without") {
            "In UGI, a turn with blanks in it is written in double quotes: bestmove \"1 2\".".to_owned()
        } else if evidence.contains("not asked for") {
            "Send one answer to each question, and none before the question comes.".to_owned()
        } else if evidence.contains("UTF-8") || evidence.contains("control characters") {
            "Only plain text belongs on stdout: no colours, no binary data. Is a number printed as a character \
             somewhere?"
                .to_owned()
        } else {
            "Compare the transcript with the description of the protocol: something was said that does not belong \
             there."
                .to_owned()
        };
        Explanation {
            happened: vec![format!("It broke the '{}' protocol {}: {evidence}.", self.protocol(), self.when())],
            remedies: vec![remedy],
            ..Explanation::default()
        }
    }

    fn out_of_memory(&self, evidence: &str) -> Explanation {
        Explanation {
            happened: vec![format!("It used more memory than allowed {}: {evidence}.", self.when())],
            remedies: vec![
                "Give every table a fixed size, and look for lists that only ever grow (visited positions, old \
                 search trees)."
                    .to_owned(),
            ],
            ..Explanation::default()
        }
    }

    fn over_limit(&self, evidence: &str) -> Explanation {
        Explanation {
            happened: vec![format!("It used more than allowed {}: {evidence}.", self.when())],
            remedies: vec![
                "Write only small files, wait for the programs that it starts, and think in one thread.".to_owned(),
            ],
            ..Explanation::default()
        }
    }
}

/// Whether a bot was thinking or waiting, if that can be told: on a busy machine a bot that thinks gets little
/// processor time, and
/// one whose first thread only waits for others may be thinking all the same.
pub(crate) fn busy(asked: &Asked) -> Option<bool> {
    let (cpu, running) = (asked.cpu?, asked.running?);
    if cpu > asked.wall / 2 || running > 0.5 {
        Some(true)
    } else if cpu < asked.wall / 5 && running < 0.25 {
        Some(false)
    } else {
        None
    }
}
