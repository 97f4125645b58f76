//! Nobody hands in for somebody else.

use super::{
    samples::Sample,
    semester::{Semester, Team},
    sources::Source,
};

const SOURCE: Source = Source::Cannon;

#[test]
fn a_name_of_a_file_is_no_proof() {
    let teams = [Team::new(0, 1), Team::new(1, 2)];
    let semester = Semester::of("imposter", SOURCE.preset(), &teams);
    let right = SOURCE.correct("python", &teams[0]);
    semester.hand_in(&SOURCE.archive(&teams[0]), &right);
    semester.import();
    // The second team uploads under the name of the first team's bot.
    let folder = format!("{}_17_assignsubmission_file_", teams[1].people[0]);
    let path = format!("moodle/{folder}/{}", SOURCE.archive(&teams[0]));
    semester.write(&path, Sample::default().with("run.sh", "exit 1").zip());
    let said = semester.must(&["import", &semester.path("moodle")]);
    assert!(said.contains("0 new, 0 known, 1 unmatched."), "{said}");
    assert!(said.contains(&teams[0].name) && said.contains(&teams[1].name), "both are named: {said}");
    assert_eq!(semester.open().ledger.versions(&teams[0].name).len(), 1);
}

#[test]
fn an_archive_of_archives_by_a_team_is_that_teams() {
    let teams = [Team::new(0, 1), Team::new(1, 2)];
    let semester = Semester::of("smuggler", SOURCE.preset(), &teams);
    let inner = SOURCE.correct("python", &teams[0]).zip();
    let name = format!("Ada_1_assignsubmission_file_{}", SOURCE.archive(&teams[0]));
    let outer = Sample::default().with(&SOURCE.archive(&teams[0]), &inner).with(&name, &inner);
    let late = semester.write(&format!("late/{}", SOURCE.archive(&teams[1])), outer.zip());
    let said = semester.must(&["import", &late]);
    assert!(said.contains("1 new, 0 known, 0 unmatched."), "{said}");
    let folder = semester.open();
    assert!(folder.ledger.versions(&teams[0].name).is_empty());
    assert_eq!(folder.ledger.versions(&teams[1].name).len(), 1);
}

#[test]
fn the_first_bad_line_of_a_roster_is_named() {
    let semester = Semester::of("roster", SOURCE.preset(), &[Team::new(0, 1)]);
    semester.write("course/roster.csv", "team,entry,name\nx,1,Ada\ny,1,Bob\n");
    let error = semester.fails(&["status"], 2);
    assert!(error.contains("roster.csv: line 3: the entry number '1' is that of line 2 too"), "{error}");
    semester.write("course/roster.csv", "entry,name\n1,Ada\n");
    assert!(semester.fails(&["status"], 2).contains("no column team"));
}
