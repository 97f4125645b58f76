"""Changes the limits and the priority of the referee and of processes that the test named."""

import ctypes
import os

from common import TOLD, breach, call, refused, until_go

until_go()
targets = {os.getppid()}
if TOLD["level"] not in ("namespaces", "full"):
    targets |= set(TOLD["pids"])
for process in targets:
    old = (ctypes.c_ulong * 2)()
    # Only asked for, and set to what it is: enough to see whether it could be changed.
    if call("prlimit64", process, 7, 0, old)[0] == 0 and call("prlimit64", process, 7, old, 0)[0] == 0:
        breach("could change the limits of process %d" % process)
with open("/proc/self/status") as file:
    powerless = "CapEff:\t0000000000000000\n" in file.read()
# All processes of its user, agon among them if that is the same. Whoever has no rights cannot raise a priority, so nothing changes: the
# error tells whether the call itself is refused.
if powerless and TOLD["ordinary"] and call("setpriority", 2, 0, -20)[1] == "EACCES":
    breach("could lower the priority of every process of its user")
refused()
