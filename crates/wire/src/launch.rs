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
    cores::Core,
    process::{BotLimits, BotProcess, PlainBody},
    program::Language,
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
    /// What it is written in: some languages need other limits.
    pub language: Language,
    /// The worker that runs it: each has a core of its own. Without one it is given the core with the fewest bots.
    pub worker: Option<usize>,
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

    /// Bytes of memory that a bot in this language may use; `None` is no limit.
    fn memory(&self, _language: Language) -> Option<u64> {
        None
    }

    /// Where everything that is said to the bots and by them is written down, if anywhere.
    fn transcript(&self) -> Option<Transcript> {
        None
    }
}

/// Starts bots as ordinary processes, each the leader of a process group of its own.
#[derive(Clone, Debug, Default)]
pub struct PlainLauncher {
    /// How much output is too much.
    pub limits: BotLimits,
    /// Where to write down what is said.
    pub transcript: Option<Transcript>,
}

impl Launcher for PlainLauncher {
    fn launch(&self, command: &BotCommand) -> Result<BotProcess, BotFailure> {
        let mut starter = Command::new(&command.program);
        starter.args(&command.arguments);
        if let Some(path) = path_with_names() {
            starter.env("PATH", path);
        }
        starter.envs(&command.environment);
        starter.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: the bot's children end with it, and a Ctrl-C in our terminal does not reach it.
        starter.process_group(0);
        if let Some(folder) = &command.folder {
            starter.current_dir(folder);
        }
        let mut child = starter.spawn().map_err(|error| start_failure(command, &error))?;
        let core = Core::take(command.worker);
        if let Some(core) = &core {
            pin(&child, core.number());
        }
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(HostError("a bot was started without pipes".to_owned()).into());
        };
        let process =
            BotProcess::new([stdin.into(), stdout.into(), stderr.into()], Box::new(PlainBody(child)), self.limits);
        process
            .map(|process| process.with_transcript(self.transcript.clone()).on(core))
            .map_err(|error| no_pipes(&error))
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

/// What bots may use up, by language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Allowance {
    /// If nothing else is said.
    pub usual: agon_sandbox::Quota,
    /// For bots in certain languages.
    pub special: BTreeMap<Language, agon_sandbox::Quota>,
}

impl Allowance {
    /// For a bot in this language.
    pub fn of(&self, language: Language) -> agon_sandbox::Quota {
        self.special.get(&language).copied().unwrap_or(self.usual)
    }
}

/// Variables that tell a bot and its language what it may use. A Java machine goes by the memory of the host if nobody tells it, and
/// would rather grow beyond its limit than collect.
fn resource_variables(language: Language, limits: &agon_sandbox::Quota) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::from([("AGON_MEMORY".to_owned(), limits.memory.to_string())]);
    if language == Language::Java {
        let heap = "-XX:MaxRAMPercentage=60 -XX:InitialRAMPercentage=10";
        variables.insert("JAVA_TOOL_OPTIONS".to_owned(), format!("-XX:MaxRAM={} {heap}", limits.memory));
    }
    variables
}

/// Starts bots in jails.
#[derive(Clone, Debug)]
pub struct JailLauncher {
    /// How they are contained.
    pub jail: Jail,
    /// What they may use up.
    pub allowance: Allowance,
    /// Whether they are stopped while they are not asked.
    pub sleeps: bool,
    /// How much output is too much.
    pub limits: BotLimits,
    /// Where to write down what is said.
    pub transcript: Option<Transcript>,
}

impl Launcher for JailLauncher {
    fn launch(&self, command: &BotCommand) -> Result<BotProcess, BotFailure> {
        let folder = command.folder.as_deref().unwrap_or(Path::new("."));
        let folder = folder
            .canonicalize()
            .map_err(|error| HostError(format!("cannot find the folder {}: {error}", folder.display())))?;
        let limits = self.allowance.of(command.language);
        let mut environment = command.environment.clone();
        environment.extend(resource_variables(command.language, &limits));
        let core = Core::take(command.worker);
        let job = Job {
            program: &command.program,
            arguments: &command.arguments,
            environment: &environment,
            home: match &command.shown {
                None => Home::Copy(&folder),
                Some(others) => Home::Shown(&folder, others),
            },
            results: None,
            core: core.as_ref().map(Core::number),
            port: command.port,
            limits,
        };
        let mut jailed = self.jail.start(&job).map_err(|error| match error {
            StartError::Unfit(problem) => BotFailure::from(Fault::WouldNotStart(problem)),
            StartError::Host(problem) => HostError(problem).into(),
        })?;
        let Some(pipes) = jailed.take_pipes() else {
            return Err(HostError("a bot was started without pipes".to_owned()).into());
        };
        let process = BotProcess::new(pipes, Box::new(jailed), self.limits);
        process
            .map(|process| process.with_transcript(self.transcript.clone()).that_sleeps(self.sleeps).on(core))
            .map_err(|error| no_pipes(&error))
    }

    fn level(&self) -> &'static str {
        self.jail.level().name()
    }

    fn memory(&self, language: Language) -> Option<u64> {
        Some(self.allowance.of(language).memory)
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
        | io::ErrorKind::IsADirectory
        | io::ErrorKind::PermissionDenied
        | io::ErrorKind::ExecutableFileBusy
        | io::ErrorKind::ArgumentListTooLong
        | io::ErrorKind::InvalidFilename
        // A NUL in its command line.
        | io::ErrorKind::InvalidInput => Fault::WouldNotStart(what).into(),
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

/// The search path of plain bots, if the host lacks one of the names of an interpreter that it has: the missing name is in a folder
/// of this user that is searched last.
fn path_with_names() -> Option<std::ffi::OsString> {
    static PATH: std::sync::OnceLock<Option<std::ffi::OsString>> = std::sync::OnceLock::new();
    let make = || {
        let path = std::env::var_os("PATH")?;
        let (name, aim) = agon_sandbox::alias(path.to_str()?)?;
        let home = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
        let folder = home.join("agon/names");
        std::fs::create_dir_all(&folder).ok()?;
        let link = folder.join(name);
        if std::fs::read_link(&link).ok().as_ref() != Some(&aim) {
            // Several programs may do so at once: each makes a link of its own, which is moved into place.
            let draft = folder.join(format!("{name}-{}", std::process::id()));
            let _ = std::fs::remove_file(&draft);
            std::os::unix::fs::symlink(&aim, &draft).ok()?;
            std::fs::rename(&draft, &link).ok()?;
        }
        std::env::join_paths(std::env::split_paths(&path).chain([folder])).ok()
    };
    PATH.get_or_init(make).clone()
}
