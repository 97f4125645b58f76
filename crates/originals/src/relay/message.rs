//! Messages: JSON objects that follow each other without anything between them.

use std::fmt;

use agon_rules::quote;
use serde_json::Value;

/// The originals read a message with one call that takes no more bytes than this, so nothing longer may be sent.
pub const LONGEST_MESSAGE: usize = 1024;

/// So many bytes without the end of an object are no message.
const MOST_UNFINISHED: usize = 64 << 10;

/// What servers and clients say to each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Message {
    /// `INIT`, `NORMAL`, `FINISH`, `KILLPROC`, or what another program invented.
    pub action: String,
    /// Scores, or what went wrong.
    pub meta: String,
    /// A turn, or what the first line for a bot is.
    pub data: String,
}

impl Message {
    /// The first message: what is played, as the bots are told.
    pub fn init(first_line: impl Into<String>) -> Message {
        Message { action: "INIT".to_owned(), meta: String::new(), data: first_line.into() }
    }

    /// A turn after which the game goes on.
    pub fn normal(turn: impl Into<String>) -> Message {
        Message { action: "NORMAL".to_owned(), meta: String::new(), data: turn.into() }
    }

    /// The end of a game, by a turn or without one.
    pub fn finish(meta: impl Into<String>, turn: impl Into<String>) -> Message {
        Message { action: "FINISH".to_owned(), meta: meta.into(), data: turn.into() }
    }

    /// The end of a game that somebody broke.
    pub fn kill(meta: impl Into<String>) -> Message {
        Message { action: "KILLPROC".to_owned(), meta: meta.into(), data: String::new() }
    }

    /// Whether nothing follows it.
    pub fn is_last(&self) -> bool {
        matches!(self.action.as_str(), "FINISH" | "KILLPROC" | "STAGNANT")
    }

    /// Whether it tells a turn.
    pub fn has_turn(&self) -> bool {
        matches!(self.action.as_str(), "NORMAL" | "FINISH") && !self.data.trim().is_empty()
    }

    /// Whether it is short enough to be sent.
    pub fn fits(&self) -> bool {
        self.to_string().len() <= LONGEST_MESSAGE
    }

    fn read(text: &str) -> Result<Message, Garbage> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| Garbage(format!("no JSON ({error}): {}", quote(text))))?;
        let member = |name: &str| match value.get(name) {
            None => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(Garbage(format!("'{name}' is not a string: {}", quote(text)))),
        };
        Ok(Message { action: member("action")?, meta: member("meta")?, data: member("data")? })
    }
}

/// As Python writes it: the bytes that the originals sent.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{\"action\": ")?;
        write_string(f, &self.action)?;
        f.write_str(", \"meta\": ")?;
        write_string(f, &self.meta)?;
        f.write_str(", \"data\": ")?;
        write_string(f, &self.data)?;
        f.write_str("}")
    }
}

/// A JSON string in ASCII, with the escapes that Python prefers.
fn write_string(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '\u{8}' => f.write_str("\\b")?,
            '\u{c}' => f.write_str("\\f")?,
            ' '..='~' => write!(f, "{letter}")?,
            _ => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    write!(f, "\\u{unit:04x}")?;
                }
            }
        }
    }
    f.write_str("\"")
}

/// What cannot be a message, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Garbage(pub String);

/// A message as it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    /// What it says.
    pub message: Message,
    /// How it was written.
    pub raw: String,
}

impl Received {
    /// How it was written, for a line of its own; a writer who likes line breaks gets our way of writing.
    pub fn line(&self) -> String {
        if self.raw.chars().any(char::is_control) { self.message.to_string() } else { self.raw.clone() }
    }
}

