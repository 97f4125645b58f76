//! Programs, libraries and headers that a bot or its build asks for and that are not here.

use std::{env, path::Path};

/// More remedies at once would only confuse.
const MOST: usize = 3;

/// Where bots find programs in any case.
const USUAL_FOLDERS: &str = "/usr/local/bin:/usr/bin:/bin";

/// What to do about what a compiler, an interpreter or a shell said is missing, with its name; nothing if that is not the problem.
pub(crate) fn remedies(said: &str) -> Vec<String> {
    let readers = [
        network,
        own_name,
        newer_java,
        java_release,
        python_module,
        shared_library,
        newer_system,
        file,
        header,
        linked_library,
        java,
        rust,
        command,
    ];
    let mut found: Vec<String> = Vec::new();
    let mut before = "";
    for line in said.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let remedy = readers.iter().find_map(|read| read(line)).or_else(|| cmake_compiler(before, line));
        found.extend(remedy.filter(|remedy| !found.contains(remedy)));
        before = line;
    }
    found.truncate(MOST);
    found
}

/// What programs say that want to download something.
fn network(line: &str) -> Option<String> {
    let signs = [
        "No matching distribution found for",
        "Could not find a version that satisfies the requirement",
        "error: externally-managed-environment",
        "No module named pip",
        "No module named 'pip'",
        "Temporary failure in name resolution",
        "Name or service not known",
        "Temporary failure resolving",
        "Could not resolve host",
        "Network is unreachable",
    ];
    signs.iter().any(|sign| line.contains(sign)).then(|| {
        "There is no network in a build: take out what downloads or installs something (`pip install`, `apt`, `curl`, `git clone`). \
         Ask the organiser which modules are there; hand in what else the bot needs."
            .to_owned()
    })
}

/// What the part of ours that runs somebody's module says of it.
fn own_name(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("AttributeError: ")?;
    let (file, what) = rest.split_once(" has no ").filter(|(file, _)| file.ends_with(".py"))?;
    let (file, what) = (agon_rules::inert(file), agon_rules::inert(what));
    ["function ", "class "].iter().any(|kind| what.starts_with(kind)).then(|| {
        format!("Write the {what} in {file}: it was looked for and is not there. Mind every letter of its name, and that it is not indented.")
    })
}

/// A file that a program was to run or to compile.
fn file(line: &str) -> Option<String> {
    let (_, name) = line
        .split_once("can't open file '")
        .or_else(|| line.split_once("Unable to access jarfile "))
        .or_else(|| line.split_once("error: file not found: "))
        .or_else(|| {
            // A compiler that misses its source names no place.
            let (who, name) = line.split_once(": fatal error: ")?;
            let is_source = !who.contains(':') && name.contains(": No such file or directory");
            is_source.then_some((who, name))
        })?;
    let name = name.split(['\'', ':']).next()?.trim();
    let name = agon_rules::inert(name.rsplit('/').next().unwrap_or(name));
    Some(format!(
        "{name} is not there: is it handed in, in the folder that the script means, and is its name right in every letter?"
    ))
}

fn python_module(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("No module named ")?;
    let name = plain_word(rest)?;
    let name = name.split('.').next().unwrap_or(name);
    Some(format!(
        "{name} is not installed here, for the Python that runs bots. If {name} is a file of yours, hand it in beside the bot; if it \
         is a library, do without it, or ask for it to be installed: AGON_RUNTIMES can name the folder of another Python that \
         has it."
    ))
}

fn shared_library(line: &str) -> Option<String> {
    let (before, _) = line.split_once(": cannot open shared object file")?;
    let name = before.rsplit([' ', '/']).next().filter(|name| !name.is_empty())?;
    Some(format!(
        "{} is not on this machine, and the bot is linked against it: link it statically, hand it in with the bot (and let \
         LD_LIBRARY_PATH in the run script point to it), or do without it.",
        agon_rules::inert(name)
    ))
}

/// ``version `GLIBC_2.38' not found``.
fn newer_system(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("version `")?;
    let (version, rest) = rest.split_once('\'')?;
    rest.starts_with(" not found").then(|| {
        format!(
            "Build the bot here: it was built on a newer system than this one, which has no {version}. Hand in its sources and \
             a build script instead of the program."
        )
    })
}

fn header(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("fatal error: ")?;
    let name = rest
        .split_once(": No such file or directory")
        .map(|(name, _)| name)
        .or_else(|| rest.split_once("' file not found").and_then(|(name, _)| name.strip_prefix('\'')))?;
    let windows = ["windows.h", "conio.h", "direct.h", "tchar.h"].contains(&name.to_lowercase().as_str());
    let name = agon_rules::inert(name);
    Some(if windows {
        format!("Do without the header {name}: it is not on this machine, since only Windows has it.")
    } else {
        format!(
            "The header {name} is not on this machine. If it is yours, hand it in, and mind capitals in its name; if it belongs \
             to a library, hand the library in too or do without it."
        )
    })
}

fn linked_library(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("cannot find -l")?;
    let name = plain_word(rest)?;
    Some(format!("The library {name} is not on this machine (-l{name}): hand it in with the bot or do without it."))
}

