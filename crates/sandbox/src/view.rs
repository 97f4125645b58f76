//! What a contained program can see of the host's files.

use std::{
    collections::BTreeSet,
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use crate::Quota;

/// Where programs and libraries are.
const SYSTEM: [&str; 9] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"];

/// What programs look up, and nothing that is a secret or tells who works here. Whole names, then beginnings.
const SETTINGS: [&str; 11] = [
    "alternatives",
    "host.conf",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "nsswitch.conf",
    "services",
    "timezone",
];
const SETTINGS_OF_LANGUAGES: [&str; 3] = ["java", "python", "perl"];

/// Where programs are looked up, after the folders of `AGON_RUNTIMES`.
const PROGRAMS: &str = "/usr/local/bin:/usr/bin:/bin";

/// The names inside.
pub(crate) const FOLDER: &str = "/bot";
/// What the mount of the program's folder is made of. It hides them.
pub(crate) const LOWER: &str = "/bot/lower";
pub(crate) const UPPER: &str = "/bot/upper";
pub(crate) const WORK: &str = "/bot/work";
const WARDEN: &str = "/agon";
/// A folder with a name that the host's own folders lack; searched last.
pub(crate) const NAMES: &str = "/names";

/// The rights that the warden needs to mount the program's folder; given up when that is done.
pub(crate) const MOUNTING_RIGHTS: [&str; 4] =
    ["CAP_SYS_ADMIN", "CAP_DAC_OVERRIDE", "CAP_DAC_READ_SEARCH", "CAP_FOWNER"];

/// The rights that the warden keeps when agon runs as root: to fill the scratch folders, to change the user, to end everything.
const WARDENS_RIGHTS: [&str; 7] =
    ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_DAC_READ_SEARCH", "CAP_FOWNER", "CAP_KILL", "CAP_SETGID", "CAP_SETUID"];

/// Folders with compilers and interpreters that are not where the system has its own: those that `AGON_RUNTIMES` lists, or
/// else the Rust toolchains of this user, whom nearly everybody has them from.
pub fn runtimes() -> Vec<PathBuf> {
    let listed = match env::var_os("AGON_RUNTIMES") {
        Some(list) => env::split_paths(&list).collect(),
        None => rust_toolchains(),
    };
    listed.into_iter().filter(|path| path.is_absolute() && path.is_dir()).collect()
}

fn rust_toolchains() -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(|home| PathBuf::from(home).join(".rustup"));
    let Some(rustup) = env::var_os("RUSTUP_HOME").map(PathBuf::from).or(home) else { return Vec::new() };
    let entries = fs::read_dir(rustup.join("toolchains")).into_iter().flatten().flatten();
    let mut toolchains: Vec<PathBuf> = entries.filter_map(|entry| entry.path().canonicalize().ok()).collect();
    // Where there are several, the stable one comes first.
    toolchains.sort_by_key(|path| {
        (!path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("stable")), path.clone())
    });
    toolchains
}

/// What programs are looked up in.
pub(crate) fn search_path() -> String {
    let added = runtimes().into_iter().map(|folder| folder.join("bin").display().to_string());
    added.chain([PROGRAMS.to_owned()]).collect::<Vec<_>>().join(":")
}

/// The two names of one interpreter: bots use either, and some hosts have one only.
const NAMESAKES: [&str; 2] = ["python", "python3"];

/// A name that is missing on a search path, and the program that has the other one.
pub fn alias(search_path: &str) -> Option<(&'static str, PathBuf)> {
    let find = |name: &str| crate::host::find_in(search_path.as_ref(), name);
    match NAMESAKES.map(find) {
        [None, Some(other)] => Some((NAMESAKES[0], other)),
        [Some(other), None] => Some((NAMESAKES[1], other)),
        _ => None,
    }
}

/// What a program may read besides its own folder.
pub(crate) fn readable() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    paths.extend(settings());
    paths.extend(runtimes());
    paths.retain(|path| path.exists());
    paths.push(PathBuf::from("/proc"));
    paths
}

