"""Fills the disk in a folder that it has closed to everybody, itself included."""

import os

from common import refused, until_go, wait_for_the_end

MOST = 100 << 20
STEP = 1 << 20

until_go()
written = 0
try:
    os.mkdir("closed")
    files = [open("closed/%d" % number, "wb", buffering=0) for number in range(MOST // (8 * STEP))]
    os.chmod("closed", 0)
    os.chmod(".", 0)
    for file in files:
        for _ in range(8):
            written += file.write(b"x" * STEP)
except OSError:
    pass
if written <= 24 * STEP:
    refused("after %d bytes" % written)
wait_for_the_end(10, "%d bytes lay behind a closed door for 10 seconds" % written)
