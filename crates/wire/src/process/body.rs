//! What is behind a bot's pipes: an ordinary process, or one in a jail.

use std::{
    fmt, fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    process::Child,
    time::Duration,
};

use agon_sandbox::{End, JailedProgram};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::Exit;
use crate::bot::Tasks;

/// How long to wait for a connection to a port of this machine.
const KNOCK: Duration = Duration::from_secs(1);

/// A program that runs.
pub(crate) trait Body: Send + fmt::Debug {
    /// How it ended, if it has.
    fn ended(&mut self) -> Option<Exit>;

    /// Whether it is no more, though how it ended is not known yet.
    fn is_dying(&self) -> bool {
        false
    }

    /// Ends it and everything that it has started.
    fn kill(&mut self);

    /// Processor time so far.
    fn cpu_time(&self) -> Option<Duration>;

    /// What it consists of.
    fn tasks(&self) -> Option<Tasks>;

    /// Stops it or lets it go on; says whether that is possible.
    fn freeze(&self, frozen: bool) -> bool;

    /// A connection to a port that it listens on.
    fn connect(&mut self, port: u16) -> Option<TcpStream>;
}

/// An ordinary process, the leader of its group.
#[derive(Debug)]
pub(crate) struct PlainBody(pub(crate) Child);

impl PlainBody {
    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.0.id()).ok().and_then(Pid::from_raw)
    }
}

impl Body for PlainBody {
    /// It is not buried yet: until its group is killed its number must not become free.
    fn ended(&mut self) -> Option<Exit> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid()?), look).ok().flatten()?;
        let signal = status.terminating_signal().map(Exit::Signal);
        signal.or_else(|| status.exit_status().map(Exit::Code))
    }

    fn kill(&mut self) {
        if let Some(group) = self.pid() {
            let _ = kill_process_group(group, Signal::KILL);
        }
        // It may have left the group that it led, and it is waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Children that it started are not counted here.
    fn cpu_time(&self) -> Option<Duration> {
        let mut total = 0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.0.id())).ok()? {
            let statistics = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
            total += statistics.split(' ').next()?.parse::<u64>().ok()?;
        }
        Some(Duration::from_nanos(total))
    }

    fn tasks(&self) -> Option<Tasks> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.0.id())).ok()?.count();
        Some(Tasks { processes: 1, threads })
    }

    fn freeze(&self, _frozen: bool) -> bool {
        false
    }

    fn connect(&mut self, port: u16) -> Option<TcpStream> {
        // A bot that listens on `localhost` may have chosen either.
        let doors = [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)];
        doors.into_iter().find_map(|door| connect(SocketAddr::new(door, port)))
    }
}

/// A connection, unless it is one to itself: a port that nobody listens on may be given to the very connection to it.
fn connect(door: SocketAddr) -> Option<TcpStream> {
    let stream = TcpStream::connect_timeout(&door, KNOCK).ok()?;
    (stream.local_addr().ok()? != stream.peer_addr().ok()?).then_some(stream)
}

impl Body for JailedProgram {
    fn ended(&mut self) -> Option<Exit> {
        JailedProgram::ended(self).map(|end| match end {
            End::Exit(code) => Exit::Code(code),
            End::Signal(signal) => Exit::Signal(signal),
            End::Memory(what) => Exit::Memory(what),
            End::Excess(what) => Exit::Excess(what),
        })
    }

    fn is_dying(&self) -> bool {
        JailedProgram::is_dying(self)
    }

    fn kill(&mut self) {
        JailedProgram::kill(self);
    }

    fn cpu_time(&self) -> Option<Duration> {
        JailedProgram::cpu_time(self)
    }

    fn tasks(&self) -> Option<Tasks> {
        JailedProgram::tasks(self).map(|(processes, threads)| Tasks { processes, threads })
    }

    fn freeze(&self, frozen: bool) -> bool {
        JailedProgram::freeze(self, frozen)
    }

    fn connect(&mut self, port: u16) -> Option<TcpStream> {
        JailedProgram::connect(self, port)
    }
}
