//! A program that says where it listens.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, mpsc},
    time::{Duration, Instant},
};

/// However slow the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A running program whose output names the port it listens at.
pub(crate) struct Program {
    child: Child,
    pub(crate) port: u16,
    /// Lines of its output up to the one that named the port.
    #[allow(dead_code, reason = "most tests need only the port")]
    pub(crate) said: Vec<String>,
    /// What it wrote to stderr.
    log: Arc<Mutex<Vec<String>>>,
}

impl Program {
    /// Starts it and waits until a line of its output names a port, after `before`.
    pub(crate) fn start(command: &mut Command, before: &str) -> Program {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let output = child.stdout.take().expect("its output");
        let (sender, port) = mpsc::channel();
        let before = before.to_owned();
        // The rest of the output is read too, or the program would wait for somebody to read it.
        std::thread::spawn(move || {
            let mut said = Vec::new();
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let digits = line.split(&before).nth(1).unwrap_or_default();
                let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
                // Where a token is given is said before it.
                let port = digits.parse().ok().filter(|_| !line.contains("/enter"));
                said.push(line);
                if let Some(port) = port {
                    let _ = sender.send((port, std::mem::take(&mut said)));
                }
            }
        });
        let errors = child.stderr.take().expect("its errors");
        let log = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                written.lock().expect("the log").push(line);
            }
        });
        let (port, said) = port.recv_timeout(PATIENCE).expect("a port");
        Program { child, port, said, log }
    }

    /// Where an arena that made a token lets people in who have it.
    #[allow(dead_code, reason = "not every test has bots of its own")]
    pub(crate) fn entrance(&self) -> &str {
        let link = self.said.iter().find(|line| line.contains("/enter?token=")).expect("a link with a token");
        link.trim()
    }

    /// Its number.
    #[allow(dead_code, reason = "not every test measures it")]
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The lines of the log that contain `text`, once there are as many as expected.
    #[allow(dead_code, reason = "not every test reads the log")]
    pub(crate) fn logged(&self, text: &str, expected: usize) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let lines = self.log.lock().expect("the log").clone();
            let found: Vec<String> = lines.into_iter().filter(|line| line.contains(text)).collect();
            if found.len() >= expected || Instant::now() > deadline {
                return found;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
