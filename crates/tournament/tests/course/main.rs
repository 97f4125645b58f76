//! The course of tournaments, derived from made-up results.

mod absent;
mod forecasts;
mod groups;
mod harness;
mod interventions;
mod orders;
mod simulations;
mod tables;
mod ties;
