//! Ctrl-C and the signal to end.
//!
//! The first one asks: what is being done ends in order, and nothing stored is lost. Whoever asks again, or has waited for long enough,
//! is not kept: the process ends, and jails end with it, since their wardens see its sockets close.

use std::{
    io::{self, Write},
    process,
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// How long an orderly end may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The exit code of a program that was ended: what was asked for did not come about.
const ENDED: i32 = 1;

/// From now on signals to end set what is returned, which ends waits for bots and builds, and end the process if that does not.
pub(crate) fn listen() -> &'static AtomicBool {
    static LISTEN: Once = Once::new();
    // A second handler cannot be set; then a signal simply ends the program.
    LISTEN.call_once(|| drop(ctrlc::set_handler(heard)));
    agon_wire::ending()
}

fn heard() {
    if agon_wire::ending().swap(true, Ordering::Relaxed) {
        process::exit(ENDED);
    }
    thread::spawn(|| {
        thread::sleep(PATIENCE);
        // Nobody may be there to read it.
        let _ = writeln!(io::stderr(), "agon: it did not end within {} s, so it is ended", PATIENCE.as_secs());
        process::exit(ENDED);
    });
}
