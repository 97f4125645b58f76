"""A bot that may listen on one port, and listens on others, where it could be found by an accomplice; it never becomes ready."""

import socket

from common import TOLD, breach, refused

KINDS = {"TCP": 0, "multipath TCP": 262, "SCTP": 132}


def listen(protocol, bound):
    """Without an address of its own choice the kernel gives it one."""
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol)
    if bound:
        server.bind(("127.0.0.1", TOLD["free port"]))
    server.listen()


if TOLD["level"] == "filters":
    # In a network of its own it may listen wherever it likes.
    for name, protocol in KINDS.items():
        for bound in (True, False):
            try:
                listen(protocol, bound)
            except OSError:
                continue
            breach("listens by %s on %s port" % (name, "another" if bound else "some"))
refused()
