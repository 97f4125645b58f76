//! Programs and sockets for the tests.

use std::{
    fs::{self, File},
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

pub(crate) const AGON: &str = env!("CARGO_BIN_EXE_agon");
/// Only a program that hangs takes so long.
const FOR_EVER: Duration = Duration::from_secs(120);
const LOGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/yinsh/vectors/wire");

/// Asks again and again until there is an answer.
pub(crate) fn until<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        assert!(begun.elapsed() < FOR_EVER, "no {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A running `agon`, in a folder of its own.
pub(crate) struct Agon {
    child: Child,
    pub(crate) folder: TempDir,
}

/// What is left of it.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) folder: TempDir,
}

impl Agon {
    pub(crate) fn start(folder: TempDir, arguments: &[&str]) -> Agon {
        Agon::start_with_input(folder, arguments, Stdio::null())
    }

    pub(crate) fn start_with_input(folder: TempDir, arguments: &[&str], input: Stdio) -> Agon {
        Agon::start_with(folder, arguments, input, &[])
    }

    /// The same in another environment.
    pub(crate) fn start_with(folder: TempDir, arguments: &[&str], input: Stdio, environment: &[(&str, &str)]) -> Agon {
        let file = |name: &str| File::create(folder.path().join(name)).expect("a file");
        let mut command = Command::new(AGON);
        command.args(arguments).current_dir(folder.path()).stdin(input).envs(environment.iter().copied());
        let child = command.stdout(file("stdout")).stderr(file("stderr")).spawn().expect("agon starts");
        Agon { child, folder }
    }

    /// A server on a free port.
    pub(crate) fn server(arguments: &[&str]) -> (Agon, u16) {
        Agon::server_in(folder(), arguments)
    }

    pub(crate) fn server_in(folder: TempDir, arguments: &[&str]) -> (Agon, u16) {
        let server = Agon::start(folder, &[&["server"], arguments].concat());
        let port = until("port", || {
            let stderr = server.read("stderr");
            let line = stderr.lines().find_map(|line| line.strip_prefix("agon: listening on port "))?;
            stderr.ends_with('\n').then(|| line.parse().expect("a number"))
        });
        (server, port)
    }

    /// A client of `game` with this shell script for a bot, at a server of ours.
    pub(crate) fn client(folder: TempDir, game: &str, port: u16, script: &str, more: &[&str]) -> Agon {
        fs::write(folder.path().join("bot.sh"), script).expect("a script");
        let port = port.to_string();
        Agon::start(folder, &[&["client", game, "127.0.0.1", &port, "bot.sh"], more].concat())
    }

    pub(crate) fn id(&self) -> String {
        self.child.id().to_string()
    }

    pub(crate) fn stdin(&mut self) -> Option<std::process::ChildStdin> {
        self.child.stdin.take()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("a kill");
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).unwrap_or_default()
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ended {
        let status = until("end of agon", || self.child.try_wait().expect("a status"));
        let (stdout, stderr) = (self.read("stdout"), self.read("stderr"));
        let folder = std::mem::replace(&mut self.folder, folder());
        Ended { code: status.code(), stdout, stderr, folder }
    }
}

impl Drop for Agon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).unwrap_or_default()
    }
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// One end of a connection that says and hears plain bytes.
pub(crate) struct Peer(TcpStream);

impl Peer {
    pub(crate) fn connect(port: u16) -> Peer {
        Peer::new(TcpStream::connect(("127.0.0.1", port)).expect("a server"))
    }

    pub(crate) fn new(stream: TcpStream) -> Peer {
        stream.set_read_timeout(Some(FOR_EVER)).expect("a timeout");
        stream.set_nodelay(true).expect("a socket");
        Peer(stream)
    }

    pub(crate) fn say(&mut self, text: impl AsRef<[u8]>) {
        self.0.write_all(text.as_ref()).expect("somebody who listens");
    }

    /// Hears exactly this.
    #[track_caller]
    pub(crate) fn hear(&mut self, expected: &str) {
        let mut bytes = vec![0; expected.len()];
        let mut count = 0;
        while count < bytes.len() {
            match self.0.read(&mut bytes[count..]) {
                Ok(0) => break,
                Ok(more) => count += more,
                Err(error) => {
                    panic!("{error} after {:?}, expected {expected:?}", String::from_utf8_lossy(&bytes[..count]))
                }
            }
        }
        assert_eq!(String::from_utf8_lossy(&bytes[..count]), expected);
    }

    /// Hears nothing more.
    #[track_caller]
    pub(crate) fn hear_the_end(&mut self) {
        let mut rest = Vec::new();
        self.0.read_to_end(&mut rest).expect("an orderly end");
        assert_eq!(String::from_utf8_lossy(&rest), "");
    }
}

/// A server of the test's own, and where it listens.
pub(crate) fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    (listener, port)
}

pub(crate) fn accept(listener: &TcpListener) -> Peer {
    Peer::new(listener.accept().expect("a client").0)
}

pub(crate) fn message(action: &str, meta: &str, data: &str) -> String {
    format!("{{\"action\": \"{action}\", \"meta\": \"{meta}\", \"data\": \"{data}\"}}")
}

pub(crate) fn normal(turn: &str) -> String {
    message("NORMAL", "", turn)
}

pub(crate) fn init(data: &str) -> String {
    message("INIT", "", data)
}

/// A real log: who said what, as it was written and as it is handed on.
pub(crate) struct Logged {
    pub(crate) client: usize,
    pub(crate) raw: String,
    pub(crate) forwarded: String,
    pub(crate) turn: String,
}

pub(crate) fn log_file(name: &str) -> PathBuf {
    Path::new(LOGS).join(name)
}

pub(crate) fn read_log(name: &str) -> Vec<Logged> {
    let text = fs::read_to_string(log_file(name)).expect("a log");
    let line = |line: &str| {
        let (raw, client) = line.split_once(" Received from client ").expect("a line of a log");
        let value: serde_json::Value = serde_json::from_str(raw).expect("JSON");
        let member = |name: &str| value[name].as_str().expect("a member").to_owned();
        let forwarded = message(&member("action"), &member("meta"), &member("data"));
        Logged { client: client.parse().expect("a number"), raw: raw.to_owned(), forwarded, turn: member("data") }
    };
    text.lines().map(line).collect()
}
