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

use crate::{End, Home, Jail, Job, Level, Limits, StartError, cgroup::Places, confine};

/// The rights of a superuser that jails make use of: to change owners, to read and write what is not ours, to signal, to change the
/// group and the user. Their numbers in the kernel.
const RIGHTS: [u32; 5] = [0, 1, 5, 6, 7];

/// What there is to contain programs with, and why not more.
#[derive(Clone, Debug)]
pub struct Host {
    /// Whether agon may give each program a user of its own.
    pub privileged: bool,
    /// Landlock.
    pub landlock: Result<(), String>,
    /// Whether Landlock keeps signals within a jail.
    pub keeps_signals: bool,
    /// Filters of system calls.
    pub seccomp: Result<(), String>,
    /// A bubblewrap that works.
    pub bubblewrap: Result<PathBuf, String>,
    /// Control groups.
    pub groups: Result<Places, String>,
    /// How the trial of each level went, once it was made: whether folders can be mounted there.
    trials: [OnceLock<Result<bool, String>>; Level::ALL.len()],
}

impl Host {
    /// Looks, tries, and remembers.
    pub fn get() -> &'static Host {
        static HOST: OnceLock<Host> = OnceLock::new();
        HOST.get_or_init(Host::probe)
    }

    fn probe() -> Host {
        let (landlock, keeps_signals) = confine::landlock_is_there();
        let no_landlock =
            "the kernel has no Landlock (Linux 5.13 has, if it is in the list of security modules: lsm=landlock,…)";
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let no_seccomp = "the kernel has no filters of system calls (CONFIG_SECCOMP_FILTER)";
        Host {
            privileged: has_rights(&status),
            landlock: if landlock { Ok(()) } else { Err(no_landlock.to_owned()) },
            keeps_signals,
            seccomp: if status.contains("Seccomp:") { Ok(()) } else { Err(no_seccomp.to_owned()) },
            bubblewrap: find_program("bwrap")
                .ok_or_else(|| "bubblewrap is not installed (apt install bubblewrap)".to_owned()),
            groups: Places::find(),
            trials: Default::default(),
        }
    }

    /// Whether a level works here, which is tried out the first time; the error says why not.
    pub fn offers(&self, level: Level) -> Result<(), String> {
        self.trial(level).map(|_| ())
    }

    /// Whether bots' folders are mounted at a level, and not copied into memory or to the disk.
    pub fn mounts(&self, level: Level) -> bool {
        self.trial(level).unwrap_or(false)
    }

    fn trial(&self, level: Level) -> Result<bool, String> {
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
    pub fn jail(&self, level: Level) -> Result<Option<Jail>, String> {
        if level == Level::None {
            return Ok(None);
        }
        let missing = |problem| format!("this host does not offer the sandbox '{level}': {problem}");
        let mounts = self.trial(level).map_err(missing)?;
        self.jail_of(level, mounts).map(Some)
    }

    fn jail_of(&self, level: Level, mounts: bool) -> Result<Jail, String> {
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
fn try_out(jail: &Jail) -> Result<(), String> {
    let folder = TrialFolder::new().map_err(|e| format!("cannot make a folder for a trial: {e}"))?;
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
        limits: Limits::BOT,
    };
    let mut inmate = jail.start(&job).map_err(|error| match error {
        StartError::Unfit(problem) | StartError::Host(problem) => problem,
    })?;
    let begun = Instant::now();
    let ended = loop {
        if let Some(end) = inmate.ended() {
            break end;
        }
        if begun.elapsed() > TRIAL {
            return Err(format!("a trial did not end within {} s", TRIAL.as_secs()));
        }
        std::thread::yield_now();
    };
    match ended {
        End::Exit(0) => Ok(()),
        other => Err(format!("a trial ended badly: {other:?}")),
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
