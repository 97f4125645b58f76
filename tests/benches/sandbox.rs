//! What the sandbox costs: starting a bot, a turn, and matches a second, at every level that this host offers, beside a plain process.
//!
//! `cargo bench -p agon-cli --bench sandbox` prints the table; `-- --save FILE` also writes it.

#[path = "matches.rs"]
mod matches;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use agon_referee::play_match;
use agon_sandbox::{Host, Level};
use agon_wire::{BotCommand, BotProcess, Launcher, Program, Reach, UgiBot};
use matches::{Stopwatch, quantile, show, spec};

const AGON: &str = env!("CARGO_BIN_EXE_agon");
/// Starts of each kind.
const STARTS: usize = 200;
/// Matches of each kind.
const MATCHES: usize = 40;

/// A bot that plays at once, and a way to start it.
struct Way {
    name: &'static str,
    launcher: Arc<dyn Launcher>,
    starts: Vec<Duration>,
    ends: Vec<Duration>,
    turns: Vec<Duration>,
    matches: Duration,
}

fn main() {
    agon_sandbox::set_warden(PathBuf::from(AGON));
    let mut ways: Vec<Way> = Host::get().levels().into_iter().map(Way::new).collect();
    // Turn by turn about, so that a slow moment of the machine hits all alike.
    for _ in 0..STARTS {
        ways.iter_mut().for_each(Way::start);
    }
    for _ in 0..MATCHES {
        ways.iter_mut().for_each(Way::play);
    }
    let text = table(&mut ways);
    show(&text);
}

impl Way {
    fn new(level: Level) -> Way {
        let containment = agon_entrants::Containment::of(level).unwrap_or_else(|problem| panic!("{problem}"));
        let launcher = containment.launcher(None);
        let (starts, ends, turns) = (Vec::new(), Vec::new(), Vec::new());
        Way { name: level.name(), launcher, starts, ends, turns, matches: Duration::ZERO }
    }

    /// Starts a program that says a word, until the word is there; and ends it.
    fn start(&mut self) {
        let command = BotCommand {
            program: "sh".to_owned(),
            arguments: vec!["-c".to_owned(), "echo ready; exec cat".to_owned()],
            folder: Some(PathBuf::from("/usr/share/doc")),
            shown: Some(Vec::new()),
            ..BotCommand::default()
        };
        let begun = Instant::now();
        let mut process: BotProcess = self.launcher.launch(&command).expect("it starts");
        assert_eq!(process.next_line(None, "a word").as_deref(), Ok("ready"));
        self.starts.push(begun.elapsed());
        let begun = Instant::now();
        process.kill();
        self.ends.push(begun.elapsed());
    }

    /// Plays a match between two processes that answer at once.
    fn play(&mut self) {
        let mut watch = Stopwatch::default();
        let begun = Instant::now();
        play_match(&spec(), &mut self.bot(), &mut self.bot(), &mut watch).expect("a match");
        self.matches += begun.elapsed();
        self.turns.extend(watch.turns);
    }

    fn bot(&self) -> UgiBot {
        let folder = Path::new(AGON).parent().map(Path::to_owned);
        let command = BotCommand {
            program: AGON.to_owned(),
            arguments: vec!["bot".to_owned(), "connectx".to_owned()],
            folder,
            worker: Some(0),
            shown: Some(Vec::new()),
            ..BotCommand::default()
        };
        UgiBot::new(Program {
            name: "neighbour".to_owned(),
            reach: Reach::Start(command),
            options: BTreeMap::new(),
            launcher: Arc::clone(&self.launcher),
        })
    }
}

fn table(ways: &mut [Way]) -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut text = "# Cost of the sandbox\n\n".to_owned();
    text += &format!("{cores} cores; load average at the end {}.\n", load.split(' ').next().unwrap_or("unknown"));
    text += &format!(
        "{STARTS} starts of a shell at each level, until its first word has come; {MATCHES} matches between two UGI processes that answer at once \
         and share a core, {} turns; all levels in turn.\n\n",
        ways.first().map_or(0, |way| way.turns.len())
    );
    text += "| level | start, median | over `none` | 90th percentile | end, median | turn, median | ratio | matches a second on one core |\n";
    text += "|---|---|---|---|---|---|---|---|\n";
    let ms = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
    let mut plain = None;
    for way in ways {
        let (start, turn) = (quantile(&mut way.starts, 0.5), quantile(&mut way.turns, 0.5));
        let (plain_start, plain_turn) = *plain.get_or_insert((start, turn));
        text += &format!(
            "| `{}` | {} | {} | {} | {} | {:.0} µs | {:.2} | {:.1} |\n",
            way.name,
            ms(start),
            ms(start.saturating_sub(plain_start)),
            ms(quantile(&mut way.starts, 0.9)),
            ms(quantile(&mut way.ends, 0.5)),
            turn.as_secs_f64() * 1e6,
            turn.as_secs_f64() / plain_turn.as_secs_f64(),
            MATCHES as f64 / way.matches.as_secs_f64(),
        );
    }
    text + "\nGoals: a start less than 15 ms over `none`, no more for a turn, at least 10 matches a second.\n"
}
