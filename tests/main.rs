//! End to end: everything that people and programs meet, as one program, so that it is linked once.

/// What tests of the arena share: a server, a browser, and what is looked at in it.
#[path = "web"]
mod site {
    pub(crate) mod alone;
    pub(crate) mod audit;
    pub(crate) mod driver;
    pub(crate) mod program;
    pub(crate) mod stage;
    pub(crate) mod weight;
}

mod arena;
mod autograder;
mod check;
mod commands;
mod connectx_wire;
mod corpus;
mod course;
mod engine;
mod faults;
mod feedback;
mod hostile;
mod interface;
mod kits;
mod manifests;
mod matches;
mod names;
mod play;
mod probe;
mod records;
mod relay;
mod rivers_wire;
mod rollerball_sources;
mod rollerball_wire;
mod sandbox;
mod tournaments;
mod web;
mod web_pages;
mod windows;
mod workspace;
