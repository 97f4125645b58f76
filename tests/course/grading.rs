//! From what was handed in to marks: equal to a table that is worked out here, from the standings and the course's words.

use super::{
    samples::Sample,
    semester::{AGON, Semester, Table, Team},
    sources::Source,
};

/// A team of a course, and what is expected of its marks beside what it wins.
struct Entered {
    team: Team,
    /// What it hands in; nothing for a no-show.
    sample: Option<Sample>,
    /// The share of the marks of every phase that it loses for faults of form.
    share: f64,
}

/// What a student gets besides what is won: judges' marks, adjustments.
#[derive(Default)]
struct Extra {
    judged: f64,
    adjusted: f64,
}

/// Half a unit is rounded up, away from zero.
fn round(number: f64) -> f64 {
    let cents = number.abs() * 100.0;
    let whole = if cents - cents.floor() > 0.5 - 1e-9 { cents.floor() + 1.0 } else { cents.floor() };
    if whole == 0.0 { 0.0 } else { whole.copysign(number) / 100.0 }
}

/// How the marks of the standings become those of a phase.
type Won = fn(&Table, &str) -> f64;

/// By the format: the column `marks` of the standings.
fn by_marks(standings: &Table, name: &str) -> f64 {
    standings.cell("team", name, "marks").parse().expect("marks")
}

/// By place: what the course of Connect-X has, 0 for whoever did not start.
fn by_place(standings: &Table, name: &str) -> f64 {
    if standings.cell("team", name, "Code Warriors: reached") == "did-not-start" {
        return 0.0;
    }
    let place: usize = standings.cell("team", name, "place").parse().expect("a place");
    [80.0, 60.0, 45.0, 35.0, 20.0][place.min(5) - 1]
}

/// Three teams of one source: as asked, with a fault of form, and one that does not come.
fn entered(source: Source, share: f64, fault: impl Fn(Sample) -> Sample) -> Vec<Entered> {
    let teams: Vec<Team> = (0..4).map(|number| Team::new(number, 1 + number % 2)).collect();
    let right = |team: &Team| source.correct("python", team);
    let samples = [Some(right(&teams[0])), Some(fault(right(&teams[1]))), None, Some(right(&teams[3]))];
    let shares = [0.0, share, 0.0, 0.0];
    let all = teams.into_iter().zip(samples).zip(shares);
    all.map(|((team, sample), share)| Entered { team, sample, share }).collect()
}

fn begin(name: &str, source: Source, entered: &[Entered]) -> Semester {
    let teams: Vec<Team> = entered.iter().map(|entered| entered.team.clone()).collect();
    let semester = Semester::of(name, source.preset(), &teams);
    for entered in entered {
        if let Some(sample) = &entered.sample {
            semester.hand_in(&source.archive(&entered.team), sample);
        }
    }
    semester.import();
    semester
}

/// Compares the marks of all students with what follows from the standings.
fn compare(semester: &Semester, entered: &[Entered], phases: &[&str], won: Won, extra: impl Fn(&str) -> Extra) {
    let marks = semester.marks();
    let students: usize = entered.iter().map(|entered| entered.team.entries.len()).sum();
    assert_eq!(marks.rows.len(), students, "a row for every student");
    let standings: Vec<Table> = phases.iter().map(|phase| semester.standings(phase)).collect();
    let mut above = 0;
    for entered in entered {
        let name = semester.pseudonym(&entered.team.name);
        for (entry, person) in entered.team.entries.iter().zip(&entered.team.people) {
            let cell = |column: &str| marks.cell("entry", entry, column);
            let number = |column: &str| -> f64 { cell(column).parse().unwrap_or_else(|_| panic!("{column}")) };
            let mut total = 0.0;
            for (phase, standings) in phases.iter().zip(&standings) {
                let wins = round(won(standings, &name));
                above += usize::from(wins > 0.0);
                let taken = round(-wins * entered.share);
                assert_eq!(cell(phase), format!("{wins:.2}"), "{entry} in {phase}");
                assert_eq!(cell(&format!("{phase}: deducted")), format!("{taken:.2}"), "{entry} in {phase}");
                let note = cell("note").contains(&format!("{phase}: nothing was handed in"));
                assert_eq!(note, entered.sample.is_none(), "{entry}: {}", cell("note"));
                total += wins + taken;
            }
            let extra = extra(entry);
            total += extra.judged + extra.adjusted;
            assert_eq!(cell("total"), format!("{:.2}", round(total)), "{entry}");
            assert!((number("adjusted") - extra.adjusted).abs() < 1e-9, "{entry}");
            // The organiser's columns come back as they were.
            assert_eq!((cell("name"), cell("team")), (person.as_str(), entered.team.name.as_str()));
            assert_eq!(cell("hall"), format!("Hall{entry}x"));
            assert_eq!(cell("remark"), format!("secretly, {entry}"));
        }
    }
    assert!(above > 0, "somebody wins something");
}

