//! What sources may not contain: foreign libraries, threads.

use super::{
    Copy,
    bare::{Language, Line, lines},
};

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
    for (file, language, text) in sources(copy) {
        for line in lines(&text, language) {
            let foreign: Vec<&str> = match language {
                Language::Python => {
                    let own = |module: &&str| known(PYTHON, module) || may(module) || own_module(copy, file, module);
                    let dynamic = loaded(&line).map(|name| name.split('.').next().unwrap_or(name));
                    modules(&line.code).into_iter().chain(dynamic).filter(|module| !own(module)).collect()
                }
                Language::C => header(&line)
                    .filter(|header| !header.comes_along(copy, may))
                    .map(|header| header.name)
                    .into_iter()
                    .collect(),
                Language::Java => imported(&line.code)
                    .filter(|package| {
                        let root = package.split('.').next().unwrap_or(package);
                        !["java", "javax"].contains(&root) && !may(root) && !own_package(copy, package)
                    })
                    .into_iter()
                    .collect(),
            };
            found.extend(foreign.into_iter().map(|name| format!("{file} line {}: {name}", line.number)));
        }
    }
    (!found.is_empty()).then(|| format!("what does not come with the language: {}", found.join("; ")))
}

/// The files that are sources, with their texts.
pub(super) fn sources<'a>(copy: &'a Copy<'_>) -> impl Iterator<Item = (&'a str, Language, String)> {
    copy.files.iter().filter_map(|file| Some((file.as_str(), Language::of(file)?, copy.text(file)?)))
}

/// The modules that a line of Python imports: `x = 1; import a.b as c, d`, `try: from e import f`.
fn modules(code: &str) -> Vec<&str> {
    let root = |name: &'_ str| -> usize { name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len()) };
    let mut all = Vec::new();
    for statement in code.split([';', ':']).map(str::trim) {
        let words = |keyword: &str| statement.strip_prefix(keyword).filter(|rest| rest.starts_with([' ', '\t']));
        if let Some(rest) = words("from") {
            let rest = rest.trim_start();
            all.extend((!rest.starts_with('.')).then(|| &rest[..root(rest)]));
        } else if let Some(rest) = words("import") {
            all.extend(rest.split(',').map(str::trim).map(|name| &name[..root(name)]));
        }
    }
    all.retain(|name| !name.is_empty());
    all
}

/// A module that a line of Python loads by a name in a string.
fn loaded<'a>(line: &Line<'a>) -> Option<&'a str> {
    let at = ["__import__(", "import_module("].iter().find_map(|call| Some(line.code.find(call)? + call.len()))?;
    let rest = line.written.get(at..)?.trim_start();
    let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    rest[1..].split(mark).next()
}

/// What a line of Java imports.
fn imported(code: &str) -> Option<&str> {
    let rest = code.trim().strip_prefix("import ")?.trim_start();
    Some(rest.trim_start_matches("static ").trim().trim_end_matches(';').trim())
}

/// A module that was handed in, or that the bot's build makes: beside the file, or at the top.
fn own_module(copy: &Copy<'_>, file: &str, module: &str) -> bool {
    let beside = file.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    copy.files.iter().any(|other| {
        [beside.as_str(), ""].iter().any(|folder| {
            let rest = other.strip_prefix(folder).and_then(|rest| rest.strip_prefix(module));
            // `student_agent_cpp.cpp` makes the module `student_agent_cpp`; a text of that name makes none.
            let ending = rest.and_then(|rest| rest.strip_prefix('.')).and_then(|rest| rest.rsplit('.').next());
            rest.is_some_and(|rest| rest.starts_with('/'))
                || ending.is_some_and(|ending| ["py", "pyx", "pyd", "so", "cpp", "cc", "cxx", "c"].contains(&ending))
        })
    })
}

/// A class that was handed in.
fn own_package(copy: &Copy<'_>, package: &str) -> bool {
    let root = package.split('.').next().unwrap_or(package);
    copy.files.iter().any(|file| file.split('/').any(|part| part == root))
}

/// What a line of C or C++ includes.
struct Header<'a> {
    name: &'a str,
    /// Whether it stands in quotes: it was handed in, or belongs to the course.
    quoted: bool,
}

fn header<'a>(line: &Line<'a>) -> Option<Header<'a>> {
    // What stands in comments is no code, and what stands in quotes is not either: so the code says whether, the text what.
    line.code.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    let rest = line.written.split_once("include")?.1.trim_start();
    let (quoted, rest) = match rest.strip_prefix('<') {
        Some(rest) => (false, rest),
        None => (true, rest.strip_prefix('"')?),
    };
    Some(Header { name: rest.split(['>', '"']).next().map(str::trim)?, quoted })
}

