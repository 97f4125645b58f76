//! Everything that courses collect submissions with, and what happens when they come again.

use std::{fs, path::PathBuf};

use super::{
    samples::{Sample, zip_of},
    semester::{Semester, Team},
    sources::Source,
};

const SOURCE: Source = Source::Yinsh;

fn right(team: &Team) -> Sample {
    SOURCE.correct("python", team)
}

fn teams() -> Vec<Team> {
    (0..4).map(|number| Team::new(number, 1 + number % 2)).collect()
}

fn semester(name: &str) -> (Semester, Vec<Team>) {
    let teams = teams();
    (Semester::of(name, SOURCE.preset(), &teams), teams)
}

/// Every team handed in the same as the others, once, and nothing else came.
fn all_arrived(semester: &Semester, teams: &[Team], said: &str) {
    assert!(said.contains(&format!("{} new, 0 known, 0 unmatched.", teams.len())), "{said}");
    let folder = semester.open();
    for team in teams {
        let versions = folder.ledger.versions(&team.name);
        let [version] = versions[..] else { panic!("{} has {} versions", team.name, versions.len()) };
        assert_eq!(version.refused, None);
        let missing = version.formalities.findings.iter().find(|finding| finding.rule == "files");
        assert_eq!(missing, None, "{}", team.name);
    }
}

/// A layout in the folder `in` is imported as it is, and packed as one archive.
fn both_ways(name: &str, lay_out: impl Fn(&Semester, &[Team])) {
    let (semester, teams) = self::semester(name);
    lay_out(&semester, &teams);
    all_arrived(&semester, &teams, &semester.import());
    let again = semester.import();
    assert!(again.contains(&format!("0 new, {} known, 0 unmatched.", teams.len())), "the same again: {again}");
    let (packed, teams) = self::semester(&format!("{name}-packed"));
    lay_out(&packed, &teams);
    let archive = packed.write("download.zip", zip_of(&packed.folder.join("in")));
    all_arrived(&packed, &teams, &packed.must(&["import", &archive]));
}

#[test]
fn a_flat_folder_of_archives() {
    both_ways("flat", |semester, teams| {
        for team in teams {
            semester.hand_in(&SOURCE.archive(team), &right(team));
        }
    });
}

#[test]
fn moodle_with_a_folder_for_each_student() {
    both_ways("moodle-folders", |semester, teams| {
        for (number, team) in teams.iter().enumerate() {
            let student = format!("{}_{}", team.people[0], 2700 + number);
            let folder = format!("{student}_assignsubmission_file_");
            match number {
                // Files of their own instead of an archive.
                0 => right(team).lay_out(&semester.folder.join("in").join(&folder)),
                // Something beside the archive.
                1 => {
                    semester.hand_in(&format!("{folder}/my bot.zip"), &right(team));
                    semester.write(&format!("in/{folder}/report.pdf"), "%PDF");
                }
                _ => drop(semester.hand_in(&format!("{folder}/{}", SOURCE.archive(team)), &right(team))),
            }
            // What students write into Moodle's form is no submission.
            semester.write(&format!("in/{student}_assignsubmission_onlinetext_/onlinetext.html"), "<p>Hello</p>");
        }
    });
}

#[test]
fn moodle_with_all_files_beside_each_other() {
    both_ways("moodle-flat", |semester, teams| {
        for (number, team) in teams.iter().enumerate() {
            let student = format!("{}_{}_assignsubmission_file_", team.people[0], 2700 + number);
            if number == 0 {
                // Files of their own: they belong together.
                let loose = Sample { files: right(team).inside(&student).files };
                loose.lay_out(&semester.folder.join("in"));
            } else {
                semester.hand_in(&format!("{student}bot.zip"), &right(team));
            }
        }
        semester.write("in/Somebody Else_1_assignsubmission_onlinetext.html", "<p>Hello</p>");
    });
}

#[test]
fn gradescope_with_its_list() {
    both_ways("gradescope", |semester, teams| {
        let mut list = String::from("---\n");
        for (number, team) in teams.iter().enumerate() {
            let name = format!("submission_{}", 900 + number);
            right(team).lay_out(&semester.folder.join("in/export").join(&name));
            list.push_str(&format!("{name}:\n  :submitters:\n"));
            for (entry, person) in team.entries.iter().zip(&team.people).rev() {
                let sid = if number == 2 { String::new() } else { format!("'{entry}'") };
                let email = format!("{}@students.example", entry.to_lowercase());
                list.push_str(&format!("  - :name: {person}\n    :sid: {sid}\n    :email: {email}\n"));
            }
            list.push_str("  :created_at: 2021-03-01 10:00:00.000000000 Z\n  :score: 1.0\n  :status: processed\n");
            list.push_str("  :history: []\n");
        }
        semester.write("in/export/submission_metadata.yml", list);
        if semester.folder.ends_with("gradescope") {
            let (from, to) = (semester.folder.join("in/export"), semester.folder.join("exported"));
            fs::rename(from, &to).expect("a move");
            fs::remove_dir_all(semester.folder.join("in")).expect("a folder");
            fs::rename(to, semester.folder.join("in")).expect("a move");
        }
    });
}

