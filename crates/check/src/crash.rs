//! What the end of a program says about its cause.

use agon_rules::quote;

use crate::missing;

/// A crash, understood as far as it can be.
pub(crate) struct Crash {
    /// How it ended, in words that follow "it".
    pub(crate) ending: String,
    /// The line of its stderr that says most.
    pub(crate) last_words: Option<String>,
    pub(crate) remedies: Vec<String>,
}

/// Reads the referee's evidence and what the bot wrote to stderr.
pub(crate) fn read(evidence: &str, stderr: &str) -> Crash {
    let ending = evidence.split(" instead of").next().unwrap_or(evidence);
    // An exception's message may say anything.
    let raised = evidence.starts_with("raised an exception");
    let number = |before: &str| -> Option<i32> {
        let rest = evidence.split_once(before).filter(|_| !raised)?.1;
        rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
    };
    let code = number("exited with code ");
    // A shell that ran the bot tells by its own exit code which signal ended it.
    let through_shell = code.and_then(|code| (129..=159).contains(&code).then_some(code - 128));
    let signal = number("signal ").or(through_shell);
    let ending = match through_shell {
        Some(signal) => format!("{ending}, which means signal {signal}"),
        None if ending.starts_with("ended") => format!("was {ending}"),
        None => ending.to_owned(),
    };
    let last_words = last_words(stderr);
    let mut remedies = missing::remedies(stderr);
    match (signal, code) {
        _ if !remedies.is_empty() => {}
        (Some(signal), _) => remedies.push(signal_advice(signal).to_owned()),
        (None, Some(127)) => remedies.push(
            "A command was not found. Is its name right, is the program built, and is the path relative to the bot's \
             folder \
             (./bot, not bot)?"
                .to_owned(),
        ),
        (None, Some(126)) => {
            remedies.push("The program is there but cannot be run: is it executable (chmod +x)?".to_owned());
        }
        _ if last_words.is_some() => {
            remedies.push(
                "Its own message below says what went wrong and mostly in which line; the transcript has \
                           all of it."
                    .to_owned(),
            );
        }
        _ => remedies.push(
            "It said nothing on stderr. Print what it is doing to stderr, and the transcript will show how far it \
             came."
                .to_owned(),
        ),
    }
    Crash { ending, last_words, remedies }
}

fn signal_advice(signal: i32) -> &'static str {
    match signal {
        4 => {
            "An instruction that this processor does not have: was it built with -march=native on another machine? \
             In C++ a \
             function that should return a value and does not can end like this too."
        }
        6 => {
            "The program gave up by itself: a failed assertion, or an exception that nobody caught. Its stderr \
             mostly says which."
        }
        8 => "A number was divided by zero. Look for / and % with a divisor that can be 0.",
        9 => {
            "It was killed from outside, most likely because the machine ran out of memory: look for tables that \
             grow without end."
        }
        11 => {
            "It touched memory that is not its own: an index outside an array, a null or dangling pointer, or \
             endless recursion. \
             Build it with -g -fsanitize=address and run this check again: the line will be named."
        }
        _ => "It was ended by a signal. Does something in it, or around it, send signals?",
    }
}

/// The line that says most: the last one of a Python traceback with its place, the message of an exception or a
/// failed assertion, or
/// simply the last one.
fn last_words(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    let last = lines.last()?;
    let place = lines.iter().rev().find(|line| line.trim_start().starts_with("File \""));
    if lines.iter().any(|line| line.starts_with("Traceback")) {
        let place = place.map_or(String::new(), |place| format!(" ({})", place.trim()));
        return Some(format!("{}{place}", clean(last)));
    }
    let telling =
        ["Exception in thread", "terminate called", "what():", "Assertion", "panicked at", "ERROR: AddressSanitizer"];
    let message = lines.iter().find(|line| telling.iter().any(|sign| line.contains(sign)));
    Some(match message.filter(|message| *message != last) {
        Some(message) => clean(message),
        None if last.chars().count() > 200 => quote(last),
        None => clean(last),
    })
}

fn clean(line: &str) -> String {
    agon_rules::inert(line.trim()).chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACEBACK: &str = "starting\nTraceback (most recent call last):\n  File \"bot.py\", line 12, in <module>\n \
                                main()\n  \
                             File \"bot.py\", line 7, in main\n    1 / 0\nZeroDivisionError: division by zero\n";

    #[test]
    fn the_telling_line_is_found() {
        let words = last_words(TRACEBACK).expect("words");
        assert_eq!(words, "ZeroDivisionError: division by zero (File \"bot.py\", line 7, in main)");
        let java = "Exception in thread \"main\" java.lang.NullPointerException: no\n\tat Bot.main(Bot.java:3)\n";
        assert!(last_words(java).expect("words").contains("NullPointerException"));
        assert_eq!(last_words("one\ntwo\n\n").as_deref(), Some("two"));
        assert_eq!(last_words(" \n"), None);
    }

    #[test]
    fn a_shell_tells_of_a_signal_by_its_exit_code() {
        let crash = read("exited with code 139 instead of sending turn", "");
        assert_eq!(crash.ending, "exited with code 139, which means signal 11");
        assert!(crash.remedies[0].contains("memory that is not its own"));
        let crash =
            read("exited with code 127 (the command was not found) instead of sending turn", "sh: 1: bto: not found\n");
        assert!(crash.remedies[0].contains("not found"));
        let crash = read("ended by signal 8 (arithmetic error) instead of sending turn", "");
        assert!(crash.remedies[0].contains("divided by zero"));
        let crash = read("raised an exception: OSError: signal 9 lost", "");
        assert!(!crash.remedies[0].contains("killed"), "an exception's message is no signal: {:?}", crash.remedies);
    }
}
