//! The agon command.
fn main() {}