#[test]
fn gradescopes_list_leads_nowhere_else() {
    let (semester, teams) = semester("gradescope-hostile");
    right(&teams[0]).lay_out(&semester.folder.join("outside"));
    for (name, list) in [
        ("a path", "../outside:\n  :submitters: []\n".to_owned()),
        ("no list", "- 1\n- 2\n".to_owned()),
        (
            "aliases",
            (1..40).fold("a0: &a0 [x, x]\n".to_owned(), |list, n| {
                let before = n - 1;
                format!("{list}a{n}: &a{n} [*a{before}, *a{before}, *a{before}, *a{before}]\n")
            }),
        ),
    ] {
        semester.write("in/submission_metadata.yml", list);
        let error = semester.fails(&["import", &semester.path("in")], 2);
        assert!(error.contains("submission_metadata.yml"), "{name}: {error}");
        assert!(error.len() < 2000, "{name}");
    }
}

#[test]
fn a_late_archive_and_one_that_nobody_knows() {
    let (semester, teams) = semester("late");
    let late = semester.write(&format!("late/{}", SOURCE.archive(&teams[1])), right(&teams[1]).zip());
    let said = semester.must(&["import", &late]);
    assert!(said.contains("1 new, 0 known, 0 unmatched."), "{said}");
    // Almost the entry number of the first team.
    let nearly = format!("{}x.zip", teams[0].entries[0]);
    let unknown = semester.write(&format!("late/{nearly}"), right(&teams[0]).zip());
    let said = semester.must(&["import", &unknown]);
    assert!(said.contains("0 new, 0 known, 1 unmatched.") && said.contains(&teams[0].name), "{said}");
    let status = semester.must(&["status"]);
    assert!(status.contains(&format!("unmatched: {nearly}")) && status.contains("agon course assign"), "{status}");
    let error = semester.fails(&["assign", &nearly, "The Aardwolf 0"], 2);
    assert!(error.contains("did you mean") && error.contains(&teams[0].name), "{error}");
    semester.must(&["assign", &nearly, &teams[0].entries[0]]);
    assert_eq!(semester.active(&teams[0].name).called, nearly);
    let status = semester.must(&["status"]);
    assert!(!status.contains("unmatched"), "{status}");
    // What was said once holds when it comes again.
    let said = semester.must(&["import", &unknown]);
    assert!(said.contains("0 new, 1 known, 0 unmatched."), "{said}");
}

#[test]
fn what_comes_again_is_a_new_version_and_the_old_one_stays() {
    let (semester, teams) = semester("again");
    let team = &teams[0];
    let first = semester.hand_in(&SOURCE.archive(team), &right(team));
    semester.import();
    let bytes = fs::read(&first).expect("an archive");
    semester.hand_in(&SOURCE.archive(team), &right(team).line("writeup.txt", 2, "Ada"));
    let said = semester.import();
    assert!(said.contains("1 new, 0 known") && said.contains("version 2 of"), "{said}");
    assert_eq!(semester.active(&team.name).version, 2);
    // Only what the report says has changed, and it is the copy of the second.
    let report = |semester: &Semester| {
        let bot = semester.active(&team.name).bot.expect("a bot");
        fs::read_to_string(semester.folder.join("course").join(bot).join("writeup.txt")).expect("a report")
    };
    assert_eq!(report(&semester), "3\nAda\n");
    let said = semester.must(&["activate", &team.name, "1"]);
    assert!(said.contains("version 1 of"), "{said}");
    assert_eq!((semester.active(&team.name).version, report(&semester)), (1, "3\nNone\n".to_owned()));
    let kept: PathBuf = semester.folder.join("course").join(semester.active(&team.name).kept);
    assert_eq!(fs::read(kept).expect("what came"), bytes);
    let error = semester.fails(&["activate", &team.name, "3"], 2);
    assert!(error.contains("2 versions"), "{error}");
    // The second one is known, and does not count again by coming again.
    assert!(semester.import().contains("0 new, 1 known"));
    assert_eq!(semester.active(&team.name).version, 1);
    // A third one counts, since it came after the decision.
    semester.hand_in(&SOURCE.archive(team), &right(team).line("writeup.txt", 2, "Bob"));
    semester.import();
    assert_eq!(semester.active(&team.name).version, 3);
}
