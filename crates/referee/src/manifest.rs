//! `bot.toml`: what a bot is called, how it is built and how it is run.

use std::{
    collections::BTreeMap,
    env, fmt, fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
};

use agon_wire::{BotCommand, Language, Protocol, Recipe};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The contents of a `bot.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What the bot is called.
    pub name: String,
    /// The short name of the game that it plays; any game if absent.
    pub game: Option<String>,
    /// How it is spoken to.
    #[serde(default)]
    pub protocol: Protocol,
    /// What it is written in.
    #[serde(default)]
    pub language: Language,
    /// A shell command that builds it, run once in a copy of the folder.
    pub build: Option<String>,
    /// A shell command that runs it, in its folder.
    pub run: String,
    /// Options that it is told before each game.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

/// A bot could not be read or built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ManifestError {
    /// The manifest is missing or wrong.
    Manifest(String),
    /// The build failed: its output.
    Build(String),
    /// This machine could not do its part.
    Host(String),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManifestError::Manifest(text) | ManifestError::Build(text) | ManifestError::Host(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ManifestError {}

impl Manifest {
    /// Reads the text of a `bot.toml`; `path` is what errors call it.
    pub fn parse(text: &str, path: &Path) -> Result<Manifest, ManifestError> {
        let wrong = |problem: String| ManifestError::Manifest(format!("{}: {problem}", path.display()));
        let manifest: Manifest = toml::from_str(text).map_err(|e| wrong(e.to_string().trim_end().to_owned()))?;
        let empty =
            [("name", &manifest.name), ("run", &manifest.run)].into_iter().find(|(_, text)| text.trim().is_empty());
        match empty {
            Some((key, _)) => Err(wrong(format!("'{key}' is empty; expected a text"))),
            None => Ok(manifest),
        }
    }

    /// Reads the `bot.toml` of a folder.
    pub fn of_folder(folder: &Path) -> Result<Manifest, ManifestError> {
        let path = folder.join("bot.toml");
        let text = fs::read_to_string(&path)
            .map_err(|e| ManifestError::Manifest(format!("cannot read {}: {e}", path.display())))?;
        Manifest::parse(&text, &path)
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
    pub fn from_folder(folder: &Path, cache: &Path) -> Result<Built, ManifestError> {
        Built::new(Manifest::of_folder(folder)?, &[], folder, cache)
    }

    /// Builds a submission by a recipe: a folder or a single file.
    pub fn from_recipe(recipe: Recipe, submission: &Path, cache: &Path) -> Result<Built, ManifestError> {
        let full = submission
            .canonicalize()
            .map_err(|e| ManifestError::Host(format!("cannot find {}: {e}", submission.display())))?;
        let name = if full.is_dir() { full.file_name() } else { full.file_stem() };
        let manifest = Manifest {
            name: name.map_or_else(|| "bot".to_owned(), |name| name.to_string_lossy().into_owned()),
            game: None,
            protocol: recipe.protocol,
            language: recipe.language,
            build: recipe.build,
            run: recipe.run,
            options: recipe.options,
        };
        Built::new(manifest, &recipe.files, submission, cache)
    }

    /// `files` are added to the copy in which the bot is built; without any, and without a build, it runs where it is.
    fn new(
        manifest: Manifest,
        files: &[(&str, &str)],
        submission: &Path,
        cache: &Path,
    ) -> Result<Built, ManifestError> {
        let hash = hash_of(submission, &manifest, files)
            .map_err(|e| ManifestError::Host(format!("cannot read {}: {e}", submission.display())))?;
        let home = if manifest.build.is_none() && files.is_empty() {
            let folder = if submission.is_dir() { Some(submission) } else { submission.parent() };
            let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            folder.canonicalize().map_err(|e| ManifestError::Host(format!("cannot find {}: {e}", folder.display())))?
        } else {
            let build = manifest.build.as_deref().unwrap_or(":");
            build_once(submission, build, files, &cache.join("bots").join(&hash))?
        };
        let command = shell(&manifest.run, home);
        Ok(Built { manifest, hash, command })
    }
}

/// A shell command as a program to start. `exec` spares a shell that would stand between the bot and its signals, but only a simple
/// command can follow it.
pub(crate) fn shell(run: &str, folder: PathBuf) -> BotCommand {
    let assigns = run.split_whitespace().next().is_some_and(|word| word.contains('='));
    let simple = !assigns && !run.contains(|letter| "&|;<>()\n".contains(letter));
    // `$@` are arguments that a protocol adds: a port to listen on, say.
    let script = if simple { format!("exec {run} \"$@\"") } else { format!("{run} \"$@\"") };
    BotCommand {
        program: "sh".to_owned(),
        arguments: vec!["-c".to_owned(), script, "sh".to_owned()],
        folder: Some(folder),
        ..BotCommand::default()
    }
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
    for file in files {
        let path = folder.join(&file);
        let contents = fs::read(&path)?;
        let executable = fs::metadata(&path)?.permissions().mode() & 0o111 != 0;
        digest.update(file.as_os_str().as_encoded_bytes());
        digest.update([0, u8::from(executable)]);
        digest.update((contents.len() as u64).to_le_bytes());
        digest.update(&contents);
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

/// Builds a copy of `folder` in `home` unless it is there already. Several programs and threads may do so at once: each builds in a
/// folder of its own, and the first to finish moves it into place.
fn build_once(submission: &Path, build: &str, added: &[(&str, &str)], home: &Path) -> Result<PathBuf, ManifestError> {
    if home.is_dir() {
        return Ok(home.to_owned());
    }
    let host = |what: &str, e: io::Error| ManifestError::Host(format!("cannot {what}: {e}"));
    static BUILDS: AtomicU64 = AtomicU64::new(0);
    let number = BUILDS.fetch_add(1, Ordering::Relaxed);
    let workshop = home.with_extension(format!("building-{}-{number}", std::process::id()));
    let _ = fs::remove_dir_all(&workshop);
    copy_submission(submission, &workshop, added)
        .map_err(|e| host(&format!("copy the bot to {}", workshop.display()), e))?;
    let output = Command::new("sh")
        .args(["-c", build])
        .current_dir(&workshop)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| host("start a shell", e))?;
    if !output.status.success() {
        let _ = fs::remove_dir_all(&workshop);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let (end, status) = (last_lines(&said, 40), output.status);
        return Err(ManifestError::Build(format!("the build '{build}' failed ({status}):\n{end}")));
    }
    match fs::rename(&workshop, home) {
        Ok(()) => Ok(home.to_owned()),
        Err(_) if home.is_dir() => {
            let _ = fs::remove_dir_all(&workshop);
            Ok(home.to_owned())
        }
        Err(e) => Err(host(&format!("move the bot to {}", home.display()), e)),
    }
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
