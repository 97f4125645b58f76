//! What breaks a rule is found, with the sentence that asks for something else, and nothing else is found.

use std::collections::BTreeSet;

use super::{
    samples::Sample,
    semester::{Semester, Team, found},
    sources::{HONOUR, Source},
};

/// Something handed in, and the rules that it breaks.
struct Case {
    archive: Option<String>,
    make: Box<dyn Fn(&Team) -> Sample>,
    rules: &'static [&'static str],
}

fn case(rules: &'static [&'static str], make: impl Fn(&Team) -> Sample + 'static) -> Case {
    Case { archive: None, make: Box::new(make), rules }
}

/// The cases of a source, each handed in by a team of its own; odd ones are pairs.
fn check(source: Source, cases: &[Case]) {
    let teams: Vec<Team> = (0..cases.len()).map(|number| Team::new(number, 1 + number % 2)).collect();
    let semester = Semester::of(&format!("refusals-{}", source.game()), source.preset(), &teams);
    for (team, case) in teams.iter().zip(cases) {
        let archive = match &case.archive {
            Some(name) => name
                .replace("ENTRY", &team.entries[0])
                .replace("BOT", &team.bot)
                .replace("SHOUTED", &team.bot.to_uppercase()),
            None => source.archive(team),
        };
        semester.hand_in(&archive, &(case.make)(team));
    }
    semester.import();
    let course = semester.open().course;
    for (place, (team, case)) in teams.iter().zip(cases).enumerate() {
        let version = semester.active(&team.name);
        let wanted: BTreeSet<String> = case.rules.iter().map(|rule| (*rule).to_owned()).collect();
        let findings = &version.formalities.findings;
        assert_eq!(found(&version), (wanted, BTreeSet::new()), "{source:?}, case {place}: {findings:?}");
        for finding in findings {
            let rule = course.rule.iter().find(|rule| rule.id == finding.rule).expect("a rule");
            assert_eq!((&finding.says, finding.penalty), (&rule.says, rule.penalty));
        }
    }
}

/// Cannon and Yinsh ask for the same files.
fn writeups(source: Source) -> Vec<Case> {
    let right = move |team: &Team| source.correct("python", team);
    vec![
        case(&["files"], move |team| right(team).without("run.sh")),
        case(&["files"], move |team| right(team).without("compile.sh")),
        case(&["files", "language", "collaborators"], move |team| right(team).without("writeup.txt")),
        case(&["language"], move |team| right(team).line("writeup.txt", 1, "Python")),
        case(&["language"], move |team| right(team).line("writeup.txt", 1, "4")),
        case(&["language"], move |team| right(team).line("writeup.txt", 1, "0")),
        case(&["language"], move |team| right(team).line("writeup.txt", 1, "3 (Python)")),
        case(&["language"], move |team| right(team).line("writeup.txt", 1, "1")),
        case(&["language"], move |team| source.correct("java", team).line("writeup.txt", 1, "3")),
        case(&["collaborators"], move |team| right(team).with("writeup.txt", "3\n")),
        case(&["collaborators"], move |team| right(team).with("writeup.txt", "3\n  \nNone\n")),
        case(&["placeholders"], move |team| right(team).line("writeup.txt", 2, "ENTRY-NUMBER-1")),
    ]
}

#[test]
fn cannon() {
    let right = |team: &Team| Source::Cannon.correct("python", team);
    let mut cases = writeups(Source::Cannon);
    for archive in ["ENTRY.zip", "BOT-ENTRY.zip", "SHOUTED.zip"] {
        cases.push(Case { archive: Some(archive.to_owned()), ..case(&["archive-name"], right) });
    }
    check(Source::Cannon, &cases);
}

#[test]
fn yinsh() {
    let right = |team: &Team| Source::Yinsh.correct("python", team);
    let mut cases = writeups(Source::Yinsh);
    // Even places are alone, odd ones pairs: one of two names is too few for a pair.
    cases.push(Case { archive: Some("ENTRY_bot.zip".to_owned()), ..case(&["archive-name"], right) });
    cases.push(Case { archive: Some("ENTRY.zip".to_owned()), ..case(&["archive-name"], right) });
    cases.push(Case { archive: Some("ENTRY.zip".to_owned()), ..case(&[], right) });
    check(Source::Yinsh, &cases);
}

