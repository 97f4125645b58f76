//! Who enters: a folder of bots, or a table of teams.

mod error;

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

use agon_entrants::{BotSpec, Entrant, ManifestError, RosterError, Workshop, is_archive};
use agon_originals::Original;
use agon_rules::{inert, quote};
use agon_runs::Contestant;
use agon_wire::HostError;

use crate::{
    cell::text_of,
    plan::Team,
    published::DISQUALIFIED,
    spreadsheet::{COLUMNS, FROM, is_own},
};

/// A team as it was entered.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entered {
    /// Its name.
    pub name: String,
    /// Its bot: a path, a house bot, a command, an address; `from:NAME` is the one that it had in that tournament. Empty if nothing
    /// was handed in.
    pub bot: String,
    /// The score of an earlier phase.
    pub score: Option<f64>,
    /// What the house bots scored against it in an earlier phase.
    pub house: Option<f64>,
    /// The organiser's own columns.
    pub more: Vec<(String, String)>,
}

pub use error::{BotError, ListError, TeamsError};

/// Where the bots of some teams are: names of teams and their bots.
pub type Bots = Vec<(String, String)>;

/// Teams, and what the organiser should know about the list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entries {
    /// The teams, in order.
    pub teams: Vec<Entered>,
    /// What was passed over or changed.
    pub warnings: Vec<String>,
    /// Whether the list says which bots the teams have, so that one without a bot has handed in nothing.
    pub names_bots: bool,
}

/// Why a team cannot play that has no bot.
const NOTHING: &str = "nothing was handed in";

impl Team {
    /// Whether it was entered without a bot.
    pub fn handed_in_nothing(&self) -> bool {
        self.broken.as_deref() == Some(NOTHING)
    }
}

/// Reads teams: from a CSV file, or from a folder that holds a folder, an archive or a file for each team. A folder with a
/// `teams.csv` is read by that.
///
/// # Errors
/// If there is no such file, or it cannot be understood; with the line.
pub fn read_teams(path: &Path, game: &dyn Original) -> Result<Entries, TeamsError> {
    if path.is_dir() && path.join("teams.csv").is_file() {
        return read_teams(&path.join("teams.csv"), game);
    }
    let read = if path.is_dir() { from_folder(path, game) } else { from_file(path) };
    let mut entries = read.map_err(|problem| TeamsError::List { path: path.to_owned(), problem })?;
    clean_names(&mut entries);
    number_namesakes(&mut entries);
    Ok(entries)
}

fn from_folder(folder: &Path, game: &dyn Original) -> Result<Entries, ListError> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, io::Error>>()?;
    paths.sort();
    let mut entries = Entries { names_bots: true, ..Entries::default() };
    for path in paths {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file.starts_with('.') {
            continue;
        }
        let archive = is_archive(&path).unwrap_or(false);
        let alone = path.is_file() && !archive;
        if alone && game.submissions().is_none_or(|form| form.recognise(&path).is_none()) {
            entries.warnings.push(format!("{file} was passed over: it is no folder, no archive and no bot"));
            continue;
        }
        let name = if path.is_dir() { file } else { stem(&file) };
        // So that the tournament can go on from any folder.
        let whole = path.canonicalize().unwrap_or(path);
        let Some(bot) = whole.to_str().map(str::to_owned) else {
            return Err(ListError::Name(inert(&whole.to_string_lossy())));
        };
        entries.teams.push(Entered { name, bot, ..Entered::default() });
    }
    if entries.teams.is_empty() { Err(ListError::Empty) } else { Ok(entries) }
}

/// `team.tar.gz` is the team `team`.
fn stem(file: &str) -> String {
    file.split('.').find(|part| !part.is_empty()).unwrap_or(file).to_owned()
}

fn from_file(path: &Path) -> Result<Entries, ListError> {
    let entries = from_table(&fs::read_to_string(path)?, path.parent().unwrap_or(Path::new(".")))?;
    if entries.teams.is_empty() { Err(ListError::Empty) } else { Ok(entries) }
}

