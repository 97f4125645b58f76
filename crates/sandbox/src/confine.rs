//! The last steps of a process that becomes a contained program. From each of them there is no way back.

use std::{
    fs::File,
    io::{self, Write},
    os::{fd::OwnedFd, unix::process::CommandExt},
    path::Path,
    process::Command,
};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, NetPort, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
};
use rustix::{
    process::{Gid, Resource, Rlimit, Signal, Uid, set_parent_process_death_signal, setrlimit, setsid},
    thread::{
        CapabilitySet, CapabilitySets, CpuSet, sched_setaffinity, set_capabilities, set_no_new_privs,
        set_thread_groups, set_thread_res_gid, set_thread_res_uid,
    },
};

use crate::{
    filter::{self, Setting},
    message::Order,
};

/// The newest kernel interface whose rights we know; an older kernel leaves out those that it does not.
const NEWEST: ABI = ABI::V6;

/// Devices that every program may use.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The three pipes.
pub(crate) struct Pipes {
    pub(crate) stdin: OwnedFd,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
}

/// What is prepared while the process still may do everything.
pub(crate) struct Confinement {
    paths: Option<RulesetCreated>,
    filters: Vec<seccompiler::BpfProgram>,
}

impl Confinement {
    /// Prepares it for an order.
    pub(crate) fn prepare(order: &Order) -> Result<Confinement, String> {
        let setting = Setting { listens: order.port.is_some(), namespaces: order.namespaces, counted: order.counted };
        Ok(Confinement {
            paths: Some(rules(order).map_err(|e| format!("cannot set up Landlock: {e}"))?),
            filters: filter::programs(setting)?,
        })
    }
}

/// Whether this kernel has Landlock, and whether it can keep signals within a domain.
pub(crate) fn landlock_is_there() -> (bool, bool) {
    let files = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create);
    let signals = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(BitFlags::from(Scope::Signal))
        .and_then(Ruleset::create);
    (files.is_ok(), signals.is_ok())
}

fn rules(order: &Order) -> Result<RulesetCreated, landlock::RulesetError> {
    let everything = AccessFs::from_all(NEWEST);
    // Reading, listing and executing.
    let reading = AccessFs::from_read(NEWEST);
    let using = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
    let mut rules = Ruleset::default()
        .handle_access(everything)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let lists = order.readable.iter().map(|path| (path.as_path(), reading));
    let lists = lists.chain(order.writable.iter().map(|path| (path.as_path(), everything)));
    for (path, access) in lists.chain(DEVICES.iter().map(|path| (Path::new(path), using))) {
        // What is not there needs no rule.
        let Ok(parent) = PathFd::new(path) else { continue };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
        rules = rules.add_rule(PathBeneath::new(parent, access))?;
    }
    if let Some(port) = order.port {
        rules = rules.add_rule(NetPort::new(port, AccessNet::BindTcp))?;
    }
    Ok(rules)
}

/// Becomes the program. Comes back only if that is impossible.
pub(crate) fn become_program(order: &Order, pipes: Pipes, joins: Vec<OwnedFd>, confinement: Confinement) -> io::Error {
    let become_it = || -> io::Result<io::Error> {
        setsid()?;
        for group in joins {
            File::from(group).write_all(b"0")?;
        }
        if let Some(core) = order.core {
            let mut cores = CpuSet::new();
            cores.set(core);
            // A host that does not allow it runs the program wherever it likes.
            let _ = sched_setaffinity(None, &cores);
        }
        limit(order)?;
        close_the_rest();
        if let Some(user) = order.user {
            let (user, group) = (Uid::from_raw(user), Gid::from_raw(user));
            set_thread_groups(&[])?;
            set_thread_res_gid(group, group, group)?;
            set_thread_res_uid(user, user, user)?;
        }
        let none = CapabilitySet::empty();
        set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
        // After the change of user, which would forget it.
        set_parent_process_death_signal(Some(Signal::KILL))?;
        let mut command = Command::new(&order.program);
        command.args(&order.arguments).env_clear().envs(&order.environment).current_dir(&order.folder);
        command.stdin(pipes.stdin).stdout(pipes.stdout).stderr(pipes.stderr);
        set_no_new_privs(true)?;
        if let Some(paths) = confinement.paths {
            paths.restrict_self().map_err(io::Error::other)?;
        }
        for filter in &confinement.filters {
            seccompiler::apply_filter(filter).map_err(io::Error::other)?;
        }
        Ok(command.exec())
    };
    become_it().unwrap_or_else(|error| error)
}

/// Limits that the kernel keeps for each process.
fn limit(order: &Order) -> io::Result<()> {
    let limits = &order.limits;
    let mut list = vec![
        (Resource::Core, 0),
        (Resource::Nofile, limits.descriptors),
        (Resource::Memlock, 64 << 10),
        (Resource::Msgqueue, 0),
        (Resource::Rtprio, 0),
    ];
    if !order.counted {
        // Reserving address space costs nothing, and a JVM reserves a lot of it: what counts is what can be written to.
        // The watchdog comes first: it can say what happened.
        list.push((Resource::Data, limits.memory + limits.memory / 4));
        list.push((Resource::Fsize, limits.scratch));
        // The kernel counts a user's tasks in each namespace by itself, and so only the program's.
        if order.namespaces || order.user.is_some() {
            list.push((Resource::Nproc, limits.tasks.into()));
        }
    }
    for (resource, most) in list {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// Whatever else is open is closed when the program starts, also what agon itself was given by somebody careless.
#[allow(unsafe_code)]
fn close_the_rest() {
    // SAFETY: the call takes three numbers and touches no memory. It closes nothing now: it marks the descriptors from 3 on to
    // be closed by `exec`, so that no owner of one finds it gone.
    unsafe {
        libc::close_range(3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC as libc::c_int);
    }
}