#[test]
fn rollerball() {
    let right = |team: &Team| Source::Rollerball.correct("python", team);
    let cpp = |team: &Team| Source::Rollerball.correct("cpp", team);
    let begins = |text: &'static str| move |before: &str| format!("{text}\n{before}").into_bytes();
    let cases = [
        case(&["files"], move |team| right(team).without("engine.py")),
        case(&["files", "members", "collaborators"], move |team| right(team).without("Readme.md")),
        case(&["files"], move |team| right(team).with("notes.txt", "more than was asked for")),
        case(&["members"], move |team| right(team).with("Readme.md", format!("{} None", team.people.join(" ")))),
        case(&["members"], move |team| right(team).with("Readme.md", format!("{} None", team.entries.join(" ")))),
        case(&["members"], move |team| {
            let others = team.entries.iter().map(|entry| format!("{entry}9")).collect::<Vec<_>>().join(" ");
            right(team).with("Readme.md", format!("{others} {} None", team.people.join(" ")))
        }),
        case(&["collaborators"], move |team| {
            right(team).edited("Readme.md", |text| text.replace("Discussed with: None", "").into_bytes())
        }),
        case(&["members", "placeholders"], |_| Sample::kit("rollerball", "python")),
        case(&["libraries"], move |team| right(team).edited("engine.py", begins("import numpy as np"))),
        case(&["libraries"], move |team| right(team).edited("engine.py", begins("import os, numpy.linalg"))),
        case(&["libraries"], move |team| right(team).edited("engine.py", begins("x = '#'; import numpy"))),
        case(&["libraries"], move |team| right(team).edited("engine.py", begins("np = __import__('numpy')"))),
        case(&[], move |team| right(team).edited("engine.py", begins("\"\"\"\nimport numpy\nfork()\n\"\"\""))),
        case(&[], move |team| right(team).edited("engine.py", begins("# import numpy, threading"))),
        case(&["libraries"], move |team| cpp(team).edited("engine.cpp", begins("#include <boost/any.hpp>"))),
        case(&["libraries"], move |team| cpp(team).edited("engine.cpp", begins("#include \"boost/any.hpp\""))),
        case(&[], move |team| cpp(team).edited("engine.cpp", begins("/* #include <boost/any.hpp>\nstd::thread */"))),
        case(&["single-threaded"], move |team| cpp(team).edited("engine.cpp", begins("std::thread* helper;"))),
        case(&["single-threaded"], move |team| {
            cpp(team).edited("engine.cpp", begins("using namespace std; thread helper(run);"))
        }),
        case(&["single-threaded"], move |team| right(team).edited("engine.py", begins("import os, threading"))),
        Case { archive: Some("ENTRY-final.zip".to_owned()), ..case(&["archive-name"], right) },
    ];
    check(Source::Rollerball, &cases);
}

#[test]
fn rivers() {
    let right = |team: &Team| Source::Rivers.correct("python", team);
    let report = |line: usize, text: &'static str| move |team: &Team| right(team).line("report.txt", line, text);
    let begins = |text: &'static str| move |before: &str| format!("{text}\n{before}").into_bytes();
    let model = "import torch\nnet = torch.load('net.pt')";
    let learnt = move |team: &Team, last: &str, more: &[&str]| {
        let all = right(team).edited("student_agent.py", begins(model));
        let all = all.edited("report.txt", |text| format!("{text}{last}\n").into_bytes());
        more.iter().fold(all, |all, file| all.with(file, "x = 1\n"))
    };
    let link = "https://drive.google.com/file/d/x";
    let cases = [
        case(&["files"], move |team| right(team).without("student_agent.py").with("agent.py", "")),
        case(&["files", "entries", "honour", "collaborators"], move |team| right(team).without("report.txt")),
        case(&["entries"], report(1, "2099CS9999999")),
        case(&["entries"], move |team| right(team).line("report.txt", 1, &format!("{}, 2099CS1", team.entries[0]))),
        case(&["entries"], report(1, "Ada and Bob")),
        case(&["entries"], move |team| right(team).line("report.txt", 1, &team.entries[0])),
        case(&["honour"], report(2, "All my code is written by me.")),
        case(&["honour"], move |team| right(team).line("report.txt", 2, &HONOUR.replace("and LLMs ", ""))),
        case(&["honour"], move |team| right(team).line("report.txt", 2, &HONOUR[..HONOUR.len() - 4])),
        case(&[], move |team| right(team).line("report.txt", 2, &format!("\u{201c}{HONOUR}\u{201d} Ada"))),
        case(&["collaborators"], report(3, "   ")),
        case(&["entries", "honour", "placeholders"], |_| Sample::kit("rivers", "python")),
        case(&["libraries"], move |team| right(team).edited("student_agent.py", begins("from numpy import array"))),
        case(&["single-threaded"], move |team| {
            right(team).edited("student_agent.py", begins("from concurrent.futures import Executor"))
        }),
        case(&["learnt"], move |team| learnt(team, "", &[])),
        case(&["learnt"], move |team| learnt(team, link, &["train.py"])),
        case(&["learnt"], move |team| learnt(team, link, &["screenshot.png"])),
        case(&["learnt"], move |team| learnt(team, link, &["screenshot.png", "constraints.py"])),
        case(&["learnt"], move |team| learnt(team, "no link", &["train.py", "screenshot.png"])),
        case(&[], move |team| learnt(team, link, &["train_net.py", "screenshot.png"])),
        Case { archive: Some("ENTRY_A5.zip".to_owned()), ..case(&["archive-name"], right) },
    ];
    check(Source::Rivers, &cases);
}

#[test]
fn connectx() {
    let cases = [
        case(&["files"], |_| Sample::default().with("notes.txt", "no bot")),
        case(&["files"], |_| Sample::default().with("src/bot.rs", "fn main() {}").with("more/x.txt", "")),
        case(&[], |team| Source::ConnectX.correct("python", team).renamed("bot.py", "anything.py")),
    ];
    check(Source::ConnectX, &cases);
}
