"""Tries the doors of the kernel through which others have escaped before, with arguments that could do no harm."""

import os

from common import TOLD, breach, must_refuse, refused, until_go

until_go()
for name in (
    "io_uring_setup", "add_key", "request_key", "keyctl", "mount", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen", "fsmount",
    "mount_setattr", "bpf", "perf_event_open", "userfaultfd", "init_module", "finit_module", "kexec_load", "swapon", "sethostname",
    "open_by_handle_at", "ptrace", "process_vm_readv", "process_madvise", "pidfd_getfd", "kcmp", "personality", "inotify_init1",
    "fanotify_init", "memfd_secret", "landlock_create_ruleset", "sched_setaffinity", "sched_setscheduler", "sched_setattr",
    "ioprio_set", "clock_settime",
):
    must_refuse(name, -1, 0, 0, 0, 0, 0)
# Whoever has no rights cannot raise a priority, so this changes nothing: the error tells whether the call itself is refused.
with open("/proc/self/status") as file:
    powerless = "CapEff:\t0000000000000000\n" in file.read()
if powerless:
    must_refuse("setpriority", 0, os.getppid(), -20)
if TOLD["level"] != "full":
    # Memory that no process has mapped would be seen by no watchdog.
    must_refuse("memfd_create", -1, 0)
if TOLD["level"] == "filters":
    must_refuse("shmget", -1, 0, 0)
    must_refuse("mq_open", 0, 0, 0, 0)
for path in ("/sys/fs/cgroup/cgroup.procs", "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/dev/kmsg"):
    try:
        os.close(os.open(path, os.O_WRONLY))
        breach("may write to %s" % path)
    except OSError:
        pass
refused()
