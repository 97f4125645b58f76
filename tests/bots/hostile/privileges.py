"""Wants to be root: by asking, by a program that runs as its owner, by capabilities, by a namespace in which it would be."""

import ctypes
import os
import shutil
import subprocess

from common import LIBC, breach, call, refused, until_go


def check(how):
    """Whether it has become more than it was."""
    with open("/proc/self/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    # In some containers everybody is called root, and is nobody.
    if status["Uid"].split() != USERS or status["Gid"].split() != GROUPS:
        breach("is somebody else after %s" % how)
    if any(int(status[name], 16) for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")):
        breach("has capabilities after %s" % how)
    if status["NoNewPrivs"] != "1":
        breach("may gain privileges after %s" % how)


USERS, GROUPS = [str(os.getuid())] * 4, [str(os.getgid())] * 4
until_go()
check("starting")
for name, arguments in (
    ("setuid", (0,)),
    ("setgid", (0,)),
    ("setresuid", (0, 0, 0)),
    ("setgroups", (0, 0)),
):
    call(name, *arguments)
    check(name)
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
everything = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
call("capset", header, everything)
check("capset")
for capability in range(41):
    LIBC.prctl(47, 2, capability, 0, 0)
check("ambient capabilities")
LIBC.prctl(38, 0, 0, 0, 0)
check("taking back no_new_privs")
LIBC.prctl(28, 0, 0, 0, 0)
LIBC.unshare(0x10000000)
try:
    with open("/proc/self/uid_map", "w") as file:
        file.write("0 %d 1" % os.getuid())
except OSError:
    pass
check("a user namespace")
shutil.copy("/usr/bin/id", "id")
for mode in (0o4755, 0o2755, 0o6755):
    try:
        os.chown("id", 0, 0)
    except OSError:
        pass
    try:
        os.chmod("id", mode)
        if subprocess.run(["./id", "-u"], capture_output=True, text=True).stdout.strip() != USERS[0]:
            breach("a copy of a program ran as somebody else")
    except OSError:
        pass
for program in ("/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount", "/usr/bin/newgrp"):
    if os.path.exists(program) and subprocess.run([program, "--help"], capture_output=True).returncode == 0:
        # It may run, but as nobody else.
        check(program)
refused()