/// A table of teams, or the standings of an earlier tournament. Columns are found by their headers; those that we do not know are
/// kept.
fn from_table(text: &str, folder: &Path) -> Result<Entries, ListError> {
    // Spreadsheets begin a table in UTF-8 with a mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().has_headers(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = reader.headers()?.clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    if let Some(twice) = headers.iter().enumerate().find(|(i, header)| column(header) != Some(*i)) {
        return Err(ListError::SameColumns(twice.1.to_owned()));
    }
    let Some(team) = column("team") else { return Err(ListError::NoTeams) };
    let standings = COLUMNS.iter().all(|name| column(name).is_some());
    let known = |header: &str| ["team", "bot", "score", "house"].contains(&header) || standings && is_own(header);
    let mut entries = Entries { names_bots: column("bot").is_some(), ..Entries::default() };
    for row in reader.records() {
        let row = row?;
        let line = row.position().map_or(0, csv::Position::line);
        let cell = |name: &str| column(name).and_then(|column| row.get(column)).map(text_of).unwrap_or_default();
        let number = |name: &str| -> Result<Option<f64>, ListError> {
            let Some(text) = Some(cell(name)).filter(|text| !text.is_empty()) else { return Ok(None) };
            let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
            let (column, found) = (name.to_owned(), text.to_owned());
            number.map(Some).ok_or(ListError::NoNumber { line, column, found })
        };
        let name = row.get(team).map(text_of).unwrap_or_default();
        if standings && cell("note") == DISQUALIFIED {
            entries.warnings.push(format!(
                "{} was disqualified in the earlier tournament and is passed over; take out its note to enter it",
                quote(name)
            ));
            continue;
        }
        let bot = cell("bot");
        if name.is_empty() {
            return Err(ListError::NoTeam { line });
        }
        let bot = located(bot, folder).map_err(|problem| ListError::Bot { line, problem })?;
        let more = headers.iter().zip(&row).filter(|(header, _)| !header.is_empty() && !known(header));
        let more = more.map(|(header, cell)| (text_of(header).to_owned(), text_of(cell).to_owned())).collect();
        entries.teams.push(Entered {
            name: name.to_owned(),
            bot,
            score: number("score")?,
            house: number("house")?,
            more,
        });
    }
    Ok(entries)
}

/// A bot as it is found from anywhere: paths are meant from this folder.
///
/// # Errors
/// If it is neither a path nor a bot.
pub fn located(bot: &str, folder: &Path) -> Result<String, BotError> {
    // Those that are found later, by the name of the team.
    if bot.is_empty() || bot.starts_with(FROM) {
        return Ok(bot.to_owned());
    }
    let beside = folder.join(bot);
    if beside.exists() {
        let whole = beside.canonicalize()?;
        return Ok(whole.to_string_lossy().into_owned());
    }
    // A path may be followed by options.
    if let Some((path, options)) = bot.split_once(';')
        && let Ok(whole) = folder.join(path).canonicalize()
        && !path.starts_with("cmd:")
    {
        let whole = format!("{};{options}", whole.display());
        BotSpec::parse(&whole, agon_house::NAMES)?;
        return Ok(whole);
    }
    match BotSpec::parse(bot, agon_house::NAMES) {
        Ok(_) => Ok(bot.to_owned()),
        Err(error) if bot.starts_with("cmd:") || bot.starts_with("ws://") => Err(error.into()),
        Err(_) => {
            let place = if Path::new(bot).is_absolute() || folder.as_os_str().is_empty() {
                String::new()
            } else {
                format!(" in {}", folder.display())
            };
            let house = match bot.contains(['/', '.']) {
                true => String::new(),
                false => format!(", and no house bot is called so; they are {}", agon_house::NAMES.join(", ")),
            };
            Err(BotError::Missing { bot: bot.to_owned(), place, house })
        }
    }
}

impl Entries {
    /// Finds the bots that a table does not name: each team's in `bots`, a folder or another table; else those that the teams had
    /// in an earlier tournament, which `earlier` knows by its name: teams and their bots. A team that is not in `bots` has handed in
    /// nothing.
    ///
    /// # Errors
    /// If no list says what bot a team has, or `bots` holds no bot of any team.
    pub fn find_bots(
        &mut self,
        bots: Option<&Path>,
        game: &dyn Original,
        earlier: &dyn Fn(&str) -> Result<Bots, TeamsError>,
    ) -> Result<(), TeamsError> {
        if let Some(path) = bots {
            let found = read_teams(path, game)?;
            let found: Bots = found.teams.into_iter().map(|team| (team.name, team.bot)).collect();
            self.warnings.extend(self.without_team(&found, path));
            self.names_bots = true;
            for team in &mut self.teams {
                let bot = found.iter().find(|(name, _)| *name == team.name).map(|(_, bot)| bot.clone());
                team.bot = bot.unwrap_or_default();
            }
            return match self.teams.iter().all(|team| team.bot.is_empty()) {
                true => Err(TeamsError::NoBots(path.to_owned())),
                false => Ok(()),
            };
        }
        let mut known: HashMap<String, Bots> = HashMap::new();
        for team in &self.teams {
            if let Some(name) = team.bot.strip_prefix(FROM)
                && !known.contains_key(name)
            {
                known.insert(name.to_owned(), earlier(name)?);
            }
        }
        let names_bots = self.names_bots;
        let which = |bot: &str| match bot.strip_prefix(FROM) {
            Some(name) => Ok(known.get(name)),
            None if bot.is_empty() && !names_bots => Err(()),
            None => Ok(None),
        };
        self.take_bots(which, &|bot| match bot.strip_prefix(FROM) {
            Some(name) => format!("in the tournament {}", quote(name)),
            None => "in the table, which has no column bot".to_owned(),
        })
    }

