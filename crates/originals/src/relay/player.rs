//! Who makes a client's turns: a program that writes them line by line, or a person who types them.

use std::{
    ffi::OsStr,
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

use agon_rules::quote;
use rustix::{
    io::ioctl_fionbio,
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid},
};

/// No turn is longer.
const LONGEST_LINE: u64 = 64 << 10;
/// So many lines may wait; a program that writes more has to wait itself.
const MOST_LINES: usize = 64;
/// How long a program may take to go when it is asked to; then it is killed.
const QUIT: Duration = Duration::from_millis(300);

/// How a bot's file is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Starter {
    /// What to run, in order of preference.
    programs: Vec<String>,
    arguments: Vec<String>,
}

/// A bot's file that cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It cannot be read.
    #[error("cannot read the bot's file {0}: {1}")]
    Unreadable(String, #[source] io::Error),
    /// It is a folder, say.
    #[error("expected a bot's file, {0} is none")]
    NoFile(String),
    /// Nothing says how it is started.
    #[error("expected a bot's file that ends in .py or .sh, or can be executed, found {0}")]
    NoProgram(String),
}

impl Starter {
    /// As the originals do: Python for `.py`, a shell for `.sh` and `.o`. What can be executed needs neither.
    ///
    /// # Errors
    /// If it is no file that can be started.
    pub fn of(file: &str) -> Result<Starter, StartError> {
        let path = Path::new(file);
        let facts = fs::metadata(path).map_err(|error| StartError::Unreadable(quote(file), error))?;
        if !facts.is_file() {
            return Err(StartError::NoFile(quote(file)));
        }
        let with = |programs: &[&str]| Starter {
            programs: programs.iter().map(|&program| program.to_owned()).collect(),
            arguments: vec![file.to_owned()],
        };
        match path.extension().and_then(OsStr::to_str) {
            Some("py") => Ok(with(&["python", "python3"])),
            Some("sh" | "o") => Ok(with(&["sh"])),
            _ if facts.permissions().mode() & 0o111 != 0 => {
                let program = if file.contains('/') { file.to_owned() } else { format!("./{file}") };
                Ok(Starter { programs: vec![program], arguments: Vec::new() })
            }
            _ => Err(StartError::NoProgram(quote(file))),
        }
    }

    /// Starts it here, in a process group of its own. Its stderr is ours.
    pub fn start(&self) -> io::Result<Player> {
        let mut result = Err(io::Error::other("nothing to start"));
        for program in &self.programs {
            let mut command = Command::new(program);
            command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
            result = command.spawn();
            if !matches!(&result, Err(error) if error.kind() == io::ErrorKind::NotFound) {
                break;
            }
        }
        let mut child = result?;
        let missing = || io::Error::other("the bot has no pipes");
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stdin = child.stdin.take().ok_or_else(missing)?;
        // A bot that never reads must not hold us up.
        ioctl_fionbio(&stdin, true)?;
        Ok(Player { lines: listen(BufReader::new(stdout)), bot: Some(Bot { child, stdin: Some(stdin) }) })
    }
}

/// What came of waiting for a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// A line without its end.
    Line(String),
    /// Something that is no line of text, and why.
    Unreadable(String),
    /// Nothing yet.
    Nothing,
    /// Nothing more will come.
    End,
}

/// Who makes the turns.
pub struct Player {
    lines: Receiver<Result<String, String>>,
    bot: Option<Bot>,
}

struct Bot {
    child: Child,
    stdin: Option<ChildStdin>,
}

impl Player {
    /// A person who types turns.
    pub fn person(input: impl Read + Send + 'static) -> Player {
        Player { lines: listen(BufReader::new(input)), bot: None }
    }

    pub(super) fn is_person(&self) -> bool {
        self.bot.is_none()
    }

    /// Tells a bot a line. One that does not listen is judged by what it answers.
    pub(super) fn tell(&mut self, line: &str) {
        if let Some(bot) = &mut self.bot
            && let Some(stdin) = &mut bot.stdin
            && stdin.write_all(format!("{line}\n").as_bytes()).is_err()
        {
            bot.stdin = None;
        }
    }

    /// Waits for a line until `deadline`.
    pub(super) fn next_line(&mut self, deadline: Instant) -> Heard {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(line)) => Heard::Line(line),
            Ok(Err(problem)) => Heard::Unreadable(problem),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Ends the bot and everything in its process group.
    pub(super) fn stop(&mut self) {
        let Some(mut bot) = self.bot.take() else { return };
        bot.stdin = None;
        if let Some(group) = i32::try_from(bot.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::TERM);
            let deadline = Instant::now() + QUIT;
            // It is only looked at, not buried: its number must not become free before the whole group is killed.
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(group), look), Ok(None)) && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(2));
            }
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = bot.child.wait();
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reads lines in a thread of their own, as they come. The thread ends with its input, or when nobody takes its lines.
fn listen(input: impl BufRead + Send + 'static) -> Receiver<Result<String, String>> {
    let (sender, receiver) = sync_channel(MOST_LINES);
    thread::spawn(move || read_lines(input, &sender));
    receiver
}

fn read_lines(mut input: impl BufRead, sender: &SyncSender<Result<String, String>>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let too_long = line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n");
        let heard = match String::from_utf8(line) {
            _ if too_long => Err(format!("a line of more than {LONGEST_LINE} bytes")),
            Ok(text) => Ok(text.trim_end_matches(['\r', '\n']).to_owned()),
            Err(_) => Err("a line that is not UTF-8 text".to_owned()),
        };
        if sender.send(heard).is_err() || too_long {
            return;
        }
    }
}
