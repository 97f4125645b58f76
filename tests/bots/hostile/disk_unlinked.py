"""Fills the disk with files that have no name any more, so that nobody who goes through the folders finds them."""

import os

from common import refused, until_go, wait_for_the_end

MOST = 100 << 20
STEP = 1 << 20

until_go()
held, written = [], 0
try:
    while written < MOST:
        name = os.path.join(os.environ["TMPDIR"], "gone")
        file = open(name, "wb", buffering=0)
        os.unlink(name)
        held.append(file)
        for _ in range(8):
            written += file.write(b"x" * STEP)
except OSError:
    pass
if written <= 24 * STEP:
    refused("after %d bytes" % written)
wait_for_the_end(10, "%d bytes without a name lay on the disk for 10 seconds" % written)
