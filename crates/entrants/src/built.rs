//! Bots that are ready to run, and the workshop where they are built.

use std::{
    collections::BTreeMap,
    env,
    fs::{self, File},
    io::{self, Read},
    os::{
        fd::OwnedFd,
        unix::{fs::PermissionsExt, process::CommandExt},
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use agon_originals::Recipe;
use agon_sandbox::{Bounds, End, FolderError, Home, Jail, Job, Quota, Results, Size, StartError};
use agon_wire::{Allowance, BotCommand, not_ending};
use rustix::process::{Pid, Signal, kill_process_group};
use sha2::{Digest, Sha256};

use crate::{
    Manifest, ManifestError,
    archive::{ArchiveError, ArchiveLimits, is_archive, submission_folder},
};

/// How long a build may take.
const BUILD_TIME: Duration = Duration::from_secs(600);

/// How often to look whether a build has ended.
const GLANCE: Duration = Duration::from_millis(2);

/// How long the end of a build's output is waited for when the build is over: whatever holds the pipes open is no part of it.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// How much of a build's output is kept: its end, where errors are.
const KEPT_OUTPUT: usize = 64 << 10;

/// Where bots are built, and how far their build scripts are trusted.
#[derive(Clone, Debug)]
pub struct Workshop {
    cache: PathBuf,
    jail: Option<Jail>,
    allowance: Allowance,
}

impl Workshop {
    /// Builds run in jails, if there are such, and may use multiples of what the bots may. What was built is kept below `cache`.
    pub fn new(cache: PathBuf, jail: Option<Jail>, allowance: Allowance) -> Workshop {
        Workshop { cache, jail, allowance }
    }

    /// Builds run as ordinary processes.
    pub fn plain(cache: &Path) -> Workshop {
        Workshop::new(cache.to_owned(), None, Allowance::default())
    }

    /// Where things are kept.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// The folder of a submission that came as an archive; anything else is what it is. An archive with a single file is that file, unless
    /// it is a manifest, which belongs to its folder.
    pub fn unpacked(&self, submission: &Path) -> Result<PathBuf, ManifestError> {
        if !is_archive(submission).unwrap_or(false) {
            return Ok(submission.to_owned());
        }
        let folder =
            submission_folder(submission, &self.cache, &ArchiveLimits::default()).map_err(|error| match error {
                ArchiveError::Refused(problem) => ManifestError::Manifest(problem),
                ArchiveError::Host(problem) => ManifestError::Host(problem),
            })?;
        let mut entries = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        Ok(match (entries.next(), entries.next()) {
            (Some(only), None) if only.is_file() && !only.ends_with("bot.toml") => only,
            _ => folder,
        })
    }

    /// Builds a copy of a submission unless the same one was built before. Several programs and threads may do so at once: each builds
    /// in a folder of its own, and the first to finish moves it into place.
    fn build_once(
        &self,
        submission: &Path,
        manifest: &Manifest,
        added: &[(&str, &str)],
        hash: &str,
    ) -> Result<PathBuf, ManifestError> {
        // In a jail the folder has another name, which builds may write into what they make.
        let kind = if self.jail.is_some() { "jailed" } else { "bots" };
        let home = self.cache.join(kind).join(hash);
        if home.is_dir() {
            return Ok(home);
        }
        sweep(&self.cache.join(kind));
        static BUILDS: AtomicU64 = AtomicU64::new(0);
        let number = BUILDS.fetch_add(1, Ordering::Relaxed);
        let name = |what: &str| home.with_extension(format!("{what}-{}-{number}", std::process::id()));
        let (source, results) = (Temporary::new(name("building")), Temporary::new(name("built")));
        copy_submission(submission, &source.0, added)
            .map_err(|e| host(&format!("copy the bot to {}", source.0.display()), &e))?;
        let finished = match (manifest.build.as_deref(), &self.jail) {
            (None, _) => &source,
            (Some(build), None) => {
                build_plainly(build, &source.0)?;
                &source
            }
            (Some(build), Some(jail)) => {
                fs::create_dir(&results.0).map_err(|e| host("make a folder for what is built", &e))?;
                let limits = self.allowance.of(manifest.language).for_its_build();
                let handed_in = weighed(&source.0)?;
                let bounds = Bounds { bytes: handed_in.bytes + limits.scratch, files: handed_in.files + limits.files };
                build_in(jail, limits, build, &source.0, Results { folder: &results.0, bounds })?;
                &results
            }
        };
        match fs::rename(&finished.0, &home) {
            Ok(()) => Ok(home),
            Err(_) if home.is_dir() => Ok(home),
            Err(e) => Err(host(&format!("move the bot to {}", home.display()), &e)),
        }
    }
}

fn build_in(jail: &Jail, limits: Quota, build: &str, source: &Path, results: Results<'_>) -> Result<(), ManifestError> {
    let (arguments, environment) = (["-c".to_owned(), build.to_owned()], BTreeMap::new());
    let job = Job {
        program: "sh",
        arguments: &arguments,
        environment: &environment,
        home: Home::Copy(source),
        results: Some(results),
        core: None,
        port: None,
        limits,
    };
    let mut inmate = jail.start(&job).map_err(|error| match error {
        StartError::Unfit(problem) => ManifestError::Build(format!("the build cannot be started: {problem}")),
        StartError::Host(problem) => ManifestError::Host(problem),
    })?;
    // Its stdin is closed at once.
    let said = inmate.take_pipes().map(|[_, stdout, stderr]| Said::of([stdout, stderr]));
    let begun = Instant::now();
    let end = loop {
        match inmate.ended() {
            None if begun.elapsed() > BUILD_TIME => break None,
            None => not_ending().map(|()| thread::sleep(GLANCE))?,
            end => break end,
        }
    };
    inmate.kill();
    let said = said.map(Said::wait).unwrap_or_default();
    let how = match end {
        Some(End::Exit(0)) => return Ok(()),
        Some(End::Exit(code)) => format!("exit status: {code}"),
        Some(End::Signal(signal)) => format!("signal: {signal}"),
        Some(End::Memory(what) | End::Excess(what)) => what,
        None => too_slow(),
    };
    Err(failed(build, &how, &said))
}

/// Removes what builds of programs that are dead have left.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let extension = name.to_str().and_then(|name| name.split_once('.')).map_or("", |(_, extension)| extension);
        let rest = extension.strip_prefix("building-").or_else(|| extension.strip_prefix("built-"));
        let builder = rest.and_then(|rest| rest.split_once('-')).and_then(|(builder, _)| builder.parse::<u32>().ok());
        if builder.is_some_and(|builder| !Path::new(&format!("/proc/{builder}")).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// What a build says, read in threads of their own.
struct Said(Vec<mpsc::Receiver<Vec<u8>>>);

impl Said {
    fn of(pipes: impl IntoIterator<Item = OwnedFd>) -> Said {
        let reader = |pipe| {
            let (sender, receiver) = mpsc::channel();
            // Nobody may be waiting for it any more.
            thread::spawn(move || drop(sender.send(last_of(pipe))));
            receiver
        };
        Said(pipes.into_iter().map(reader).collect())
    }

    /// The end of it, once the build is over.
    fn wait(self) -> Vec<u8> {
        self.0.into_iter().filter_map(|said| said.recv_timeout(LAST_WORDS).ok()).flatten().collect()
    }
}

/// The end of what a pipe carries.
fn last_of(pipe: OwnedFd) -> Vec<u8> {
    let (mut pipe, mut kept, mut buffer) = (File::from(pipe), Vec::new(), vec![0; 16 << 10]);
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..count]);
        if kept.len() > 2 * KEPT_OUTPUT {
            kept.drain(..kept.len() - KEPT_OUTPUT);
        }
    }
    kept
}

