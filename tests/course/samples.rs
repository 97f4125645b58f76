//! Sample submissions: files as a student would pack them, and what goes wrong with packing.

use std::{
    fs,
    io::{Cursor, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use zip::{ZipWriter, write::SimpleFileOptions};

/// A file of a submission.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) executable: bool,
}

/// What a team hands in.
#[derive(Clone, Default)]
pub(crate) struct Sample {
    pub(crate) files: Vec<File>,
}

impl Sample {
    /// The starter kit of a game in a language, without its read-me.
    pub(crate) fn kit(game: &str, language: &str) -> Sample {
        let kits = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../kits");
        let mut sample = Sample::default();
        let folder = kits.join(game).join(language);
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a file").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
            if path.is_file() && name != "README.md" {
                let bytes = fs::read(&path).expect("a file");
                sample.files.push(File { executable: name.ends_with(".sh"), name, bytes });
            }
        }
        sample.files.sort_by(|one, other| one.name.cmp(&other.name));
        sample
    }

    /// With this file, instead of one of the same name.
    pub(crate) fn with(self, name: &str, bytes: impl AsRef<[u8]>) -> Sample {
        let mut sample = self.without(name);
        let (name, bytes) = (name.to_owned(), bytes.as_ref().to_vec());
        sample.files.push(File { executable: name.ends_with(".sh"), name, bytes });
        sample
    }

    pub(crate) fn without(mut self, name: &str) -> Sample {
        self.files.retain(|file| file.name != name);
        self
    }

    fn file(&mut self, name: &str) -> &mut File {
        self.files.iter_mut().find(|file| file.name == name).unwrap_or_else(|| panic!("no {name} in the sample"))
    }

    pub(crate) fn renamed(mut self, from: &str, to: &str) -> Sample {
        self.file(from).name = to.to_owned();
        self
    }

    /// With the contents of a file changed.
    pub(crate) fn edited(mut self, name: &str, edit: impl Fn(&str) -> Vec<u8>) -> Sample {
        let file = self.file(name);
        file.bytes = edit(std::str::from_utf8(&file.bytes).expect("a text"));
        self
    }

    /// With `line`, counted from 1, saying something else.
    pub(crate) fn line(self, name: &str, line: usize, text: &str) -> Sample {
        self.edited(name, |before| {
            let mut lines: Vec<&str> = before.lines().collect();
            lines[line - 1] = text;
            format!("{}\n", lines.join("\n")).into_bytes()
        })
    }

    /// Without the right to be executed.
    pub(crate) fn plain(mut self, name: &str) -> Sample {
        self.file(name).executable = false;
        self
    }

    /// All files below a folder, with whatever stands between its name and theirs.
    pub(crate) fn inside(mut self, folder: &str) -> Sample {
        for file in &mut self.files {
            file.name = format!("{folder}{}", file.name);
        }
        self
    }

    /// As a zip; names are written as they are.
    pub(crate) fn zip(&self) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for file in &self.files {
            let mode = if file.executable { 0o755 } else { 0o644 };
            writer
                .start_file(file.name.as_str(), SimpleFileOptions::default().unix_permissions(mode))
                .expect("an entry");
            writer.write_all(&file.bytes).expect("an entry");
        }
        writer.finish().expect("a zip").into_inner()
    }

    /// As files of a folder.
    pub(crate) fn lay_out(&self, folder: &Path) {
        for file in &self.files {
            let path = folder.join(&file.name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(&path, &file.bytes).expect("a file");
            let mode = if file.executable { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
        }
    }
}

/// A whole folder as one zip, as Moodle and Gradescope pack what was handed in.
pub(crate) fn zip_of(folder: &Path) -> Vec<u8> {
    fn collect(root: &Path, folder: &Path, sample: &mut Sample) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                collect(root, &path, sample);
            } else {
                let name = path.strip_prefix(root).expect("below it").to_str().expect("UTF-8").to_owned();
                sample.files.push(File { name, bytes: fs::read(&path).expect("a file"), executable: false });
            }
        }
    }
    let mut sample = Sample::default();
    collect(folder, folder, &mut sample);
    sample.files.sort_by(|one, other| one.name.cmp(&other.name));
    sample.zip()
}

pub(crate) fn crlf(text: &str) -> Vec<u8> {
    text.replace('\n', "\r\n").into_bytes()
}

pub(crate) fn byte_order_mark(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").into_bytes()
}

/// UTF-16 with its mark, as the editor of Windows writes it.
pub(crate) fn utf16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}
