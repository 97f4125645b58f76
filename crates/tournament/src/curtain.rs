//! What of a tournament is for everybody's eyes. Where bots lie, what folders are called and what bots write to stderr is not.

use std::{collections::BTreeSet, env, path::Path};

use agon_entrants::build_cache;
use agon_referee::Record;
use sha2::{Digest, Sha256};

use crate::plan::{Entry, Event, Plan, Team};

/// What stands for a bot's own file or folder, and for any other place.
const BOT: &str = "[bot]";
const PLACE: &str = "[path]";

/// Places that are the same on every machine: they say nothing about this one.
const COMMON: [&str; 8] = ["/usr/", "/bin/", "/lib/", "/lib64/", "/etc/", "/proc/", "/dev/", "/sys/"];

/// Tags that hold nothing of a bot's own making, and nothing about this machine.
const PLAIN_TAGS: [&str; 25] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Record",
    "Game",
    "Variant",
    "Rules",
    "First",
    "Second",
    "Points",
    "Termination",
    "TimeControl",
    "Position",
    "Opening",
    "FinalPosition",
    "Seed",
    "Tournament",
    "Battle",
    "Half",
    "Format",
    "FaultBy",
];

/// Takes out of texts what is private.
pub struct Curtain {
    /// Private texts and what stands for each, the longest first.
    hidden: Vec<(String, &'static str)>,
    /// Names of bots' files and folders, which are hidden where they stand as words.
    names: Vec<String>,
    /// How private texts begin: most letters need no closer look.
    begins: BTreeSet<char>,
    with_stderr: bool,
}

impl Curtain {
    /// For bots that are named by any of these words, and for this machine; nothing that bots wrote to stderr is shown.
    pub fn of_words<'a>(words: impl Iterator<Item = &'a str>) -> Curtain {
        let mut curtain =
            Curtain { hidden: Vec::new(), names: Vec::new(), begins: BTreeSet::from(['/']), with_stderr: false };
        words.for_each(|word| curtain.hide_bot(word));
        curtain.hide_machine(&[])
    }

    /// For the bots of this plan and log, and for this machine.
    pub(crate) fn of(plan: &Plan, log: &[Entry], with_stderr: bool) -> Curtain {
        let mut curtain = Curtain { hidden: Vec::new(), names: Vec::new(), begins: BTreeSet::from(['/']), with_stderr };
        let later = log.iter().filter_map(|entry| match &entry.event {
            Event::Replaced { version, .. } => version.bot.as_ref(),
            _ => None,
        });
        for bot in plan.teams.iter().map(|team| &team.bot).chain(later) {
            curtain.hide_bot(bot);
        }
        let teams: Vec<&str> = plan.teams.iter().map(|team| team.name.as_str()).collect();
        curtain.hide_machine(&teams)
    }

