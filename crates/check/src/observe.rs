//! A bot under observation: it plays as it would, and everything that it does is noted.

use agon_referee::words;
use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use agon_rules::{AnyPosition, Side};
use agon_sandbox::Process;
use agon_wire::{Ask, Bot, BotFailure, BotLimits, BotProcess, Budget, GameSetup, HostError, Reply};

use crate::{
    pace::{Pace, plain},
    processes,
    report::Report,
};

/// How often to count threads while a bot thinks.
const GLANCE: Duration = Duration::from_millis(100);
/// How often a long match says how far it has come. None at a short clock takes so long.
const PROGRESS: Duration = Duration::from_secs(30);
/// Stray lines that are kept.
const MOST_STRAY: usize = 5;

/// How far a match has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// The bot is started and, where the protocol has it, greeted.
    Starting,
    /// It was asked for its turn with this number, counted from 1.
    Turn(usize),
}

/// The last thing that the bot was asked.
pub(crate) struct Asked {
    pub(crate) position: Box<dyn AnyPosition>,
    /// The turn that the opponent made before.
    pub(crate) opponent: Option<String>,
    /// How long it took to answer, or not to.
    pub(crate) wall: Duration,
    /// Processor time that it used meanwhile.
    pub(crate) cpu: Option<Duration>,
    /// How often it was seen computing, of all the times that somebody looked: from 0 to 1.
    pub(crate) running: Option<f64>,
    /// How long it was waited for.
    pub(crate) patience: Option<Duration>,
    /// Whether it answered.
    pub(crate) answered: bool,
}

/// What was seen of a bot in one match.
pub(crate) struct Seen {
    pub(crate) side: Side,
    pub(crate) stage: Stage,
    /// What it was told about its time at the beginning.
    pub(crate) announced: Budget,
    /// What it officially has: for a turn, where it has so much for each, or else for the match.
    pub(crate) official: Duration,
    /// The clock that it was written for, if that is another one than it was given. Nothing was played then.
    pub(crate) other_clock: Option<Pace>,
    pub(crate) asked: Option<Asked>,
    /// Thinking time of all turns together.
    pub(crate) used: Duration,
    /// How many turns it made.
    pub(crate) turns: usize,
    /// How long the last one took, and the one before.
    pub(crate) last_two: [Duration; 2],
    /// The longest turn, and its number.
    pub(crate) slowest: (Duration, usize),
    /// The turn on which it used the most processor time for each second that passed: both, and its number.
    pub(crate) busiest: Option<(Duration, Duration, usize)>,
    /// The process with the most threads.
    pub(crate) most_threads: Option<Process>,
    pub(crate) stray: Vec<String>,
    /// The most that it wrote to stderr in one turn, in bytes.
    pub(crate) most_stderr: usize,
    /// Whether it went on after the end and had to be killed.
    pub(crate) lingered: bool,
}

impl Seen {
    fn new(side: Side) -> Seen {
        Seen {
            side,
            stage: Stage::Starting,
            announced: Budget::Unlimited,
            official: Duration::MAX,
            other_clock: None,
            asked: None,
            used: Duration::ZERO,
            turns: 0,
            last_two: [Duration::ZERO; 2],
            slowest: (Duration::ZERO, 0),
            busiest: None,
            most_threads: None,
            stray: Vec::new(),
            most_stderr: 0,
            lingered: false,
        }
    }

    /// What it was told about its time at the beginning, in words.
    pub(crate) fn announced_words(&self) -> String {
        let told = match self.announced {
            Budget::Clocks { left, .. } => left[self.side],
            Budget::Turn(time) => time,
            Budget::Nodes(_) | Budget::Depth(_) | Budget::Unlimited => Duration::MAX,
        };
        self.clock_words(told)
    }

    /// The official clock in words.
    pub(crate) fn official_words(&self) -> String {
        self.clock_words(self.official)
    }

    fn clock_words(&self, time: Duration) -> String {
        match self.announced {
            Budget::Clocks { .. } => format!("{} for the whole match", plain(time)),
            Budget::Turn(_) => format!("{} a turn", plain(time)),
            Budget::Nodes(_) | Budget::Depth(_) | Budget::Unlimited => "no clock".to_owned(),
        }
    }

    fn count_threads(&mut self, process: Option<Process>) {
        let most = |known: &Option<Process>| known.as_ref().map_or(0, |process| process.threads);
        if most(&process) > most(&self.most_threads) {
            self.most_threads = process;
        }
    }

    fn add_turn(&mut self, number: usize, reply: &Reply, cpu: Option<Duration>) {
        self.used += reply.wall;
        (self.turns, self.last_two) = (number, [reply.wall, self.last_two[0]]);
        self.slowest = self.slowest.max((reply.wall, number));
        let share = |cpu: Duration, wall: Duration| cpu.as_secs_f64() / wall.as_secs_f64().max(1e-3);
        if let Some(cpu) = cpu
            && self.busiest.is_none_or(|(most, wall, _)| share(cpu, reply.wall) > share(most, wall))
            && reply.wall > GLANCE
        {
            self.busiest = Some((cpu, reply.wall, number));
        }
        for line in &reply.stray {
            if self.stray.len() < MOST_STRAY && !self.stray.contains(line) {
                self.stray.push(line.clone());
            }
        }
        self.most_stderr = self.most_stderr.max(reply.stderr.len());
    }
}

/// A bot and its observer.
pub(crate) struct Observed<'a> {
    bot: Box<dyn Bot>,
    pace: Pace,
    report: &'a mut Report,
    match_label: String,
    /// When something was last said about how far the match has come.
    progress: Instant,
    pub(crate) seen: Seen,
}

