//! Hostile archives are refused with a reason, and never stop the others.

use std::fs;

use super::{
    samples::Sample,
    semester::{Semester, Team, below},
    sources::Source,
};

const SOURCE: Source = Source::Yinsh;

fn right(team: &Team) -> Sample {
    SOURCE.correct("python", team)
}

/// What a team hands in, and why it is refused.
type Attack = (fn(&Team) -> Vec<u8>, &'static str);

/// More bytes than the course allows, in few: a MiB is allowed here.
fn bomb(team: &Team) -> Vec<u8> {
    right(team).with("zeros.bin", vec![0; 3 << 20]).zip()
}

#[test]
fn hostile_archives_are_refused_one_by_one() {
    let cases: [Attack; 8] = [
        (|team| right(team).with("../../../evil.sh", "echo evil").zip(), "'..' in the name"),
        (|team| right(team).with("/tmp/agon-evil.sh", "echo evil").zip(), "absolute name"),
        (bomb, "which is the most that is allowed"),
        (|_| b"this is no archive".to_vec(), "not an archive"),
        (|_| Vec::new(), "the file is empty"),
        (|_| b"Rar!\x1a\x07\0 and so on".to_vec(), "rar archives cannot be read"),
        (|team| right(team).with("a\nb.txt", "").zip(), "control character"),
        (|team| right(team).zip()[..200].to_vec(), ""),
    ];
    let mut teams: Vec<Team> = (0..cases.len()).map(|number| Team::new(number, 1)).collect();
    teams.push(Team::new(cases.len(), 2));
    let semester = Semester::of("hostile", SOURCE.preset(), &teams);
    let config = fs::read_to_string(below(&semester, "course.toml")).expect("a course");
    semester.write("course/course.toml", config.replacen("size = 512", "size = 1  ", 1));
    for (team, (make, _)) in teams.iter().zip(&cases) {
        semester.write(&format!("in/{}", SOURCE.archive(team)), make(team));
    }
    let last = teams.last().expect("a team");
    semester.hand_in(&SOURCE.archive(last), &right(last));
    let said = semester.import();
    assert!(said.contains("9 new, 0 known, 0 unmatched."), "{said}");
    for (team, (_, reason)) in teams.iter().zip(&cases) {
        let version = semester.active(&team.name);
        let refused = version.refused.unwrap_or_else(|| panic!("not refused: {reason}"));
        assert!(refused.contains(reason), "{reason}: {refused}");
        assert!(!refused.contains(&semester.path("course")), "its author is told no path of ours: {refused}");
        assert_eq!(version.bot, None);
    }
    assert!(semester.active(&last.name).formalities.findings.is_empty());
    let outside = [below(&semester, "evil.sh"), below(&semester, "bots/evil.sh"), "/tmp/agon-evil.sh".into()];
    assert!(outside.iter().all(|path| !path.exists()));
    let status = semester.must(&["status"]);
    assert_eq!(status.matches("refused: ").count(), cases.len(), "{status}");
    assert!(!status.contains('\u{1b}'));
}

/// Names that our own repairs would like to use.
#[test]
fn no_name_in_an_archive_is_in_the_way_of_a_repair() {
    let (one, other, last) = (Team::new(0, 1), Team::new(1, 1), Team::new(2, 1));
    let semester = Semester::of("in-the-way", SOURCE.preset(), &[one.clone(), other.clone(), last.clone()]);
    let windows = |text: &str| text.replace('\n', "\r\n").into_bytes();
    // A folder with the name of a file that is made while another is mended.
    let beside = right(&one).edited("run.sh", windows).with("run.mended/x", "");
    semester.hand_in(&SOURCE.archive(&one), &beside);
    // A folder with the name of a file that is asked for, and a file that is almost called so.
    let folder = right(&other).renamed("writeup.txt", "Writeup.txt").with("writeup.txt/x", "");
    semester.hand_in(&SOURCE.archive(&other), &folder);
    semester.hand_in(&SOURCE.archive(&last), &right(&last));
    let said = semester.import();
    assert!(said.contains("3 new, 0 known, 0 unmatched."), "{said}");
    let bot = below(&semester, &semester.active(&one.name).bot.expect("a bot"));
    assert!(!fs::read_to_string(bot.join("run.sh")).expect("a script").contains('\r'));
    assert!(bot.join("run.mended/x").is_file(), "what was handed in is still there");
}
