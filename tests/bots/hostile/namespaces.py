"""Makes and enters namespaces in every way there is."""

import ctypes
import os
import signal

from common import breach, call, must_refuse, refused, until_go

KINDS = {"mount": 0x20000, "group": 0x2000000, "name": 0x4000000, "ipc": 0x8000000, "user": 0x10000000, "process": 0x20000000, "network": 0x40000000}

until_go()
for name, flag in KINDS.items():
    result, error = call("unshare", flag)
    if result == 0:
        breach("unshared its %s namespace" % name)
    for more in (0, KINDS["user"]):
        result, error = call("clone", flag | more | signal.SIGCHLD, 0, 0, 0, 0)
        if result == 0:
            os._exit(0)
        if result > 0:
            breach("cloned into a new %s namespace" % name)
must_refuse("unshare", 0x80)
must_refuse("unshare", 0x10000000)
arguments = (ctypes.c_uint64 * 11)(KINDS["user"], 0, 0, 0, signal.SIGCHLD)
result, error = call("clone3", arguments, 88)
if result == 0:
    os._exit(0)
if error != "ENOSYS":
    breach("clone3 gave %d %s" % (result, error))
for process in (1, os.getppid()):
    for name in ("mnt", "net", "user", "pid"):
        try:
            descriptor = os.open("/proc/%d/ns/%s" % (process, name), os.O_RDONLY)
        except OSError:
            continue
        must_refuse("setns", descriptor, 0)
must_refuse("setns", 0, 0)
refused()
