//! Where a hostile bot is let loose: folders, sockets and processes of the test's own that it is to leave alone.

use std::{
    fs::{self, File},
    io::Read,
    net::{TcpListener, UdpSocket},
    os::{
        linux::net::SocketAddrExt,
        unix::{
            fs::{PermissionsExt, chown},
            net::{SocketAddr, UnixListener},
        },
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::traces;

const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bots/hostile");

/// An ordinary user, whom nothing belongs to but what a test gives him.
const NOBODY: u32 = 65_534;

/// Only something that hangs takes so long.
pub(crate) const FOR_EVER: Duration = Duration::from_secs(240);

/// What the bots of these tests may use up.
pub(crate) const TASKS: u32 = 32;
const LIMITS: [&str; 6] = ["--memory", "256", "--tasks", "32", "--scratch", "16"];

/// A file that every program may read.
const READABLE: &str = "/usr/bin/env";

/// Makes the rest of a command line a program in a container whose host has forbidden everything.
const CONTAINER: &str = "echo 0 > /proc/sys/user/max_user_namespaces; \
    exec setpriv --inh-caps=-all --bounding-set=-all --no-new-privs \"$0\" \"$@\"";

/// Who runs agon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    /// Whoever runs the test.
    Own,
    /// An ordinary user; only root can become him.
    Nobody,
    /// Whoever runs the test, in a container without rights or namespaces.
    Contained,
}

impl Who {
    /// Whether bots are the same user as agon.
    pub(crate) fn is_ordinary(self) -> bool {
        self != Who::Own || !rustix::process::geteuid().is_root()
    }

    fn command(self, program: &Path) -> Command {
        let mut command = match self {
            Who::Own => return Command::new(program),
            Who::Nobody => {
                let mut command = Command::new("setpriv");
                command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"), "--clear-groups".to_owned()]);
                command
            }
            Who::Contained if can_make_containers() => {
                let mut command = Command::new("unshare");
                command.args(["-Ur", "sh", "-c", CONTAINER]);
                command
            }
            // Where no user namespace can be made, this is such a container.
            Who::Contained => return Command::new(program),
        };
        command.arg(program);
        command
    }
}

fn can_make_containers() -> bool {
    Command::new("unshare").args(["-Ur", "true"]).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The levels that agon offers to somebody.
pub(crate) fn levels(who: Who) -> Vec<&'static str> {
    let stage = Stage::new(who);
    let offered = |level: &&str| {
        let line = ["match", "connectx", "random", "random", "--battles", "1", "--tc", "inf", "--sandbox", level];
        let run = stage.agon(&line, &[]);
        assert!(matches!(run.code, Some(0 | 3)), "{level}: {run:?}");
        run.code == Some(0)
    };
    ["filters", "namespaces", "full"].into_iter().filter(offered).collect()
}

/// What became of a run of agon.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) pid: u32,
    pub(crate) code: Option<i32>,
    /// Everything that it said.
    pub(crate) said: String,
}

impl Run {
    /// The line of JSON at the end.
    pub(crate) fn summary(&self) -> Value {
        let last = self.said.lines().rfind(|line| line.starts_with('{')).unwrap_or_default();
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {}", self.said))
    }
}

/// The places, and a token by which everything that belongs to them can be found.
pub(crate) struct Stage {
    folder: TempDir,
    pub(crate) token: String,
    who: Who,
    agon: PathBuf,
    doors: Vec<(String, TcpListener)>,
    sockets: Vec<(String, UnixListener)>,
    victim: Child,
    _locked: File,
}

