//! Tournaments as organisers hold them: from teams to marks, with broken, hostile and identical bots, killed and resumed.

#[path = "tournaments/changes.rs"]
mod changes;
#[path = "tournaments/entering.rs"]
mod entering;
#[path = "tournaments/groups.rs"]
mod groups;
#[path = "tournaments/hall.rs"]
mod hall;
#[path = "tournaments/kills.rs"]
mod kills;
#[path = "tournaments/marks.rs"]
mod marks;
#[path = "tournaments/organiser.rs"]
mod organiser;
#[path = "tournaments/presets.rs"]
mod presets;
#[path = "tournaments/published.rs"]
mod published;
