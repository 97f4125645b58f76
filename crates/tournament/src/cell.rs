//! Cells of tables for spreadsheets. A spreadsheet takes a text for a formula that begins like one, and a formula can do harm: an
//! apostrophe before it makes it a text again, and is taken off when we read the table.

/// What makes a cell a formula, or may be dropped so that what follows makes it one.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '＠'];

/// A text as a cell.
pub(crate) fn harmless(text: &str) -> String {
    if is_formula(text) { format!("'{text}") } else { text.to_owned() }
}

/// The text of a cell.
pub(crate) fn text_of(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if is_formula(text) => text,
        _ => cell,
    }
}

/// Apostrophes before it do not count, so that each text has a cell of its own.
fn is_formula(text: &str) -> bool {
    let bare = text.trim_start_matches('\'');
    bare.trim_start_matches(' ').starts_with(FORMULA) && !is_number(bare)
}

/// `-3.5`, but no name that a program may take for a number: `-inf`.
fn is_number(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_digit() || "+-.eE".contains(letter)) && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_texts_and_numbers_stay_numbers() {
        for formula in ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", " =1", "-inf", "--1", "'=1", "-", "＝1"] {
            let cell = harmless(formula);
            assert_eq!(cell, format!("'{formula}"));
            assert_eq!(text_of(&cell), formula);
        }
        for text in ["-3.5", "+2", "-1e3", "Ada", "'quoted'", "O'Hara", "", "'", "a=b", "'-3.5"] {
            assert_eq!(harmless(text), text);
            assert_eq!(text_of(text), text);
        }
    }
}