impl Header<'_> {
    /// Whether it comes with the language, with the course or with the submission.
    fn comes_along(&self, copy: &Copy<'_>, may: impl Fn(&str) -> bool) -> bool {
        let name = self.name;
        let system = ["sys/", "arpa/", "netinet/"].iter().any(|folder| name.starts_with(folder));
        let root = name.split('/').next().unwrap_or(name);
        let plain = name.trim_start_matches("../").trim_start_matches("./");
        let own = || copy.files.iter().any(|file| file == plain || file.ends_with(&format!("/{plain}")));
        // The course's own headers are not handed in, and lie in no folder.
        known(HEADERS, name) || system || may(root) || own() || self.quoted && root == name
    }
}

/// Modules of Python that begin threads, processes or asynchronous code.
const PARALLEL: [&str; 5] = ["threading", "multiprocessing", "asyncio", "concurrent", "_thread"];

/// What no bot of one thread says.
fn signs(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &["os.fork(", "os.forkpty(", "async def"],
        Language::C => &[
            "std::thread",
            "std::jthread",
            "std::async",
            "pthread_create",
            "#pragma omp",
            "fork(",
            "vfork(",
            "thrd_create",
            "std::execution::par",
        ],
        Language::Java => &[
            "new Thread",
            "extends Thread",
            "Thread.of",
            "Thread.startVirtualThread",
            "ExecutorService",
            "Executors.",
            "ForkJoinPool",
            "parallelStream",
            ".parallel()",
            "CompletableFuture",
        ],
    }
}

/// The same with names that `using namespace std` makes short.
const SHORT: [&str; 3] = ["thread", "jthread", "async"];

pub(super) fn threads(copy: &Copy<'_>) -> Option<String> {
    let mut found = Vec::new();
    for (file, language, text) in sources(copy) {
        let lines = lines(&text, language);
        let plain = |line: &Line<'_>| line.code.split_whitespace().collect::<Vec<_>>().join(" ");
        let short = language == Language::C && lines.iter().any(|line| plain(line).contains("using namespace std"));
        for line in &lines {
            let code = plain(line).replace("# pragma", "#pragma");
            let module = || {
                let modules = if language == Language::Python { modules(&line.code) } else { Vec::new() };
                let dynamic = if language == Language::Python { loaded(line) } else { None };
                modules.into_iter().chain(dynamic).find(|module| PARALLEL.contains(module)).map(str::to_owned)
            };
            let sign = || signs(language).iter().find(|sign| contains_word(&code, sign)).map(|sign| (*sign).to_owned());
            let name = || {
                let made = |name: &&&str| makes(&code, name);
                SHORT.iter().filter(|_| short && !code.starts_with('#')).find(made).map(|name| (*name).to_owned())
            };
            found.extend(
                module().or_else(sign).or_else(name).map(|sign| format!("{file} line {}: {sign}", line.number)),
            );
        }
    }
    (!found.is_empty()).then(|| found.join("; "))
}

/// Whether a line makes something of this name: `thread helper(…)`, `vector<thread>`, `async(…)`, and no variable called so.
fn makes(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let inside = |letter: char| letter.is_alphanumeric() || letter == '_';
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let own = !before.ends_with(inside) && !before.ends_with(['.', ':', '>']);
        let declares = after.strip_prefix(' ').is_some_and(|rest| rest.starts_with(inside));
        own && (declares || before.ends_with('<') || name == "async" && after.starts_with('('))
    })
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
        assert_eq!(modules("x = 1; import\tnumpy"), ["numpy"]);
        assert_eq!(modules("try: import numpy.linalg, os"), ["numpy", "os"]);
    }

    #[test]
    fn headers_of_a_line() {
        let of = |text: &'static str| {
            header(&lines(text, Language::C)[0]).map(|header| (header.name.to_owned(), header.quoted))
        };
        assert_eq!(of("#include <boost/any.hpp>"), Some(("boost/any.hpp".to_owned(), false)));
        assert_eq!(of("# include<vector>"), Some(("vector".to_owned(), false)));
        assert_eq!(of("#include \"engine.hpp\" // ours"), Some(("engine.hpp".to_owned(), true)));
        assert_eq!(of("// #include <boost/any.hpp>"), None);
    }

    #[test]
    fn short_names_of_threads_are_told_from_variables() {
        for made in ["thread helper(run);", "vector<thread> all;", "auto x = async(run);", "jthread t{run};"] {
            assert!(SHORT.iter().any(|name| makes(made, name)), "{made}");
        }
        for other in ["int thread = 1;", "this_thread::yield();", "async = 3;", "x.thread y", "threads all;"] {
            assert!(!SHORT.iter().any(|name| makes(other, name)), "{other}");
        }
    }

    #[test]
    fn signs_are_words() {
        assert!(contains_word("  pid = fork();", "fork("));
        assert!(!contains_word("  setfork();", "fork("));
    }
}
