//! A match written down, in the shape of PGN, and read back.
//!
//! Tag values are written with JSON's escapes. Turns with blanks in them are in double quotes. Each turn's comment holds what it cost: `[%emt S]` thinking time, `[%clk S]` what was left,
//! `[%cpu S]`, `[%lat S]`, `[%idle S]` processor time on the opponent's time, all in seconds, `[%info "…"]` and `[%err "…"]`. Readers ignore tags and comment fields that they do not
//! know, so newer programs may add some; the number in the `Record` tag changes only when old readers would misread a record.

use std::time::Duration;

use agon_rules::{AnyGame, AnyPosition, BySide, RuleSet, Verdict};
use agon_wire::{Fault, GameSetup, words};

use crate::{
    judge::{MatchSpec, Played, Termination, TurnMade},
    tags::{Token, Tokens, tag},
};

/// The version of the format that this program writes.
const VERSION: u32 = 1;

/// The value of the tag `FaultBy` where both bots are to blame.
pub(crate) const BOTH: &str = "both";

/// A turn of a record.
pub type RecordedTurn = TurnMade;

/// A match written down.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Names and values, in the order of the text.
    pub tags: Vec<(String, String)>,
    /// Every turn from the beginning.
    pub turns: Vec<RecordedTurn>,
}

/// A record could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// The text is no record: the line and what is wrong there.
    #[error("line {0}: {1}")]
    Syntax(usize, String),
    /// It was written by a newer program.
    #[error("the record has version {0}, and this program knows versions up to {VERSION}: update agon to read it")]
    Newer(String),
    /// A tag that is needed is missing or wrong.
    #[error("{0}")]
    Tag(String),
    /// The turns do not follow the rules.
    #[error("turn {0}: {1}")]
    Turn(usize, String),
}

impl Record {
    /// Writes down a finished match. `more` are further tags (event, round, names, hashes), which come first.
    pub fn of(spec: &MatchSpec, played: &Played, names: &BySide<String>, more: &[(&str, String)]) -> Record {
        let setup = &spec.setup;
        let mut tags: Vec<(String, String)> = Vec::new();
        let mut add = |name: &str, value: String| tags.push((name.to_owned(), value));
        for (name, value) in more {
            add(name, value.clone());
        }
        // Rating programs for chess look for these three.
        add("White", names.first.clone());
        add("Black", names.second.clone());
        add("Result", played.termination.verdict().name().to_owned());
        add("Record", VERSION.to_string());
        add("Game", setup.game.name().to_owned());
        add("Variant", setup.variant.clone());
        add("Rules", setup.rules.to_string());
        add("First", names.first.clone());
        add("Second", names.second.clone());
        add("Points", format!("{} {}", points_text(played.points.first), points_text(played.points.second)));
        if let Some(margins) = margins(setup.game.open(&setup.variant, setup.rules).ok(), &played.position) {
            add("Margins", format!("{} {}", points_text(margins.first), points_text(margins.second)));
        }
        add("Termination", played.termination.name().to_owned());
        fault_tags(&played.termination, &mut add);
        add("TimeControl", spec.time.to_string());
        if let Some(position) = start_text(setup) {
            add("Position", position);
        }
        if played.opening > 0 {
            add("Opening", played.opening.to_string());
        }
        add("FinalPosition", played.position.clone());
        for (name, noise) in [("FirstStderr", &played.last_stderr.first), ("SecondStderr", &played.last_stderr.second)]
        {
            if !noise.is_empty() {
                add(name, noise.clone());
            }
        }
        for (name, conduct) in [("FirstConduct", &played.conduct.first), ("SecondConduct", &played.conduct.second)] {
            if let Some(words) = conduct.words() {
                add(name, words);
            }
        }
        Record { tags, turns: played.turns.clone() }
    }

    /// Writes down a match that goes on, for those who look on. Its result is `*`.
    pub fn unfinished(
        spec: &MatchSpec,
        turns: &[TurnMade],
        position: &dyn AnyPosition,
        names: &BySide<String>,
        more: &[(&str, String)],
    ) -> Record {
        let played = Played {
            turns: turns.to_vec(),
            opening: spec.opening.len(),
            termination: Termination::BrokenOff,
            points: BySide::default(),
            position: position.text(),
            last_stderr: BySide::default(),
            conduct: BySide::default(),
            started: std::time::SystemTime::now(),
            duration: Duration::ZERO,
        };
        let mut record = Record::of(spec, &played, names, more);
        record.leave_open();
        record
    }

