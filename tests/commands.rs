//! Sessions with the command, as people see them: `tests/cmd/*.trycmd`.
//!
//! `TRYCMD=overwrite cargo test -p agon-cli commands` rewrites them; read the diff.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

#[test]
fn sessions() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .env("COLUMNS", "100")
        .case("../../tests/cmd/*.trycmd");
}

/// `agon … 2>&1 | head`, when `head` has had enough.
#[test]
fn nobody_hears_what_is_said_to_a_closed_stderr() {
    for arguments in [["show", "nope"], ["check", "cmd:true"], ["frobnicate", "x"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut agon = Command::new(AGON);
        let output = agon.args(arguments).stderr(writer).output().expect("agon runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {:?}", output.status);
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn arguments_that_are_no_text_are_refused() {
    let name = OsStr::from_bytes(b"b\xf6t.py");
    let output = Command::new(AGON).arg("check").arg(name).output().expect("agon runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said, "agon: argument 2 is not UTF-8 text: 'b\u{fffd}t.py'; rename the file with plain letters\n");
}
