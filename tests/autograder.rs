//! Archives that check submissions where students hand them in, unpacked and run as their hosts run them.

use std::{fs, path::Path, process::Command};

use agon_entrants::{ArchiveLimits, unpack};
use serde_json::Value;
use tempfile::TempDir;

const AGON: &str = env!("CARGO_BIN_EXE_agon");
const HONOUR: &str = "Even though I/we have taken help from the following students and LLMs in terms of discussing ideas and \
                      coding practices, all my/our code is written by me/us.";

fn run(command: &mut Command) -> String {
    let output = command.env("AGON_SANDBOX", "none").output().expect("it runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The archive for a host, unpacked into `to`.
fn unpacked(home: &TempDir, host: &str, to: &Path) {
    let course = home.path().join("course");
    run(Command::new(AGON).args(["course", "new", "col333-2025-rivers"]).arg(&course));
    run(Command::new(AGON).args(["course", "autograder", host, "--dir"]).arg(&course));
    // This program is larger than what students hand in.
    let limits = ArchiveLimits { packed: 1 << 30, unpacked: 2 << 30, ..ArchiveLimits::default() };
    unpack(&course.join(format!("autograder-{host}.zip")), to, &limits).expect("an archive");
}

/// The starter kit with a report; an empty one is left as the kit has it.
fn kit(folder: &Path, report: &str) {
    run(Command::new(AGON).args(["new", "rivers", "--lang", "python"]).arg(folder));
    if !report.is_empty() {
        fs::write(folder.join("report.txt"), report).expect("a report");
    }
}

#[test]
fn gradescope_gets_results_for_what_is_good_and_bad() {
    let home = tempfile::tempdir().expect("a folder");
    let root = home.path().join("autograder");
    fs::create_dir(&root).expect("a folder");
    unpacked(&home, "gradescope", &root.join("source"));
    let results = |report: Option<&str>| -> Value {
        let _ = fs::remove_dir_all(root.join("submission"));
        match report {
            Some(report) => kit(&root.join("submission"), report),
            None => fs::create_dir(root.join("submission")).expect("nothing at all"),
        }
        let script = root.join("source/run_autograder");
        let mut command = Command::new(&script);
        let said = command.env("AUTOGRADER_ROOT", &root).env("AGON_SANDBOX", "none").output().expect("it runs");
        let text = fs::read_to_string(root.join("results/results.json"));
        let text = text.unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&said.stderr)));
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
    };
    let failed = |results: &Value| -> Vec<String> {
        let tests = results["tests"].as_array().expect("tests").iter();
        tests.filter(|test| test["status"] == "failed").map(|test| test["name"].to_string()).collect()
    };
    let good = results(Some(&format!("2025CS1\n{HONOUR}\nNone\n")));
    assert!(failed(&good).is_empty() && good["tests"].as_array().is_some_and(|tests| tests.len() > 5), "{good}");
    let bad = results(Some(""));
    assert!(failed(&bad).contains(&"\"honour\"".to_owned()), "{bad}");
    assert_eq!(results(None)["score"], 0, "what is no bot has no tests of its own");
}

#[test]
fn moodle_proposes_a_grade() {
    let home = tempfile::tempdir().expect("a folder");
    let lab = home.path().join("lab");
    unpacked(&home, "vpl", &lab);
    kit(&home.path().join("kit"), &format!("2025CS1\n{HONOUR}\nNone\n"));
    let evaluate = |left_out: &str| {
        let mut names = String::from("export VPL_GRADEMAX=100\n");
        let files = ["student_agent.py", "report.txt"].into_iter().filter(|name| *name != left_out);
        for (count, name) in files.enumerate() {
            fs::copy(home.path().join("kit").join(name), lab.join(name)).expect("a file that was handed in");
            names.push_str(&format!("export VPL_SUBFILE{count}={name}\n"));
        }
        fs::write(lab.join("vpl_environment.sh"), names).expect("the environment");
        run(Command::new("bash").arg("vpl_evaluate.sh").current_dir(&lab));
        run(Command::new("./vpl_execution").current_dir(&lab))
    };
    let good = evaluate("");
    assert!(good.ends_with("Grade :=>> 100\n") && good.contains("ready for the official run"), "{good}");
    let bad = evaluate("report.txt");
    assert!(bad.ends_with("Grade :=>> 0\n") && bad.contains("no report.txt"), "{bad}");
}