    /// Takes everything out that only the end of a match decides.
    pub(crate) fn leave_open(&mut self) {
        self.tags.retain(|(name, _)| name != "Points" && name != "Margins");
        for (name, value) in &mut self.tags {
            match name.as_str() {
                "Result" => *value = "*".to_owned(),
                "Termination" => *value = "unfinished".to_owned(),
                _ => {}
            }
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The margin scores of both sides, if the game's text defines any; found with the help of `find`. Older records do not say it:
    /// then the last position does.
    pub fn margins(&self, find: impl Fn(&str) -> Option<&'static dyn AnyGame>) -> Option<BySide<f64>> {
        if let Some(text) = self.tag("Margins") {
            let numbers: Vec<f64> = text.split(' ').filter_map(|number| number.parse().ok()).collect();
            return <[f64; 2]>::try_from(numbers).ok().map(|[first, second]| BySide { first, second });
        }
        let (game, rules) = (find(self.tag("Game")?)?, self.tag("Rules")?.parse().ok()?);
        margins(game.open(self.tag("Variant")?, rules).ok(), self.tag("FinalPosition")?)
    }

    /// The record as text.
    pub fn text(&self) -> String {
        let mut text: String = self.tags.iter().map(|(name, value)| tag(name, value)).collect();
        text.push('\n');
        for (i, turn) in self.turns.iter().enumerate() {
            if i % 2 == 0 {
                text.push_str(&format!("{}. ", i / 2 + 1));
            }
            text.push_str(&turn_text(&turn.text));
            let comment = comment_of(turn);
            if !comment.is_empty() {
                text.push_str(&format!(" {{{comment}}}"));
            }
            text.push(if i % 2 == 0 { ' ' } else { '\n' });
        }
        text.truncate(text.trim_end_matches(' ').len());
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(self.tag("Result").unwrap_or("*"));
        text.push('\n');
        text
    }

    /// Reads a record.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let mut record = Record { tags: Vec::new(), turns: Vec::new() };
        let mut ended = false;
        for (line, token) in Tokens::new(text) {
            let fail = |problem: &str| Err(RecordError::Syntax(line, problem.to_owned()));
            let turn = |text| TurnMade { text, ..TurnMade::default() };
            match token {
                Err(problem) => return fail(problem),
                Ok(_) if ended => return fail("text after the result; one record at a time"),
                Ok(Token::Tag(..)) if !record.turns.is_empty() => return fail("a tag after the first turn"),
                Ok(Token::Tag(name, value)) => {
                    if name == "Record" {
                        check_version(&value)?;
                    }
                    record.tags.push((name, value));
                }
                Ok(Token::Comment(comment)) => {
                    if let Some(turn) = record.turns.last_mut() {
                        read_comment(&comment, turn);
                    }
                }
                Ok(Token::Word(word)) if is_result(&word) => match record.tag("Result").filter(|tag| *tag != word) {
                    Some(tag) => {
                        let tag = agon_rules::quote(tag);
                        return fail(&format!("the result is {word} here and {tag} in the tags"));
                    }
                    None => ended = true,
                },
                Ok(Token::Word(word)) if is_move_number(&word) => {}
                Ok(Token::Word(text) | Token::Quoted(text)) => record.turns.push(turn(text)),
            }
        }
        if record.tag("Record").is_none() {
            let problem = "no [Record \"…\"] tag: this is not a record that agon wrote";
            return Err(RecordError::Tag(problem.to_owned()));
        }
        if !ended {
            return Err(RecordError::Syntax(text.lines().count(), "the record has no result at its end".to_owned()));
        }
        Ok(record)
    }

    /// The position that the record begins with, found with the help of `find`.
    pub fn start(
        &self,
        find: impl Fn(&str) -> Option<&'static dyn AnyGame>,
    ) -> Result<(&'static dyn AnyGame, Box<dyn AnyPosition>), RecordError> {
        let need = |name: &str| self.tag(name).ok_or_else(|| RecordError::Tag(format!("no [{name} \"…\"] tag")));
        let name = need("Game")?;
        let game = find(name).ok_or_else(|| RecordError::Tag(format!("unknown game {}", agon_rules::quote(name))))?;
        let rules: RuleSet = need("Rules")?.parse().map_err(|e| RecordError::Tag(format!("Rules: {e}")))?;
        let mut position = game.open(need("Variant")?, rules).map_err(|e| RecordError::Tag(format!("Variant: {e}")))?;
        if let Some(text) = self.tag("Position") {
            position.set_up(text).map_err(|e| RecordError::Tag(format!("Position: {e}")))?;
        }
        Ok((game, position))
    }

    /// Every position of the record, the first one included. Each turn is checked.
    pub fn replay(
        &self,
        find: impl Fn(&str) -> Option<&'static dyn AnyGame>,
    ) -> Result<Vec<Box<dyn AnyPosition>>, RecordError> {
        let (_, mut position) = self.start(find)?;
        let mut positions = vec![position.boxed()];
        for (i, turn) in self.turns.iter().enumerate() {
            position.play(&turn.text).map_err(|e| RecordError::Turn(i + 1, e.to_string()))?;
            positions.push(position.boxed());
        }
        Ok(positions)
    }
}

/// The position that a match begins with, as the game prints it.
fn start_text(setup: &GameSetup) -> Option<String> {
    let given = setup.position.as_ref()?;
    let printed = setup.game.open(&setup.variant, setup.rules).ok().and_then(|mut position| {
        position.set_up(given).ok()?;
        position.start_text()
    });
    Some(printed.unwrap_or_else(|| given.clone()))
}

/// A newer record may look different from the next line on, so this comes before anything else is read.
fn check_version(version: &str) -> Result<(), RecordError> {
    match version.parse::<u32>() {
        Ok(number) if number <= VERSION => Ok(()),
        _ => Err(RecordError::Newer(version.to_owned())),
    }
}

/// Whose fault it was, and what was seen.
fn fault_tags(termination: &Termination, add: &mut dyn FnMut(&str, String)) {
    match termination {
        Termination::Fault { side, fault } => {
            add("FaultBy", side.number().to_string());
            add("Evidence", fault.evidence());
            // Evidence is short enough to be shown in a line; a record keeps all of what was sent.
            if let Fault::IllegalTurn { turn, .. } = fault {
                add("Sent", turn.clone());
            }
        }
        Termination::DoubleFault(faults) => {
            add("FaultBy", BOTH.to_owned());
            add("Evidence", termination.evidence().unwrap_or_default());
            add("FirstFault", faults.first.to_string());
            add("SecondFault", faults.second.to_string());
        }
        Termination::Over(_) | Termination::Resigned(_) | Termination::BrokenOff => {}
    }
}

/// A turn as a record writes it: in quotes also where the plain text would be read as something else.
fn turn_text(turn: &str) -> String {
    let misleading = is_result(turn) || is_move_number(turn) || turn.contains(['{', '[']);
    let text = words::quoted(turn);
    if misleading && !text.starts_with('"') { format!("\"{text}\"") } else { text }
}

fn is_result(word: &str) -> bool {
    word == "*" || word.parse::<Verdict>().is_ok()
}

fn is_move_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Points without the noise of binary fractions.
/// The margin scores of a match that ended in a position.
fn margins(start: Option<Box<dyn AnyPosition>>, last: &str) -> Option<BySide<f64>> {
    let mut position = start.filter(|start| start.margins().is_some())?;
    position.set_up(last).ok()?;
    position.margins()
}

fn points_text(points: f64) -> String {
    ((points * 1e9).round() / 1e9).to_string()
}

fn comment_of(turn: &TurnMade) -> String {
    let mut parts = Vec::new();
    let times = [
        ("emt", turn.wall),
        ("stall", turn.stalled),
        ("clk", turn.left),
        ("cpu", turn.cpu),
        ("lat", turn.latency),
        ("idle", turn.idle),
    ];
    for (name, time) in times {
        if let Some(time) = time {
            parts.push(format!("[%{name} {}]", time.as_secs_f64()));
        }
    }
    // For programs that read records: the whole of it is in `info`.
    if let Some(belief) = turn.belief() {
        parts.extend(belief.score.map(|score| format!("[%eval {}]", score.short())));
        parts.extend(belief.depth.map(|depth| format!("[%depth {depth}]")));
    }
    let noise = Some(turn.stderr.as_str()).filter(|noise| !noise.is_empty());
    for (name, text) in [("info", turn.info.as_deref()), ("err", noise)] {
        if let Some(text) = text {
            // JSON's escapes, with braces and brackets escaped too: neither may the comment or the field end early, nor another
            // field seem to begin.
            let json = serde_json::Value::from(text).to_string();
            let braces = json.replace('{', "\\u007b").replace('}', "\\u007d");
            let safe = braces.replace('[', "\\u005b").replace(']', "\\u005d");
            parts.push(format!("[%{name} {safe}]"));
        }
    }
    parts.join(" ")
}

fn read_comment(comment: &str, turn: &mut TurnMade) {
    for field in comment.split("[%").skip(1) {
        let Some((field, _)) = field.split_once(']') else { continue };
        let (name, value) = field.split_once(' ').unwrap_or((field, ""));
        let time = || value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let text = || serde_json::from_str::<String>(value).ok();
        match name {
            "emt" => turn.wall = time(),
            "stall" => turn.stalled = time(),
            "clk" => turn.left = time(),
            "cpu" => turn.cpu = time(),
            "lat" => turn.latency = time(),
            "idle" => turn.idle = time(),
            "info" => turn.info = text(),
            "err" => turn.stderr = text().unwrap_or_default(),
            _ => {}
        }
    }
}
