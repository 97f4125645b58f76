//! What is published of a tournament: a folder that anybody can verify.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use agon_rules::Side;
use agon_store::{Match, StoreError};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    battle::{Battle, Tally},
    curtain::Curtain,
    derive::{self, Bracket, Occupant, PartState, State, Table},
    format::{Part, Reached},
    plan::{Entry, Plan},
    ratings, report,
    standings::{PartStanding, Standing},
    stored::{StoredTournament, match_id},
};

/// The version of the form of `results.json`.
pub(crate) const VERSION: u32 = 2;

/// The program that wrote the page, which another version may write otherwise.
pub(crate) const PROGRAM: &str = concat!("agon ", env!("CARGO_PKG_VERSION"));

/// Everything there is to publish.
pub struct Published {
    /// The name of the tournament.
    pub name: String,
    /// What it is.
    pub plan: Plan,
    /// What happened to it.
    pub log: Vec<Entry>,
    /// Where it stands.
    pub state: State,
    /// The records of all matches, also of those that were declared void.
    pub records: BTreeMap<(u32, u8), PublishedMatch>,
}

/// A match as it is published.
#[derive(Clone, PartialEq, Debug)]
pub struct PublishedMatch {
    /// Its name within the tournament: `1.2.r16.b3.1`.
    pub id: String,
    /// Why it ended.
    pub termination: String,
    /// Its record.
    pub record: String,
}

impl Published {
    /// Everything there is to publish of a tournament: no paths, no names of files, and what bots wrote to stderr only if that is
    /// asked for.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn of(tournament: &mut StoredTournament, with_stderr: bool) -> Result<Published, StoreError> {
        let name = tournament.name.clone();
        let matches = tournament.store().matches_of(&name)?;
        let curtain = Curtain::of(&tournament.plan, &tournament.log, with_stderr);
        let published = |played: Match| {
            let id = played.id.strip_prefix(&format!("{name}/")).unwrap_or(&played.id).to_owned();
            let record = curtain.record(&played.record)?;
            Some(((played.battle, played.half), PublishedMatch { id, termination: played.termination, record }))
        };
        let records = matches.into_iter().filter_map(published).collect();
        let (plan, log) = (curtain.plan(&tournament.plan), curtain.log(&tournament.log));
        Ok(Published { plan, log, state: tournament.state(), records, name })
    }

    /// Everything but the records, as JSON.
    pub fn json(&self) -> Value {
        let over = self.state.is_over();
        let toss = |toss: &derive::Toss| json!({ "occasion": toss.occasion, "order": self.names(&toss.order) });
        json!({
            "version": VERSION,
            "name": self.name,
            "over": over,
            "digest": self.plan.secret.digest(),
            // Until the last coin is tossed nobody may know it.
            "secret": over.then_some(&self.plan.secret.0),
            "seed": self.plan.seed,
            "format": self.plan.format,
            "teams": self.plan.teams,
            "log": self.log,
            "battles": self.state.battles.iter().map(|battle| self.battle(battle)).collect::<Vec<_>>(),
            "tosses": self.state.tosses.iter().map(toss).collect::<Vec<_>>(),
            "undecided": self.state.undecided.iter().map(|tie| self.names(tie)).collect::<Vec<_>>(),
            "parts": self.state.parts.iter().zip(&self.plan.format.parts).map(|(part, format)| self.part(part, format)).collect::<Vec<_>>(),
            "standings": standings(&self.plan, &self.state),
            "ratings": ratings::json(&self.plan, &self.state),
        })
    }

    fn names(&self, players: &[usize]) -> Vec<&str> {
        players.iter().map(|&player| self.plan.name(player)).collect()
    }

    fn part(&self, part: &PartState, format: &Part) -> Value {
        let stages = part.stages.iter().zip(&self.plan.format.stages).map(|(state, stage)| {
            json!({
                "name": stage.name,
                "kind": stage.kind.system().word(),
                "over": state.over,
                "seeds": self.names(&state.entrants),
                "tables": state.tables.iter().map(|table| self.table(table)).collect::<Vec<_>>(),
                "bracket": state.bracket.as_ref().map(|bracket| self.bracket(bracket)),
            })
        });
        let class = |(reached, teams): &(Reached, Vec<usize>)| json!({ "reached": reached.to_string(), "teams": self.names(teams) });
        json!({
            "name": format.name,
            "variant": format.variant,
            "seeds": self.names(&part.entrants),
            "stages": stages.collect::<Vec<_>>(),
            "ranking": part.ranking.as_ref().map(|ranking| ranking.iter().map(class).collect::<Vec<_>>()),
        })
    }

    fn table(&self, table: &Table) -> Value {
        let row = |row: &derive::Row| {
            let mut value = tally(&row.tally);
            value["team"] = self.plan.name(row.team).into();
            value["place"] = row.place.into();
            if !row.started {
                value["started"] = false.into();
            }
            value
        };
        json!({ "decided": table.decided, "rows": table.rows.iter().map(row).collect::<Vec<_>>() })
    }

    fn bracket(&self, bracket: &Bracket) -> Value {
        let occupant = |occupant: &Occupant| match occupant {
            Occupant::Team(team) => Value::from(self.plan.name(*team)),
            Occupant::Nobody => Value::from("bye"),
            Occupant::Open => Value::Null,
        };
        let pairing = |pairing: &derive::Pairing| {
            let battles = pairing.battles.iter().map(|&battle| self.state.battles[battle].place.to_string());
            json!({
                "teams": pairing.opponents.iter().map(occupant).collect::<Vec<_>>(),
                "winner": if pairing.is_won_by_nobody() { "nobody".into() } else { occupant(&pairing.winner) },
                "battles": battles.collect::<Vec<_>>(),
            })
        };
        let rounds: Vec<Vec<Value>> = bracket.rounds.iter().map(|round| round.iter().map(pairing).collect()).collect();
        json!({ "rounds": rounds, "third_place": bracket.third_place.as_ref().map(pairing) })
    }

    fn battle(&self, battle: &Battle) -> Value {
        let half = |index: usize| {
            let half = &battle.halves[index];
            let id = match_id("", battle, index).trim_start_matches('/').to_owned();
            let Some(outcome) = half.outcome else { return json!({ "id": id }) };
            let played = self.records.get(&(half.number, half.half));
            let mut value = json!({
                "id": id,
                "first": self.plan.name(battle.players[half.seat(Side::First)]),
                "result": outcome.verdict.name(),
                "points": outcome.points.map(round),
                "turns": outcome.turns,
                "termination": played.map_or("forfeit", |played| played.termination.as_str()),
            });
            if let Some(margins) = outcome.margins {
                value["margins"] = json!(margins.map(round));
            }
            value
        };
        json!({
            "place": battle.place.to_string(),
            "players": self.names(&battle.players),
            "clock": battle.clock.to_string(),
            "points": [round(battle.tally(0).points), round(battle.tally(1).points)],
            "matches": (0..battle.halves.len()).map(half).collect::<Vec<_>>(),
        })
    }

    /// Everything as one page.
    pub fn html(&self) -> String {
        let records = self.records.iter().map(|(key, played)| (*key, played.record.clone())).collect();
        report::html(&self.name, &self.plan, &self.log, &self.state, &records)
    }

    /// Writes `results.json`, `standings.csv`, `report.html` and `records/` into a folder, and gives the digest of `results.json`,
    /// which holds those of all other files.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<String> {
        fs::create_dir_all(folder.join("records"))?;
        let records = self.records.values().map(|played| (format!("records/{}.pgn", played.id), played.record.clone()));
        let pages = [("standings.csv".to_owned(), self.csv()), ("report.html".to_owned(), self.html())];
        let mut digests = BTreeMap::new();
        for (name, text) in records.chain(pages) {
            replace(&folder.join(&name), &text)?;
            digests.insert(name, digest(text.as_bytes()));
        }
        let mut json = self.json();
        json["program"] = PROGRAM.into();
        json["digests"] = json!(digests);
        let json = format!("{}\n", serde_json::to_string_pretty(&json)?);
        replace(&folder.join("results.json"), &json)?;
        Ok(digest(json.as_bytes()))
    }
}

