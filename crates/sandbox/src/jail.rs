//! How jails are made, and how a program is started in one.

use std::{
    collections::BTreeMap,
    fs, io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use thiserror::Error;

use crate::{
    Level, Quota,
    cgroup::{Group, Hierarchies},
    folder::{self, Bounds, COPIED, FolderError},
    jailed::JailedProgram,
    message::{FolderSource, LONGEST, Order, encode},
    scratch::Scratch,
    slot::Slot,
    view::{self, FOLDER, FileSystems},
};

/// Room for the program's own changes to the folders of the file system besides what is counted.
const SLACK: u64 = 1 << 20;

/// The folder that a program starts in.
#[derive(Clone, Copy, Debug)]
pub enum Home<'a> {
    /// A private copy of this folder, which the program may change: where the host can, a view of it whose changes are kept apart.
    Copy(&'a Path),
    /// This folder itself, to look at only, together with these.
    Shown(&'a Path, &'a [PathBuf]),
}

/// Where what a program makes is kept.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// An empty folder.
    pub folder: &'a Path,
    /// How much may be in it then.
    pub bounds: Bounds,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The program: a name to look up, or a path.
    pub program: &'a str,
    /// Its arguments.
    pub arguments: &'a [String],
    /// Its environment, besides what every program gets.
    pub environment: &'a BTreeMap<String, String>,
    /// Where it starts.
    pub home: Home<'a>,
    /// Where what the program leaves in its copy is kept, if it ends with code 0.
    pub results: Option<Results<'a>>,
    /// The core to run on.
    pub core: Option<usize>,
    /// The port that it may listen on.
    pub port: Option<u16>,
    /// What it may use up.
    pub limits: Quota,
}

/// Why a program was not started.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StartError {
    /// It is no program that can be run here: its own fault.
    #[error("{0}")]
    Unfit(String),
    /// The host could not do its part.
    #[error("{0}")]
    Host(String),
}

/// How to make jails of one level.
#[derive(Clone, Debug)]
pub struct Jail {
    pub(crate) level: Level,
    pub(crate) bubblewrap: Option<PathBuf>,
    pub(crate) groups: Option<Hierarchies>,
    pub(crate) privileged: bool,
    /// Whether folders can be mounted instead of copied.
    pub(crate) mounts: bool,
}

/// The program that wardens are: this one, unless somebody says otherwise.
static WARDEN: OnceLock<PathBuf> = OnceLock::new();

/// Says which program wardens are, for programs that are not agon. Only the first word counts.
pub fn set_warden(program: PathBuf) {
    let _ = WARDEN.set(program);
}

fn warden() -> io::Result<PathBuf> {
    WARDEN.get().cloned().map_or_else(std::env::current_exe, Ok)
}

impl Jail {
    /// Its level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether its programs can be frozen.
    pub fn can_freeze(&self) -> bool {
        self.groups.as_ref().is_some_and(Hierarchies::can_freeze)
    }

    /// Starts a program. It runs when this returns.
    pub fn start(&self, job: &Job<'_>) -> Result<JailedProgram, StartError> {
        self.set_up(job).map_err(|error| match error {
            StartError::Host(problem) => StartError::Host(format!("sandbox '{}': {problem}", self.level)),
            unfit @ StartError::Unfit(_) => unfit,
        })
    }

