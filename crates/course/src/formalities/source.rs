//! What sources may not contain: foreign libraries, threads.

use std::path::Path;

use super::Copy;

/// A line of source, without what the compiler does not see, with its number.
fn code<'a>(text: &'a str, comment: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    text.lines()
        .enumerate()
        .map(move |(index, line)| (index + 1, line.split(comment).next().unwrap_or_default().trim()))
}

/// The first words of the modules that Python brings along. From the list of Python 3.9 to 3.13.
const PYTHON: &str = "__future__ abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex \
    bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser \
    contextlib contextvars copy copyreg cProfile crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils \
    doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc \
    genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io \
    ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder \
    multiprocessing netrc nntplib ntpath numbers opcode operator optparse os parser pathlib pdb pickle pickletools pipes pkgutil \
    platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline \
    reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket \
    socketserver sqlite3 ssl stat statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny \
    tarfile telnetlib tempfile termios test textwrap this threading time timeit tkinter token tokenize tomllib trace traceback \
    tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser wsgiref xdrlib xml \
    xmlrpc zipapp zipfile zipimport zlib zoneinfo";

/// Headers of C++, C and POSIX that have no ending, or one that only these have.
const HEADERS: &str = "algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts \
    condition_variable coroutine deque exception execution expected filesystem format forward_list fstream functional future \
    generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map mdspan memory \
    memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex scoped_allocator semaphore set \
    shared_mutex source_location span spanstream sstream stack stacktrace stdexcept stdfloat stop_token streambuf string string_view \
    strstream syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray \
    variant vector version cassert ccomplex cctype cerrno cfenv cfloat cinttypes ciso646 climits clocale cmath csetjmp csignal \
    cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype assert.h complex.h ctype.h \
    errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h \
    stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h unistd.h fcntl.h \
    pthread.h poll.h sched.h dirent.h dlfcn.h execinfo.h getopt.h malloc.h immintrin.h x86intrin.h emmintrin.h xmmintrin.h \
    pmmintrin.h tmmintrin.h smmintrin.h nmmintrin.h avxintrin.h bits/stdc++.h";

fn known(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

pub(super) fn libraries(copy: &Copy<'_>, allowed: &[String]) -> Option<String> {
    let may = |name: &str| allowed.iter().any(|allowed| allowed == name);
    let mut found: Vec<String> = Vec::new();
    for file in &copy.files {
        let Some(text) = copy.text(file) else { continue };
        let name_of = |number: usize, name: &str| format!("{file} line {number}: {name}");
        match Path::new(file).extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("py") => {
                for (number, line) in code(&text, "#") {
                    let modules = modules(line)
                        .into_iter()
                        .filter(|module| !known(PYTHON, module) && !may(module) && !own_module(copy, file, module));
                    found.extend(modules.map(|module| name_of(number, module)));
                }
            }
            Some("cpp" | "cc" | "cxx" | "c" | "h" | "hpp" | "hh") => {
                for (number, line) in code(&text, "//") {
                    let Some(header) = header(line) else { continue };
                    let system =
                        header.starts_with("sys/") || header.starts_with("arpa/") || header.starts_with("netinet/");
                    if !known(HEADERS, header) && !system && !may(header.split('/').next().unwrap_or(header)) {
                        found.push(name_of(number, header));
                    }
                }
            }
            Some("java") => {
                for (number, line) in code(&text, "//") {
                    let Some(name) = line.strip_prefix("import ").map(|rest| rest.trim_start_matches("static ")) else {
                        continue;
                    };
                    let package = name.trim().trim_end_matches(';');
                    let root = package.split('.').next().unwrap_or(package);
                    if !["java", "javax"].contains(&root) && !may(root) && !own_package(copy, package) {
                        found.push(name_of(number, package));
                    }
                }
            }
            _ => {}
        }
    }
    (!found.is_empty()).then(|| format!("what does not come with the language: {}", found.join("; ")))
}

