//! Compilers and interpreters, as bots find them.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::Finding;

/// What bots may need: the language, its programs, how to ask for the version, and the package that has it.
const PROGRAMS: [(&str, &[&str], &str, &str); 6] = [
    ("C++", &["g++", "c++"], "--version", "apt install build-essential"),
    ("Python", &["python3"], "--version", "apt install python3"),
    ("Java", &["java", "javac"], "-version", "apt install default-jdk-headless"),
    ("Rust", &["rustc"], "--version", "install it with rustup"),
    ("CMake", &["cmake"], "--version", "apt install cmake"),
    ("make", &["make"], "--version", "apt install make"),
];

pub(crate) fn findings() -> Vec<Finding> {
    let mut folders: Vec<PathBuf> = agon_sandbox::runtimes().into_iter().map(|folder| folder.join("bin")).collect();
    folders.extend(["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from));
    let mut findings: Vec<Finding> = PROGRAMS.iter().map(|program| look(program, &folders)).collect();
    findings.extend(elsewhere(&folders));
    findings
}

fn find(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn look((name, programs, ask, remedy): &(&'static str, &[&str], &str, &str), folders: &[PathBuf]) -> Finding {
    let missing = programs.iter().find(|program| find(program, folders).is_none());
    match (missing, programs.first().and_then(|program| find(program, folders))) {
        (None, Some(path)) => Finding::well(name, format!("{} ({})", version(&path, ask), path.display())),
        (missing, _) => {
            let seen = format!("bots would not find '{}'", missing.unwrap_or(&programs[0]));
            Finding::bad(name, seen, format!("{remedy}; if it is elsewhere, list its folder in AGON_RUNTIMES"))
        }
    }
}

/// The first line that a program says about itself.
fn version(program: &Path, ask: &str) -> String {
    let output = Command::new(program).arg(ask).stdin(Stdio::null()).output();
    let said = output.map(|output| [output.stdout, output.stderr].concat()).unwrap_or_default();
    String::from_utf8_lossy(&said).lines().next().unwrap_or("no version").trim().to_owned()
}

/// The Python that you use is not the one that bots get: what you installed for it they do not have.
fn elsewhere(folders: &[PathBuf]) -> Option<Finding> {
    let yours =
        env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join("python3")).find(|path| path.is_file())?;
    let theirs = find("python3", folders)?;
    if fs::canonicalize(&yours).ok()? == fs::canonicalize(&theirs).ok()? {
        return None;
    }
    let seen = format!("yours is {}, bots get {}", yours.display(), theirs.display());
    let remedy = "to give them yours: AGON_RUNTIMES=$(python3 -c 'import sys; print(sys.base_prefix)')";
    Some(Finding::bad("your Python", seen, remedy))
}