    /// Gives each team its bot of the list that is meant for it; without one it keeps what it has.
    fn take_bots<'a>(
        &mut self,
        which: impl Fn(&str) -> Result<Option<&'a Bots>, ()>,
        place: &dyn Fn(&str) -> String,
    ) -> Result<(), TeamsError> {
        for team in &mut self.teams {
            let bot = match which(&team.bot) {
                Ok(None) => continue,
                Ok(Some(list)) => list.iter().find(|(name, _)| *name == team.name).map(|(_, bot)| bot.clone()),
                Err(()) => None,
            };
            let Some(bot) = bot else {
                return Err(TeamsError::NoBot { team: team.name.clone(), place: place(&team.bot) });
            };
            team.bot = bot;
        }
        Ok(())
    }

    /// What is said about bots that belong to no team.
    fn without_team(&self, bots: &[(String, String)], path: &Path) -> Option<String> {
        let unknown = |name: &&str| self.teams.iter().all(|team| team.name != **name);
        let names: Vec<&str> = bots.iter().map(|(name, _)| name.as_str()).filter(unknown).collect();
        let (path, names) = (path.display(), names.join(", "));
        (!names.is_empty()).then(|| format!("bots {path}: passed over, since no team is called so: {names}"))
    }
}

/// Letters that steer a terminal have no place in a name.
fn clean_names(entries: &mut Entries) {
    for team in &mut entries.teams {
        let name = inert(&team.name);
        if name != team.name {
            entries.warnings.push(format!("team {} plays as {}", quote(&team.name), quote(&name)));
            team.name = name;
        }
    }
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
pub fn prepare(entered: &Entered, game: &dyn Original, workshop: &Workshop) -> Result<(Team, Contestant), HostError> {
    let spec = match entered.bot.is_empty() {
        true => Err(RosterError::Unknown(NOTHING.to_owned())),
        false => BotSpec::parse(&entered.bot, agon_house::NAMES),
    };
    let bot = match spec.and_then(|spec| Entrant::prepare(&spec, game, workshop)) {
        Ok(entrant) => Ok(entrant),
        Err(RosterError::Manifest(ManifestError::Host(problem))) => return Err(HostError(problem)),
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
        more: entered.more.clone(),
    };
    Ok((team, Contestant { name: entered.name.clone(), hash, bot }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Entries, ListError> {
        from_table(text, Path::new("."))
    }

    #[test]
    fn standings_are_a_table_of_teams() {
        let text = "team,place,marks,points,matches,wins,draws,losses,A: reached,A: marks,note,bot,score,house,email\n\
                    Ada,1,5,12,6,6,0,0,place 1,5,,from:first,12,3.5,a@b\n\
                    Bob,2,0,9,6,4,0,2,place 2,0,disqualified,from:first,9,7,c@d\n\
                    Cay,3,0,1,6,0,0,6,place 3,0,withdrew,from:first,-1,9,\n";
        let entries = table(text).expect("a table");
        let names: Vec<&str> = entries.teams.iter().map(|team| team.name.as_str()).collect();
        assert_eq!(names, ["Ada", "Cay"]);
        assert!(entries.warnings[0].contains("'Bob' was disqualified"), "{:?}", entries.warnings);
        let ada = &entries.teams[0];
        assert_eq!((ada.bot.as_str(), ada.score, ada.house), ("from:first", Some(12.0), Some(3.5)));
        assert_eq!(
            ada.more,
            [("email".to_owned(), "a@b".to_owned())],
            "what the first phase computed is not carried over"
        );
        assert_eq!(entries.teams[1].score, Some(-1.0));
    }

    #[test]
    fn a_team_without_a_bot_is_entered_and_a_bot_that_is_not_there_is_refused() {
        let entries = table("team,bot\nAda,random\nBob,\n").expect("a table");
        let bots: Vec<&str> = entries.teams.iter().map(|team| team.bot.as_str()).collect();
        assert_eq!((bots, entries.names_bots), (vec!["random", ""], true));
        assert!(!table("team\nAda\nBob\n").expect("a table").names_bots);
        let missing = table("team,bot\nAda,random\nBob,subs/bob.zip\n").expect_err("no such file").to_string();
        assert_eq!(missing, "line 3: there is no file or folder 'subs/bob.zip' in .");
        let unknown = table("team,bot\nAda,randum\n").expect_err("no such bot").to_string();
        assert!(unknown.contains("no file or folder 'randum'") && unknown.contains("random, greedy"), "{unknown}");
    }

    #[test]
    fn columns_of_the_organiser_are_kept_whatever_they_are_called() {
        let entries = table("points,team,note,bot\n7,Ada,disqualified,random\n").expect("a table");
        let own = [("points", "7"), ("note", "disqualified")].map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(entries.teams[0].more, own);
        assert!(entries.warnings.is_empty());
        let twice = table("team,bot,email,email\nAda,random,a,b\n").expect_err("two columns of a name").to_string();
        assert!(twice.contains("two columns are called 'email'"), "{twice}");
    }
}
