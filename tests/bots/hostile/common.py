"""What the hostile bots share: just enough UGI to be asked for a turn, what the test told them, and how each of them ends."""

import ctypes
import errno
import json
import mmap
import os
import re
import struct
import sys
import time

# What the test told the bot, in a file of the bot's own folder.
with open("told.json", encoding="utf-8") as file:
    TOLD = json.load(file)

# The same attacks serve as build scripts: those are not asked for anything.
AS_BUILD = "build" in sys.argv

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long


def say(text):
    """Sends a line."""
    os.write(1, (text + "\n").encode())


def until_go():
    """Behaves until the next `go`, and gives the turns played so far. Ends the bot when the referee says so."""
    turns = []
    if AS_BUILD:
        return turns
    while True:
        line = read_line()
        heard = line.split()
        if not heard or heard[0] == "quit":
            os._exit(0)
        if heard[0] == "ugi":
            say("ugiok")
        elif heard[0] == "isready":
            say("readyok")
        elif heard[0] == "position":
            turns = re.findall(r'"([^"]*)"', line)
        elif heard[0] == "go":
            return turns


def read_line():
    """A line from the referee, byte by byte: nothing is read ahead, so a fork shares no buffer."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            break
        line += byte
    return line.decode()


def some_turn(turns):
    """A legal turn of connectx in the beginning of a match: a free cell of the small board that the last turn points to."""
    if not turns:
        return "4 4"
    row, column = (3 * (int(number) % 3) for number in turns[-1].split())
    cells = ["%d %d" % (row + cell // 3, column + cell % 3) for cell in range(9)]
    return next(cell for cell in cells if cell not in turns)


def breach(what):
    """An attack came through: says so where the test will find it, and ends."""
    os.write(2, ("BREACH %s\n" % what).encode())
    os._exit(99)


def refused(what=""):
    """Everything was refused: the end that the test expects of a contained bot."""
    os.write(2, ("refused %s\n" % what).encode())
    os._exit(7)


def wait_for_the_end(seconds, what):
    """Something else is to end us. It is a breach if nobody does."""
    time.sleep(seconds)
    breach(what)


def steal(start):
    """Lets `start` begin a helper that thinks on, also while it is the opponent's turn, and says how much the helper got done."""
    done = mmap.mmap(-1, 8)

    def progress():
        return struct.unpack("d", done[:8])[0]

    def think():
        end = time.monotonic() + 60
        while time.monotonic() < end:
            done[:8] = struct.pack("d", time.process_time())
        os._exit(0)

    turns = until_go()
    start(think)
    while progress() == 0:
        time.sleep(0.01)
    before = progress()
    say('bestmove "%s"' % some_turn(turns))
    turns = until_go()
    stolen = progress() - before
    os.write(2, ("stolen %.3f s\n" % stolen).encode())
    # The opponent thinks for TOLD["patience"] seconds. A helper that was stopped has hardly moved in them.
    if TOLD["level"] == "full" and stolen > TOLD["patience"] / 2:
        breach("a helper thought for %.3f s on the opponent's time" % stolen)
    say('bestmove "%s"' % some_turn(turns))
    until_go()
    refused()


def call(name, *arguments):
    """A system call by its name. Gives its result, and the name of the error if there was one."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    ctypes.set_errno(0)
    result = LIBC.syscall(ctypes.c_long(NUMBERS[name]), *words)
    return result, errno.errorcode.get(ctypes.get_errno(), "0") if result == -1 else ""


def must_refuse(name, *arguments):
    """A system call that a contained program must not make."""
    result, error = call(name, *arguments)
    if error not in ("EPERM", "ENOSYS"):
        breach("%s gave %d %s" % (name, result, error))


X86 = {
    "sendto": 44, "clone": 56, "fcntl": 72, "ptrace": 101, "setuid": 105, "setgid": 106, "setresuid": 117, "setgroups": 116,
    "capset": 126, "personality": 135, "prctl": 157, "chroot": 161, "mount": 165, "pivot_root": 155, "sethostname": 170,
    "swapon": 167, "init_module": 175, "finit_module": 313, "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250,
    "unshare": 272, "setns": 308, "perf_event_open": 298, "open_by_handle_at": 304, "prlimit64": 302, "process_vm_readv": 310,
    "process_vm_writev": 311, "kcmp": 312, "bpf": 321, "userfaultfd": 323, "sched_setaffinity": 203, "sched_setscheduler": 144,
    "sched_setattr": 314, "setpriority": 141, "ioprio_set": 251, "inotify_init1": 294, "fanotify_init": 300, "memfd_secret": 447,
    "shmget": 29, "mq_open": 240, "memfd_create": 319, "clock_settime": 227, "tgkill": 234, "vmsplice": 278,
}
ARM = {
    "sendto": 206, "clone": 220, "fcntl": 25, "ptrace": 117, "setuid": 146, "setgid": 144, "setresuid": 147, "setgroups": 159,
    "capset": 91, "personality": 92, "prctl": 167, "chroot": 51, "mount": 40, "pivot_root": 41, "sethostname": 161,
    "swapon": 224, "init_module": 105, "finit_module": 273, "kexec_load": 104, "add_key": 217, "request_key": 218, "keyctl": 219,
    "unshare": 97, "setns": 268, "perf_event_open": 241, "open_by_handle_at": 265, "prlimit64": 261, "process_vm_readv": 270,
    "process_vm_writev": 271, "kcmp": 272, "bpf": 280, "userfaultfd": 282, "sched_setaffinity": 122, "sched_setscheduler": 119,
    "sched_setattr": 274, "setpriority": 140, "ioprio_set": 30, "inotify_init1": 26, "fanotify_init": 262, "memfd_secret": 447,
    "shmget": 194, "mq_open": 180, "memfd_create": 279, "clock_settime": 112, "tgkill": 131, "vmsplice": 75,
}
# The numbers of newer calls are the same everywhere.
NUMBERS = dict(X86 if os.uname().machine == "x86_64" else ARM)
NUMBERS.update({
    "pidfd_send_signal": 424, "io_uring_setup": 425, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsmount": 432,
    "pidfd_open": 434, "clone3": 435, "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442,
    "landlock_create_ruleset": 444,
})
