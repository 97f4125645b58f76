//! The suite that every game gets.
agon_rules::conformance!(agon_breakthrough::Breakthrough);
