//! Which system calls a contained program may make.
//!
//! What is older than this file and not named below is allowed: five languages and their libraries need some two hundred calls, and
//! more with every release. What is newer does not exist for the program, so it falls back to what it knows.

use std::collections::{BTreeMap, BTreeSet};

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

/// What decides which calls are allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// Whether it may listen on a port.
    pub(crate) listens: bool,
    /// Whether it has namespaces of its own.
    pub(crate) namespaces: bool,
    /// Whether the kernel counts its memory, also what no process has mapped.
    pub(crate) counted: bool,
}

/// Calls of the kernels that we know: two blocks of numbers.
#[cfg(target_arch = "x86_64")]
const KNOWN: [std::ops::RangeInclusive<c_long>; 2] = [0..=334, 424..=462];
#[cfg(not(target_arch = "x86_64"))]
const KNOWN: [std::ops::RangeInclusive<c_long>; 2] = [0..=294, 424..=462];

/// Calls that programs ask for in good faith and can do without: for them these do not exist.
const MISSING: [c_long; 9] = [
    // Its flags are in memory, where no filter can see them. Libraries fall back to `clone`.
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Whoever watches a file that both sides can read sees what the other side reads.
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_memfd_secret,
];

/// Shared memory that would reach beyond the jail where it has no namespace of its own.
const SYSTEM_V: [c_long; 12] = [
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// Calls that are refused.
const REFUSED: [c_long; 58] = [
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    // Keyrings.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The kernel itself, and what measures it.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    libc::SYS_vhangup,
    libc::SYS_personality,
    // The clocks and the names of the host.
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    // Files behind the back of what is mounted.
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    // A core of its own, or the right of way on it.
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
];

/// Namespaces that `clone` could make.
const NEW_NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Commands of `fcntl` that lock files.
const LOCKS: [i32; 4] = [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

/// Other commands of `fcntl` with which one side could notice the other.
const SIGNS: [i32; 4] = [libc::F_GETLK, libc::F_OFD_GETLK, libc::F_SETLEASE, libc::F_NOTIFY];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Outcome<T> = Result<T, seccompiler::BackendError>;

/// The filters, in the order in which they are to be installed: where several refuse, the last one chooses the error.
pub(crate) fn programs(setting: Setting) -> Result<Vec<BpfProgram>, String> {
    let build = || -> Outcome<Vec<BpfProgram>> {
        let architecture: TargetArch = std::env::consts::ARCH.try_into()?;
        let program = |rules, otherwise, then| {
            SeccompFilter::new(rules, otherwise, then, architecture)?.try_into() as Outcome<BpfProgram>
        };
        Ok(vec![
            program(known(setting), SeccompAction::Errno(libc::ENOSYS as u32), SeccompAction::Allow)?,
            program(refused(setting)?, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32))?,
            // A lock on a file that both sides can read would carry messages. It seems to succeed and does nothing.
            program(pretended()?, SeccompAction::Allow, SeccompAction::Errno(0))?,
        ])
    };
    build().map_err(|error| format!("cannot build the filter of system calls: {error}"))
}

fn known(setting: Setting) -> Rules {
    let mut missing: BTreeSet<c_long> = MISSING.into();
    #[cfg(target_arch = "x86_64")]
    missing.insert(libc::SYS_inotify_init);
    if !setting.namespaces || !setting.counted {
        missing.extend(SYSTEM_V);
    }
    if !setting.counted {
        // Memory that no process has mapped is seen by no watchdog; a page that is given to a pipe may be a huge one.
        missing.extend([libc::SYS_memfd_create, libc::SYS_vmsplice]);
    }
    KNOWN.into_iter().flatten().filter(|call| !missing.contains(call)).map(|call| (call, Vec::new())).collect()
}

fn refused(setting: Setting) -> Outcome<Rules> {
    let mut rules: Rules = REFUSED.into_iter().map(|call| (call, Vec::new())).collect();
    #[cfg(target_arch = "x86_64")]
    for call in [libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_kexec_file_load, libc::SYS_modify_ldt] {
        rules.insert(call, Vec::new());
    }
    let flags = NEW_NAMESPACES.into_iter().map(|flag| rule([has(0, flag as u64)])).collect::<Outcome<_>>()?;
    rules.insert(libc::SYS_clone, flags);
    rules.insert(libc::SYS_ioctl, vec![rule([is(1, libc::TIOCSTI)])?, rule([is(1, libc::TIOCLINUX)])?]);
    rules.insert(libc::SYS_fcntl, SIGNS.into_iter().map(|sign| rule([is(1, sign as u64)])).collect::<Outcome<_>>()?);
    // Whose limits and priority it may change: its own, which it calls 0. The warden may be the same user.
    rules.insert(libc::SYS_prlimit64, vec![rule([is_not(0, 0)])?]);
    let process = libc::PRIO_PROCESS as u64;
    rules.insert(libc::SYS_setpriority, vec![rule([is_not(0, process)])?, rule([is_not(1, 0)])?]);
    // A pair of sockets is a pipe. Datagrams could still be sent elsewhere with it.
    rules.insert(
        libc::SYS_socketpair,
        vec![
            rule([is_not(0, libc::AF_UNIX as u64)])?,
            rule([kind_is(libc::SOCK_DGRAM)])?,
            rule([kind_is(libc::SOCK_RAW)])?,
        ],
    );
    if setting.listens {
        rules.insert(
            libc::SYS_socket,
            vec![
                rule([
                    is_not(0, libc::AF_INET as u64),
                    is_not(0, libc::AF_INET6 as u64),
                    is_not(0, libc::AF_NETLINK as u64),
                ])?,
                // No datagrams where the network is the host's: nothing else would hold them back.
                rule([is(0, libc::AF_INET as u64), kind_is(libc::SOCK_DGRAM)])?,
                rule([is(0, libc::AF_INET6 as u64), kind_is(libc::SOCK_DGRAM)])?,
                rule([is_not(0, libc::AF_NETLINK as u64), kind_is(libc::SOCK_RAW)])?,
                // Landlock knows the ports of plain TCP only.
                rule([is_not(0, libc::AF_NETLINK as u64), is_not(2, 0), is_not(2, libc::IPPROTO_TCP as u64)])?,
            ],
        );
        rules.insert(libc::SYS_connect, Vec::new());
        // The first datagram of a connection would make it.
        for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
            rules.insert(call, vec![rule([has(flags, libc::MSG_FASTOPEN as u64)])?]);
        }
    } else {
        for call in
            [libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4]
        {
            rules.insert(call, Vec::new());
        }
        if !setting.namespaces {
            // An open file that is sent and never taken out is shown by no process, and may be one without a name. A program that
            // listens may need these calls: there the watchdog looks into the sockets.
            rules.extend([libc::SYS_sendmsg, libc::SYS_sendmmsg].map(|call| (call, Vec::new())));
        }
    }
    Ok(rules)
}

fn pretended() -> Outcome<Rules> {
    let mut rules = Rules::from([(libc::SYS_flock, Vec::new())]);
    rules.insert(libc::SYS_fcntl, LOCKS.into_iter().map(|lock| rule([is(1, lock as u64)])).collect::<Outcome<_>>()?);
    Ok(rules)
}

/// Of the kind of a socket, the flags beside it taken away.
fn kind_is(kind: i32) -> Outcome<SeccompCondition> {
    SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(0xf), kind as u64)
}

fn is(argument: u8, value: u64) -> Outcome<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn is_not(argument: u8, value: u64) -> Outcome<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
}

fn has(argument: u8, flag: u64) -> Outcome<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag)
}

/// All of the conditions.
fn rule<const COUNT: usize>(conditions: [Outcome<SeccompCondition>; COUNT]) -> Outcome<SeccompRule> {
    SeccompRule::new(conditions.into_iter().collect::<Outcome<_>>()?)
}
