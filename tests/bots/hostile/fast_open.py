"""A bot that may listen, and instead connects out in ways that need no `connect`; it never becomes ready."""

import socket

from common import TOLD, breach, refused

MSG_FASTOPEN = 0x20000000
MPTCP = 262


def attempt(name, action):
    """Something that must not work."""
    try:
        action()
    except OSError:
        return
    breach(name)


for host, port in TOLD["doors"]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    attempt("connected to %s" % host, lambda: socket.socket(family).connect((host, port)))
    for protocol in (0, MPTCP):
        attempt("sent to %s without connecting" % host,
                lambda: socket.socket(family, socket.SOCK_STREAM, protocol).sendto(b"hello", MSG_FASTOPEN, (host, port)))
    attempt("sent a datagram to %s" % host, lambda: socket.socket(family, socket.SOCK_DGRAM).sendto(b"hello", (host, port)))
for path in TOLD["sockets"]:
    address = "\0" + path[1:] if path.startswith("@") else path
    attempt("connected to the socket %s" % path, lambda: socket.socket(socket.AF_UNIX).connect(address))
refused()
