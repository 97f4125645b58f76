"""Looks for locks that others hold on a file which everybody may read: a way to talk past every wall."""

import fcntl
import os
import struct

from common import TOLD, breach, refused, until_go

until_go()
descriptor = os.open(TOLD["locked"], os.O_RDONLY)
try:
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    breach("saw by flock that somebody holds a lock")
for name, command in (("F_GETLK", 5), ("F_OFD_GETLK", 36)):
    try:
        answer = fcntl.fcntl(descriptor, command, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
    except OSError:
        continue
    if struct.unpack("hhqqi4x", answer)[0] != fcntl.F_UNLCK:
        breach("saw by %s that somebody holds a lock" % name)
for name, command, argument in (("a lease", 1024, fcntl.F_RDLCK), ("notices", 1026, 1)):
    try:
        fcntl.fcntl(descriptor, command, argument)
    except OSError:
        continue
    breach("got %s for a file of others" % name)
own = os.open("own", os.O_RDWR | os.O_CREAT)
# A program that locks a file of its own must not notice anything.
fcntl.flock(own, fcntl.LOCK_EX)
fcntl.lockf(own, fcntl.LOCK_EX)
refused()