impl<'a> Observed<'a> {
    /// Steps are reported as they happen; `match_label` is what the report calls the match.
    pub(crate) fn new(
        bot: Box<dyn Bot>,
        side: Side,
        pace: Pace,
        report: &'a mut Report,
        match_label: String,
    ) -> Observed<'a> {
        Observed { bot, pace, report, match_label, progress: Instant::now(), seen: Seen::new(side) }
    }

    /// Asks the bot while a second thread watches its processes. Gives how often it was seen computing, too.
    fn ask(&mut self, ask: &Ask<'_>) -> (Result<Reply, BotFailure>, Option<f64>) {
        let (finished, waiting) = mpsc::channel::<()>();
        let bot = &mut self.bot;
        let (answer, glances) = thread::scope(|scope| {
            let watcher = scope.spawn(move || watch(&waiting));
            let answer = bot.turn(ask);
            drop(finished);
            (answer, watcher.join().unwrap_or_default())
        });
        self.seen.count_threads(glances.most_threads);
        (answer, (glances.seen > 0).then(|| f64::from(glances.running) / f64::from(glances.seen)))
    }

    /// Reports the first turn as soon as it is known to be good; the referee says what is wrong with a bad one.
    fn report_first(&mut self, ask: &Ask<'_>, reply: &Reply) {
        let in_time = ask.patience.is_none_or(|patience| reply.wall <= patience);
        if in_time && ask.position.boxed().play(&reply.turn).is_ok() {
            let to = ask.turns.last().map(|turn| format!(", the answer to {turn}")).unwrap_or_default();
            self.report.end(&format!("ok: {}{to}, after {}", reply.turn, words::seconds(reply.wall)));
            self.report.begin(&self.match_label);
        }
    }
}

impl Observed<'_> {
    /// At the official clock a match may take minutes.
    fn report_progress(&mut self, number: usize) {
        if self.progress.elapsed() >= PROGRESS {
            self.progress = Instant::now();
            self.report.end(&format!("turn {number}, {} used", words::seconds(self.seen.used)));
            self.report.begin(&self.match_label);
        }
    }
}

/// What was seen of the processes of a bot during a turn.
#[derive(Default)]
struct Glances {
    /// The process with the most threads at any moment.
    most_threads: Option<Process>,
    /// How often there were any.
    seen: u32,
    /// How often one of them was computing.
    running: u32,
}

/// Looks at the bot's processes until the other end of `waiting` is gone.
fn watch(waiting: &mpsc::Receiver<()>) -> Glances {
    let mut glances = Glances::default();
    loop {
        let gone = !matches!(waiting.recv_timeout(GLANCE), Err(mpsc::RecvTimeoutError::Timeout));
        let processes = processes::descendants();
        glances.seen += u32::from(!processes.is_empty());
        glances.running += u32::from(processes.iter().any(|process| process.running));
        glances.most_threads = processes.into_iter().chain(glances.most_threads).max_by_key(|process| process.threads);
        if gone {
            return glances;
        }
    }
}

impl Bot for Observed<'_> {
    fn name(&self) -> String {
        self.bot.name()
    }

    fn begin(&mut self, setup: &GameSetup, side: Side, budget: Budget) -> Result<(), BotFailure> {
        self.seen.announced = self.pace.announced(budget, side, Duration::ZERO);
        match budget {
            Budget::Turn(time) => self.seen.official = time,
            Budget::Clocks { left, .. } => self.seen.official = left[side],
            Budget::Nodes(_) | Budget::Depth(_) | Budget::Unlimited => {}
        }
        self.report.begin(&format!("starting, as {}", setup.game.sides()[side.index()]));
        self.bot.begin(setup, side, self.seen.announced)?;
        self.seen.other_clock = self.bot.clock().and_then(|clock| self.pace.for_a_bot_of(clock));
        if self.seen.other_clock.is_some() {
            self.report.end("ok, and once more: it was written for another kind of clock");
            return Err(HostError("the bot was written for another kind of clock".to_owned()).into());
        }
        self.report.end("ok");
        if side == Side::First {
            self.report.step("clock", &self.pace.words(self.seen.announced, budget));
        }
        Ok(())
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let number = match self.seen.stage {
            Stage::Turn(number) => number + 1,
            Stage::Starting => 1,
        };
        self.seen.stage = Stage::Turn(number);
        if number == 1 {
            self.report.begin("first turn");
        }
        let budget = self.pace.announced(ask.budget, ask.side, self.seen.used);
        let ask = Ask { budget, patience: self.pace.patience(ask.patience), ..*ask };
        let (cpu_before, start) = (processes::cpu_time(), Instant::now());
        let (answer, running) = self.ask(&ask);
        let waited = start.elapsed();
        let cpu = cpu_before.zip(processes::cpu_time()).map(|(before, after)| after.saturating_sub(before));
        let cpu = answer.as_ref().ok().and_then(|reply| reply.cpu).max(cpu);
        self.seen.asked = Some(Asked {
            position: ask.position.boxed(),
            opponent: ask.turns.last().cloned(),
            wall: answer.as_ref().map_or(waited, |reply| reply.wall),
            cpu,
            running,
            patience: ask.patience,
            answered: answer.is_ok(),
        });
        let reply = answer?;
        self.seen.add_turn(number, &reply, cpu);
        if number == 1 {
            self.report_first(&ask, &reply);
        }
        self.report_progress(number);
        Ok(reply)
    }

    fn process(&mut self) -> Option<&mut BotProcess> {
        self.bot.process()
    }

    fn end(&mut self) -> String {
        let start = Instant::now();
        let noise = self.bot.end();
        // The launcher waits exactly so long for a bot that does not go.
        self.seen.lingered = start.elapsed() >= BotLimits::default().quit;
        self.seen.most_stderr = self.seen.most_stderr.max(noise.len());
        noise
    }
}
