//! Small pieces of advice, and what they are drawn from.

use agon_wire::Language;

/// Turns that are shown for comparison.
const EXAMPLES: usize = 6;

/// How to send what was printed.
pub(crate) fn flush_advice(language: Language) -> &'static str {
    match language {
        Language::Python => "print(…, flush=True)",
        Language::Cpp => "std::cout << … << std::endl, or fflush(stdout) after printf",
        Language::Java => "System.out.flush() after println",
        Language::Rust => "std::io::stdout().flush() after every turn",
        Language::Other => {
            "print(…, flush=True) in Python, std::endl or fflush(stdout) in C++, System.out.flush() in Java"
        }
    }
}

/// How to print something that is no answer.
pub(crate) fn stderr_advice(language: Language) -> &'static str {
    match language {
        Language::Python => "print(…, file=sys.stderr)",
        Language::Cpp => "std::cerr << …",
        Language::Java => "System.err.println(…)",
        Language::Rust => "eprintln!(…)",
        Language::Other => "print(…, file=sys.stderr) in Python, std::cerr in C++, System.err in Java",
    }
}

/// A few different ones.
pub(crate) fn examples(texts: &[String]) -> Vec<&str> {
    let mut shortest: Vec<&str> = texts.iter().map(String::as_str).collect();
    shortest.sort_by_key(|text| (text.len(), *text));
    shortest.dedup();
    shortest.truncate(EXAMPLES);
    shortest
}

/// Whether every word of `text` has a form that words of turns have: `P`, `12` and `d8-d7` say, where `thinking` is
/// none.
pub(crate) fn looks_like_a_turn(text: &str, turns: &[String]) -> bool {
    let known: Vec<String> = turns.iter().flat_map(|turn| turn.split_whitespace().map(shape)).collect();
    !text.is_empty() && text.split_whitespace().all(|word| known.contains(&shape(word)))
}

/// `d12-e3` is `a0-a0`: letters are letters, and any number is a number.
fn shape(word: &str) -> String {
    let mut shape = String::new();
    for letter in word.chars() {
        let kind = match letter {
            _ if letter.is_ascii_digit() => '0',
            _ if letter.is_alphabetic() => 'a',
            other => other,
        };
        if !(kind == '0' && shape.ends_with('0')) {
            shape.push(kind);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_output_is_told_from_turns() {
        let turns = ["P 2 7".to_owned(), "RS 1 12 X 3 4".to_owned()];
        for text in ["P 99 1", "S 1 2 M 3 4", "RE 1 1"] {
            assert!(looks_like_a_turn(text, &turns), "{text}");
        }
        for text in ["", "thinking", "P 2,7", "depth 3", "[1, 2]", "-1"] {
            assert!(!looks_like_a_turn(text, &turns), "{text}");
        }
    }
}
