"""Forks as often as it can, under a name that fools careless readers of /proc."""

import os
import signal

from common import LIBC, TOLD, breach, refused, until_go, wait_for_the_end

MOST = 600
ALLOWED = TOLD["tasks"]

until_go()
LIBC.prctl(15, b") S 1 1 1\n(", 0, 0, 0)
number = 0
try:
    for number in range(1, MOST):
        if os.fork() == 0:
            signal.pause()
            os._exit(0)
except OSError:
    # A few more than allowed are possible where the limit counts differently, not many.
    if number > ALLOWED + 8:
        breach("%d processes, allowed were %d" % (number, ALLOWED))
    refused("after %d processes" % number)
wait_for_the_end(20, "%d processes lived for 20 seconds" % number)