fn nothing(_: &str) -> Extra {
    Extra::default()
}

/// A pair whose bot lies in a folder, with the line endings of Windows in the report.
fn two_faults(report: &'static str) -> impl Fn(Sample) -> Sample {
    move |sample| sample.edited(report, super::samples::crlf).inside("bot/")
}

#[test]
fn yinsh() {
    let all = entered(Source::Yinsh, 0.15, two_faults("writeup.txt"));
    let semester = begin("grade-yinsh", Source::Yinsh, &all);
    semester.grade();
    compare(&semester, &all, &["A2", "A5"], by_marks, nothing);
}

#[test]
fn cannon() {
    let all = entered(Source::Cannon, 0.15, two_faults("writeup.txt"));
    let semester = begin("grade-cannon", Source::Cannon, &all);
    semester.grade();
    let lone = all[0].team.entries[0].clone();
    // 1.005 is half a unit more than 1.
    semester.must(&["adjust", &lone, "1.005", "--reason", "=late by mail"]);
    semester.must(&["adjust", &lone, "-0.5", "--reason", "asked twice"]);
    semester.fails(&["adjust", "2099CS1", "1", "--reason", "x"], 2);
    semester.fails(&["adjust", &lone, "1", "--reason", " "], 2);
    compare(&semester, &all, &["A2", "A5"], by_marks, |entry| Extra {
        adjusted: if entry == lone { 1.01 - 0.5 } else { 0.0 },
        ..Extra::default()
    });
    let marks = semester.marks();
    let why = marks.cell("entry", &lone, "adjusted: why");
    assert!(why.contains("late by mail (+1.0") && why.contains("asked twice (-0.5)"), "{why}");
    assert!(!why.starts_with('='), "no formula: {why}");
}

/// What is settled counts instead of what the course says; a fault that is seen while playing is the organiser's to enter.
#[test]
fn rollerball() {
    // A turn of the first round's own form takes all its time, whatever the clock. Who plays through a manifest hands in a file too
    // many, which costs 20 %.
    let run = format!("{AGON} bot rollerball --level random");
    let manifest = format!("name = \"b\"\ngame = \"rollerball\"\nprotocol = \"ugi\"\nrun = \"{run}\"\n");
    let quick = |sample: Sample| sample.with("bot.toml", &manifest);
    let faults = two_faults("Readme.md");
    let mut all = entered(Source::Rollerball, 0.7, |sample| faults(quick(sample)));
    for place in [0, 3] {
        all[place].sample = all[place].sample.take().map(quick);
    }
    (all[0].share, all[3].share) = (0.2, 1.0);
    let semester = begin("grade-rollerball", Source::Rollerball, &all);
    semester.grade();
    let settle = |team: &Team, rule: &str, cost: &str| {
        semester.must(&["settle", &team.name, rule, cost, "--reason", "as announced"]);
    };
    settle(&all[1].team, "repair:folder", "0.5");
    settle(&all[1].team, "repair:line-endings", "waived");
    settle(&all[3].team, "interaction", "zero");
    let error = semester.fails(&["settle", &all[0].team.name, "libraries", "zero", "--reason", "x"], 2);
    assert!(error.contains("nothing was found about 'libraries'"), "{error}");
    compare(&semester, &all, &["A2", "A5"], by_marks, nothing);
    let marks = semester.marks();
    assert_eq!(
        marks.cell("entry", &all[1].team.entries[0], "A5: why"),
        "repair:folder: 50 % (as announced); files: 20 %"
    );
    // A new version changes nothing about phases that are over, and what was found about the old one can still be settled.
    semester.hand_in(&Source::Rollerball.archive(&all[1].team), &Source::Rollerball.correct("python", &all[1].team));
    semester.import();
    compare(&semester, &all, &["A2", "A5"], by_marks, nothing);
    let team = &all[1].team.name;
    semester.must(&["settle", team, "repair:folder", "0.25", "--version", "1", "--reason", "on second thoughts"]);
    all[1].share = 0.45;
    compare(&semester, &all, &["A2", "A5"], by_marks, nothing);
}

