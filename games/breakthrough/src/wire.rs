//! The original's programs: there are none. Bots speak UGI and have a `bot.toml`.

use agon_originals::Original;

use crate::Breakthrough;

impl Original for Breakthrough {}
