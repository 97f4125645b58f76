//! Is everything that was published what the rules and the format make of the records?

mod folder;
mod unique;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use agon_referee::{DOUBLE_FAULT, Record};
use agon_rules::{AnyPosition, BySide, Ending, Outcome as GameOutcome, Reason, Side, Verdict};
use serde_json::Value;

use crate::{
    battle::{Battle, Half, Outcome, Results},
    derive::derive,
    plan::{Entry, Event, Interventions, Plan, SEEDS, Secret},
    published::{Published, PublishedMatch, VERSION, digest},
    run::version_tag,
    stored::match_id,
};

/// What was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// Matches that were replayed.
    pub matches: usize,
    /// Turns of them.
    pub turns: usize,
    /// Whether the tournament is over. Until then its secret is not published, and its coins are taken as they were published.
    pub finished: bool,
    /// The digest of `results.json`.
    pub digest: String,
    /// The program that made the page, if it is not this one: then only the page's digest is compared.
    pub page: Option<String>,
}

/// Why a folder does not verify.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VerifyError {
    /// There is nothing to verify.
    #[error("{0}")]
    Unreadable(String),
    /// The first difference.
    #[error("{0}")]
    Differs(String),
}

fn differs<T>(problem: impl Into<String>) -> Result<T, VerifyError> {
    Err(VerifyError::Differs(problem.into()))
}

/// The records, by the names of their files.
type Files = BTreeMap<String, String>;
/// The matches that they are, by the number of the battle and the match of the pair.
type Matches = BTreeMap<(u32, u8), PublishedMatch>;

/// Verifies a folder that [`Published::write`] wrote: replays every record through the rules, derives everything again, and
/// compares. What cannot be derived (times, what bots said of themselves) must have the digests of `results.json`.
///
/// # Errors
/// The first difference.
pub fn verify(folder: &Path) -> Result<Verified, VerifyError> {
    let path = folder.join("results.json");
    let unreadable = |problem: String| VerifyError::Unreadable(format!("{}: {problem}", path.display()));
    let text = fs::read_to_string(&path).map_err(|e| unreadable(e.to_string()))?;
    let stored: Value = serde_json::from_str(&text).map_err(|e| unreadable(e.to_string()))?;
    if let Err(twice) = serde_json::from_str::<unique::Unique>(&text) {
        return differs(format!("results.json: {twice}"));
    }
    check_version(&stored).map_err(unreadable)?;
    let (name, plan, log) = read(&stored).map_err(unreadable)?;
    let finished = check_secret(&plan, &stored, &log)?;
    let files = read_records(&folder.join("records"))?;
    let (results, records) = replay_all(&files, &plan)?;
    let turns = results.values().map(|outcome| outcome.turns as usize).sum();
    let interventions = Interventions::of(&plan, &log);
    let state = derive(&plan, &interventions, &results);
    check_pairings(&plan, &interventions, &state.battles, &records)?;
    let derived = Published { name, plan, log, state, records };
    let mut json = derived.json();
    for member in ["program", "digests"] {
        json[member] = stored[member].clone();
    }
    if !finished {
        // That of the secret, which was compared with what was promised.
        json["digest"] = stored["digest"].clone();
    }
    if let Some(difference) = first_difference("", &stored, &json) {
        return differs(format!("results.json: {difference}"));
    }
    let page = folder::check(folder, &stored, &derived, &files)?;
    Ok(Verified { matches: files.len(), turns, finished, digest: digest(text.as_bytes()), page })
}

/// Folders of an older form lack what is compared here.
fn check_version(stored: &Value) -> Result<(), String> {
    match stored["version"].as_u64() {
        Some(version) if version == u64::from(VERSION) => Ok(()),
        Some(version) if version > u64::from(VERSION) => {
            Err(format!("it has form {version}, and this program knows forms up to {VERSION}: update agon"))
        }
        Some(version) => Err(format!(
            "it has form {version} of an older agon, and this program verifies form {VERSION}: publish the tournament again with \
             `agon tournament results NAME --out DIR`"
        )),
        None => Err("it has no version: expected what `agon tournament results NAME --out DIR` writes".to_owned()),
    }
}

/// The plan and the log, as they were published.
fn read(stored: &Value) -> Result<(String, Plan, Vec<Entry>), String> {
    fn member<T: serde::de::DeserializeOwned>(stored: &Value, name: &str) -> Result<T, String> {
        let value = stored.get(name).cloned().ok_or_else(|| format!("no member '{name}'"))?;
        serde_json::from_value(value).map_err(|e| format!("{name}: {e}"))
    }
    let secret = match member::<Option<String>>(stored, "secret")? {
        Some(secret) => Secret(secret),
        None => Secret::of_tosses(&tosses(stored)),
    };
    let plan = Plan {
        format: member(stored, "format")?,
        teams: member(stored, "teams")?,
        seed: member(stored, "seed")?,
        secret,
    };
    Ok((member(stored, "name")?, plan, member(stored, "log")?))
}

