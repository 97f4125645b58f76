//! Tournaments: from seeds to marks.
//!
//! A tournament is a [`Plan`] (format, teams, secret), a log of what the organiser did, and the results of matches. All that
//! follows is derived from these three by a pure function, [`derive()`]: pairings, standings, ties, coin tosses, marks. So a
//! tournament can be stopped at any instant, goes on where it was, and can be checked by anybody who has its records.

mod battle;
mod cell;
mod changes;
mod create;
mod crossing;
mod curtain;
mod database;
mod derive;
mod fit;
mod forecast;
mod format;
mod number;
mod plan;
mod preset;
mod published;
mod quick;
mod ratings;
mod replacement;
pub mod report;
mod run;
mod rung;
mod schedule;
mod seeding;
mod session;
mod simulate;
mod source;
mod spreadsheet;
pub mod stage;
mod standings;
mod stored;
mod teams;
pub mod text;
mod tryout;
mod verify;
mod words;

pub use battle::{Battle, Half, Outcome, Place, Results, Spot, Tally};
pub use changes::Reinstated;
pub use create::{
    ClockError, CreateError, Created, Listener, Preparing, Settings, Stopped, Warning, create, random_secret,
};
pub use crossing::crossed_bracket;
pub use curtain::Curtain;
pub use database::Database;
pub use derive::{Bracket, Deriver, Occupant, Pairing, PartState, Row, StageState, State, Table, Toss, derive};
pub use forecast::{Forecast, PartForecast, StageForecast, forecast, spoken};
pub use format::{Elo, Format, Marks, NonStarters, Part, Reached, ReachedError, Stage};
pub use plan::{Entry, Event, Interventions, Plan, Secret, Team, Version};
pub use preset::{FindFormatError, find_format, preset, presets};
pub use published::{Published, PublishedMatch, note, standings};
pub use ratings::{Rated, rate};
pub use replacement::ReplaceError;
pub use run::{End, News, Resources, run};
pub use rung::{Rung, RungError};
pub use seeding::{Seeding, bracket_order, deal, neighbours_bracket, seeded_bracket};
pub use session::{PlayError, PlayOptions, Session};
pub use simulate::{
    Luck, NumberError, SimulateOptions, Simulation, StrengthsError, Subject, SubjectError, SubjectOptions, TeamChances,
    assumed_strengths, finite_number, measured_plan, measured_strengths, simulate,
};
pub use source::{FormatError, Written, read};
pub use stage::StageKind;
pub use standings::{PartStanding, Standing};
pub use stored::{KIND, StoredTournament, TournamentError, by_number, match_id, outcome, ties};
pub use teams::{BotError, Bots, Entered, Entries, ListError, TeamsError, located, prepare, read_teams};
pub use tryout::TryOut;
pub use verify::{Verified, VerifyError, verify};
pub use words::UnknownWord;
