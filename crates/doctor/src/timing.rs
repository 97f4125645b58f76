//! What may disturb clocks.

use std::{fs, path::Path};

use crate::Finding;

pub(crate) fn findings() -> Vec<Finding> {
    vec![cores(), load(), frequency(), siblings(), swap(), clock_source(), stalls()]
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

fn cores() -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let one = cores == 1;
    let seen = format!("{cores}: so many matches at once");
    if one {
        return Finding::bad(
            "cores",
            seen,
            "bots share their core with everything else here; a second core would help",
        );
    }
    Finding::well("cores", seen)
}

fn load() -> Finding {
    let load = read("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    match load {
        Some(load) if load > 0.5 * cores => Finding::bad(
            "load",
            format!("{load:.2} on {cores} cores: other programs want them too"),
            "see who it is with 'top', and stop it before a match that counts",
        ),
        Some(load) => Finding::well("load", format!("{load:.2}")),
        None => Finding::well("load", "unknown"),
    }
}

fn frequency() -> Finding {
    match read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") {
        None => Finding::well("frequency", "fixed, or out of our hands"),
        Some(governor) if governor == "performance" => Finding::well("frequency", "governor 'performance'"),
        Some(governor) => Finding::bad(
            "frequency",
            format!("governor '{governor}': cores speed up while a bot thinks"),
            "cpupower frequency-set -g performance",
        ),
    }
}

fn siblings() -> Finding {
    match read("/sys/devices/system/cpu/smt/active").as_deref() {
        Some("1") => Finding::bad(
            "siblings",
            "two bots may share a core (simultaneous multithreading)",
            "echo off > /sys/devices/system/cpu/smt/control, or play half as many matches at once",
        ),
        _ => Finding::well("siblings", "no two threads share a core, as far as this host says"),
    }
}

fn swap() -> Finding {
    let swaps = read("/proc/swaps").map_or(0, |text| text.lines().count().saturating_sub(1));
    if swaps > 0 {
        return Finding::bad("swap", "memory may be moved to disk while a bot thinks", "swapoff -a");
    }
    Finding::well("swap", "none")
}

fn clock_source() -> Finding {
    let source = read("/sys/devices/system/clocksource/clocksource0/current_clocksource").unwrap_or_default();
    let quick = ["tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page", "xen"];
    if source.is_empty() || quick.contains(&source.as_str()) {
        return Finding::well("clock source", if source.is_empty() { "unknown".to_owned() } else { source });
    }
    Finding::bad("clock source", format!("'{source}' is slow to read"), "boot with clocksource=tsc tsc=reliable")
}

/// On a virtual machine the host may take cores away. Only a thread with the right of way can tell that from other load.
fn stalls() -> Finding {
    let virtual_machine = read("/proc/cpuinfo").is_some_and(|text| text.contains("hypervisor"));
    let allowed = rustix::process::geteuid().is_root()
        || rustix::process::getrlimit(rustix::process::Resource::Rtprio).maximum.is_none_or(|most| most > 0);
    match (virtual_machine, allowed && Path::new("/proc/self/sched").exists()) {
        (false, _) => Finding::well("stalls", "no virtual machine"),
        (true, true) => {
            Finding::well("stalls", "a virtual machine; time that its host takes away is not charged to bots")
        }
        (true, false) => Finding::bad(
            "stalls",
            "a virtual machine; time that its host takes away is charged to bots",
            "allow real-time threads: ulimit -r 1 as root, or run agon as root",
        ),
    }
}