    fn set_up(&self, job: &Job<'_>) -> Result<JailedProgram, StartError> {
        let host = |what: &str| {
            let what = what.to_owned();
            move |error: io::Error| StartError::Host(format!("cannot {what}: {error}"))
        };
        refuse_unspeakable(job)?;
        let (source, size) = self.source_of(job.home).map_err(|error| match error {
            FolderError::Excess(problem) => StartError::Unfit(problem),
            FolderError::Host(error) => host("look into the bot's folder")(error),
        })?;
        let pair = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None);
        let (socket, far_end) = pair.map_err(|e| host("make a socket")(e.into()))?;
        let slot = if self.privileged { Some(Slot::take().map_err(host("take a user"))?) } else { None };
        let scratch = match self.level {
            Level::Filters => Some(Scratch::new(slot.as_ref()).map_err(host("make a scratch folder"))?),
            _ => None,
        };
        let group = self.groups.as_ref().map(|places| Group::new(places, &job.limits)).transpose();
        let group = group.map_err(host("make a control group"))?;
        let order = self.order(job, source, slot.as_ref(), scratch.as_ref(), group.as_ref());
        let order = encode(&order).map_err(host("write the order"))?.map_err(|length| {
            StartError::Unfit(format!(
                "its command line and environment take {length} bytes, at most {LONGEST} are possible"
            ))
        })?;
        let child = self.start_warden(job, source, size, far_end).map_err(host("start a warden"))?;
        let mut jailed = JailedProgram::new(child, socket, job.limits.memory, group, slot, scratch);
        jailed.begin(&order, source, job)?;
        Ok(jailed)
    }

    /// How a program's folder is filled, and how much room that takes in the jail. What is mounted takes none.
    fn source_of(&self, home: Home<'_>) -> Result<(FolderSource, u64), FolderError> {
        let Home::Copy(folder) = home else { return Ok((FolderSource::Nothing, 0)) };
        // Only a superuser can give the program files that are somebody else's; of a copy it may change everything.
        let mounts = self.mounts && self.bubblewrap.is_some() && (self.privileged || folder::is_ours(folder)?);
        Ok(if mounts { (FolderSource::Mount, 0) } else { (FolderSource::Copy, folder::weigh(folder, COPIED)?.bytes) })
    }

    fn start_warden(&self, job: &Job<'_>, source: FolderSource, size: u64, socket: OwnedFd) -> io::Result<Child> {
        let warden = warden()?;
        let mut command = match &self.bubblewrap {
            Some(bubblewrap) => {
                let mut command = Command::new(bubblewrap);
                let shown = match job.home {
                    Home::Copy(_) => Vec::new(),
                    Home::Shown(folder, others) => [&[folder.to_owned()], others].concat(),
                };
                let folder = size + size / 4 + job.limits.scratch + SLACK;
                let mounted = match job.home {
                    Home::Copy(folder) if source == FolderSource::Mount => Some(folder.to_owned()),
                    _ => None,
                };
                let file_systems =
                    FileSystems { folder, mounted, limits: job.limits, shown, privileged: self.privileged };
                command.args(view::bubblewrap(&file_systems, &warden));
                command
            }
            None => {
                let mut command = Command::new(warden);
                command.arg(crate::WARDEN_COMMAND);
                command
            }
        };
        command.env_clear().stdin(socket).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
    }

    fn order(
        &self,
        job: &Job<'_>,
        source: FolderSource,
        slot: Option<&Slot>,
        scratch: Option<&Scratch>,
        group: Option<&Group>,
    ) -> Order {
        let paths = Paths::of(job.home, scratch);
        let (unified, joins) = group.map(Group::descriptors).unwrap_or_default();
        Order {
            program: job.program.to_owned(),
            arguments: job.arguments.to_vec(),
            environment: paths.environment(job.environment),
            folder: paths.start,
            source,
            keep: job.results.map(|results| results.bounds),
            readable: paths.readable,
            writable: paths.writable,
            user: slot.map(Slot::user).filter(|_| open_to_all(job.home)),
            core: job.core,
            limits: job.limits,
            port: job.port,
            namespaces: self.bubblewrap.is_some(),
            counted: group.is_some(),
            group: unified.is_some(),
            joins: joins.len(),
        }
    }
}

/// Where a program finds what, by the names that it sees.
struct Paths {
    /// Its own folder.
    folder: PathBuf,
    /// Where it starts.
    start: PathBuf,
    temporary: PathBuf,
    /// A folder with a name that the host's own folders lack.
    names: PathBuf,
    readable: Vec<PathBuf>,
    writable: Vec<PathBuf>,
}

impl Paths {
    /// With namespaces the jail has folders of its own, without them there is a scratch folder on the host.
    fn of(home: Home<'_>, scratch: Option<&Scratch>) -> Paths {
        let (folder, temporary, names) = match scratch {
            Some(scratch) => (scratch.folder.join("bot"), scratch.folder.join("tmp"), scratch.folder.join("names")),
            None => (PathBuf::from(FOLDER), PathBuf::from("/tmp"), PathBuf::from(view::NAMES)),
        };
        let mut writable = vec![folder.clone(), temporary.clone()];
        if scratch.is_none() {
            writable.push(PathBuf::from("/dev/shm"));
        }
        let mut paths = Paths { start: folder.clone(), folder, temporary, names, readable: view::readable(), writable };
        if let Home::Shown(start, others) = home {
            let shown = [&[start.to_owned()], others].concat();
            // A folder of the host that is shown in place of one of the jail's own, `/tmp` above all, cannot be written to, and what
            // others write there is not the program's doing.
            if scratch.is_none() {
                paths.writable.retain(|own| !shown.iter().any(|shown| own.starts_with(shown)));
            }
            if !paths.writable.contains(&paths.temporary) {
                paths.temporary.clone_from(&paths.folder);
            }
            paths.readable.extend(shown);
            paths.start = start.to_owned();
        }
        paths
    }

    /// What every program gets, and what this one gets besides.
    fn environment(&self, special: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let mut environment: BTreeMap<String, String> = [
            ("PATH", format!("{}:{}", view::search_path(), self.names.display())),
            ("HOME", self.folder.display().to_string()),
            ("TMPDIR", self.temporary.display().to_string()),
            ("LANG", "C.UTF-8".to_owned()),
            ("USER", "bot".to_owned()),
            ("LOGNAME", "bot".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        environment.extend(special.clone());
        environment
    }
}

/// No program can be told a text with a NUL in it.
fn refuse_unspeakable(job: &Job<'_>) -> Result<(), StartError> {
    let texts = [job.program].into_iter().chain(job.arguments.iter().map(String::as_str));
    let variables = job.environment.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
    match texts.chain(variables).find(|text| text.contains('\0')) {
        Some(_) => Err(StartError::Unfit("its command line or environment has a NUL character in it".to_owned())),
        None => Ok(()),
    }
}

/// Whether everybody may look at a folder that is shown. If not, the program stays the user that agon is, without a superuser's
/// rights: somebody who names a command wants it to see what he sees.
fn open_to_all(home: Home<'_>) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let open = |folder: &Path| fs::metadata(folder).is_ok_and(|folder| folder.permissions().mode() & 0o5 == 0o5);
    match home {
        Home::Copy(_) => true,
        Home::Shown(folder, others) => open(folder) && others.iter().all(|other| open(other)),
    }
}
