"""Lets the kernel hold memory for it: in socket pairs that are full and that nobody reads."""

import os
import socket

from common import refused, until_go, wait_for_the_end

MOST = 400 << 20
PROCESSES = 16


def fill():
    """Fills pairs of sockets until there are no more descriptors, or its share is used up."""
    held, filled = [], 0
    try:
        while filled < MOST // PROCESSES:
            pair = socket.socketpair()
            held.append(pair)
            for end in pair:
                end.setblocking(False)
                try:
                    while True:
                        filled += end.send(b"x" * 65536)
                except BlockingIOError:
                    pass
    except OSError:
        pass
    return held, filled


until_go()
for _ in range(PROCESSES - 1):
    if os.fork() == 0:
        break
held, filled = fill()
if filled < (1 << 20):
    refused("after %d bytes" % filled)
wait_for_the_end(10, "the kernel held %d bytes for each of %d processes for 10 seconds" % (filled, PROCESSES))
