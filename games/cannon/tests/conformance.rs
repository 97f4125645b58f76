//! What every game promises.

agon_rules::conformance!(agon_cannon::Cannon, also "6x4", "8x10", "9x6", "12x10");