fn settings() -> Vec<PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().flatten();
    let wanted = |name: &str| {
        SETTINGS.contains(&name) || SETTINGS_OF_LANGUAGES.iter().any(|beginning| name.starts_with(beginning))
    };
    let mut paths: Vec<PathBuf> =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(wanted)).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The folders that these are in, each after those that it is in itself, without what the system has anyway.
fn ancestors(paths: &[PathBuf]) -> BTreeSet<PathBuf> {
    let folders = paths.iter().flat_map(|path| path.ancestors().skip(1)).filter(|folder| folder.parent().is_some());
    let ours = |folder: &&Path| !SYSTEM.iter().any(|system| folder.starts_with(system)) && *folder != Path::new("/tmp");
    folders.filter(ours).map(Path::to_owned).collect()
}

/// A jail's own file systems.
#[derive(Debug)]
pub(crate) struct FileSystems {
    /// Bytes for the program's folder, or for what it changes there.
    pub(crate) folder: u64,
    /// The folder of the host that the program's folder is a changeable view of.
    pub(crate) mounted: Option<PathBuf>,
    pub(crate) limits: Quota,
    /// Folders of the host that are shown where they are.
    pub(crate) shown: Vec<PathBuf>,
    /// Whether agon has a superuser's rights.
    pub(crate) privileged: bool,
}

/// The command line of bubblewrap.
pub(crate) fn bubblewrap(file_systems: &FileSystems, warden: &Path) -> Vec<OsString> {
    let mut line: Vec<OsString> = Vec::new();
    let mut add =
        |words: &[&dyn AsRef<std::ffi::OsStr>]| line.extend(words.iter().map(|word| word.as_ref().to_owned()));
    for namespace in ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--as-pid-1"] {
        add(&[&namespace]);
    }
    add(&[&"--hostname", &"arena"]);
    if file_systems.privileged {
        // No user namespace: the program gets a user of its own instead, whom nothing belongs to.
        for right in WARDENS_RIGHTS {
            add(&[&"--cap-add", &right]);
        }
    } else {
        add(&[&"--unshare-user", &"--uid", &"1000", &"--gid", &"1000"]);
    }
    if file_systems.mounted.is_some() {
        for right in MOUNTING_RIGHTS {
            add(&[&"--cap-add", &right]);
        }
    }
    let readable = readable();
    // Folders on the way to those that are shown would be closed to everybody but root.
    for folder in ancestors(&readable) {
        add(&[&"--perms", &"0755", &"--dir", &folder]);
    }
    for path in readable {
        if path == Path::new("/proc") {
            add(&[&"--proc", &"/proc", &"--dev", &"/dev"]);
        } else if let Ok(aim) = fs::read_link(&path)
            && path.parent() == Some(Path::new("/"))
        {
            add(&[&"--symlink", &aim, &path]);
        } else {
            add(&[&"--ro-bind-try", &path, &path]);
        }
    }
    if let Some((name, aim)) = alias(&search_path()) {
        add(&[&"--perms", &"0755", &"--dir", &NAMES, &"--symlink", &aim, &format!("{NAMES}/{name}")]);
    }
    let (scratch, folder) = (file_systems.limits.scratch.to_string(), file_systems.folder.to_string());
    for (size, path) in [(&scratch, "/tmp"), (&scratch, "/dev/shm"), (&folder, FOLDER)] {
        add(&[&"--size", size, &"--perms", &"1777", &"--tmpfs", &path]);
    }
    if let Some(source) = &file_systems.mounted {
        // Neither mode nor owner of these two may keep the program out of its folder: it is the folder.
        add(&[&"--perms", &"0755", &"--dir", &UPPER, &"--dir", &WORK, &"--dir", &LOWER, &"--ro-bind", source, &LOWER]);
    }
    for folder in ancestors(&file_systems.shown) {
        add(&[&"--perms", &"0755", &"--dir", &folder]);
    }
    for path in &file_systems.shown {
        add(&[&"--ro-bind-try", path, path]);
    }
    add(&[&"--ro-bind", &warden, &WARDEN, &"--remount-ro", &"/dev", &"--remount-ro", &"/"]);
    add(&[&"--chdir", &"/", &"--", &WARDEN, &crate::WARDEN_COMMAND]);
    line
}
