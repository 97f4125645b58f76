//! What everybody may see: the results of the phases, under pseudonyms, and apart from them the key.

use std::{fs, io, path::Path};

use agon_tournament::Published;

use crate::{
    folder::{CourseError, CourseFolder},
    grade::tournament_of,
    marks::MarksError,
    roster::teams_of,
};

/// Writes a folder for each phase that has begun, which anybody can verify. Says which, with the digests of their results.
///
/// # Errors
/// If the database cannot be read or the folder not be written.
pub fn publish(folder: &CourseFolder, into: &Path) -> Result<Vec<(String, String)>, MarksError> {
    let mut all = Vec::new();
    fs::create_dir_all(into).map_err(CourseError::file(into))?;
    for phase in &folder.course.phase {
        if let Some(mut held) = tournament_of(folder, phase)? {
            let path = into.join(&phase.name);
            let digest = Published::of(&mut held, false)?.write(&path).map_err(CourseError::file(&path))?;
            all.push((phase.name.clone(), digest));
        }
    }
    Ok(all)
}

/// Whose the pseudonyms are, as a table: for the organiser alone.
///
/// # Errors
/// If it cannot be written.
pub fn key_csv(folder: &CourseFolder) -> Result<String, CourseError> {
    let failed = |problem: io::Error| CourseError::file(Path::new("the key of pseudonyms"))(problem);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut names: Vec<(&str, &str)> = Vec::new();
    for phase in &folder.course.phase {
        for team in teams_of(&folder.roster, &phase.name) {
            if let Some(pseudonym) = folder.ledger.pseudonym(team.name)
                && !names.iter().any(|(known, _)| *known == pseudonym)
            {
                names.push((pseudonym, team.name));
            }
        }
    }
    let rows = std::iter::once(("pseudonym", "team")).chain(names);
    for (pseudonym, team) in rows {
        writer.write_record([pseudonym, team]).map_err(|error| failed(io::Error::other(error)))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(io::Error::other(error.to_string())))?;
    String::from_utf8(bytes).map_err(|error| failed(io::Error::other(error)))
}