    /// Hides this machine too, and nothing that is the name of a team.
    fn hide_machine(mut self, teams: &[&str]) -> Curtain {
        let curtain = &mut self;
        let machine = [env::current_dir().ok(), env::var_os("HOME").map(Into::into), Some(build_cache())];
        for place in machine.into_iter().flatten().chain([env::temp_dir()]) {
            curtain.hide(&place.to_string_lossy(), PLACE);
        }
        curtain.names.retain(|name| !teams.contains(&name.as_str()));
        curtain.hidden.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then(a.cmp(b)));
        curtain.hidden.dedup();
        let texts = curtain.hidden.iter().map(|(text, _)| text).chain(&curtain.names);
        curtain.begins.extend(texts.filter_map(|text| text.chars().next()));
        self
    }

    /// A bot, as it was named: a path, a command, an address; house bots have nothing to hide.
    fn hide_bot(&mut self, bot: &str) {
        if let Some(address) = bot.strip_prefix("ws://") {
            self.hide(address.trim_end_matches('/'), BOT);
            return;
        }
        if let Some(command) = bot.strip_prefix("cmd:") {
            let words = command.split(|letter: char| letter.is_whitespace() || "'\";=".contains(letter));
            words.filter(|word| word.contains('/')).for_each(|word| self.hide_path(Path::new(word)));
            return;
        }
        if bot.contains('/') {
            self.hide_path(Path::new(bot));
        }
    }

    fn hide_path(&mut self, path: &Path) {
        if COMMON.iter().any(|common| path.starts_with(common)) {
            return;
        }
        self.hide(&path.to_string_lossy(), BOT);
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.hide(&whole.to_string_lossy(), BOT);
        for folder in whole.ancestors().skip(1) {
            self.hide(&folder.to_string_lossy(), PLACE);
        }
        for name in [path.file_name(), path.file_stem()].into_iter().flatten() {
            let name = name.to_string_lossy().into_owned();
            if is_distinctive(&name) && !self.names.contains(&name) {
                self.names.push(name);
            }
        }
    }

    fn hide(&mut self, text: &str, instead: &'static str) {
        // The root of everything, or a single letter, would be found everywhere.
        if text.len() > 3 {
            self.hidden.push((text.to_owned(), instead));
        }
    }

    /// A text without paths, addresses and names of bots' files.
    pub fn text(&self, text: &str) -> String {
        let mut open = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            if self.begins.contains(&letter)
                && let Some((instead, after)) = self.found(open.chars().next_back(), rest)
            {
                open.push_str(instead);
                rest = after;
            } else {
                open.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
        open
    }

    /// What is private at the beginning of a text: what stands for it, and what follows it.
    fn found<'a>(&self, before: Option<char>, text: &'a str) -> Option<(&'static str, &'a str)> {
        let part_of_word = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
        for (hidden, instead) in &self.hidden {
            if let Some(after) = text.strip_prefix(hidden.as_str())
                && !after.starts_with(part_of_word)
            {
                return Some((instead, &after[path_end(after)..]));
            }
        }
        if before.is_some_and(|before| part_of_word(before) || "./]~".contains(before)) {
            return None;
        }
        for name in &self.names {
            if let Some(after) = text.strip_prefix(name.as_str())
                && !after.starts_with(part_of_word)
            {
                return Some((BOT, after));
            }
        }
        let absolute = text.strip_prefix('/')?;
        let is_path = absolute.starts_with(|letter: char| letter.is_alphanumeric() || "._~".contains(letter));
        let common = COMMON.iter().any(|common| text.starts_with(common));
        // `ws://` and `http://` are no paths.
        (is_path && !common).then(|| (PLACE, &text[path_end(text)..]))
    }

    /// The digest of a bot's content, or of the words that name it.
    fn hash(&self, hash: &str) -> String {
        if hash.starts_with("cmd:") || hash.starts_with("ws:") || hash.contains('/') {
            let digest = Sha256::digest(hash.as_bytes());
            return digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        }
        hash.to_owned()
    }

    /// What was said about a bot: nothing that it wrote itself and no command, unless the organiser wants that.
    fn evidence(&self, text: &str) -> String {
        if self.with_stderr {
            return self.text(text);
        }
        // Where both are to blame, each has its own words.
        let sides: Vec<String> = match text.rsplit_once(SECOND) {
            Some((first, second)) if text.starts_with("side 1: ") => vec![bare(first), bare(second)],
            _ => vec![bare(text)],
        };
        self.text(&sides.join(SECOND))
    }

    fn team(&self, team: &Team) -> Team {
        Team {
            bot: String::new(),
            hash: self.hash(&team.hash),
            broken: team.broken.as_deref().map(|why| self.evidence(why)),
            ..team.clone()
        }
    }

    /// A plan as everybody may read it.
    pub(crate) fn plan(&self, plan: &Plan) -> Plan {
        Plan { teams: plan.teams.iter().map(|team| self.team(team)).collect(), ..plan.clone() }
    }

    /// A log as everybody may read it.
    pub(crate) fn log(&self, log: &[Entry]) -> Vec<Entry> {
        let mut log: Vec<Entry> = log.iter().map(Entry::published).collect();
        for entry in &mut log {
            if let Event::Replaced { version, .. } = &mut entry.event {
                version.hash = self.hash(&version.hash);
            }
        }
        log
    }

    /// A record as everybody may read it; `None` if it cannot be read.
    pub fn record(&self, text: &str) -> Option<String> {
        let mut record = Record::parse(text).ok()?;
        record.tags.retain(|(name, _)| self.with_stderr || !name.ends_with("Stderr"));
        for (name, value) in &mut record.tags {
            if name.ends_with("Hash") {
                *value = self.hash(value);
            } else if name.ends_with("Stderr") {
                *value = self.text(value);
            } else if !PLAIN_TAGS.contains(&name.as_str()) {
                *value = self.evidence(value);
            }
        }
        for turn in &mut record.turns {
            turn.stderr = if self.with_stderr { self.text(&turn.stderr) } else { String::new() };
            turn.info = turn.info.as_deref().map(|info| self.text(info));
        }
        Some(record.text())
    }
}

/// What stands between the evidence about either side of a match.
const SECOND: &str = "; side 2: ";

/// Evidence without a bot's own words: the first line, without its last words, its build's command, its exception's message.
fn bare(text: &str) -> String {
    if let Some((before, build)) = text.split_once("the build '") {
        let how = build.split_once("' failed (").and_then(|(_, how)| how.split_once(')')).map(|(how, _)| how);
        let how = how.filter(|how| {
            ["exit status: ", "signal: ", "it took more than "].iter().any(|known| how.starts_with(known))
        });
        let before = before.lines().next().unwrap_or_default();
        return format!("{before}the build failed{}", how.map_or(String::new(), |how| format!(" ({how})")));
    }
    let said = text.split_once("; its last words: ").map_or(text, |(said, _)| said);
    let line = said.lines().next().unwrap_or_default().trim_end_matches(':');
    without_message(line).to_owned()
}

