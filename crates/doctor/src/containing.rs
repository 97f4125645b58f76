//! What there is to contain bots with.

use agon_sandbox::{Host, Level};

use crate::Finding;

pub(crate) fn findings(host: &Host) -> Vec<Finding> {
    let mut findings = vec![
        bubblewrap(host),
        namespaces(host),
        groups(host),
        freezer(host),
        landlock(host),
        seccomp(host),
        user(host),
        folders(host),
        memory(),
    ];
    // Everything seems to be there, and yet a level does not work: the trial says why.
    for level in [Level::Filters, Level::Full] {
        if let Err(problem) = host.offers(level)
            && findings.iter().take(6).all(|finding| finding.well)
        {
            findings.push(Finding::bad("trial", format!("'{level}' does not work: {problem}"), "please report this"));
        }
    }
    findings
}

fn bubblewrap(host: &Host) -> Finding {
    match &host.bubblewrap {
        Ok(path) => Finding::well("bubblewrap", path.display().to_string()),
        Err(_) => Finding::bad("bubblewrap", "not installed", "apt install bubblewrap"),
    }
}

fn namespaces(host: &Host) -> Finding {
    match host.offers(Level::Namespaces) {
        Ok(()) => Finding::well("namespaces", "bots get their own processes, network and files"),
        Err(problem) if host.bubblewrap.is_err() => {
            Finding::bad("namespaces", problem.to_string(), "install bubblewrap first")
        }
        Err(problem) => Finding::bad(
            "namespaces",
            problem.to_string(),
            "as root: sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000 \
             kernel.apparmor_restrict_unprivileged_userns=0 (those that exist); in a container: run it with CAP_SYS_ADMIN",
        ),
    }
}

fn groups(host: &Host) -> Finding {
    match &host.groups {
        Ok(places) => Finding::well("control groups", places.describe()),
        Err(problem) => Finding::bad(
            "control groups",
            problem.to_string(),
            "systemd-run --user --scope -p Delegate=yes agon … (or run agon as root)",
        ),
    }
}

fn freezer(host: &Host) -> Finding {
    if host.groups.as_ref().is_ok_and(agon_sandbox::Hierarchies::can_freeze) {
        return Finding::well("freezer", "bots stand still while it is not their turn");
    }
    Finding::bad(
        "freezer",
        "bots can think on their opponent's time; it is measured and reported",
        "mount control groups of version 2: mount -t cgroup2 none /sys/fs/cgroup/unified",
    )
}

fn folders(host: &Host) -> Finding {
    let level = host.strongest();
    match level {
        Level::None => Finding::well("folders", "bots share theirs with whoever else may write there"),
        _ if host.mounts(level) => Finding::well("folders", "mounted; what bots change there is kept apart"),
        Level::Filters => Finding::well("folders", "copied to the disk for each match"),
        _ => Finding::bad(
            "folders",
            "copied into memory for each match",
            "Linux 5.11 or later lets them be mounted (overlay), which is quicker and takes no memory",
        ),
    }
}

fn landlock(host: &Host) -> Finding {
    match &host.landlock {
        Ok(()) if host.keeps_signals || host.privileged => Finding::well("Landlock", "files, ports and signals"),
        Ok(()) => Finding::well("Landlock", "files; signals only from Linux 6.12 on"),
        Err(problem) => {
            Finding::bad("Landlock", problem.to_string(), "boot with lsm=landlock,… added to the kernel's command line")
        }
    }
}

fn seccomp(host: &Host) -> Finding {
    match &host.seccomp {
        Ok(()) => Finding::well("seccomp", "system calls are filtered"),
        Err(problem) => Finding::bad("seccomp", problem.to_string(), "use a kernel with CONFIG_SECCOMP_FILTER"),
    }
}

fn user(host: &Host) -> Finding {
    if host.privileged {
        Finding::well("users", "each bot is a user of its own")
    } else {
        Finding::well(
            "users",
            "bots are you, without your files and processes; as root each would be a user of its own",
        )
    }
}

fn memory() -> Finding {
    let (host, share) = (agon_sandbox::host_memory(), agon_sandbox::fair_share());
    let text = agon_sandbox::memory_text;
    Finding::well("memory", format!("{} for each bot, of {}; --memory changes it", text(share), text(host)))
}