#[test]
fn rivers() {
    let all = entered(Source::Rivers, 0.25, two_faults("report.txt"));
    let semester = begin("grade-rivers", Source::Rivers, &all);
    semester.grade();
    compare(&semester, &all, &["A5"], by_marks, nothing);
}

#[test]
fn connectx() {
    let all = entered(Source::ConnectX, 0.0, |sample| sample.inside("bot/"));
    let semester = begin("grade-connectx", Source::ConnectX, &all);
    semester.grade();
    let table = format!("team,code structure,reasoning\n{},7.25,\n{},10,3\n", all[0].team.name, all[1].team.entries[0]);
    let said = semester.must(&["judge", "--csv", &semester.write("judges.csv", table)]);
    assert!(said.contains("3 marks were entered."), "{said}");
    semester.must(&["judge", "reasoning", &all[0].team.name, "1"]);
    semester.must(&["judge", "reasoning", &all[0].team.name, "2"]);
    let error = semester.fails(&["judge", "reasoning", &all[0].team.name, "11"], 2);
    assert!(error.contains("from 0 to 10, found 11"), "{error}");
    // The first bad line is named, and nothing of the table is entered.
    let table = format!("team,reasoning\n{},9\nNobody,1\n", all[3].team.name);
    let error = semester.fails(&["judge", "--csv", &semester.write("bad.csv", table)], 2);
    assert!(error.contains("bad.csv line 3: no team is called 'Nobody'"), "{error}");
    compare(&semester, &all, &["Knockout"], by_place, |entry| Extra {
        judged: match all.iter().position(|entered| entered.team.entries.iter().any(|own| own == entry)) {
            Some(0) => 9.25,
            Some(1) => 13.0,
            _ => 0.0,
        },
        ..Extra::default()
    });
}

/// Partners who had other partners before are seeded by the mean; whoever dropped the course has a row all the same.
#[test]
fn changed_partners_and_drop_outs() {
    let semester = Semester::new("partners", Source::Yinsh.preset());
    let roster = "entry,name,team,team.A2,dropped,total\n\
        2020CS1,Ada Aster,Reds,Reds,,=1+1\n2020CS2,Bob Birch,Blues,Reds,,x\n2020CS3,Cay Cedar,Blues,Blues,,x\n\
        2020CS4,Dov Dill,Gone,Gone,yes,x\n2020CS5,Eve Elder,Greens,Greens,,x\n";
    semester.write("course/roster.csv", roster);
    let kit = Sample::kit("yinsh", "python");
    // Both old teams hand in for the first phase; the others come too late for it.
    for archive in ["2020CS1.zip", "2020CS3.zip", "2020CS4.zip"] {
        semester.hand_in(archive, &kit);
    }
    semester.import();
    semester.grade();
    let (first, second) = (semester.standings("A2"), semester.standings("A5"));
    let score =
        |team: &str| -> f64 { first.cell("team", &semester.pseudonym(team), "score").parse().expect("a score") };
    let mean = (score("Reds") + score("Blues")) / 2.0;
    let entered = |team: &str| -> f64 {
        let name = semester.pseudonym(team);
        let plan = std::fs::read_to_string(semester.path("course/phases/A5.csv")).expect("teams");
        Table::read(&plan).cell("team", &name, "score").parse().expect("a seed")
    };
    assert!((entered("Blues") - mean).abs() < 1e-9, "{} instead of {mean}", entered("Blues"));
    assert!((entered("Reds") - score("Reds")).abs() < 1e-9);
    assert!(score("Reds") > 0.0 || score("Blues") > 0.0, "somebody scores something");
    assert_eq!(second.rows.len(), 3, "nobody plays for a team that is gone");
    let marks = semester.marks();
    assert_eq!(marks.rows.len(), 5);
    // Bob has what each of his teams won.
    assert_eq!(marks.cell("entry", "2020CS2", "A2"), marks.cell("entry", "2020CS1", "A2"));
    assert_eq!(marks.cell("entry", "2020CS2", "A5"), marks.cell("entry", "2020CS3", "A5"));
    assert_eq!(marks.cell("entry", "2020CS4", "A2"), "");
    assert_eq!(marks.cell("entry", "2020CS4", "note"), "dropped the course");
    assert_eq!(marks.cell("entry", "2020CS4", "total"), "0.00");
    let note = marks.cell("entry", "2020CS5", "note");
    assert_eq!(note, "A2: nothing was handed in; A5: nothing was handed in");
    // A column of the organiser that is called like one of ours; and no cell is a formula.
    assert_eq!(marks.cell("entry", "2020CS1", "roster: total"), "'=1+1");
}