/// Only the kind of an exception: its message may say anything.
fn without_message(line: &str) -> &str {
    let mut from = 0;
    for part in line.split_inclusive(": ") {
        let word = part.trim_end_matches(": ");
        let is_name =
            !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "_.".contains(letter));
        let is_kind =
            line[..from].ends_with(RAISED) || ["Error", "Exception", "Exit"].iter().any(|end| word.ends_with(end));
        if is_name && is_kind {
            return &line[..from + word.len()];
        }
        if line[..from].ends_with(RAISED) {
            return line[..from].trim_end_matches(": ");
        }
        from += part.len();
    }
    line
}

/// What evidence says before the kind of an exception.
const RAISED: &str = "raised an exception: ";

/// Where a path ends that a text begins with.
fn path_end(text: &str) -> usize {
    text.find(|letter: char| letter.is_whitespace() || "'\"`<>|;:,(){}[]".contains(letter)).unwrap_or(text.len())
}

/// Whether a name says more than a word that anybody would use.
fn is_distinctive(name: &str) -> bool {
    name.chars().count() > 3 && name.chars().any(|letter| !letter.is_ascii_lowercase() && letter != '.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Secret, read};

    fn curtain(bots: &[&str]) -> Curtain {
        let game = agon_all::GAMES[0];
        let format = format!("title = \"T\"\ngame = \"{}\"\n[[stage]]\nkind = \"round-robin\"\n", game.name());
        let team = |bot: &&str| Team { name: "Ada".to_owned(), bot: (*bot).to_owned(), ..Team::default() };
        let plan = Plan {
            format: read(&format).expect("a format").format,
            teams: bots.iter().map(team).collect(),
            seed: 1,
            secret: Secret(String::new()),
        };
        Curtain::of(&plan, &[], false)
    }

    #[test]
    fn places_are_hidden_and_the_rest_stays() {
        let curtain = curtain(&["/home/anna mueller/2019CS10399_bot", "sub/Late-Entry.zip", "cmd:./own/engine_x -d 3"]);
        for (text, open) in [
            ("/home/anna mueller/2019CS10399_bot/main.cpp:3:5: error", "[bot]:3:5: error"),
            ("in /home/anna mueller/other file", "in [path] file"),
            ("no bot 2019CS10399_bot here", "no bot [bot] here"),
            ("sub/Late-Entry.zip is no bot", "[bot] is no bot"),
            ("'Late-Entry' failed", "'[bot]' failed"),
            ("sh: ./own/engine_x: not found", "sh: [bot]: not found"),
            ("File \"/srv/x/y.py\", line 3", "File \"[path]\", line 3"),
            ("/usr/bin/python3: no module", "/usr/bin/python3: no module"),
            ("1/2-1/2 and/or km/h", "1/2-1/2 and/or km/h"),
            ("'S 1 2 M 2 4': there is no soldier", "'S 1 2 M 2 4': there is no soldier"),
            ("divided 6 / 3", "divided 6 / 3"),
        ] {
            assert_eq!(curtain.text(text), open);
        }
    }

    #[test]
    fn words_that_name_a_bot_become_a_digest() {
        let curtain = curtain(&[]);
        assert_eq!(curtain.hash("house:level1"), "house:level1");
        assert_eq!(curtain.hash("0123abcd"), "0123abcd");
        assert_eq!(curtain.hash("cmd:python3 /home/anna/bot.py").len(), 32);
        assert_eq!(curtain.hash("ws://10.0.0.7:99").len(), 32);
    }

    #[test]
    fn evidence_has_no_words_of_a_bot() {
        let curtain = curtain(&[]);
        for (said, published) in [
            ("it is gone; its last words: 'password 1234'", "it is gone"),
            ("the build 'make' failed (exit status: 2):\nsecret", "the build failed (exit status: 2)"),
            ("the build 'echo SECRET;\nexit 1' failed (signal: 9):\nsecret", "the build failed (signal: 9)"),
            ("the build 'x' failed (it took more than 600 s):\n", "the build failed (it took more than 600 s)"),
            ("the build 'echo \"' failed (SECRET)\"", "the build failed"),
            ("raised an exception: ValueError: SECRET", "raised an exception: ValueError"),
            ("raised an exception: my.own.Trouble: SECRET: more", "raised an exception: my.own.Trouble"),
            ("raised an exception: SECRET words", "raised an exception"),
            ("ModuleNotFoundError: No module named 'secret'", "ModuleNotFoundError"),
            ("'9 9': expected two integers", "'9 9': expected two integers"),
            (
                "side 1: crash: raised an exception: KeyError: 'SECRET'; side 2: crash: exited with code 3; its last words: 'x'",
                "side 1: crash: raised an exception: KeyError; side 2: crash: exited with code 3",
            ),
        ] {
            assert_eq!(curtain.evidence(said), published);
        }
    }
}