impl Stage {
    pub(crate) fn new(who: Who) -> Stage {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let token = format!("hostile-{}-{number}-token", std::process::id());
        let folder = TempDir::new().expect("a folder");
        open(folder.path());
        for name in ["home", "arena", "bots", "cache", "canary"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        for file in ["home/diary", "arena/agon.db", "cache/other-bot"] {
            fs::write(folder.path().join(file), "secret").expect("a secret");
        }
        let mut agon = PathBuf::from(env!("CARGO_BIN_EXE_agon"));
        if who == Who::Nobody {
            // The one that was built may lie where he cannot go.
            agon = folder.path().join("agon");
            let built = env!("CARGO_BIN_EXE_agon");
            fs::hard_link(built, &agon).or_else(|_| fs::copy(built, &agon).map(|_| ())).expect("a copy");
        }
        let locked = File::open(READABLE).expect("a file of the system");
        flock(&locked, FlockOperation::LockShared).expect("a lock");
        let path = folder.path().join("socket");
        let named = UnixListener::bind(&path).expect("a socket");
        let address = SocketAddr::from_abstract_name(&token).expect("an address");
        let nameless = UnixListener::bind_addr(&address).expect("a socket");
        let sockets = vec![(path.display().to_string(), named), (format!("@{token}"), nameless)];
        // It ends when this process does, however that ends.
        let mut victim = who.command(Path::new("/usr/bin/python3"));
        victim.args(["-c", "import sys; sys.stdin.read()", &format!("victim-{token}")]);
        let victim = victim.stdin(Stdio::piped()).spawn().expect("a victim");
        let stage = Stage { folder, token, who, agon, doors: doors(), sockets, victim, _locked: locked };
        stage.give_away();
        stage
    }

    /// Lets the ordinary user have everything here.
    fn give_away(&self) {
        if self.who != Who::Nobody {
            return;
        }
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            chown(&folder, Some(NOBODY), Some(NOBODY)).expect("a new owner");
            for entry in fs::read_dir(&folder).expect("a folder").flatten() {
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(entry.path());
                } else if entry.path() != self.agon {
                    chown(entry.path(), Some(NOBODY), Some(NOBODY)).expect("a new owner");
                }
            }
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the bots are told.
    fn told(&self, level: &str, tasks: u32) -> Value {
        let paths = |names: &[&str]| -> Vec<PathBuf> { names.iter().map(|name| self.path(name)).collect() };
        let doors: Vec<Value> = self
            .doors
            .iter()
            .map(|(host, door)| json!([host, door.local_addr().expect("an address").port()]))
            .collect();
        let free = TcpListener::bind("127.0.0.1:0").and_then(|door| door.local_addr()).expect("a free port");
        json!({
            "token": self.token,
            "level": level,
            "tasks": tasks,
            "ordinary": self.who.is_ordinary(),
            "patience": 2,
            "secret": format!("secret-of-{}", self.token),
            "secrets": paths(&["home/diary", "arena/agon.db", "cache/other-bot"]),
            "secret folders": paths(&["arena", "home", "cache", "bots"]),
            "canaries": paths(&["home", "canary", "arena", "bots"]),
            "victim": format!("victim-{}", self.token),
            "pids": [self.victim.id()],
            "locked": READABLE,
            "doors": doors,
            "free port": free.port(),
            "sockets": self.sockets.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        })
    }

    /// Makes a folder with a bot. Its name is hostile too: it has a line break and quotes.
    pub(crate) fn bot(&self, name: &str, level: &str, protocol: &str) -> PathBuf {
        let run = format!("/usr/bin/python3 -B {name}.py {}", self.token);
        self.folder_of(&[name], level, TASKS, &format!("protocol = '{protocol}'\nrun = '{run}'\n"))
    }

    /// Makes a folder with a bot that is built before it runs.
    pub(crate) fn built(&self, build: &str, files: &[&str], level: &str) -> PathBuf {
        let run = format!("/usr/bin/python3 -B {}.py {}", files[0], self.token);
        let manifest = format!("protocol = 'ugi'\nbuild = '{build} {} build'\nrun = '{run}'\n", self.token);
        // A build may have more tasks than a match.
        self.folder_of(files, level, 512, &manifest)
    }

    fn folder_of(&self, files: &[&str], level: &str, tasks: u32, manifest: &str) -> PathBuf {
        let folder = self.path("bots").join(format!("{}\n'{}'", files[0], self.token));
        fs::create_dir(&folder).expect("a folder");
        let names = files.iter().map(|&name| if name.contains('.') { name.to_owned() } else { format!("{name}.py") });
        for name in names.chain(["common.py".to_owned()]) {
            fs::copy(Path::new(BOTS).join(&name), folder.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        fs::write(folder.join("told.json"), self.told(level, tasks).to_string()).expect("what it is told");
        let name = format!("name = \"{}\\nof 'hostile'\"\nlanguage = 'python'\n", files[0]);
        fs::write(folder.join("bot.toml"), name + manifest).expect("a manifest");
        self.give_away();
        folder
    }

    /// Runs agon to its end.
    pub(crate) fn agon(&self, arguments: &[&str], more: &[&str]) -> Run {
        Self::to_its_end(self.start(arguments, more))
    }

    /// The same by way of another program.
    pub(crate) fn agon_by(&self, program: &[&str], arguments: &[&str]) -> Run {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).arg(&self.agon).args(arguments);
        Self::to_its_end(self.spawn(command))
    }

    fn to_its_end(mut child: Child) -> Run {
        let pid = child.id();
        let (mut stdout, mut stderr) = (child.stdout.take().expect("stdout"), child.stderr.take().expect("stderr"));
        let words = thread::spawn(move || text_of(&mut stdout));
        let errors = thread::spawn(move || text_of(&mut stderr));
        let status = traces::wait(&mut child, FOR_EVER);
        let said = words.join().expect("stdout") + &errors.join().expect("stderr");
        Run { pid, code: status.unwrap_or_else(|| panic!("agon hangs: {said}")).code(), said }
    }

    /// Starts agon.
    pub(crate) fn start(&self, arguments: &[&str], more: &[&str]) -> Child {
        let mut command = self.who.command(&self.agon);
        command.args(arguments).args(more);
        self.spawn(command)
    }

    fn spawn(&self, mut command: Command) -> Child {
        command.env_remove("AGON_SANDBOX").env_remove("TMPDIR");
        command.env("HOME", self.path("home")).env("AGON_CACHE", self.path("cache"));
        command.env("AGON_TEST_SECRET", format!("secret-of-{}", self.token));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("agon starts")
    }

    /// Plays one battle of a bot against another.
    pub(crate) fn battle(&self, game: &str, bot: &Path, against: &str, level: &str, more: &[&str]) -> Run {
        let (bot, records) = (bot.display().to_string(), self.path("records").display().to_string());
        let mut line = vec!["match", game, &bot, against, "--battles", "1", "--go-on", "--records", &records, "--json"];
        if !level.is_empty() {
            line.extend(["--sandbox", level]);
        }
        self.agon(&[&line[..], &LIMITS].concat(), more)
    }

    pub(crate) fn records(&self) -> String {
        fs::read(self.path("records")).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
    }

    /// What is wrong after a run: whatever belongs to it and is left, and whatever is not as it was.
    pub(crate) fn damage(&mut self, pid: u32) -> Vec<String> {
        let mut found = traces::left_by(pid, &self.token);
        for (name, door) in &self.doors {
            door.set_nonblocking(true).expect("a listener");
            if door.accept().is_ok() {
                found.push(format!("somebody connected to {name}"));
            }
        }
        for (name, door) in &self.sockets {
            door.set_nonblocking(true).expect("a listener");
            if door.accept().is_ok() {
                found.push(format!("somebody connected to {name}"));
            }
        }
        for (folder, expected) in [("home", "diary"), ("arena", "agon.db"), ("canary", "")] {
            let names = traces::names_in(&self.path(folder));
            if names != [expected].into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>() {
                found.push(format!("in {folder} are {names:?}"));
            }
        }
        for file in ["home/diary", "arena/agon.db", "cache/other-bot"] {
            if fs::read(self.path(file)).ok().as_deref() != Some(b"secret") {
                found.push(format!("{file} was changed"));
            }
        }
        if !matches!(self.victim.try_wait(), Ok(None)) {
            found.push("a process of the host was ended".to_owned());
        }
        found
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// Listeners on every address of this machine that there is.
fn doors() -> Vec<(String, TcpListener)> {
    let mut hosts = vec!["127.0.0.1".to_owned(), "::1".to_owned()];
    // Nothing is sent: this only asks which address would be used.
    let outward = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    hosts.extend(outward.map(|address| address.ip().to_string()));
    let listen = |host: String| TcpListener::bind((host.as_str(), 0)).ok().map(|door| (host, door));
    hosts.into_iter().filter_map(listen).collect()
}

fn text_of(pipe: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = pipe.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Lets everybody look.
fn open(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("permissions");
}
