//! The files that a command names, and what they hold.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

/// Of so many files of the folders that a command names the digest takes note.
const MOST_FILES: usize = 10_000;
/// So many bytes are read. Of a file that does not fit any more only its name, size and date count.
const MOST_BYTES: u64 = 256 << 20;
/// How a database begins: runs are stored in one, often beside the bot.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// Stands between the command and the digest of its files. A command cannot hold it: a semicolon ends it.
const MARK: &str = ";files=";

/// What identifies a bot that is a command: its text, and the content of the files and folders that it names.
pub(crate) fn identity(run: &str, here: &Path) -> String {
    let named = named(run, here);
    let mut digest = Digester { sum: Sha256::new(), files: MOST_FILES, bytes: MOST_BYTES };
    for path in &named {
        digest.add(path);
    }
    match digest.files {
        MOST_FILES => format!("cmd:{run}"),
        _ => {
            let sum: String = digest.sum.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
            format!("cmd:{run}{MARK}{sum}")
        }
    }
}

/// Whether two hashes may stand for the same bot. Older programs knew a command by its text alone.
pub fn same_bot(stored: &str, now: &str) -> bool {
    stored == now || (text_only(now) == Some(stored))
}

/// The hash that an older program gave the same command; `None` if it is no command that names files.
pub fn text_only(hash: &str) -> Option<&str> {
    hash.strip_prefix("cmd:")?;
    hash.rsplit_once(MARK).map(|(text, _)| text)
}

/// The files and folders that a command names, in the order of the command. What it writes to is none of them.
pub(crate) fn named(run: &str, here: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for word in words(run) {
        // Options carry paths after '=', class paths are lists; a script in quotes is a command again.
        let parts = word.split(['=', ':', ',']).filter(|part| part.len() < word.len());
        let inner = words(&word).into_iter().filter(|inner| *inner != word);
        let candidates = [word.clone()].into_iter().chain(parts.map(str::to_owned)).chain(inner);
        for candidate in candidates.filter(|candidate| !candidate.is_empty()) {
            let Ok(path) = here.join(&candidate).canonicalize() else { continue };
            if (path.is_file() || path.is_dir()) && seen.insert(path.clone()) {
                found.push(path);
            }
        }
    }
    found
}

/// The words of a shell command, without quotes, as far as they matter here; those that output goes to are left out.
fn words(run: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut output) = (String::new(), None, false);
    let mut letters = run.chars();
    loop {
        let letter = letters.next();
        match (letter, quote) {
            (Some(letter), Some(end)) if letter == end => quote = None,
            (Some('\\'), None | Some('"')) => word.extend(letters.next()),
            (Some(letter), Some(_)) => word.push(letter),
            (Some(letter @ ('\'' | '"')), None) => quote = Some(letter),
            (Some(letter), None) if !letter.is_whitespace() && !"|&;<>()".contains(letter) => word.push(letter),
            (None, Some(_)) | (Some(_) | None, None) => {
                if !word.is_empty() && !std::mem::take(&mut output) {
                    words.push(std::mem::take(&mut word));
                }
                word.clear();
                output |= letter == Some('>');
            }
        }
        if letter.is_none() {
            return words;
        }
    }
}

struct Digester {
    sum: Sha256,
    /// How many more may be added.
    files: usize,
    /// How many more may be read.
    bytes: u64,
}

impl Digester {
    fn add(&mut self, path: &Path) {
        if path.is_dir() { self.add_folder(path, Path::new("")) } else { self.add_file(path, Path::new("")) }
    }