fn build_plainly(build: &str, folder: &Path) -> Result<(), ManifestError> {
    let mut shell = Command::new("sh");
    shell.args(["-c", build]).current_dir(folder).process_group(0);
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().map_err(|e| host("start a shell", &e))?;
    let pipes = child.stdout.take().map(OwnedFd::from).into_iter().chain(child.stderr.take().map(OwnedFd::from));
    let said = Said::of(pipes);
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|e| host("wait for a shell", &e))? {
            None if begun.elapsed() > BUILD_TIME || not_ending().is_err() => break None,
            None => thread::sleep(GLANCE),
            status => break status,
        }
    };
    // With everything that it has left behind.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.try_wait();
    not_ending()?;
    let how = match status {
        Some(status) if status.success() => return Ok(()),
        Some(status) => status.to_string(),
        None => too_slow(),
    };
    Err(failed(build, &how, &said.wait()))
}

fn too_slow() -> String {
    format!("it took more than {} s", BUILD_TIME.as_secs())
}

fn failed(build: &str, how: &str, said: &[u8]) -> ManifestError {
    let end = last_lines(&String::from_utf8_lossy(said), 40);
    ManifestError::Build(format!("the build '{build}' failed ({how}):\n{end}"))
}

fn host(what: &str, error: &io::Error) -> ManifestError {
    ManifestError::Host(format!("cannot {what}: {error}"))
}

