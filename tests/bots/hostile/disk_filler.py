"""Fills every folder that it may write to with large files."""

import os

from common import AS_BUILD, TOLD, refused, until_go, wait_for_the_end

# A build may write more.
MOST = (800 if AS_BUILD else 300) << 20
STEP = 1 << 20


def fill(folder, most):
    """Writes files of 8 MiB until that fails; says how much was written."""
    written = 0
    while written < most:
        try:
            with open(os.path.join(folder, "%s-%d" % (TOLD["token"], written)), "wb") as file:
                for _ in range(8):
                    file.write(b"x" * STEP)
                    written += STEP
        except OSError:
            break
    return written


until_go()
folders = [os.getcwd(), os.environ.get("TMPDIR", "/tmp"), "/tmp", "/dev/shm", "/var/tmp", "/run/lock"]
written = sum(fill(folder, MOST // len(folders)) for folder in folders)
if written <= 16 * STEP:
    refused("after %d bytes" % written)
wait_for_the_end(20, "%d bytes lay on the disk for 20 seconds" % written)
