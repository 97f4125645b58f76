"""Does nothing that is forbidden, but what looks odd: children that nobody buries, and shared memory without a name."""

import mmap
import os
import time

from common import refused, until_go

SHARED = 48 << 20

until_go()
for _ in range(4):
    if os.fork() == 0:
        os._exit(0)
area = mmap.mmap(-1, SHARED, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
for page in range(0, SHARED, mmap.PAGESIZE):
    area[page] = 1
# Long enough for any watchdog to look.
time.sleep(1)
refused()