/// A folder that is gone when nobody needs it any more.
struct Temporary(PathBuf);

impl Temporary {
    fn new(path: PathBuf) -> Temporary {
        let _ = fs::remove_dir_all(&path);
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A bot that is ready to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Built {
    /// Its manifest.
    pub manifest: Manifest,
    /// Identifies all its files.
    pub hash: String,
    /// How to start it.
    pub command: BotCommand,
    /// Threads that are our own: see [`Recipe::harness_threads`].
    pub harness_threads: usize,
}

/// The folder where built bots are kept: `$AGON_CACHE`, or below the user's cache folder.
pub fn build_cache() -> PathBuf {
    let below = |name: &str, folder: &str| env::var_os(name).map(|home| PathBuf::from(home).join(folder));
    env::var_os("AGON_CACHE")
        .map(PathBuf::from)
        .or_else(|| below("XDG_CACHE_HOME", "agon"))
        .or_else(|| below("HOME", ".cache/agon"))
        .unwrap_or_else(|| env::temp_dir().join("agon"))
}

impl Built {
    /// Reads the manifest of a folder and builds the bot unless the same files were built before.
    pub fn from_folder(folder: &Path, workshop: &Workshop) -> Result<Built, ManifestError> {
        Built::new(Manifest::of_folder(folder)?, &[], folder, workshop)
    }

    /// Builds a submission by a recipe: a folder or a single file.
    pub fn from_recipe(recipe: Recipe, submission: &Path, workshop: &Workshop) -> Result<Built, ManifestError> {
        let full = submission
            .canonicalize()
            .map_err(|e| ManifestError::Host(format!("cannot find {}: {e}", submission.display())))?;
        let name = if full.is_dir() { full.file_name() } else { full.file_stem() };
        let manifest = Manifest {
            name: name.map_or_else(|| "bot".to_owned(), |name| name.to_string_lossy().into_owned()),
            game: None,
            protocol: recipe.protocol.name.to_owned(),
            language: recipe.language,
            build: recipe.build,
            run: recipe.run,
            options: recipe.options,
        };
        let built = Built::new(manifest, &recipe.files, submission, workshop)?;
        Ok(Built { harness_threads: recipe.harness_threads, ..built })
    }

    /// `files` are added to the copy in which the bot is built; without any, and without a build, it runs where it is.
    fn new(
        manifest: Manifest,
        files: &[(&str, &str)],
        submission: &Path,
        workshop: &Workshop,
    ) -> Result<Built, ManifestError> {
        weighed(submission)?;
        let hash = hash_of(submission, &manifest, files)
            .map_err(|e| ManifestError::Host(format!("cannot read {}: {e}", submission.display())))?;
        let home = if manifest.build.is_none() && files.is_empty() && submission.is_dir() {
            submission
                .canonicalize()
                .map_err(|e| ManifestError::Host(format!("cannot find {}: {e}", submission.display())))?
        } else {
            workshop.build_once(submission, &manifest, files, &hash)?
        };
        let command = BotCommand { language: manifest.language, ..shell(&manifest.run, home) };
        Ok(Built { manifest, hash, command, harness_threads: 0 })
    }
}

/// A shell command as a program to start. `exec` spares a shell that would stand between the bot and its signals, but only a simple
/// command can follow it.
pub(crate) fn shell(run: &str, folder: PathBuf) -> BotCommand {
    let assigns = run.split_whitespace().next().is_some_and(|word| word.contains('='));
    let simple = !assigns && !run.starts_with("exec ") && !run.contains(|letter| "&|;<>()\n".contains(letter));
    // `$@` are arguments that a protocol adds: a port to listen on, say.
    let script = if simple { format!("exec {run} \"$@\"") } else { format!("{run} \"$@\"") };
    BotCommand {
        program: "sh".to_owned(),
        arguments: vec!["-c".to_owned(), script, "sh".to_owned()],
        folder: Some(folder),
        ..BotCommand::default()
    }
}

/// What is handed in, which is no more than it may be.
fn weighed(submission: &Path) -> Result<Size, ManifestError> {
    agon_sandbox::weigh(submission, Bounds::SUBMISSION).map_err(|error| match error {
        FolderError::Excess(problem) => ManifestError::Manifest(format!("{}: {problem}", submission.display())),
        FolderError::Host(error) => host(&format!("read {}", submission.display()), &error),
    })
}

/// A digest of the names and contents of all files of a submission, and of which of them are programs; and of how it is built.
fn hash_of(submission: &Path, manifest: &Manifest, added: &[(&str, &str)]) -> io::Result<String> {
    let mut files = Vec::new();
    let folder = if submission.is_dir() {
        files_below(submission, submission, &mut files)?;
        submission
    } else {
        files.extend(submission.file_name().map(PathBuf::from));
        submission.parent().unwrap_or(Path::new("."))
    };
    files.sort();
    let mut digest = Sha256::new();
    let recipe = [manifest.build.as_deref().unwrap_or_default(), &manifest.run];
    for text in recipe.into_iter().chain(added.iter().flat_map(|&(path, contents)| [path, contents])) {
        digest.update((text.len() as u64).to_le_bytes());
        digest.update(text);
    }
    for name in files {
        let path = folder.join(&name);
        let file = File::open(&path)?;
        let about = file.metadata()?;
        let (executable, length) = (about.permissions().mode() & 0o111 != 0, about.len());
        digest.update(name.as_os_str().as_encoded_bytes());
        digest.update([0, u8::from(executable)]);
        digest.update(length.to_le_bytes());
        // Nothing is read whole: files may be large.
        io::copy(&mut file.take(length), &mut digest)?;
    }
    Ok(digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}

fn files_below(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let path = entry.path();
        if kind.is_dir() {
            files_below(root, &path, found)?;
        } else if kind.is_file() {
            found.push(path.strip_prefix(root).map_err(io::Error::other)?.to_owned());
        }
    }
    Ok(())
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

fn copy_submission(from: &Path, to: &Path, added: &[(&str, &str)]) -> io::Result<()> {
    if from.is_dir() {
        copy_folder(from, to)?;
    } else if let Some(name) = from.file_name() {
        fs::create_dir_all(to)?;
        fs::copy(from, to.join(name))?;
    }
    for (path, contents) in added {
        let path = to.join(path);
        fs::create_dir_all(path.parent().unwrap_or(to))?;
        fs::write(path, contents)?;
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