/// Finds the messages in what arrives, however it was cut into pieces.
#[derive(Clone, Debug, Default)]
pub struct MessageReader {
    bytes: Vec<u8>,
    /// Bytes before this one have been looked at.
    seen: usize,
    /// How many braces and brackets are open.
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl MessageReader {
    /// Takes what has arrived.
    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether part of a message waits for its rest.
    pub fn is_waiting(&self) -> bool {
        !self.bytes.trim_ascii().is_empty()
    }

    /// The next message; `None` if its end has not come yet. After an error nothing that follows can be trusted.
    pub fn next_message(&mut self) -> Result<Option<Received>, Garbage> {
        if self.seen == 0 {
            let blanks = self.bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.bytes.drain(..blanks);
            if let Some(byte) = self.bytes.first()
                && *byte != b'{'
            {
                let text = String::from_utf8_lossy(&self.bytes);
                return Err(Garbage(format!("expected a JSON object, found {}", quote(&text))));
            }
        }
        while let Some(&byte) = self.bytes.get(self.seen) {
            self.seen += 1;
            if self.ends_object(byte) {
                return self.take_object().map(Some);
            }
        }
        if self.seen > MOST_UNFINISHED {
            return Err(Garbage(format!("no end of a message within {MOST_UNFINISHED} bytes")));
        }
        Ok(None)
    }

    /// Whether the object is complete with this byte. What stands between the braces is looked at later.
    fn ends_object(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth -= 1,
            _ => {}
        }
        self.depth == 0
    }

    fn take_object(&mut self) -> Result<Received, Garbage> {
        let bytes: Vec<u8> = self.bytes.drain(..self.seen).collect();
        self.seen = 0;
        let raw = String::from_utf8(bytes).map_err(|error| {
            let shown = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Garbage(format!("not UTF-8: {}", quote(&shown)))
        })?;
        let message = Message::read(&raw)?;
        if !message.fits() {
            return Err(Garbage(format!("a message of more than {LONGEST_MESSAGE} bytes: {}", quote(&raw))));
        }
        Ok(Received { message, raw })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(reader: &mut MessageReader) -> Vec<Message> {
        std::iter::from_fn(|| reader.next_message().expect("no garbage")).map(|received| received.message).collect()
    }

    #[test]
    fn bytes_are_those_of_python() {
        assert_eq!(Message::init("1 5 120 5").to_string(), r#"{"action": "INIT", "meta": "", "data": "1 5 120 5"}"#);
        let odd = Message::kill("a \"b\" \\ \n é 😀 \u{7f} /");
        let expected = r#"{"action": "KILLPROC", "meta": "a \"b\" \\ \n \u00e9 \ud83d\ude00 \u007f /", "data": ""}"#;
        assert_eq!(odd.to_string(), expected);
    }

    #[test]
    fn pieces_do_not_matter() {
        let messages = [Message::init("2 5 120 5"), Message::normal("P {\"1} ]"), Message::kill("é\\")];
        let text: String = messages.iter().map(|message| format!(" {message}\n")).collect();
        for size in 1..text.len() {
            let mut reader = MessageReader::default();
            let mut found = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                reader.add(piece);
                found.extend(all(&mut reader));
            }
            assert_eq!(found, messages, "in pieces of {size}");
            assert!(!reader.is_waiting());
        }
    }

    #[test]
    fn absent_members_are_empty_and_the_last_of_two_counts() {
        let mut reader = MessageReader::default();
        reader.add(br#"{}{"data": "a", "data": "b", "more": [1, {}]}"#);
        assert_eq!(all(&mut reader), [Message::default(), Message { data: "b".to_owned(), ..Message::default() }]);
    }

    #[test]
    fn garbage_is_refused_with_a_reason() {
        let long = format!("{{\"data\": \"{}\"}}", "x".repeat(1000));
        let endless = format!("{{\"data\": \"{}", "x".repeat(70_000));
        for (text, reason) in [
            ("P 0 0\n", "expected a JSON object"),
            ("}", "expected a JSON object"),
            ("{\"data\": 1}", "'data' is not a string"),
            ("{\"data\": null}", "'data' is not a string"),
            ("{data: 1}", "no JSON"),
            ("{]", "no JSON"),
            (&long, "more than 1024 bytes"),
            (&endless, "no end of a message"),
        ] {
            let mut reader = MessageReader::default();
            reader.add(text.as_bytes());
            let error = reader.next_message().expect_err("garbage");
            assert!(error.0.contains(reason), "{error}");
        }
        let mut reader = MessageReader::default();
        reader.add(b"{\"data\": \"\xff\"}");
        assert!(reader.next_message().expect_err("garbage").0.contains("not UTF-8"));
    }
}
