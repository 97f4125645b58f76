//! Who enters: a folder of bots, or a table of teams.

use std::{
    collections::HashMap,
    fmt, fs,
    path::{Path, PathBuf},
};

use agon_referee::{BotSpec, Entrant, ManifestError, RosterError, Workshop, is_archive};
use agon_rules::quote;
use agon_wire::Original;

use crate::{fixture::Contestant, plan::Team};

/// A team as it was entered.
#[derive(Clone, PartialEq, Debug)]
pub struct Entered {
    /// Its name.
    pub name: String,
    /// Its bot: a path, a house bot, a command, an address.
    pub bot: String,
    /// The score of an earlier phase.
    pub score: Option<f64>,
    /// What the house bots scored against it in an earlier phase.
    pub house: Option<f64>,
}

/// Teams, and what the organiser should know about the list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entries {
    /// The teams, in order.
    pub teams: Vec<Entered>,
    /// What was passed over or changed.
    pub warnings: Vec<String>,
}

/// The teams could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamsError(pub String);

impl fmt::Display for TeamsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TeamsError {}

/// Reads teams: from a CSV file, or from a folder that holds a folder, an archive or a file for each team. A folder with a
/// `teams.csv` is read by that.
///
/// # Errors
/// If there is no such file, or it cannot be understood; with the line.
pub fn read_teams(path: &Path, game: &dyn Original) -> Result<Entries, TeamsError> {
    let about = |problem: &dyn fmt::Display| TeamsError(format!("teams {}: {problem}", path.display()));
    let mut entries = if path.is_dir() {
        let table = path.join("teams.csv");
        if table.is_file() {
            return read_teams(&table, game);
        } else {
            from_folder(path, game).map_err(|e| about(&e))?
        }
    } else {
        let text = fs::read_to_string(path).map_err(|e| about(&e))?;
        from_table(&text, path.parent().unwrap_or(Path::new("."))).map_err(|e| about(&e))?
    };
    if entries.teams.is_empty() {
        let problem =
            "no teams: expected a CSV file with the columns team and bot, or a folder with a bot for each team";
        return Err(about(&problem));
    }
    number_namesakes(&mut entries);
    Ok(entries)
}

fn from_folder(folder: &Path, game: &dyn Original) -> Result<Entries, String> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(|e: std::io::Error| e.to_string())?;
    paths.sort();
    let mut entries = Entries::default();
    for path in paths {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file.starts_with('.') {
            continue;
        }
        let archive = is_archive(&path).unwrap_or(false);
        let alone = path.is_file() && !archive;
        if alone && game.recognise(&path).is_none() {
            entries.warnings.push(format!("{file} was passed over: it is no folder, no archive and no bot"));
            continue;
        }
        let name = if path.is_dir() { file } else { stem(&file) };
        entries.teams.push(Entered { name, bot: path.to_string_lossy().into_owned(), score: None, house: None });
    }
    Ok(entries)
}

/// `team.tar.gz` is the team `team`.
fn stem(file: &str) -> String {
    file.split('.').find(|part| !part.is_empty()).unwrap_or(file).to_owned()
}

fn from_table(text: &str, folder: &Path) -> Result<Entries, String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|e| e.to_string())?.clone();
    for header in &headers {
        if !["team", "bot", "score", "house"].contains(&header) {
            return Err(format!("line 1: expected the columns team, bot, score and house, found {}", quote(header)));
        }
    }
    let column = |name: &str| headers.iter().position(|header| header == name);
    let (Some(team), Some(bot)) = (column("team"), column("bot")) else {
        return Err("line 1: expected at least the columns team and bot".to_owned());
    };
    let mut entries = Entries::default();
    for row in reader.records() {
        let row = row.map_err(|e| e.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let number = |name: &str| -> Result<Option<f64>, String> {
            let Some(text) = column(name).and_then(|column| row.get(column)).filter(|text| !text.is_empty()) else {
                return Ok(None);
            };
            let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.map(Some).ok_or_else(|| format!("line {line}: {name}: expected a number, found {}", quote(text)))
        };
        let (name, bot) = (row.get(team).unwrap_or_default(), row.get(bot).unwrap_or_default());
        if name.is_empty() || bot.is_empty() {
            return Err(format!("line {line}: expected a team and its bot"));
        }
        let bot = located(bot, folder).map_err(|problem| format!("line {line}: {problem}"))?;
        entries.teams.push(Entered { name: name.to_owned(), bot, score: number("score")?, house: number("house")? });
    }
    Ok(entries)
}

/// A bot as it is found from anywhere: paths are meant from this folder.
///
/// # Errors
/// If it is neither a path nor a bot.
pub fn located(bot: &str, folder: &Path) -> Result<String, String> {
    let beside = folder.join(bot);
    if beside.exists() {
        let whole = beside.canonicalize().map_err(|e| e.to_string())?;
        return Ok(whole.to_string_lossy().into_owned());
    }
    BotSpec::parse(bot, agon_all::house::NAMES).map_err(|e| e.to_string())?;
    Ok(bot.to_owned())
}

/// Two teams of the same name are told apart by a number.
fn number_namesakes(entries: &mut Entries) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for team in &mut entries.teams {
        let count = seen.entry(team.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            let renamed = format!("{} ({count})", team.name);
            entries.warnings.push(format!(
                "a second team is called {}; it plays as {}",
                quote(&team.name),
                quote(&renamed)
            ));
            team.name = renamed;
        }
    }
}

/// A team's bot, built. One that cannot be built is no error: its team loses its matches, and everybody sees why.
///
/// # Errors
/// Only if this host failed.
pub fn prepare(entered: &Entered, game: &dyn Original, workshop: &Workshop) -> Result<(Team, Contestant), String> {
    let built =
        BotSpec::parse(&entered.bot, agon_all::house::NAMES).and_then(|spec| Entrant::prepare(&spec, game, workshop));
    let bot = match built {
        Ok(entrant) => Ok(entrant),
        Err(RosterError::Manifest(ManifestError::Host(problem))) => return Err(problem),
        Err(error) => Err(error.to_string()),
    };
    let hash = bot.as_ref().map_or_else(|_| "broken".to_owned(), |entrant| entrant.hash.clone());
    let language = bot.as_ref().map_or("other", |entrant| entrant.language.name());
    let team = Team {
        name: entered.name.clone(),
        bot: entered.bot.clone(),
        hash: hash.clone(),
        language: language.to_owned(),
        score: entered.score,
        house: entered.house,
        broken: bot.as_ref().err().cloned(),
    };
    Ok((team, Contestant { name: entered.name.clone(), hash, bot }))
}