/// The modules that a line of Python imports.
fn modules(line: &str) -> Vec<&str> {
    let root = |name: &'_ str| -> usize { name.find(['.', ' ', ',', ';']).unwrap_or(name.len()) };
    if let Some(rest) = line.strip_prefix("from ") {
        let rest = rest.trim_start();
        return if rest.starts_with('.') { Vec::new() } else { vec![&rest[..root(rest)]] };
    }
    let Some(rest) = line.strip_prefix("import ") else { return Vec::new() };
    rest.split(',').map(str::trim).filter(|name| !name.is_empty()).map(|name| &name[..root(name)]).collect()
}

/// A module that was handed in, or that the bot's build makes: beside the file, or at the top.
fn own_module(copy: &Copy<'_>, file: &str, module: &str) -> bool {
    let beside = file.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    copy.files.iter().any(|other| {
        [beside.as_str(), ""].iter().any(|folder| {
            let Some(rest) = other.strip_prefix(folder) else { return false };
            let name = rest.split(['/', '.']).next().unwrap_or(rest);
            // `student_agent_cpp.cpp` makes the module `student_agent_cpp`.
            name == module
        })
    })
}

/// A class that was handed in.
fn own_package(copy: &Copy<'_>, package: &str) -> bool {
    let root = package.split('.').next().unwrap_or(package);
    copy.files.iter().any(|file| file.split('/').any(|part| part == root))
}

/// The header of `#include <…>`; one in quotes was handed in, or belongs to the course.
fn header(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    rest.strip_prefix('<')?.split('>').next().map(str::trim)
}

/// What begins a thread, by language: endings, and what no bot of one thread says.
const THREADS: [(&[&str], &[&str]); 3] = [
    (
        &["py"],
        &[
            "import threading",
            "from threading",
            "import multiprocessing",
            "from multiprocessing",
            "import asyncio",
            "from asyncio",
            "concurrent.futures",
            "from concurrent",
            "import _thread",
            "os.fork(",
        ],
    ),
    (
        &["cpp", "cc", "cxx", "c", "h", "hpp", "hh"],
        &[
            "std::thread",
            "std::jthread",
            "std::async",
            "pthread_create",
            "#pragma omp",
            "fork(",
            "thrd_create",
            "std::execution::par",
        ],
    ),
    (
        &["java"],
        &[
            "new Thread",
            "extends Thread",
            "ExecutorService",
            "Executors.",
            "ForkJoinPool",
            "parallelStream",
            ".parallel()",
            "CompletableFuture",
        ],
    ),
];

pub(super) fn threads(copy: &Copy<'_>) -> Option<String> {
    let mut found = Vec::new();
    for file in &copy.files {
        let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default();
        let Some((endings, signs)) = THREADS.iter().find(|(endings, _)| endings.contains(&ending.as_str())) else {
            continue;
        };
        let Some(text) = copy.text(file) else { continue };
        let comment = if endings.contains(&"py") { "#" } else { "//" };
        for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
            // A directive of OpenMP begins with the letter that begins a comment in Python.
            let line = line.split(comment).next().unwrap_or_default();
            if let Some(sign) = signs.iter().find(|sign| contains_word(line, sign)) {
                found.push(format!("{file} line {number}: {sign}"));
            }
        }
    }
    (!found.is_empty()).then(|| found.join("; "))
}

/// Whether a line has `sign`, not as the end of another name: `setfork(` is no `fork(`.
fn contains_word(line: &str, sign: &str) -> bool {
    line.match_indices(sign)
        .any(|(at, _)| !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_a_line() {
        assert_eq!(modules("import numpy as np, os.path"), ["numpy", "os"]);
        assert_eq!(modules("from torch.nn import functional"), ["torch"]);
        assert_eq!(modules("from . import helper"), [""; 0]);
        assert_eq!(modules("imported = 3"), [""; 0]);
    }

    #[test]
    fn headers_of_a_line() {
        assert_eq!(header("#include <boost/any.hpp>"), Some("boost/any.hpp"));
        assert_eq!(header("# include<vector>"), Some("vector"));
        assert_eq!(header("#include \"engine.hpp\""), None);
    }

    #[test]
    fn signs_are_words() {
        assert!(contains_word("  pid = fork();", "fork("));
        assert!(!contains_word("  setfork();", "fork("));
    }
}
