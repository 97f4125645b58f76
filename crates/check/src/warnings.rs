//! What is no fault, but may become one in the official run, or is against a course's rules.

use agon_referee::words;
use std::time::Duration;

use agon_rules::quote;
use agon_wire::{Advice, BotLimits, Budget, Language, Output};

use crate::{
    observe::Seen,
    pace::plain,
    run::{End, MatchSeen, Trial},
};

/// A Java machine has threads of its own: to collect garbage, a few for each core, to compile, to handle signals.
/// On a large
/// machine there are some thirty before a bot has started any; more than this are the bot's.
const JAVA_THREADS: usize = 40;
/// A bot that uses more of its clock than this may lose by it on a busy day.
const MUCH_OF_THE_CLOCK: f64 = 0.8;
/// How much later than it was told a turn may come before it is worth a word: any machine is busy for a moment.
const HICCUP: Duration = Duration::from_millis(100);
/// A turn that takes this part of the one before is no shorter. Whoever divides what is left gets below it before long.
const NO_LESS: f64 = 0.8;
/// Processor time for each second of the wall clock that one core cannot give. Times are measured in hundredths of
/// a second.
const MORE_THAN_ONE_CORE: f64 = 1.3;
/// The same for Java, whose machine compiles and collects garbage on other cores.
const MORE_THAN_ONE_CORE_JAVA: f64 = 2.0;

/// The warnings for a bot's matches, each at most once.
pub(crate) fn warnings(trial: &Trial, matches: &[MatchSeen]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let before = matches.iter().find_map(|each| {
        each.before.as_ref().filter(|_| !matches!(each.end, End::Fault(_))).map(|before| (each, before))
    });
    found.extend(before.map(|(each, (told, fault))| {
        format!(
            "make sure that it also plays when little time is left. It failed when it was told only {told} ({fault}), though not at \
             the official clock ({}).",
            each.seen.official_words()
        )
    }));
    for check in [threads, cores, stray, clock, stderr, lingering] {
        found.extend(matches.iter().find_map(|each| check(trial, &each.seen)));
    }
    found
}

fn is_java(trial: &Trial, seen: &Seen) -> bool {
    trial.entrant.language == Language::Java || seen.most_threads.as_ref().is_some_and(|process| process.name == "java")
}

fn threads(trial: &Trial, seen: &Seen) -> Option<String> {
    let process = seen.most_threads.as_ref()?;
    let (name, threads) = (&process.name, process.threads);
    if is_java(trial, seen) {
        return (threads > JAVA_THREADS).then(|| {
            format!(
                "{threads} threads were seen. Java has some of its own, which are normal, but not so many; the courses \
                 demand bots that think in one thread."
            )
        });
    }
    // The thread of ours that waits for messages while the bot thinks is not the bot's.
    let threads = threads.saturating_sub(trial.entrant.harness_threads);
    (threads > 1).then(|| {
        let python = if name.starts_with("python") || trial.entrant.language == Language::Python {
            " If you start none yourself, a library does: numpy starts one for each core unless OMP_NUM_THREADS=1 is \
             set."
        } else {
            ""
        };
        format!("{threads} threads were seen in '{name}'. The courses demand bots that think in one thread.{python}")
    })
}

fn cores(trial: &Trial, seen: &Seen) -> Option<String> {
    let (cpu, wall, number) = seen.busiest?;
    let limit = if is_java(trial, seen) { MORE_THAN_ONE_CORE_JAVA } else { MORE_THAN_ONE_CORE };
    (cpu.as_secs_f64() > limit * wall.as_secs_f64()).then(|| {
        format!(
            "turn {number} took {}, but used {} of processor time: more than one core was at work. In the official \
             run there \
             is only one, and the bot will be slower.",
            words::seconds(wall),
            words::seconds(cpu)
        )
    })
}

