//! A position as the original's programs saw it: the board with the orientation of every piece, which is history, and the words
//! that they had for what was done.

use agon_rules::{Game, Position, RuleSet, Side, TurnError};
use serde_json::{Value, json};

use crate::{
    Rivers,
    position::{Axis, Move, RiversPosition},
    set::Cell,
    text::{object_text, short_text, side_name},
};

/// A turn that was understood and found legal.
pub(super) struct Step {
    /// Its short text.
    pub(super) text: String,
    /// The original's object.
    pub(super) object: String,
    /// What the original said when it was played.
    pub(super) message: &'static str,
}

/// A position on a board of any size.
pub(super) trait Shown: Send {
    /// Rows and columns.
    fn size(&self) -> (u16, u16);

    /// The columns of the score areas.
    fn score_columns(&self) -> Vec<u16>;

    /// The rows, from the top: null or `{owner, side, orientation}` for each cell.
    fn cells(&self) -> Value;

    /// The position's text.
    fn text(&self) -> String;

    /// Reads a turn and checks it.
    fn read(&self, turn: &str) -> Result<Step, TurnError>;

    /// Plays a turn that is known to be legal. Anything else changes nothing.
    fn play(&mut self, turn: &str);
}

/// The start position of a variant, or the one that `text` describes: such a game begins with fresh stones.
pub(super) fn shown(variant: &str, rules: RuleSet, text: Option<&str>) -> Result<Box<dyn Shown>, String> {
    match variant {
        "small" => set_up(RiversPosition::small(rules), text),
        "medium" => set_up(RiversPosition::medium(rules), text),
        "large" => set_up(RiversPosition::large(rules), text),
        _ => Err(format!("unknown variant {}, expected {}", agon_rules::quote(variant), Rivers::VARIANT_FORM)),
    }
}

fn set_up<const W: usize>(start: RiversPosition<W>, text: Option<&str>) -> Result<Box<dyn Shown>, String> {
    Ok(Box::new(match text {
        Some(text) => start.read_text(text).map_err(|e| e.to_string())?,
        None => start,
    }))
}

impl<const W: usize> Shown for RiversPosition<W> {
    fn size(&self) -> (u16, u16) {
        RiversPosition::size(self)
    }

    fn score_columns(&self) -> Vec<u16> {
        let (first, count) = RiversPosition::score_columns(self);
        (first..first + count).collect()
    }

    fn cells(&self) -> Value {
        let (rows, columns) = RiversPosition::size(self);
        let cell = |column, row| match self.piece(Cell::new(column, row)) {
            None => Value::Null,
            Some(piece) => json!({
                "owner": side_name(piece.owner),
                "side": piece.face.name(),
                "orientation": piece.orientation.map(Axis::name),
            }),
        };
        (0..rows).map(|row| (0..columns).map(|column| cell(column, row)).collect::<Value>()).collect()
    }

    fn text(&self) -> String {
        self.board_text()
    }

    fn read(&self, turn: &str) -> Result<Step, TurnError> {
        let found = self.read_turn(turn)?;
        let message = match found {
            Move::Go { .. } => "moved",
            Move::Push { .. } => "push applied",
            Move::ToRiver { .. } => "flipped to river",
            Move::ToStone { .. } => "flipped to stone",
            Move::Rotate { .. } => "rotated",
        };
        Ok(Step { text: short_text(found), object: object_text(found), message })
    }

    fn play(&mut self, turn: &str) {
        if let Ok(found) = self.read_turn(turn) {
            Position::play(self, found);
        }
    }
}

/// The position's text for rows of cells as the original's server sends them, with `turn` to move.
pub(super) fn text_of_cells(cells: &Value, turn: Side) -> Option<String> {
    let letter = |cell: &Value| {
        let of = |name: &str| cell.get(name).and_then(Value::as_str);
        let letter = match (of("side")?, of("orientation")) {
            ("stone", _) => 's',
            ("river", Some("vertical")) => 'v',
            ("river", _) => 'h',
            _ => return None,
        };
        Some(if of("owner")? == side_name(Side::First) { letter.to_ascii_uppercase() } else { letter })
    };
    let row = |row: &Value| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in row.as_array()?.iter().map(Some).chain([None]) {
            if let Some(Value::Null) = cell {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&std::mem::take(&mut empty).to_string());
            }
            if let Some(cell) = cell {
                text.push(letter(cell)?);
            }
        }
        Some(text)
    };
    let rows: Vec<String> = cells.as_array()?.iter().map(row).collect::<Option<_>>()?;
    Some(format!("{} {}", rows.join("/"), side_name(turn)))
}

#[cfg(test)]
mod tests {
    use agon_rules::Random;

    use super::*;

    #[test]
    fn cells_and_texts_agree() {
        for &variant in Rivers::VARIANTS {
            let mut game = agon_rules::AnyGame::open(&Rivers, variant, RuleSet::Server).expect("a variant");
            let mut board = shown(variant, RuleSet::Server, None).expect("a variant");
            let mut random = Random::new(7);
            for _ in 0..200 {
                assert_eq!(board.text(), game.text());
                assert_eq!(text_of_cells(&board.cells(), game.turn()), Some(game.text()));
                let Some(turn) = game.random_turn(&mut random) else { break };
                board.play(&turn);
                game.play(&turn).expect("legal");
            }
        }
    }

    #[test]
    fn stones_remember_that_they_were_rivers() {
        let mut board = shown("small", RuleSet::Server, None).expect("a variant");
        let orientation = |board: &dyn Shown| board.cells()[8][3]["orientation"].clone();
        assert_eq!(orientation(&*board), "horizontal");
        for turn in ["d8v", "d4-d5", "d8s"] {
            board.play(turn);
        }
        assert_eq!(orientation(&*board), Value::Null);
        let fresh = shown("small", RuleSet::Server, Some(&board.text())).expect("a position");
        assert_eq!(orientation(&*fresh), "horizontal");
    }
}
