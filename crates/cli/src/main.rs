//! The `agon` binary; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    agon_cli::run()
}
