//! `agon check --course`: the form of a submission, as the course would see it.

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use super::{AGON, check};

const HONOUR: &str = "Even though I/we have taken help from the following students and LLMs in terms of discussing ideas and \
                      coding practices, all my/our code is written by me/us.";

/// The starter kit for Python, with this report.
fn kit(folder: &TempDir, report: &str) -> String {
    let kit = folder.path().join("kit");
    let made = Command::new(AGON).args(["new", "rivers", "--lang", "python"]).arg(&kit).output().expect("agon runs");
    assert!(made.status.success(), "{made:?}");
    if !report.is_empty() {
        fs::write(kit.join("report.txt"), report).expect("a report");
    }
    kit.to_str().expect("UTF-8").to_owned()
}

const COURSE: [&str; 4] = ["--course", "col333-2025-rivers", "--entries", "2025CS1,2025CS2"];

fn look(bot: &str, more: &[&str]) -> super::Checked {
    check(&[&[bot][..], &COURSE, more].concat())
}

#[test]
fn a_submission_in_form_is_ready() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = kit(&folder, &format!("2025CS2, 2025CS1\n{HONOUR}\nNone\n"));
    look(&bot, &[]).says(0, &["0 not met, 0 mended", "ready for the official run"]);
}

#[test]
fn what_the_course_would_deduct_for_is_never_ready() {
    let folder = tempfile::tempdir().expect("a folder");
    // As the kit comes: its report is to be filled in.
    let bot = kit(&folder, "");
    let results = folder.path().join("results.json");
    let checked = look(&bot, &["--results", results.to_str().expect("UTF-8")]);
    checked.says(
        1,
        &[
            "section 8, Report Requirements: First Line should contain entry numbers of all the members",
            "report.txt still says 'ENTRY-NUMBER'",
            "is not word for word: at word 1",
            "it plays, but the course would deduct",
        ],
    );
    assert!(!checked.out.contains("ready"), "{}", checked.out);
    let results: Value = serde_json::from_str(&fs::read_to_string(&results).expect("results")).expect("JSON");
    let status = |name: &str| {
        let tests = results["tests"].as_array().expect("tests");
        tests.iter().find(|test| test["name"] == name).map(|test| test["status"].clone())
    };
    assert_eq!(status("honour"), Some("failed".into()), "{results}");
    assert_eq!(status("files"), Some("passed".into()), "{results}");
    assert_eq!(status("plays against random on both sides"), Some("passed".into()), "{results}");
}

#[test]
fn what_is_mended_in_a_copy_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = kit(&folder, &format!("2025CS1,2025CS2\r\n{HONOUR}\r\nNone\r\n"));
    let kit = Path::new(&bot);
    fs::rename(kit.join("report.txt"), kit.join("Report.txt.txt")).expect("another name");
    let checked = look(&bot, &["--json"]);
    checked.says(1, &["'Report.txt.txt' instead of report.txt", "report.txt has the line endings of Windows"]);
    assert_eq!(checked.json()["form"]["findings"].as_array().map(Vec::len), Some(2), "{}", checked.out);
    assert!(kit.join("Report.txt.txt").is_file() && !kit.join("report.txt").exists());
}

#[test]
fn an_unknown_course_names_those_there_are() {
    check(&["nothing", "--course", "col999"]).refuses(&["no preset is called 'col999'", "col333-2025-rivers"]);
    check(&["nothing", "--course", "col333-2025-rivers"]).refuses(&["nothing"]);
}
