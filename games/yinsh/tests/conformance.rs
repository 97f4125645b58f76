//! What every game promises.

agon_rules::conformance!(agon_yinsh::Yinsh, also "4-2-4-1", "4-10-7-6", "7-7-5-3");
