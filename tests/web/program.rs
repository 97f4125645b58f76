//! A program that says where it listens.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::mpsc,
    time::Duration,
};

/// However slow the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A running program whose output names the port it listens at.
pub(crate) struct Program {
    child: Child,
    pub(crate) port: u16,
}

impl Program {
    /// Starts it and waits until a line of its output ends in a port, after `before`.
    pub(crate) fn start(command: &mut Command, before: &str) -> Program {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let output = child.stdout.take().expect("its output");
        let (sender, port) = mpsc::channel();
        let before = before.to_owned();
        // The rest of the output is read too, or the program would wait for somebody to read it.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let digits = line.split(&before).nth(1).unwrap_or_default();
                let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
                if let Ok(port) = digits.parse() {
                    let _ = sender.send(port);
                }
            }
        });
        let port = port.recv_timeout(PATIENCE).expect("a port");
        Program { child, port }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
