//! Bots that read more than they are sent.

/// Where a bot was reading when its input ended, if it says so: Python and Java do.
pub(crate) fn place(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().map(str::trim).collect();
    let last = lines.iter().rposition(|line| ended(line))?;
    if lines[last].starts_with("EOFError") {
        let place = lines[..last].iter().rev().find(|line| line.starts_with("File \""))?;
        return Some((*place).to_owned());
    }
    let own = |line: &&&str| line.starts_with("at ") && !line.starts_with("at java.");
    lines[last..].iter().find(own).map(|line| line.trim_start_matches("at ").to_owned())
}

/// Whether a line of stderr says that the input has ended.
fn ended(line: &str) -> bool {
    line.starts_with("EOFError") || line.contains("java.util.NoSuchElementException: No line found")
}

/// Whether the bot ended because its input did.
pub(crate) fn is_end_of_input(text: &str) -> bool {
    text.lines().any(|line| ended(line.trim())) || text.contains("EOFError: EOF when reading a line")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_waiting_is_found() {
        let python = "Traceback (most recent call last):\n  File \"bot.py\", line 9, in <module>\n    main()\n  File \"bot.py\", line 4, \
                      in main\n    line = input()\nEOFError: EOF when reading a line\n";
        assert_eq!(place(python).as_deref(), Some("File \"bot.py\", line 4, in main"));
        let java = "Exception in thread \"main\" java.util.NoSuchElementException: No line found\n\tat \
                    java.base/java.util.Scanner.nextLine(Scanner.java:1651)\n\tat Bot.main(Bot.java:7)\n";
        assert_eq!(place(java).as_deref(), Some("Bot.main(Bot.java:7)"));
        assert_eq!(place("KeyError: 'EOF'\n"), None);
        assert!(!is_end_of_input("KeyError: 'EOF'\n") && is_end_of_input(python) && is_end_of_input(java));
    }
}
