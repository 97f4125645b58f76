"""Connects to everything that the test listens on: addresses of this machine, datagrams, sockets with names and without."""

import os
import socket

from common import TOLD, breach, refused, until_go


def attempt(name, action):
    """Something that must not work."""
    try:
        action()
    except OSError:
        return
    breach(name)


def stream(family, address):
    connection = socket.socket(family, socket.SOCK_STREAM)
    connection.settimeout(5)
    connection.connect(address)


def datagram(family, address):
    socket.socket(family, socket.SOCK_DGRAM).sendto(b"hello", address)


def bare(family, kind, protocol=0):
    socket.socket(family, kind, protocol)


def listen():
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen()


until_go()
for host, port in TOLD["doors"]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    attempt("connected to %s" % host, lambda: stream(family, (host, port)))
    attempt("sent a datagram to %s" % host, lambda: datagram(family, (host, port)))
for path in TOLD["sockets"]:
    address = "\0" + path[1:] if path.startswith("@") else path
    attempt("connected to the socket %s" % path, lambda: stream(socket.AF_UNIX, address))
    attempt("sent a datagram to the socket %s" % path, lambda: datagram(socket.AF_UNIX, address))
attempt("listened", listen)
attempt("got a raw socket", lambda: bare(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
attempt("got a packet socket", lambda: bare(socket.AF_PACKET, socket.SOCK_RAW, 0))
attempt("got a netlink socket", lambda: bare(socket.AF_NETLINK, socket.SOCK_RAW, 0))
attempt("got a socket to the host of a virtual machine", lambda: bare(40, socket.SOCK_STREAM))
attempt("got a socket of the kernel's ciphers", lambda: bare(38, socket.SOCK_SEQPACKET))
attempt("got a datagram pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
refused()