/// How coins fell, by what was published: the occasions, and the teams of each, the luckiest first. Seeds are drawn, too.
fn tosses(stored: &Value) -> BTreeMap<String, Vec<String>> {
    let teams = |value: &Value| -> Vec<String> { serde_json::from_value(value.clone()).unwrap_or_default() };
    let mut tosses = BTreeMap::from([(SEEDS.to_owned(), teams(&stored["parts"][0]["seeds"]))]);
    for toss in stored["tosses"].as_array().into_iter().flatten() {
        let order = tosses.entry(toss["occasion"].as_str().unwrap_or_default().to_owned()).or_default();
        for team in teams(&toss["order"]) {
            if !order.contains(&team) {
                order.push(team);
            }
        }
    }
    tosses
}

/// Whether it is over. Then the secret must be the one whose digest was published before the first match.
fn check_secret(plan: &Plan, stored: &Value, log: &[Entry]) -> Result<bool, VerifyError> {
    let promised = log.iter().find_map(|entry| match &entry.event {
        Event::Created { digest, .. } => Some(digest.as_str()),
        _ => None,
    });
    let promised = promised.unwrap_or("none");
    if stored["secret"].is_null() {
        let written = stored["digest"].as_str().unwrap_or("none");
        return match (stored["over"] == true, written == promised) {
            (true, _) => differs("results.json: the tournament is over, but its secret is missing"),
            (false, true) => Ok(false),
            (false, false) => {
                differs(format!("results.json: /digest is {written}, but {promised} was published at the start"))
            }
        };
    }
    let found = plan.secret.digest();
    if found == promised {
        return Ok(true);
    }
    differs(format!("the secret has the digest {found}, but {promised} was published at the start"))
}

fn read_records(folder: &Path) -> Result<Files, VerifyError> {
    let unreadable = |e: std::io::Error| VerifyError::Unreadable(format!("{}: {e}", folder.display()));
    let mut files = Files::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match fs::read_to_string(&path) {
            Ok(text) => files.insert(name, text),
            Err(error) => return differs(format!("records/{name}: {error}")),
        };
    }
    Ok(files)
}

fn replay_all(files: &Files, plan: &Plan) -> Result<(Results, Matches), VerifyError> {
    let (mut results, mut records) = (Results::new(), Matches::new());
    for (file, text) in files {
        let about = |problem: String| VerifyError::Differs(format!("records/{file}: {problem}"));
        let (key, outcome, termination) = replay(text, plan).map_err(about)?;
        let id = file.strip_suffix(".pgn").unwrap_or(file).to_owned();
        results.insert(key, outcome);
        if records.insert(key, PublishedMatch { id, termination, record: text.clone() }).is_some() {
            return differs(format!("records/{file}: another record claims to be the same match"));
        }
    }
    Ok((results, records))
}

/// Replays a record through the rules: its turns, its end, its result and its points.
fn replay(text: &str, plan: &Plan) -> Result<((u32, u8), Outcome, String), String> {
    let record = Record::parse(text).map_err(|e| e.to_string())?;
    let tag = |name: &str| record.tag(name).ok_or_else(|| format!("no [{name} \"…\"] tag"));
    let number = |name: &str| tag(name)?.parse::<u32>().map_err(|_| format!("[{name}] is no number"));
    if tag("Format")? != serde_json::to_string(&plan.format).unwrap_or_default() {
        return Err("it was played in another format".to_owned());
    }
    let positions = record.replay(agon_all::rules).map_err(|e| e.to_string())?;
    let last = positions.last().ok_or("it has no position")?;
    let ending = ending(&record, &**last, plan.format.max_turns)?;
    let verdict = ending.verdict();
    let (written, result) = (tag("Result")?, verdict.name());
    if written != result {
        return Err(format!("the result is {written} in it, and {result} by the rules"));
    }
    if tag("FinalPosition")? != last.text() {
        return Err("its last position is not the one that its turns lead to".to_owned());
    }
    let points = ending.points(&**last);
    let written: Vec<f64> = tag("Points")?.split(' ').filter_map(|text| text.parse().ok()).collect();
    let same = |a: f64, b: f64| (a - b).abs() < 1e-6;
    if !matches!(written[..], [first, second] if same(first, points.first) && same(second, points.second)) {
        let (first, second) = (points.first, points.second);
        return Err(format!("the points are {} in it, and {first} {second} by the rules", tag("Points")?));
    }
    let margins = record.margins(agon_all::rules);
    if let (Some(written), Some(ruled)) = (margins, last.margins())
        && !(same(written.first, ruled.first) && same(written.second, ruled.second))
    {
        let (written, first, second) = (tag("Margins")?, ruled.first, ruled.second);
        return Err(format!("the margin scores are {written} in it, and {first} {second} by the rules"));
    }
    let margins = margins.filter(|_| plan.counts_margins()).map(|margins| [margins.first, margins.second]);
    let half = u8::try_from(number("Half")?).ok().filter(|half| *half < 2).ok_or("[Half] is neither 0 nor 1")?;
    let turns = record.turns.len() as u32;
    let outcome = Outcome { verdict, points: [points.first, points.second], margins, turns, forfeit: false };
    Ok(((number("Battle")?, half), outcome, tag("Termination")?.to_owned()))
}

