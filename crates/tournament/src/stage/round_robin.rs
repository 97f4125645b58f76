//! Everybody against everybody: groups of which there is one.

use super::{GroupCount, Groups, ROUNDS, StageKind, Word};
use crate::{
    seeding::Seeding,
    source::{FormatError, StageReader},
};

pub(super) const WORD: Word = Word { word: "round-robin", keys: &[ROUNDS], read };

fn read(stage: &StageReader) -> Result<StageKind, FormatError> {
    let rounds = stage.count("rounds", 1, 100).unwrap_or(Ok(1))?;
    Ok(StageKind::Groups(Groups { groups: GroupCount::Number(1), seeding: Seeding::Modulo, rounds }))
}
