//! What somebody may type instead of a turn.

/// A line, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// Nothing was typed.
    Nothing,
    /// A turn's text, or something that is none; the rules decide.
    Turn(String),
    /// A number: one of the list.
    Pick(usize),
    /// The legal turns that contain this.
    List(String),
    /// More of the same list.
    More,
    Hint,
    Back,
    Moves,
    Show,
    /// Save, under a new name if there is one.
    Save(Option<String>),
    Resign,
    Help,
    Quit,
}

impl Command {
    pub(super) fn read(line: &str) -> Command {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word.to_lowercase().as_str(), rest.trim()) {
            ("", _) => Command::Nothing,
            ("list" | "l", filter) => Command::List(filter.to_owned()),
            ("save", "") => Command::Save(None),
            ("save", file) => Command::Save(Some(file.to_owned())),
            ("more", "") => Command::More,
            ("hint", "") => Command::Hint,
            ("back" | "undo", "") => Command::Back,
            ("moves" | "history", "") => Command::Moves,
            ("show", "") => Command::Show,
            ("resign", "") => Command::Resign,
            ("help" | "?", "") => Command::Help,
            ("quit" | "q" | "exit", "") => Command::Quit,
            (number, "") if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                Command::Pick(number.parse().unwrap_or(usize::MAX))
            }
            // Blanks are a typist's own affair: bots get single ones.
            _ => Command::Turn(line.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
}

/// The commands, as `help` spells them; a `save` or a `list` may be followed by more.
pub(super) const WORDS: [&str; 11] =
    ["back", "help", "hint", "list", "more", "moves", "quit", "resign", "save", "show", "undo"];

/// What `help` prints before the file and the example.
pub(super) const HELP: &str = "\
You can type
  a turn       to play it, in any spelling that the game accepts
  list [TEXT]  the legal turns, or only those that contain TEXT
  a number     to play that turn of the list
  more         more of the same list
  hint         a suggestion
  back         take back your last turn, and the answer to it
  moves        the turns so far
  show         the board again, and the position as text
  save [FILE]  write the game to a file, now and after every turn
  resign       give up: a loss, with the points of a fault
  quit         leave, as Ctrl-D does
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        assert_eq!(Command::read("  S  1 2   M 2 4 "), Command::Turn("S 1 2 M 2 4".to_owned()));
        assert_eq!(Command::read("L d8"), Command::List("d8".to_owned()));
        assert_eq!(Command::read("12"), Command::Pick(12));
        assert_eq!(Command::read("4 5"), Command::Turn("4 5".to_owned()));
        assert_eq!(Command::read("99999999999999999999999"), Command::Pick(usize::MAX));
        assert_eq!(Command::read("save my game.txt"), Command::Save(Some("my game.txt".to_owned())));
        assert_eq!(Command::read("back off"), Command::Turn("back off".to_owned()));
        assert_eq!(Command::read("?"), Command::Help);
        assert_eq!(Command::read(""), Command::Nothing);
    }
}
