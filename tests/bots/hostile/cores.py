"""Leaves the core that it was given and computes on all others at once."""

import os
import time

from common import TOLD, breach, refused, until_go

HELPERS = 3

until_go()
try:
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    breach("left its core")
except OSError:
    pass
begun = time.monotonic()
for _ in range(HELPERS):
    if os.fork() == 0:
        while time.monotonic() < begun + 1:
            pass
        os._exit(0)
for _ in range(HELPERS):
    os.wait()
used = os.times()
passed = time.monotonic() - begun
if used.children_user + used.children_system > 1.5 * passed + 0.1:
    breach("used more than one core: %.2f s in %.2f s" % (used.children_user + used.children_system, passed))
refused()
