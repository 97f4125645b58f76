"""Takes memory as fast as it can."""

from common import refused, until_go, wait_for_the_end

MOST = 700 << 20
STEP = 32 << 20

until_go()
held = []
try:
    while len(held) * STEP < MOST:
        held.append(bytearray(b"x") * STEP)
except MemoryError:
    refused("after %d bytes" % (len(held) * STEP))
wait_for_the_end(20, "held %d bytes for 20 seconds" % (len(held) * STEP))
