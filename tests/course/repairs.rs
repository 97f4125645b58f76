//! What can be mended is mended in a copy, noted, and costs what the course's table says.

use std::{collections::BTreeSet, fs, os::unix::fs::PermissionsExt};

use super::{
    samples::{Sample, byte_order_mark, crlf, utf16},
    semester::{Semester, Team, below, found},
    sources::{ALL, Source},
};

/// A fault: what it does to a submission, and the repairs that undo it.
struct Fault {
    make: Box<dyn Fn(Sample) -> Sample>,
    repairs: &'static [&'static str],
}

fn fault(repairs: &'static [&'static str], make: impl Fn(Sample) -> Sample + 'static) -> Fault {
    Fault { make: Box::new(make), repairs }
}

fn faults(source: Source) -> Vec<Fault> {
    let mut faults = vec![
        fault(&["repair:folder"], |sample| sample.inside("my-bot/")),
        fault(&["repair:folder"], |sample| sample.inside("deep/deeper/")),
        fault(&["repair:folder"], |sample| {
            let litter = Sample::default().with("__MACOSX/._bot", "").with(".DS_Store", "");
            Sample { files: [sample.inside("my bot/").files, litter.files].concat() }
        }),
        fault(&["repair:backslash", "repair:folder"], |sample| sample.inside("my-bot\\")),
    ];
    if let Some(report) = source.report() {
        let (stem, ending) = report.rsplit_once('.').expect("an ending");
        let (doubled, shouted) = (format!("{report}.{ending}"), format!("{}.{ending}", stem.to_uppercase()));
        let texted = format!("{report}.txt");
        faults.extend([
            fault(&["repair:name"], move |sample| sample.renamed(report, &doubled)),
            fault(&["repair:name"], move |sample| sample.renamed(report, &texted)),
            fault(&["repair:name"], move |sample| sample.renamed(report, &shouted)),
            fault(&["repair:name"], move |sample| sample.renamed(report, &format!("{report} "))),
            fault(&["repair:line-endings"], move |sample| sample.edited(report, crlf)),
            fault(&["repair:utf16"], move |sample| sample.edited(report, utf16)),
            fault(&["repair:byte-order-mark"], move |sample| sample.edited(report, byte_order_mark)),
            fault(&["repair:utf16", "repair:line-endings", "repair:folder", "repair:name"], move |sample| {
                let windows = |text: &str| utf16(&String::from_utf8(crlf(text)).expect("UTF-8"));
                sample.edited(report, windows).renamed(report, &report.to_uppercase()).inside("bot/")
            }),
        ]);
    }
    if matches!(source, Source::Cannon | Source::Yinsh) {
        faults.extend([
            fault(&["repair:run-bit"], |sample| sample.plain("run.sh").plain("compile.sh")),
            fault(&["repair:line-endings"], |sample| sample.edited("run.sh", crlf)),
            fault(&["repair:name"], |sample| sample.renamed("run.sh", "Run.sh")),
        ]);
    }
    faults
}

#[test]
fn what_can_be_mended_plays_and_is_noted() {
    for source in ALL {
        let faults = faults(source);
        let teams: Vec<Team> = (0..faults.len()).map(|number| Team::new(number, 1 + number % 2)).collect();
        let semester = Semester::of(&format!("repairs-{}", source.game()), source.preset(), &teams);
        for (team, fault) in teams.iter().zip(&faults) {
            semester.hand_in(&source.archive(team), &(fault.make)(source.correct("python", team)));
        }
        semester.import();
        let course = semester.open().course;
        for (place, (team, fault)) in teams.iter().zip(&faults).enumerate() {
            let version = semester.active(&team.name);
            let (broken, mended) = found(&version);
            let wanted: BTreeSet<String> = fault.repairs.iter().map(|repair| (*repair).to_owned()).collect();
            let findings = &version.formalities.findings;
            assert_eq!((broken, mended), (BTreeSet::new(), wanted), "{source:?}, fault {place}: {findings:?}");
            for finding in findings {
                let cost = course.repairs.iter().find(|(repair, _)| finding.rule == format!("repair:{repair}"));
                assert_eq!(Some(finding.penalty.share()), cost.map(|(_, cost)| *cost), "{}", finding.rule);
                assert!(source == Source::ConnectX || !finding.says.is_empty(), "the source asks for it somewhere");
            }
            // The copy is as if nothing had been wrong; what came is kept.
            let bot = below(&semester, version.bot.as_deref().expect("a bot"));
            for file in source.correct("python", team).files {
                let text = fs::read(bot.join(&file.name)).unwrap_or_else(|error| panic!("{}: {error}", file.name));
                assert_eq!(text, file.bytes, "{source:?}, fault {place}: {}", file.name);
                let mode = fs::metadata(bot.join(&file.name)).expect("a file").permissions().mode();
                assert_eq!(mode & 0o111 != 0, file.executable, "{source:?}, fault {place}: {}", file.name);
            }
            let kept = fs::read(below(&semester, &version.kept)).expect("what came");
            assert_eq!(kept, (fault.make)(source.correct("python", team)).zip());
        }
    }
}