fn stray(trial: &Trial, seen: &Seen) -> Option<String> {
    if seen.stray.is_empty() {
        return None;
    }
    let lines: Vec<String> = seen.stray.iter().map(|line| quote(line)).collect();
    let advice = trial.entrant.protocol.map(|protocol| &protocol.advice);
    let meaning = advice.map_or(Advice::PERHAPS_AN_ANSWER, |advice| advice.chatter);
    let lines = lines.join(", ");
    Some(match advice.map(|advice| advice.output) {
        Some(Output::Connection) => format!("it sent what is no answer: {lines}. {meaning}"),
        _ => format!("it wrote to stdout what is no answer: {lines}. {meaning} Write such things to stderr."),
    })
}

fn clock(trial: &Trial, seen: &Seen) -> Option<String> {
    match seen.announced {
        Budget::Clocks { left, .. } => total_clock(seen, left[seen.side]),
        Budget::Turn(told) => turn_clock(trial, seen, told),
        Budget::Nodes(_) | Budget::Depth(_) | Budget::Unlimited => None,
    }
}

fn total_clock(seen: &Seen, told: Duration) -> Option<String> {
    let ((slowest, number), told_text) = (seen.slowest, plain(told));
    let used = format!("it used {} of the {told_text} that it was told it had", words::seconds(seen.used));
    let slowest = format!("its slowest turn was turn {number} with {}", words::seconds(slowest));
    if let Some(mean) = pace_that_never_changes(seen, told) {
        let last = (seen.official.as_secs_f64() / mean.as_secs_f64()).floor();
        let (mean, official) = (words::seconds(mean), plain(seen.official));
        return Some(format!(
            "let it think less when little time is left: at {mean} a turn, {official} will run out at turn {last}. It does not \
             seem to look at its clock: {used}; {slowest}."
        ));
    }
    (seen.used > told.mul_f64(MUCH_OF_THE_CLOCK))
        .then(|| format!("{used}; {slowest}. Keep a reserve: the official machine may be slower than this one."))
}

/// How long each turn takes of a bot that does not look at its clock: it used up more than it was told, or goes on as if it had
/// much more.
fn pace_that_never_changes(seen: &Seen, told: Duration) -> Option<Duration> {
    let mean = seen.used.checked_div(u32::try_from(seen.turns).ok()?)?;
    let [last, before] = seen.last_two;
    let goes_on = seen.turns >= 3 && mean >= told / 6 && last >= before.mul_f64(NO_LESS);
    (told < seen.official && (seen.used > told || goes_on)).then_some(mean)
}

fn turn_clock(trial: &Trial, seen: &Seen, told: Duration) -> Option<String> {
    let ((slowest, number), official) = (seen.slowest, seen.official);
    let took = format!("its slowest turn was turn {number} with {}", words::seconds(slowest));
    let grace = trial.game.grace(&trial.setup.variant);
    // A bot that waits to be stopped always takes all of it, and has the grace to answer.
    let is_stopped = trial.entrant.protocol.is_some_and(|protocol| protocol.stops_thinking);
    let much =
        if is_stopped { official + grace.mul_f64(MUCH_OF_THE_CLOCK) } else { official.mul_f64(MUCH_OF_THE_CLOCK) };
    if slowest > much {
        let reserve = "Keep a reserve: the official machine may be slower than this one";
        return Some(format!("{took}, and {} are allowed. {reserve}.", plain(official)));
    }
    // Those that are told nothing cannot keep to it.
    let knows = trial.entrant.protocol.is_none_or(|protocol| protocol.tells_turn_time);
    let grace = grace.max(HICCUP);
    (knows && slowest > told + grace).then(|| {
        let danger = format!("if it is late by as much where it is told {}, it loses", plain(official));
        format!("{took}, but it was told that it has {}: {danger}.", plain(told))
    })
}

fn stderr(_plan: &Trial, seen: &Seen) -> Option<String> {
    let kept = BotLimits::default().stderr;
    (seen.most_stderr > kept).then(|| {
        format!(
            "it writes very much to stderr: more than {} KiB in one turn. That takes time, and the rest is thrown \
             away.",
            kept >> 10
        )
    })
}

fn lingering(trial: &Trial, seen: &Seen) -> Option<String> {
    let sign = trial.entrant.protocol?.advice.ends?;
    seen.lingered.then(|| {
        format!(
            "it went on after the end of the match and had to be killed. A bot should end {sign}, and its \
                 children with it."
        )
    })
}
