"""Starts threads as many as it can."""

import threading
import time

from common import TOLD, breach, refused, until_go, wait_for_the_end

MOST = 600
ALLOWED = TOLD["tasks"]

until_go()
threading.stack_size(64 << 10)
started = 0
try:
    for started in range(MOST):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
except RuntimeError:
    if started > ALLOWED + 8:
        breach("%d threads, allowed were %d" % (started, ALLOWED))
    refused("after %d threads" % started)
wait_for_the_end(20, "%d threads lived for 20 seconds" % started)
