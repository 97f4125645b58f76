"""Fills the disk far down in nested folders, where nobody looks."""

import os

from common import refused, until_go, wait_for_the_end

MOST = 100 << 20
STEP = 1 << 20
DEPTH = 200

until_go()
written = 0
try:
    for _ in range(DEPTH):
        os.mkdir("d")
        os.chdir("d")
    while written < MOST:
        with open("%d" % written, "wb", buffering=0) as file:
            for _ in range(8):
                written += file.write(b"x" * STEP)
except OSError:
    pass
if written <= 24 * STEP:
    refused("after %d bytes" % written)
wait_for_the_end(10, "%d bytes lay far down for 10 seconds" % written)
