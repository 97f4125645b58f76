//! Starting bots.

use std::{
    collections::BTreeMap,
    io,
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use rustix::{
    process::Pid,
    thread::{CpuSet, sched_setaffinity},
};

use crate::{
    bot::{BotFailure, Fault, HostError},
    process::{BotProcess, Limits},
    transcript::Transcript,
};

/// A program with its arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BotCommand {
    /// The program: a name to look up, or a path.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder to start it in.
    pub folder: Option<PathBuf>,
    /// Environment variables besides those that this program has.
    pub environment: BTreeMap<String, String>,
    /// The core to run it on.
    pub core: Option<usize>,
}

/// Starts bots. The plain one trusts them; a sandbox does not.
pub trait Launcher: Send + Sync {
    /// Starts a bot with pipes to its stdin, stdout and stderr.
    fn launch(&self, command: &BotCommand) -> Result<BotProcess, BotFailure>;

    /// What records say about how well bots were contained.
    fn level(&self) -> &'static str;

    /// Where everything that is said to the bots and by them is written down, if anywhere.
    fn transcript(&self) -> Option<Transcript> {
        None
    }
}

/// Starts bots as ordinary processes, each the leader of a process group of its own.
#[derive(Clone, Debug, Default)]
pub struct PlainLauncher {
    /// How much output is too much.
    pub limits: Limits,
    /// Where to write down what is said.
    pub transcript: Option<Transcript>,
}

impl Launcher for PlainLauncher {
    fn launch(&self, command: &BotCommand) -> Result<BotProcess, BotFailure> {
        let mut starter = Command::new(&command.program);
        starter.args(&command.arguments).envs(&command.environment);
        starter.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: the bot's children end with it, and a Ctrl-C in our terminal does not reach it.
        starter.process_group(0);
        if let Some(folder) = &command.folder {
            starter.current_dir(folder);
        }
        let mut child = starter.spawn().map_err(|error| start_failure(command, &error))?;
        if let Some(core) = command.core {
            pin(&child, core);
        }
        BotProcess::new(&mut child, self.limits)
            .map(|pipes| pipes.with_child(child).with_transcript(self.transcript.clone()))
            .map_err(|error| HostError(format!("cannot prepare the pipes of a bot: {error}")).into())
    }

    fn level(&self) -> &'static str {
        "none"
    }

    fn transcript(&self) -> Option<Transcript> {
        self.transcript.clone()
    }
}

/// A missing or unfit program is the bot's fault; anything else is ours.
fn start_failure(command: &BotCommand, error: &io::Error) -> BotFailure {
    let what = format!("cannot start '{}': {error}", command.program);
    match error.kind() {
        io::ErrorKind::NotFound if command.folder.as_ref().is_some_and(|folder| !folder.is_dir()) => {
            let folder = command.folder.clone().unwrap_or_default();
            HostError(format!("the folder {} is missing", folder.display())).into()
        }
        io::ErrorKind::NotFound
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::PermissionDenied
        | io::ErrorKind::ExecutableFileBusy => Fault::WouldNotStart(what).into(),
        // An executable of another kind or architecture.
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            Fault::WouldNotStart(what).into()
        }
        _ => HostError(what).into(),
    }
}

/// Binds a process to a core. A host that does not allow it runs the bot wherever it likes.
fn pin(child: &Child, core: usize) {
    let mut cores = CpuSet::new();
    cores.set(core);
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = sched_setaffinity(Some(pid), &cores);
    }
}
