//! What students handed in.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use agon_originals::{Recipe, Submissions};
use agon_wire::Language;

use super::PYTHON_CLASS;

/// The class in Python.
pub(super) const PYTHON: &str = "student_agent.py";
/// The wrapper around a compiled module.
pub(super) const WRAPPER: &str = "student_agent_cpp.py";
/// The same as the course's text prints it. No `import` finds such a file; the driver does.
pub(super) const PRINTED_WRAPPER: &str = "student_agent.cpp.py";

/// What runs the class, and what it may import from the course's files.
const FILES: [(&str, &str); 9] = [
    (".agon/driver.py", include_str!("../../driver/driver.py")),
    (".agon/agon_rivers.py", include_str!("../../driver/agon_rivers.py")),
    (".agon/gameEngine.py", include_str!("../../driver/gameEngine.py")),
    (".agon/agent.py", include_str!("../../driver/agent.py")),
    (".agon/tools/prepare.sh", include_str!("../../driver/prepare.sh")),
    (".agon/tools/pybind11/__init__.py", include_str!("../../driver/pybind11/__init__.py")),
    (".agon/tools/pybind11/__main__.py", include_str!("../../driver/pybind11/__main__.py")),
    (".agon/tools/pybind11/commands.py", include_str!("../../driver/pybind11/commands.py")),
    (".agon/tools/pybind11/setup_helpers.py", include_str!("../../driver/pybind11/setup_helpers.py")),
];

/// A class `StudentAgent`.
pub(super) struct StudentAgent;

impl Submissions for StudentAgent {
    fn form(&self) -> &'static str {
        "student_agent.py (and, with C++, student_agent_cpp.py with a compile.sh, CMakeLists.txt or Makefile)"
    }

    fn recognise(&self, submission: &Path) -> Option<Recipe> {
        recognise(submission)
    }

    fn file_names(&self) -> &'static [&'static str] {
        &[PYTHON, WRAPPER, "compile.sh", "CMakeLists.txt"]
    }
}

/// A folder with `student_agent.py` or, for C++, `student_agent_cpp.py`; or one of these files. The course also asked for a
/// `report.txt`, which costs nobody a match.
fn recognise(submission: &Path) -> Option<Recipe> {
    let is_folder = submission.is_dir();
    let has = |name: &str| match is_folder {
        true => submission.join(name).is_file(),
        false => submission.is_file() && submission.file_name().is_some_and(|file| file == name),
    };
    let wrapper = has(WRAPPER) || has(PRINTED_WRAPPER);
    let compiled = wrapper && (!has(PYTHON) || is_compiled(submission));
    let (modules, language) = match (compiled, has(PYTHON)) {
        // As in the original, the class in Python stands in for a module that cannot be imported.
        (true, true) => ("student_agent_cpp student_agent", Language::Cpp),
        (true, false) => ("student_agent_cpp", Language::Cpp),
        (false, true) => ("student_agent", Language::Python),
        (false, false) => return None,
    };
    Some(Recipe {
        protocol: &PYTHON_CLASS,
        language,
        build: build(submission).filter(|_| is_folder).map(|build| format!(". .agon/tools/prepare.sh && {build}")),
        run: format!("python3 .agon/driver.py {modules}"),
        files: FILES.to_vec(),
        ..Recipe::default()
    })
}

/// Whether there is anything in C++ in the folder, or has been.
pub(super) fn is_compiled(folder: &Path) -> bool {
    let sources = ["cpp", "cc", "cxx", "c", "hpp", "h", "so"];
    let is_source = |path: &Path| path.extension().is_some_and(|end| sources.iter().any(|source| end == *source));
    let any = |folder: &Path| {
        fs::read_dir(folder).is_ok_and(|mut all| all.any(|file| file.is_ok_and(|file| is_source(&file.path()))))
    };
    let build_files = ["compile.sh", "CMakeLists.txt", "Makefile"];
    build_files.iter().any(|name| folder.join(name).is_file())
        || folder.join("build").is_dir()
        || any(folder)
        || any(&folder.join("src"))
}

/// How a folder is built.
fn build(folder: &Path) -> Option<String> {
    let has = |name: &str| folder.join(name).is_file();
    if has("compile.sh") {
        return Some(format!("{} compile.sh", shell_of(&folder.join("compile.sh"))));
    }
    if has("CMakeLists.txt") {
        // A build folder from another machine would only mislead it.
        let configure = "rm -rf build && cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DPYTHON_EXECUTABLE=\"$python\" \
                         -DPython_EXECUTABLE=\"$python\" -DPython3_EXECUTABLE=\"$python\"";
        return Some(format!("{configure} && cmake --build build"));
    }
    (has("Makefile") || has("makefile")).then(|| "make".to_owned())
}

/// The shell that a script's first line asks for.
fn shell_of(script: &Path) -> &'static str {
    let mut first = Vec::new();
    let read = fs::File::open(script).and_then(|file| BufReader::new(file.take(200)).read_until(b'\n', &mut first));
    if read.is_ok() && first.starts_with(b"#!") && String::from_utf8_lossy(&first).contains("bash") {
        "bash"
    } else {
        "sh"
    }
}
