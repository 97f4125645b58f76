"""Takes memory in small steps with pauses, in two processes, so that none of them has very much."""

import os
import time

from common import refused, until_go, wait_for_the_end

MOST = 350 << 20
STEP = 8 << 20

until_go()
os.fork()
held = []
try:
    while len(held) * STEP < MOST:
        held.append(bytearray(b"x") * STEP)
        time.sleep(0.01)
except MemoryError:
    refused("after %d bytes" % (len(held) * STEP))
wait_for_the_end(20, "held %d bytes twice for 20 seconds" % (len(held) * STEP))
