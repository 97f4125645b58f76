//! What a match was before a change that could not be written down.

use std::time::Instant;

use agon_referee::{OpenMatch, Termination, TurnMade};
use agon_rules::BySide;
use agon_wire::HostError;

use crate::live_match::{Setting, State};

/// What a change of a match can change.
pub(crate) struct Before {
    turns: Vec<TurnMade>,
    setting: Setting,
    ended: Option<Termination>,
    turn_began: Instant,
}

impl Before {
    pub(crate) fn of(state: &State) -> Before {
        Before {
            turns: state.open.turns().to_vec(),
            setting: state.setting.clone(),
            ended: state.ended.clone(),
            turn_began: state.turn_began,
        }
    }

    /// Makes the match what it was.
    pub(crate) fn restore(self, state: &mut State) -> Result<(), HostError> {
        if state.open.turns() != self.turns {
            let timed = BySide::new(self.setting.timed[0], self.setting.timed[1]);
            state.open = OpenMatch::new(state.open.spec().clone(), timed, self.turns)?;
        }
        state.setting = self.setting;
        state.ended = self.ended;
        state.turn_began = self.turn_began;
        Ok(())
    }
}