/// How a match ended, as far as result and points go.
enum MatchEnding {
    Game(Ending),
    DoubleFault,
}

impl MatchEnding {
    fn verdict(&self) -> Verdict {
        match self {
            MatchEnding::Game(Ending::Over(outcome)) => (*outcome).into(),
            MatchEnding::Game(Ending::Fault(side)) => Verdict::Won(side.other()),
            MatchEnding::DoubleFault => Verdict::BothLost,
        }
    }

    fn points(&self, last: &dyn AnyPosition) -> BySide<f64> {
        match self {
            MatchEnding::Game(ending) => last.points(*ending),
            MatchEnding::DoubleFault => last.points_of_two_losers(),
        }
    }
}

/// How a match ended, if it can have ended like this after its turns.
fn ending(record: &Record, last: &dyn AnyPosition, max_turns: usize) -> Result<MatchEnding, String> {
    let over = |outcome| Ok(MatchEnding::Game(Ending::Over(outcome)));
    let termination = record.tag("Termination").unwrap_or_default();
    match (last.outcome(), record.tag("FaultBy")) {
        (Some(_), Some(_)) => Err("it names a fault, but by the rules the game was over".to_owned()),
        (Some(outcome), None) if outcome.reason.name() == termination => over(outcome),
        (Some(outcome), None) => {
            Err(format!("it ends with '{termination}', by the rules with '{}'", outcome.reason.name()))
        }
        (None, Some("1")) => Ok(MatchEnding::Game(Ending::Fault(Side::First))),
        (None, Some("2")) => Ok(MatchEnding::Game(Ending::Fault(Side::Second))),
        (None, Some("both")) if termination == DOUBLE_FAULT && record.turns.is_empty() => Ok(MatchEnding::DoubleFault),
        (None, Some("both")) => Err(format!(
            "it says that neither bot could play, but it ends with '{termination}' after {} turns",
            record.turns.len()
        )),
        (None, None) if termination == "broken off" && record.turns.len() >= max_turns => {
            over(GameOutcome::draw(Reason::MOVE_LIMIT))
        }
        (None, None) if termination == Reason::BOTH_CLOCKS.name() => over(GameOutcome::draw(Reason::BOTH_CLOCKS)),
        (None, _) => Err(format!("it ends with '{termination}', but by the rules the game goes on")),
    }
}

/// Every record belongs to a match of the derived tournament, with the name, players, bots and clock that this match has.
fn check_pairings(
    plan: &Plan,
    interventions: &Interventions,
    battles: &[Battle],
    records: &Matches,
) -> Result<(), VerifyError> {
    let mut seen = BTreeSet::new();
    let mut versions = Versions { interventions, played: BTreeMap::new() };
    for battle in battles {
        for (index, half) in battle.halves.iter().enumerate() {
            for (key, found) in attempts(plan, half, records) {
                seen.insert(key);
                let about = |problem: String| VerifyError::Differs(format!("records/{}.pgn: {problem}", found.id));
                check_match(plan, &mut versions, battle, half, found).map_err(about)?;
                let id = match_id("", battle, index);
                if key.0 == half.number && id.trim_start_matches('/') != found.id {
                    return Err(about(format!("by the pairings it is match {}", id.trim_start_matches('/'))));
                }
            }
        }
    }
    match records.iter().find(|(key, _)| !seen.contains(key)) {
        Some((_, found)) => differs(format!("records/{}.pgn: no such match was paired", found.id)),
        None => Ok(()),
    }
}

/// When a battle is played, compared with others: part, stage, round and rematch.
type Moment = (usize, usize, usize, usize);

/// Which bots of their teams played, by the log.
struct Versions<'a> {
    interventions: &'a Interventions,
    /// The lowest and the highest version that a team played with, by the order of its battles.
    played: BTreeMap<(usize, Moment), (usize, usize)>,
}