/// The standings for programs; empty while the tournament goes on.
pub fn standings(plan: &Plan, state: &State) -> Vec<Value> {
    let part = |part: &PartStanding| json!({ "place": part.place, "reached": part.reached.to_string(), "marks": part.marks.map(round) });
    let standing = |standing: &Standing| {
        let mut value = json!({
            "team": plan.name(standing.team),
            "place": standing.place,
            "marks": standing.marks.map(round),
            "points": round(standing.points),
        });
        for (name, number) in tally(&standing.tally).as_object().into_iter().flatten() {
            value[name] = number.clone();
        }
        let note = note(standing);
        value["note"] = Some(note).filter(|note| !note.is_empty()).into();
        value["parts"] = standing.parts.iter().map(|each| each.as_ref().map(part)).collect::<Vec<_>>().into();
        value
    };
    state.standings.iter().flatten().map(standing).collect()
}

/// The note about a team that is out for a reason.
pub(crate) const DISQUALIFIED: &str = "disqualified";

/// Whether a team left, or never started.
pub fn note(standing: &Standing) -> &'static str {
    match standing.out {
        None if standing.did_not_start() => "did not start",
        None => "",
        Some(false) => "withdrew",
        Some(true) => DISQUALIFIED,
    }
}

fn tally(tally: &Tally) -> Value {
    json!({
        "points": round(tally.points),
        "against": round(tally.against),
        "matches": tally.matches,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses(),
    })
}

/// The SHA-256 digest of a file.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Without the noise of binary fractions.
pub(crate) fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// Whoever reads the file while it is written sees the old one or the new one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let draft = PathBuf::from(format!("{}.partial", path.display()));
    fs::write(&draft, text)?;
    fs::rename(&draft, path)
}
