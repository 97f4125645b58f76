//! Correct submissions: nothing is found about any, in any language that a source allows.

use super::{
    semester::{Semester, Team, below},
    sources::{ALL, Source},
};

/// A team for each language, and what it hands in.
fn correct(source: Source) -> Vec<(Team, &'static str)> {
    source
        .languages()
        .iter()
        .enumerate()
        .map(|(number, language)| (Team::new(number, 1 + number % 2), *language))
        .collect()
}

#[test]
fn whoever_does_what_the_text_asks_for_hears_nothing() {
    for source in ALL {
        let teams = correct(source);
        let members: Vec<Team> = teams.iter().map(|(team, _)| team.clone()).collect();
        let semester = Semester::of(&format!("correct-{}", source.game()), source.preset(), &members);
        for (team, language) in &teams {
            semester.hand_in(&source.archive(team), &source.correct(language, team));
        }
        let said = semester.import();
        assert!(said.contains(&format!("{} new, 0 known, 0 unmatched.", teams.len())), "{said}");
        for (team, language) in &teams {
            let version = semester.active(&team.name);
            assert_eq!(version.formalities.findings, [], "{source:?} in {language}");
            assert!(!version.formalities.met.is_empty());
            assert_eq!(version.refused, None);
            let bot = below(&semester, version.bot.as_deref().expect("a bot"));
            for file in source.correct(language, team).files {
                let kept = std::fs::read(bot.join(&file.name)).expect("a file of the copy");
                assert_eq!(kept, file.bytes, "{source:?} in {language}: {} was changed", file.name);
            }
        }
    }
}
