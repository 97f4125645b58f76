"""Fills the disk with files without a name that lie in sockets: it sends them to itself and closes its own descriptors."""

import array
import os
import socket

from common import refused, until_go, wait_for_the_end

MOST = 100 << 20
STEP = 1 << 20

until_go()
sockets, written = [], 0
try:
    while written < MOST:
        pair = socket.socketpair()
        sockets.append(pair)
        name = os.path.join(os.environ["TMPDIR"], "gone")
        file = os.open(name, os.O_WRONLY | os.O_CREAT)
        os.unlink(name)
        # It lies in the socket before there is anything in it.
        pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))])
        for _ in range(8):
            written += os.write(file, b"x" * STEP)
        os.close(file)
except OSError:
    pass
if written <= 24 * STEP:
    refused("after %d bytes" % written)
wait_for_the_end(10, "%d bytes without a name lay in sockets for 10 seconds" % written)
