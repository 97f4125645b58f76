"""Lets a helper go on thinking while it is its opponent's turn, and says how much the helper got done."""

import mmap
import os
import struct
import time

from common import TOLD, breach, refused, say, some_turn, until_go

done = mmap.mmap(-1, 8)


def progress():
    """Processor time that the helper has used, in seconds."""
    return struct.unpack("d", done[:8])[0]


turns = until_go()
if os.fork() == 0:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        done[:8] = struct.pack("d", time.process_time())
    os._exit(0)
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
