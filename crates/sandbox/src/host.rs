//! What this host offers.

use std::{
    collections::BTreeMap,
    env, fs, io,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use thiserror::Error;

use crate::{End, Home, Jail, Job, Level, Quota, StartError, cgroup::Hierarchies, confine};

/// The rights of a superuser that jails make use of: to change owners, to read and write what is not ours, to signal, to change the
/// group and the user. Their numbers in the kernel.
const RIGHTS: [u32; 5] = [0, 1, 5, 6, 7];

/// What a host lacks to contain programs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Missing {
    /// Landlock.
    #[error("the kernel has no Landlock (Linux 5.13 has, if it is in the list of security modules: lsm=landlock,…)")]
    Landlock,
    /// Filters of system calls.
    #[error("the kernel has no filters of system calls (CONFIG_SECCOMP_FILTER)")]
    Seccomp,
    /// Bubblewrap.
    #[error("bubblewrap is not installed (apt install bubblewrap)")]
    Bubblewrap,
    /// What the system says of control groups cannot be read.
    #[error("cannot read {what}: {reason}")]
    Unreadable {
        /// What was to be read.
        what: &'static str,
        /// Why that is impossible.
        reason: String,
    },
    /// A controller of control groups.
    #[error("no control group hierarchy counts '{0}' for this process")]
    Controller(&'static str),
    /// The right to make control groups.
    #[error("cannot make a control group: {0}")]
    Group(String),
    /// A folder to try a jail out in.
    #[error("cannot make a folder for a trial: {0}")]
    TrialFolder(String),
    /// A jail was tried out, and its program did not start.
    #[error(transparent)]
    TrialStart(#[from] StartError),
    /// It did not end within so many seconds.
    #[error("a trial did not end within {0} s")]
    TrialTooSlow(u64),
    /// It did not end well.
    #[error("a trial ended badly: {0:?}")]
    TrialFailed(End),
    /// A level that was asked for.
    #[error("this host does not offer the sandbox '{level}': {missing}")]
    Level {
        /// The level.
        level: Level,
        /// What it needs.
        missing: Box<Missing>,
    },
}

/// What there is to contain programs with, and why not more.
#[derive(Clone, Debug)]
pub struct Host {
    /// Whether agon may give each program a user of its own.
    pub privileged: bool,
    /// Landlock.
    pub landlock: Result<(), Missing>,
    /// Whether Landlock keeps signals within a jail.
    pub keeps_signals: bool,
    /// Filters of system calls.
    pub seccomp: Result<(), Missing>,
    /// A bubblewrap that works.
    pub bubblewrap: Result<PathBuf, Missing>,
    /// Control groups.
    pub groups: Result<Hierarchies, Missing>,
    /// How the trial of each level went, once it was made: whether folders can be mounted there.
    trials: [OnceLock<Result<bool, Missing>>; Level::ALL.len()],
}

impl Host {
    /// Looks, tries, and remembers.
    pub fn get() -> &'static Host {
        static HOST: OnceLock<Host> = OnceLock::new();
        HOST.get_or_init(Host::probe)
    }

    fn probe() -> Host {
        let (landlock, keeps_signals) = confine::landlock_is_there();
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        Host {
            privileged: has_rights(&status),
            landlock: if landlock { Ok(()) } else { Err(Missing::Landlock) },
            keeps_signals,
            seccomp: if status.contains("Seccomp:") { Ok(()) } else { Err(Missing::Seccomp) },
            bubblewrap: find_program("bwrap").ok_or(Missing::Bubblewrap),
            groups: Hierarchies::find(),
            trials: Default::default(),
        }
    }

    /// Whether a level works here, which is tried out the first time; the error says why not.
    pub fn offers(&self, level: Level) -> Result<(), Missing> {
        self.trial(level).map(|_| ())
    }

    /// Whether bots' folders are mounted at a level, and not copied into memory or to the disk.
    pub fn mounts(&self, level: Level) -> bool {
        self.trial(level).unwrap_or(false)
    }

    fn trial(&self, level: Level) -> Result<bool, Missing> {
        if level == Level::None {
            return Ok(false);
        }
        let trial = || {
            let mounting = self.jail_of(level, true)?;
            if mounting.bubblewrap.is_some() && try_out(&mounting).is_ok() {
                return Ok(true);
            }
            try_out(&Jail { mounts: false, ..mounting }).map(|()| false)
        };
        self.trials[level as usize].get_or_init(trial).clone()
    }

    /// The levels that work here, from the weakest to the strongest.
    pub fn levels(&self) -> Vec<Level> {
        Level::ALL.into_iter().filter(|&level| self.offers(level).is_ok()).collect()
    }

    /// The strongest.
    pub fn strongest(&self) -> Level {
        Level::ALL.into_iter().rev().find(|&level| self.offers(level).is_ok()).unwrap_or(Level::None)
    }

    /// Jails of a level; `None` for the level that has no jails.
    pub fn jail(&self, level: Level) -> Result<Option<Jail>, Missing> {
        if level == Level::None {
            return Ok(None);
        }
        let missing = |missing| Missing::Level { level, missing: Box::new(missing) };
        let mounts = self.trial(level).map_err(missing)?;
        self.jail_of(level, mounts).map(Some)
    }

    fn jail_of(&self, level: Level, mounts: bool) -> Result<Jail, Missing> {
        self.seccomp.clone()?;
        // Namespaces hide what Landlock would forbid; alone they are still worth something, filters without it are not.
        if level != Level::Namespaces {
            self.landlock.clone()?;
        }
        let bubblewrap = if level >= Level::Namespaces { Some(self.bubblewrap.clone()?) } else { None };
        let groups = if level == Level::Full { Some(self.groups.clone()?) } else { None };
        Ok(Jail { level, bubblewrap, groups, privileged: self.privileged, mounts })
    }
}

/// How long a trial may take.
const TRIAL: Duration = Duration::from_secs(30);

/// Runs a small program that changes its folder.
fn try_out(jail: &Jail) -> Result<(), Missing> {
    let folder = TrialFolder::new().map_err(|error| Missing::TrialFolder(error.to_string()))?;
    let (environment, script) =
        (BTreeMap::new(), ["-c".to_owned(), "echo more >> file && echo new > other".to_owned()]);
    let job = Job {
        program: "sh",
        arguments: &script,
        environment: &environment,
        home: Home::Copy(&folder.0),
        results: None,
        core: None,
        port: None,
        limits: Quota::BOT,
    };
    let mut jailed = jail.start(&job)?;
    let begun = Instant::now();
    let ended = loop {
        if let Some(end) = jailed.ended() {
            break end;
        }
        if begun.elapsed() > TRIAL {
            return Err(Missing::TrialTooSlow(TRIAL.as_secs()));
        }
        std::thread::yield_now();
    };
    match ended {
        End::Exit(0) => Ok(()),
        other => Err(Missing::TrialFailed(other)),
    }
}

/// A folder with a file, removed in the end.
struct TrialFolder(PathBuf);

impl TrialFolder {
    fn new() -> io::Result<TrialFolder> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = TrialFolder(env::temp_dir().join(format!("agon-trial-{}-{number}", std::process::id())));
        fs::create_dir(&folder.0)?;
        fs::write(folder.0.join("file"), "one\n")?;
        Ok(folder)
    }
}

impl Drop for TrialFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn has_rights(status: &str) -> bool {
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let rights = line.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or(0);
    RIGHTS.iter().all(|right| rights >> right & 1 == 1)
}

/// Looks a program up as a shell would.
pub fn find_program(name: &str) -> Option<PathBuf> {
    find_in(&env::var_os("PATH")?, name)
}

pub(crate) fn find_in(path: &std::ffi::OsStr, name: &str) -> Option<PathBuf> {
    let is_program =
        |path: &PathBuf| fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0);
    env::split_paths(path).map(|folder| folder.join(name)).find(is_program)
}