fn java(line: &str) -> Option<String> {
    if let Some((_, rest)) = line.split_once("error: package ")
        && let Some((package, _)) = rest.split_once(" does not exist")
    {
        return Some(format!(
            "The package {package} is not on this machine: hand in its jar beside the bot and name it with -cp, or do without it."
        ));
    }
    let class = [
        "java.lang.NoClassDefFoundError: ",
        "java.lang.ClassNotFoundException: ",
        "Could not find or load main class ",
    ]
    .iter()
    .find_map(|sign| line.split_once(sign))
    .and_then(|(_, rest)| plain_word(rest))?
    .replace('/', ".");
    Some(format!(
        "The class {class} is not there. Is it compiled (compile.sh), does -cp name the folder or jar that it is in, and is that jar \
         handed in?"
    ))
}

/// A program for a newer virtual machine: version 45 was Java 1.
fn newer_java(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("UnsupportedClassVersionError")?;
    let mut versions = rest.split("version").filter_map(|part| {
        let number = part
            .trim_start_matches(['s', ' '])
            .trim_start_matches("up to ")
            .split(|letter: char| !letter.is_ascii_digit());
        number.into_iter().next()?.parse::<u32>().ok()?.checked_sub(44)
    });
    let newer = versions.next()?;
    let advice = "let compile.sh compile it here";
    Some(match versions.next() {
        Some(ours) => format!(
            "Compile it with javac --release {ours}, or {advice}: it was compiled for Java {newer}, and this machine has Java {ours}."
        ),
        None => format!(
            "Compile it for an older Java, or {advice}: it was compiled for Java {newer}, which is newer than this one."
        ),
    })
}

/// `error: release version 25 not supported`, `error: invalid target release: 25`.
fn java_release(line: &str) -> Option<String> {
    let version =
        ["release version ", "invalid target release: ", "invalid source release: "].iter().find_map(|sign| {
            Some(line.split_once("error: ")?.1.strip_prefix(sign)?.split(' ').next().unwrap_or_default())
        })?;
    Some(format!(
        "Java {version} is not on this machine: leave out --release, -source and -target, or name an older one."
    ))
}

fn rust(line: &str) -> Option<String> {
    let signs = [
        "can't find crate for `",
        "no matching package named `",
        "failed to get `",
        "undeclared crate or module `",
        "unlinked crate `",
    ];
    let (_, rest) = signs.iter().find_map(|sign| line.split_once(sign))?;
    let (name, _) = rest.split_once('`')?;
    Some(format!(
        "The crate {name} is not on this machine, and builds have no network: hand it in with the bot (cargo vendor) or do without \
         it."
    ))
}

/// A shell, `make` or `env` that did not find a program.
fn command(line: &str) -> Option<String> {
    let name = if let Some((before, _)) = line.split_once(": command not found") {
        last_part(before)
    } else if let Some(before) = line.strip_suffix(": not found") {
        last_part(before)
    } else if let Some((_, rest)) = line.split_once("linker `").filter(|(_, rest)| rest.contains("` not found")) {
        rest.split('`').next().unwrap_or_default()
    } else {
        let before = line.strip_suffix(": No such file or directory")?;
        let (who, name) = before.split_once(": ")?;
        let says = who.starts_with("make") || who.ends_with("env");
        Some(name).filter(|name| says && !name.contains("***"))?
    };
    let name = name.trim_matches(['\'', '‘', '’', '`', '"', '$']);
    let word = plain_word(name).filter(|word| *word == name)?;
    Some(program(word))
}

/// What CMake says of a compiler that it was told to use.
fn cmake_compiler(before: &str, line: &str) -> Option<String> {
    line.contains("was not found in the PATH").then(|| plain_word(before)).flatten().map(program)
}

/// The remedy for a program that is not here.
fn program(name: &str) -> String {
    if name.contains('/') {
        return format!(
            "A command was not found: {name} is not there. Is it built, is its name right in every letter, and is the path \
             relative to the bot's folder?"
        );
    }
    match other_program(name) {
        Some(other) => format!("Use {other} instead of {name}: {name} is not on this machine, but {other} is."),
        None => format!(
            "A command was not found: {name} is not on this machine. Use one that is (see `agon doctor`), or ask for it to be \
             installed; if {name} is a program of yours, call it ./{name}."
        ),
    }
}

/// A program that is here and does the same: without the version in its name, or with the usual one.
fn other_program(name: &str) -> Option<String> {
    let versionless =
        name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').trim_end_matches('-');
    let family: &[&str] = match versionless {
        "python" | "pypy" => &["python3"],
        "clang++" | "c++" | "g++" => &["g++", "c++"],
        "clang" | "cc" | "gcc" => &["gcc", "cc"],
        _ => &[],
    };
    let candidates =
        [versionless].into_iter().filter(|other| !other.is_empty() && *other != name).chain(family.iter().copied());
    candidates.into_iter().find(|other| *other != name && is_here(other)).map(str::to_owned)
}

