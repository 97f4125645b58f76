//! What teams handed in: one source file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use agon_originals::{Recipe, Submissions, beginning_of};
use agon_wire::Language;

use super::ONESHOT;

/// A single source file, perhaps in a folder.
pub(super) struct SourceFile;

impl Submissions for SourceFile {
    fn form(&self) -> &'static str {
        "a single .cpp, .c, .java or .py file"
    }

    fn recognise(&self, submission: &Path) -> Option<Recipe> {
        recognise(submission)
    }
}

/// How the file, or the one source file of a folder, is built and run.
fn recognise(submission: &Path) -> Option<Recipe> {
    let file = if submission.is_dir() { only_source(submission)? } else { submission.to_owned() };
    if !file.is_file() {
        return None;
    }
    // The name begins with `./` so that no compiler takes it for an option.
    let name = quoted(&format!("./{}", file.file_name()?.to_str()?));
    let (language, build, run) = match extension(&file)? {
        "cpp" | "cc" => (Language::Cpp, Some(format!("g++ -O2 -std=c++17 -o bot {name}")), "./bot".to_owned()),
        "c" => (Language::Cpp, Some(format!("gcc -O2 -o bot {name} -lm")), "./bot".to_owned()),
        "java" => {
            let class = quoted(&java_class(&file)?);
            // One collector thread, and a virtual machine that is sooner up: each turn starts one.
            let run = format!("java -XX:+UseSerialGC -cp . {class}");
            (Language::Java, Some(format!("javac -encoding UTF-8 -d . {name}")), run)
        }
        "py" => (Language::Python, None, format!("python3 {name}")),
        _ => return None,
    };
    Some(Recipe { protocol: &ONESHOT, language, build, run, ..Recipe::default() })
}

fn extension(file: &Path) -> Option<&str> {
    file.extension()?.to_str()
}

/// The source file of a folder that holds exactly one. Other files, a README or data, may lie beside it.
fn only_source(folder: &Path) -> Option<PathBuf> {
    let mut found = None;
    for entry in fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        let path = entry.path();
        let source = matches!(extension(&path), Some("cpp" | "cc" | "c" | "java" | "py"));
        if source && entry.file_type().ok()?.is_file() && found.replace(path).is_some() {
            return None;
        }
    }
    found
}

/// A word that a shell reads as it is.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "./_-".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// The class to start, with its package: the public one, else the one that bears the file's name, else the one that `main` is in.
fn java_class(file: &Path) -> Option<String> {
    let source = beginning_of(file).ok()?;
    Some(class_to_start(&source, file.file_stem()?.to_str()?))
}

fn class_to_start(source: &str, stem: &str) -> String {
    let source = without_comments(source);
    let words: Vec<&str> = source
        .split(|letter: char| !(letter.is_alphanumeric() || "_$.".contains(letter)))
        .filter(|word| !word.is_empty())
        .collect();
    let before = |at: usize, word: &str| words[..at].iter().rev().take(3).any(|earlier| *earlier == word);
    let classes: Vec<usize> = (1..words.len()).filter(|&at| words[at - 1] == "class").collect();
    let main = words.iter().position(|word| *word == "main").unwrap_or(words.len());
    let class = classes
        .iter()
        .find(|&&at| before(at - 1, "public"))
        .or_else(|| classes.iter().find(|&&at| words[at] == stem))
        .or_else(|| classes.iter().rev().find(|&&at| at < main))
        .map_or(stem, |&at| words[at]);
    match words.as_slice() {
        ["package", package, ..] => format!("{package}.{class}"),
        _ => class.to_owned(),
    }
}

/// Blanks out what lies in `//` and `/* */`. Comment signs within texts do not matter here: classes are declared before them.
fn without_comments(source: &str) -> String {
    let mut rest = source;
    let mut code = String::new();
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        code.push_str(&rest[..at]);
        code.push(' ');
        let end = if rest[at..].starts_with("//") { "\n" } else { "*/" };
        rest = rest[at + 2..].split_once(end).map_or("", |(_, after)| after);
    }
    code + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_to_start_is_found() {
        let cases = [
            ("public class Bot { public static void main(String[] a) {} }", "Bot"),
            ("class Helper {} public final class Bot { static void main() {} }", "Bot"),
            ("// a public class of note\n/* public class Old */ class Bot { void main() {} } class Later {}", "Bot"),
            ("class First {} class Main { void main() {} } class Later {}", "Main"),
            ("class Main { void main() {} } class stem {}", "stem"),
            ("package team.seven;\npublic class Bot {}", "team.seven.Bot"),
            ("", "stem"),
        ];
        for (source, class) in cases {
            assert_eq!(class_to_start(source, "stem"), class, "{source}");
        }
    }

    #[test]
    fn words_are_safe_for_a_shell() {
        assert_eq!(quoted("./bot.py"), "./bot.py");
        assert_eq!(quoted("./my bot.py"), "'./my bot.py'");
        assert_eq!(quoted("./it's; rm $x.py"), r"'./it'\''s; rm $x.py'");
    }
}
