//! What every game must hold to.

agon_rules::conformance!(agon_rivers::Rivers);