    /// Everything below a folder, in the order of names. What programs leave behind while they run is passed over.
    fn add_folder(&mut self, folder: &Path, name: &Path) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut entries: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        entries.sort();
        let databases: Vec<_> = entries.iter().filter(|entry| is_database(&folder.join(entry))).cloned().collect();
        for entry in entries {
            let text = entry.to_string_lossy();
            let left_behind = text.starts_with('.')
                || text == "__pycache__"
                || [".pyc", ".log", ".pgn"].iter().any(|end| text.ends_with(end))
                || databases.iter().any(|database| text.starts_with(&*database.to_string_lossy()));
            if left_behind || self.files == 0 {
                continue;
            }
            let (path, name) = (folder.join(&entry), name.join(&entry));
            match fs::symlink_metadata(&path).map(|found| found.file_type()) {
                Ok(kind) if kind.is_dir() => self.add_folder(&path, &name),
                Ok(kind) if kind.is_file() => self.add_file(&path, &name),
                _ => {}
            }
        }
    }

    fn add_file(&mut self, path: &Path, name: &Path) {
        if self.files == 0 {
            return;
        }
        self.files -= 1;
        let name = name.as_os_str().as_encoded_bytes();
        self.sum.update((name.len() as u64).to_le_bytes());
        self.sum.update(name);
        let Ok(found) = fs::metadata(path) else { return };
        self.sum.update(found.len().to_le_bytes());
        let read = found.len() <= self.bytes && self.read(path, found.len()).is_ok();
        if !read {
            self.sum.update(found.mtime().to_le_bytes());
        }
    }

    fn read(&mut self, path: &Path, size: u64) -> io::Result<()> {
        let mut file = File::open(path)?.take(size);
        let mut buffer = vec![0; 64 << 10];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(()),
                count => {
                    self.sum.update(&buffer[..count]);
                    self.bytes -= count as u64;
                }
            }
        }
    }
}

fn is_database(path: &Path) -> bool {
    let mut beginning = [0; DATABASE.len()];
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() > DATABASE.len() as u64);
    is_file && File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok() && beginning == DATABASE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_command() {
        let cases: [(&str, &[&str]); 6] = [
            ("python3 bot.py -x=1", &["python3", "bot.py", "-x=1"]),
            ("sh -c 'python3 \"a b.py\"'", &["sh", "-c", "python3 \"a b.py\""]),
            ("./bot<book 2>err>>out|tee x", &["./bot", "book", "2", "tee", "x"]),
            ("cd \"my bots\" && ./a\\ b", &["cd", "my bots", "./a b"]),
            ("'open", &["open"]),
            ("", &[]),
        ];
        for (run, expected) in cases {
            assert_eq!(words(run), expected, "{run}");
        }
    }

    #[test]
    fn files_are_found_wherever_a_command_names_them() {
        let folder = std::env::temp_dir().join(format!("agon-named-{}", std::process::id()));
        fs::create_dir_all(folder.join("classes/deep")).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        for name in ["bot.py", "net.bin", "a.jar", "book", "out"] {
            write(name, name);
        }
        write("classes/deep/Main.class", "1");
        let found = |run: &str| -> Vec<String> {
            let names = named(run, &folder).into_iter();
            names.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(found("python3 bot.py --net=net.bin <book >out"), ["bot.py", "net.bin", "book"]);
        assert_eq!(found("java -cp classes:a.jar Main"), ["classes", "a.jar"]);
        assert_eq!(found("sh -c 'python3 ./bot.py'"), ["bot.py"]);
        assert_eq!(found("nothing here"), [""; 0]);

        let java = |name: &str, text: &str| {
            write(name, text);
            identity("java -cp classes Main", &folder)
        };
        let before = identity("java -cp classes Main", &folder);
        assert_eq!(java("bot.py", "other"), before, "it is not named");
        assert_eq!(java("classes/run.log", "noise"), before);
        assert_eq!(java("classes/r.db", "SQLite format 3\0 and so on"), before);
        assert_eq!(java("classes/r.db-wal", "noise"), before);
        assert_ne!(java("classes/deep/Main.class", "2"), before);
        assert!(same_bot("cmd:java -cp classes Main", &before) && !same_bot("cmd:java Main", &before));
        assert_eq!(identity("nothing here", &folder), "cmd:nothing here");
        fs::remove_dir_all(&folder).unwrap();
    }
}
