//! Names of entries, made safe.

use super::{ArchiveError, ArchiveLimits};

/// The name of an entry that is safe to use below a folder: `/` between its parts, none of them empty, `.` or `..`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EntryName {
    /// Empty for the folder itself, which many tars begin with (`./`).
    pub path: String,
    /// Whether it is written as the name of a folder: with a slash at the end.
    pub of_folder: bool,
}

impl EntryName {
    /// Reads a name as an archive has it. Archives made on Windows may have `\` between the parts, so it means the same as `/`.
    pub(super) fn read(raw: &[u8], limits: &ArchiveLimits) -> Result<EntryName, ArchiveError> {
        let refuse = |reason: String| Err(ArchiveError::entry(raw, reason));
        if raw.len() > limits.path {
            return refuse(format!("a name of {} bytes, but at most {} are allowed", raw.len(), limits.path));
        }
        let Ok(text) = std::str::from_utf8(raw) else {
            return refuse("the name is not UTF-8; use plain letters in the names of files".to_owned());
        };
        if text.is_empty() {
            return refuse("an empty name".to_owned());
        }
        if text.contains(char::is_control) {
            return refuse("a control character in the name".to_owned());
        }
        let text = text.replace('\\', "/");
        if text.starts_with('/') {
            return refuse("an absolute name; expected one below the archive's own folder".to_owned());
        }
        if text.as_bytes()[0].is_ascii_alphabetic() && text[1..].starts_with(':') {
            return refuse(
                "the name begins with a drive letter; expected one below the archive's own folder".to_owned(),
            );
        }
        if text.split('/').any(|part| part == "..") {
            return refuse("'..' in the name could lead out of the archive's own folder".to_owned());
        }
        let parts: Vec<&str> = text.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        if let Some(part) = parts.iter().find(|part| part.len() > limits.name) {
            let (length, most) = (part.len(), limits.name);
            return refuse(format!("a part of the name has {length} bytes, but at most {most} are allowed"));
        }
        if parts.len() > limits.depth {
            let (depth, most) = (parts.len(), limits.depth);
            return refuse(format!("{depth} folders deep, but at most {most} are allowed"));
        }
        let of_folder = text.ends_with('/') || text.ends_with("/.") || parts.is_empty();
        Ok(EntryName { path: parts.join("/"), of_folder })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> Result<EntryName, ArchiveError> {
        EntryName::read(name.as_bytes(), &ArchiveLimits::default())
    }

    #[test]
    fn names_are_made_plain() {
        let cases = [
            ("bot.py", "bot.py", false),
            ("./src//bot.py", "src/bot.py", false),
            ("src\\deep\\bot.py", "src/deep/bot.py", false),
            ("src/", "src", true),
            ("src\\", "src", true),
            ("src/.", "src", true),
            ("./", "", true),
            (".", "", true),
            ("..hidden/a..b", "..hidden/a..b", false),
            ("é/ü", "é/ü", false),
        ];
        for (name, path, of_folder) in cases {
            assert_eq!(read(name), Ok(EntryName { path: path.to_owned(), of_folder }), "{name}");
        }
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for name in
            ["..", "a/..", "a/../b", "a\\..\\b", "/a", "\\a", "\\\\host\\share", "C:\\a", "c:a", "\0", "a\nb", ""]
        {
            assert!(read(name).is_err(), "{name:?}");
        }
    }
}
