//! The rules for any language: questions and answers are JSON objects, one a line.
//!
//! A question may hold `variant`, `rules`, `position`, `moves` (a list of turns to play from there) and `want` (any of `legal`,
//! `states`, `points`; `["legal"]` if absent). The answer always holds `position`, `turn`, `legal`, `states`, `outcome`, `points` and
//! `error`. A bad line gets an error and the next line is still answered.

use std::io::{self, BufRead, Read, Write};

use agon_rules::{AnyGame, AnyPosition, Ending, RuleSet, Side, quote};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// A longer line is refused.
const LONGEST_LINE: u64 = 4 << 20;

/// Longer lists of turns are refused.
const MOST_TURNS: usize = 100_000;

/// Why no more questions are answered.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// They cannot be read.
    #[error("cannot read: {0}")]
    Read(io::Error),
    /// Nobody takes the answers.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Answers every line until there are no more.
///
/// # Errors
/// If lines cannot be read or written.
pub fn answer_all(game: &dyn AnyGame, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), ProbeError> {
    while let Some(line) = next_line(input).map_err(ProbeError::Read)? {
        let answer = match line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => answer(game, &line),
            Err(problem) => Answer::refusal(&problem.start, &problem.rule),
        };
        writeln!(out, "{}", answer.into_json())?;
        out.flush()?;
    }
    Ok(())
}

/// A line that cannot be a question, whatever it says.
struct BadLine {
    start: String,
    rule: String,
}

/// The next line without its end; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, BadLine>>> {
    let mut bytes = Vec::new();
    let length = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if length == 0 {
        return Ok(None);
    }
    let cut = bytes.last() != Some(&b'\n') && length as u64 == LONGEST_LINE;
    if cut {
        input.skip_until(b'\n')?;
    }
    let bad = |bytes: &[u8], rule: String| Err(BadLine { start: String::from_utf8_lossy(bytes).into_owned(), rule });
    Ok(Some(if cut {
        bad(&bytes, format!("expected a line of at most {LONGEST_LINE} bytes"))
    } else {
        String::from_utf8(bytes).or_else(|e| bad(e.as_bytes(), "expected UTF-8 text".to_owned()))
    }))
}

/// What the caller asked.
struct Question {
    variant: Option<String>,
    rules: RuleSet,
    position: Option<String>,
    moves: Vec<String>,
    legal: bool,
    states: bool,
    points: bool,
}

impl Question {
    fn parse(line: &str) -> Result<Question, String> {
        let value: Value = serde_json::from_str(line).map_err(|e| format!("expected a JSON object: {e}"))?;
        let Value::Object(object) = value else { return Err("expected a JSON object".to_owned()) };
        let known = ["variant", "rules", "position", "moves", "want"];
        if let Some(key) = object.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(format!("unknown key {}, expected {}", quote(key), known.join(", ")));
        }
        let rules = string(&object, "rules")?.map_or(Ok(RuleSet::Text), |name| name.parse());
        let wants = strings(&object, "want")?.unwrap_or_else(|| vec!["legal".to_owned()]);
        if let Some(want) = wants.iter().find(|want| !["legal", "states", "points"].contains(&want.as_str())) {
            return Err(format!("want: expected 'legal', 'states' or 'points', found {}", quote(want)));
        }
        let wanted = |what: &str| wants.iter().any(|want| want == what);
        Ok(Question {
            variant: string(&object, "variant")?,
            rules: rules.map_err(|e| e.to_string())?,
            position: string(&object, "position")?,
            moves: strings(&object, "moves")?.unwrap_or_default(),
            legal: wanted("legal"),
            states: wanted("states"),
            points: wanted("points"),
        })
    }
}

fn string(object: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("{key}: expected a string, found {}", quote(&other.to_string()))),
    }
}

fn strings(object: &Map<String, Value>, key: &str) -> Result<Option<Vec<String>>, String> {
    let expected = |found: &Value| format!("{key}: expected a list of strings, found {}", quote(&found.to_string()));
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(items)) => {
            let texts = items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(|| expected(item)));
            texts.collect::<Result<_, _>>().map(Some)
        }
        Some(other) => Err(expected(other)),
    }
}

/// What the caller gets; every key is always there.
#[derive(Default)]
struct Answer {
    position: Value,
    turn: Value,
    legal: Value,
    states: Value,
    outcome: Value,
    points: Value,
    error: Value,
}

impl Answer {
    /// Nothing but an error about `text`.
    fn refusal(text: &str, rule: &str) -> Answer {
        Answer { error: error(None, text, rule), ..Answer::default() }
    }

    fn into_json(self) -> Value {
        json!({
            "position": self.position,
            "turn": self.turn,
            "legal": self.legal,
            "states": self.states,
            "outcome": self.outcome,
            "points": self.points,
            "error": self.error,
        })
    }
}

/// Points without the noise of binary fractions.
fn round(points: f64) -> f64 {
    (points * 1e9).round() / 1e9
}

fn error(turn_index: Option<usize>, text: &str, rule: &str) -> Value {
    // A refused text is repeated so that the caller can find it, but not megabytes of it.
    let text: String = text.chars().take(1000).collect();
    json!({ "turn_index": turn_index, "text": text, "rule": rule })
}

/// The answer to one line, as JSON text.
pub fn answer_line(game: &dyn AnyGame, line: &str) -> String {
    answer(game, line).into_json().to_string()
}

fn answer(game: &dyn AnyGame, line: &str) -> Answer {
    let question = match Question::parse(line) {
        Ok(question) => question,
        Err(rule) => return Answer::refusal(line.trim_end(), &rule),
    };
    let variant = question.variant.as_deref().unwrap_or(game.variants()[0]);
    let mut position = match game.open(variant, question.rules) {
        Ok(position) => position,
        Err(e) => return Answer::refusal(variant, &e.to_string()),
    };
    if let Some(text) = &question.position
        && let Err(e) = position.set_up(text)
    {
        return Answer::refusal(text, &e.to_string());
    }
    let mut states = Vec::new();
    let mut refused = Value::Null;
    for (i, turn) in question.moves.iter().enumerate() {
        if let Err(e) = position.play(turn) {
            refused = error(Some(i), turn, &e.to_string());
            break;
        }
        states.push(position.text());
    }
    describe(&*position, &question, states, refused)
}

fn describe(position: &dyn AnyPosition, question: &Question, states: Vec<String>, refused: Value) -> Answer {
    let outcome = position.outcome();
    let mut answer = Answer {
        position: position.text().into(),
        turn: position.turn().number().into(),
        error: refused,
        ..Answer::default()
    };
    if question.states {
        answer.states = states.into();
    }
    if let Some(outcome) = outcome {
        let winner = outcome.winner.map_or(0, Side::number);
        answer.outcome = json!({ "winner": winner, "reason": outcome.reason.name() });
        if question.points {
            let points = position.points(Ending::Over(outcome));
            answer.points = json!([round(points.first), round(points.second)]);
        }
    }
    if question.legal {
        match position.legal_turns(MOST_TURNS) {
            Ok(turns) => {
                let mut texts: Vec<String> = turns.into_iter().flat_map(|turn| turn.spellings).collect();
                texts.sort_unstable();
                answer.legal = texts.into();
            }
            Err(e) if answer.error.is_null() => answer.error = error(None, &position.text(), &e.to_string()),
            Err(_) => {}
        }
    }
    answer
}
