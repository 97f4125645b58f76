//! Tournaments as organisers hold them: from teams to marks, with broken, hostile and identical bots, killed and resumed.

mod changes;
mod entering;
mod groups;
mod hall;
mod kills;
mod marks;
mod organiser;
mod presets;
mod published;
