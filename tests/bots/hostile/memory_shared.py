"""Takes memory that counts as shared and so as nobody's."""

import mmap

from common import refused, until_go, wait_for_the_end

MOST = 700 << 20
STEP = 32 << 20

until_go()
held = []
try:
    while len(held) * STEP < MOST:
        area = mmap.mmap(-1, STEP, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
        for page in range(0, STEP, mmap.PAGESIZE):
            area[page] = 1
        held.append(area)
except OSError:
    refused("after %d bytes" % (len(held) * STEP))
wait_for_the_end(20, "held %d bytes for 20 seconds" % (len(held) * STEP))
