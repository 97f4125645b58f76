//! Starting bots.

use std::{
    collections::BTreeMap,
    io,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use agon_sandbox::{Home, Jail, Job, StartError};
use rustix::{
    process::Pid,
    thread::{CpuSet, sched_setaffinity},
};

use crate::{
    bot::{BotFailure, Fault, HostError},
    process::{BotProcess, Limits, PlainBody},
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
    /// The port that it is to listen on.
    pub port: Option<u16>,
    /// A program that belongs to its folder is given a copy of it. One that is only started there is shown the folder, and these.
    pub shown: Option<Vec<PathBuf>>,
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
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(HostError("a bot was started without pipes".to_owned()).into());
        };
        let process =
            BotProcess::new([stdin.into(), stdout.into(), stderr.into()], Box::new(PlainBody(child)), self.limits);
        process.map(|process| process.with_transcript(self.transcript.clone())).map_err(|error| no_pipes(&error))
    }

    fn level(&self) -> &'static str {
        "none"
    }

    fn transcript(&self) -> Option<Transcript> {
        self.transcript.clone()
    }
}

fn no_pipes(error: &io::Error) -> BotFailure {
    HostError(format!("cannot prepare the pipes of a bot: {error}")).into()
}

/// Starts bots in jails.
#[derive(Clone, Debug)]
pub struct JailLauncher {
    /// How they are contained.
    pub jail: Jail,
    /// What they may use up.
    pub allowance: agon_sandbox::Limits,
    /// Whether they are stopped while they are not asked.
    pub sleeps: bool,
    /// How much output is too much.
    pub limits: Limits,
    /// Where to write down what is said.
    pub transcript: Option<Transcript>,
}

impl Launcher for JailLauncher {
    fn launch(&self, command: &BotCommand) -> Result<BotProcess, BotFailure> {
        let folder = command.folder.as_deref().unwrap_or(Path::new("."));
        let folder = folder
            .canonicalize()
            .map_err(|error| HostError(format!("cannot find the folder {}: {error}", folder.display())))?;
        let job = Job {
            program: &command.program,
            arguments: &command.arguments,
            environment: &command.environment,
            home: match &command.shown {
                None => Home::Copy(&folder),
                Some(others) => Home::Shown(&folder, others),
            },
            results: None,
            core: command.core,
            port: command.port,
            limits: self.allowance,
        };
        let mut inmate = self.jail.start(&job).map_err(|error| match error {
            StartError::Unfit(problem) => BotFailure::from(Fault::WouldNotStart(problem)),
            StartError::Host(problem) => HostError(problem).into(),
        })?;
        let Some(pipes) = inmate.take_pipes() else {
            return Err(HostError("a bot was started without pipes".to_owned()).into());
        };
        let process = BotProcess::new(pipes, Box::new(inmate), self.limits);
        process
            .map(|process| process.with_transcript(self.transcript.clone()).that_sleeps(self.sleeps))
            .map_err(|error| no_pipes(&error))
    }

    fn level(&self) -> &'static str {
        self.jail.level().name()
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
