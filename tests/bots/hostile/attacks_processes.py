"""Kills, stops, traces and reads every process that the test named, its own ancestors up to the referee, and whatever runs in its own namespace."""

import ctypes
import os
import signal

from common import LIBC, TOLD, breach, call, refused, until_go


def is_own(process):
    """Whether a process is one of the bot's own: those have the environment that every bot is given."""
    try:
        with open("/proc/%d/environ" % process, "rb") as file:
            return b"LOGNAME=bot" in file.read()
    except OSError:
        return False


def ancestors():
    """The processes above this one up to the referee: the warden and agon, which the test has started itself."""
    found, process = [], os.getppid()
    for _ in range(4):
        try:
            with open("/proc/%d/stat" % process) as file:
                above = int(file.read().rsplit(")", 1)[1].split()[1])
            with open("/proc/%d/cmdline" % process, "rb") as file:
                command = file.read()
        except OSError:
            break
        # Nothing above agon is ours to attack.
        if TOLD["token"].encode() not in command and b"warden" not in command:
            break
        if not is_own(process):
            found.append(process)
        process = above
    return found


def opponents():
    """Processes whose command line shows that the test has started them."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % name, "rb") as file:
                if TOLD["victim"].encode() in file.read():
                    found.append(int(name))
        except OSError:
            pass
    return found


def signals(process):
    """Every way to send a signal."""
    handle, _ = call("pidfd_open", process, 0)
    for number in (0, signal.SIGCONT, signal.SIGSTOP, signal.SIGKILL):
        ways = [("kill", lambda: LIBC.kill(process, number)), ("tgkill", lambda: call("tgkill", process, process, number)[0])]
        if handle >= 0:
            ways.append(("pidfd", lambda: call("pidfd_send_signal", handle, number, 0, 0)[0]))
        for name, send in ways:
            if send() == 0:
                breach("%s sent signal %d to process %d" % (name, number, process))


def looks(process):
    """Every way to look into a process."""
    buffer = ctypes.create_string_buffer(64)
    local = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 64)
    far = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 64)
    for name, arguments in (
        ("ptrace", (16, process, 0, 0)),
        ("ptrace", (0x4206, process, 0, 0)),
        ("process_vm_readv", (process, local, 1, far, 1, 0)),
        ("process_vm_writev", (process, local, 1, far, 1, 0)),
        ("kcmp", (os.getpid(), process, 0, 0, 0)),
    ):
        result, error = call(name, *arguments)
        if error not in ("EPERM", "ENOSYS", "ESRCH"):
            breach("%s on process %d gave %d %s" % (name, process, result, error))
    for name in ("mem", "environ", "maps", "auxv", "io", "syscall", "stack"):
        try:
            with open("/proc/%d/%s" % (process, name), "rb") as file:
                file.read(16)
            breach("read /proc/%d/%s" % (process, name))
        except OSError:
            pass
    for name in ("root", "cwd", "exe", "fd/0", "fd/1", "fd/2", "fd/3", "ns/net"):
        try:
            breach("/proc/%d/%s leads to %s" % (process, name, os.readlink("/proc/%d/%s" % (process, name))))
        except OSError:
            pass
    for name in ("oom_score_adj", "comm", "clear_refs", "coredump_filter", "timerslack_ns", "sched"):
        try:
            with open("/proc/%d/%s" % (process, name), "w") as file:
                file.write("1")
            breach("wrote /proc/%d/%s" % (process, name))
        except OSError:
            pass


until_go()
own_namespace = TOLD["level"] in ("namespaces", "full")
targets = set(ancestors())
if own_namespace:
    # The numbers mean others here: what the test named cannot even be named. All that is seen is the warden.
    targets |= {int(name) for name in os.listdir("/proc") if name.isdigit()}
    targets = {process for process in targets if not is_own(process)}
    if opponents():
        breach("sees the opponent's process")
    if len(targets) > 1:
        breach("sees the processes %s" % sorted(targets))
else:
    targets |= set(TOLD["pids"]) | set(opponents())
targets -= {os.getpid()}
for process in sorted(targets):
    looks(process)
    # In a namespace the first process is protected from its children by the kernel, without an error.
    if not (own_namespace and process == 1):
        signals(process)
refused("by %d processes" % len(targets))
