"""Writes a hundred megabytes to stderr and then nothing more."""

import os
import time

from common import until_go

until_go()
for _ in range(100 << 4):
    os.write(2, b"nothing to say, and that at length ----------------------------\n" * 1024)
time.sleep(3600)