impl Versions<'_> {
    /// The log knows the version, and no later match was played with an earlier one.
    fn check(
        &mut self,
        plan: &Plan,
        player: usize,
        side: Side,
        record: &Record,
        battle: &Battle,
    ) -> Result<(), String> {
        let hash_tag = if side == Side::First { "FirstHash" } else { "SecondHash" };
        let (name, tag) = (plan.name(player), version_tag(side));
        if player >= plan.teams.len() {
            return Ok(());
        }
        let version =
            record.tag(tag).map_or(Ok(1), str::parse::<usize>).map_err(|_| format!("[{tag}] is no number"))?;
        let Some(known) = self.interventions.hash(plan, player, version) else {
            return Err(format!("{name} played with version {version} of its bot, which the log does not know"));
        };
        if record.tag(hash_tag) != Some(known) {
            let expected = if version == 1 { "the one that was entered" } else { "the log says" };
            return Err(format!("{name} played with another bot than {expected}"));
        }
        let order = battle.place.order();
        let (low, high) = self.played.entry((player, order)).or_insert((version, version));
        (*low, *high) = (version.min(*low), version.max(*high));
        let (low, high) = (*low, *high);
        let earlier = self.played.range((player, (0, 0, 0, 0))..(player, order)).next_back();
        let later = self.played.range((player, order)..).find(|((who, at), _)| *who == player && *at > order);
        if earlier.is_some_and(|(_, before)| before.1 > low) || later.is_some_and(|(_, after)| after.0 < high) {
            return Err(format!("{name} played with version {version} of its bot before and after another one"));
        }
        Ok(())
    }
}

fn check_match(
    plan: &Plan,
    versions: &mut Versions,
    battle: &Battle,
    half: &Half,
    found: &PublishedMatch,
) -> Result<(), String> {
    let record = Record::parse(&found.record).map_err(|e| e.to_string())?;
    for (side, tag) in [(Side::First, "First"), (Side::Second, "Second")] {
        let player = battle.players[half.seat(side)];
        let (name, written) = (plan.name(player), record.tag(tag).unwrap_or("nobody"));
        if written != name {
            return Err(format!("{written} has side {}, by the pairings {name}", side.number()));
        }
        versions.check(plan, player, side, &record, battle)?;
    }
    let clock = battle.clock.to_string();
    match record.tag("TimeControl") {
        Some(written) if written == clock => Ok(()),
        written => Err(format!("the clock is {}, by the format {clock}", written.unwrap_or("missing"))),
    }
}

/// The records of a match, those that were declared void included.
fn attempts<'a>(plan: &Plan, half: &Half, records: &'a Matches) -> Vec<((u32, u8), &'a PublishedMatch)> {
    let pairs = plan.format.matches.div_ceil(2);
    let first = half.number - half.attempt * pairs;
    let keys = (0..=half.attempt).map(|attempt| (first + attempt * pairs, half.half));
    keys.filter_map(|key| records.get(&key).map(|found| (key, found))).collect()
}

/// Where two values differ first, in the order in which things are derived, so that a cause comes before its consequences.
fn first_difference(path: &str, stored: &Value, derived: &Value) -> Option<String> {
    let nothing = &Value::Null;
    match (stored, derived) {
        (Value::Object(one), Value::Object(other)) => {
            let more = one.keys().filter(|key| !other.contains_key(*key));
            other.keys().chain(more).find_map(|key| {
                let (one, other) = (one.get(key).unwrap_or(nothing), other.get(key).unwrap_or(nothing));
                first_difference(&format!("{path}/{key}"), one, other)
            })
        }
        (Value::Array(one), Value::Array(other)) => (0..one.len().max(other.len())).find_map(|i| {
            let (one, other) = (one.get(i).unwrap_or(nothing), other.get(i).unwrap_or(nothing));
            first_difference(&format!("{path}/{i}"), one, other)
        }),
        (Value::Number(one), Value::Number(other)) => {
            let near = |one: f64, other: f64| (one - other).abs() < 1e-6;
            let same = one == other || one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| near(one, other));
            (!same).then(|| format!("{path} is {one}, derived is {other}"))
        }
        _ if stored == derived => None,
        _ => Some(format!("{path} is {}, derived is {}", short(stored), short(derived))),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn first_line(stored: &str, derived: &str) -> String {
    let (mut one, mut other) = (stored.lines(), derived.lines());
    let mut line = 0;
    loop {
        line += 1;
        match (one.next(), other.next()) {
            (None, None) => return "its line ends differ".to_owned(),
            (one, other) if one != other => {
                return format!("line {line} is {:?}, derived is {:?}", one.unwrap_or(""), other.unwrap_or(""));
            }
            _ => {}
        }
    }
}