fn is_here(program: &str) -> bool {
    let path = env::var("PATH").unwrap_or_default();
    USUAL_FOLDERS.split(':').chain(path.split(':')).any(|folder| Path::new(folder).join(program).is_file())
}

/// What comes last after colons: `g++-8` in `compile.sh: 2: g++-8`.
fn last_part(text: &str) -> &str {
    text.rsplit(": ").next().unwrap_or(text)
}

/// The first word of a text, without the signs around it. What could not be a name is none.
fn plain_word(text: &str) -> Option<&str> {
    let signs = ['\'', '"', '`', ',', ';', ':', '(', ')', '‘', '’'];
    let word = text.trim().trim_matches(signs).split_whitespace().next()?.trim_matches(signs);
    let plain = |letter: char| letter.is_alphanumeric() || "_-.+/$".contains(letter);
    (!word.is_empty() && word.chars().all(plain)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn one(said: &str) -> String {
        let found = remedies(said);
        assert_eq!(found.len(), 1, "{said}: {found:?}");
        found.into_iter().next().unwrap_or_default()
    }

    #[test]
    fn what_is_missing_is_named() {
        let cases = [
            ("ERROR: No matching distribution found for numpy", "There is no network in a build"),
            ("/usr/bin/python3: No module named pip", "There is no network in a build"),
            (
                "AttributeError: engine.py has no function find_best_move (or get_best_move)",
                "Write the function find_best",
            ),
            (
                "AttributeError: student_agent.py has no class StudentAgent",
                "Write the class StudentAgent in student_agent.py",
            ),
            ("python3: can't open file '/bots/bot.py': [Errno 2] No such file or directory", "bot.py is not there"),
            ("Error: Unable to access jarfile Bot.jar", "Bot.jar is not there"),
            ("cc1plus: fatal error: main.cpp: No such file or directory", "main.cpp is not there"),
            ("error: file not found: Bot.java", "Bot.java is not there"),
            ("ModuleNotFoundError: No module named 'numpy'", "numpy is not installed here"),
            ("ImportError: No module named torch.nn", "torch is not installed here"),
            (
                "./bot: error while loading shared libraries: libtbb.so.2: cannot open shared object file: No such file",
                "libtbb.so.2 is not on this machine",
            ),
            ("./bot: /lib/libc.so.6: version `GLIBC_2.99' not found (required by ./bot)", "no GLIBC_2.99"),
            ("main.cpp:1:10: fatal error: boost/any.hpp: No such file or directory", "The header boost/any.hpp"),
            ("main.cpp:1:10: fatal error: 'torch/torch.h' file not found", "The header torch/torch.h"),
            ("a.cpp:2:10: fatal error: conio.h: No such file or directory", "only Windows has it"),
            ("/usr/bin/ld: cannot find -lncurses: No such file or directory", "The library ncurses"),
            ("compile.sh: 1: kotlinc: not found", "kotlinc is not on this machine"),
            ("sh: 1: exec: ./bto: not found", "./bto is not there"),
            ("compile.sh: line 2: kotlinc: command not found", "kotlinc is not on this machine"),
            ("make: kotlinc: No such file or directory", "kotlinc is not on this machine"),
            ("/usr/bin/env: 'kotlin': No such file or directory", "kotlin is not on this machine"),
            ("error: linker `kotlinc` not found", "kotlinc is not on this machine"),
            ("    kotlinc\n\n  is not a full path and was not found in the PATH.", "kotlinc is not on this machine"),
            ("Bot.java:1: error: package org.json does not exist", "The package org.json"),
            (
                "Exception in thread \"main\" java.lang.NoClassDefFoundError: org/json/JSONObject",
                "The class org.json.JSONObject",
            ),
            ("Error: Could not find or load main class Bot", "The class Bot is not there"),
            ("error: release version 99 not supported", "Java 99 is not on this machine"),
            ("error[E0463]: can't find crate for `rand`", "The crate rand"),
            ("error: no matching package named `rand` found", "The crate rand"),
            ("error[E0432]: unresolved import: use of undeclared crate or module `rand`", "The crate rand"),
        ];
        for (said, remedy) in cases {
            let found = one(said);
            assert!(found.contains(remedy), "{said}: {found}");
        }
        let java = "java.lang.UnsupportedClassVersionError: Bot has been compiled by a more recent version of the Java Runtime (class \
                    file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0";
        assert!(one(java).starts_with("Compile it with javac --release 17"), "{}", one(java));
        assert!(one(java).contains("compiled for Java 21"), "{}", one(java));
    }

    #[test]
    fn other_troubles_are_left_alone() {
        for said in [
            "main.cpp:3: error: 'x' was not declared",
            "KeyError: 'not found'",
            "AttributeError: 'NoneType' object has no attribute 'function '",
            "make: *** [all] Error 1",
            "cat: a: No such file or directory",
            "",
        ] {
            assert_eq!(remedies(said), Vec::<String>::new(), "{said}");
        }
    }

    #[test]
    fn a_program_that_does_the_same_is_named() {
        assert_eq!(
            remedies("sh: 1: sh-8: not found"),
            ["Use sh instead of sh-8: sh-8 is not on this machine, but sh is."]
        );
    }
}
