//! The course of tournaments, derived from made-up results.

mod harness;
mod interventions;
mod orders;
mod tables;
mod ties;
