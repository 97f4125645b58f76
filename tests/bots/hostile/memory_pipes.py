"""Keeps memory in pipes: each holds a page that was given to it with vmsplice, and a page may be a huge one."""

import ctypes
import mmap
import os

from common import LIBC, NUMBERS, refused, until_go, wait_for_the_end

HUGE = 2 << 20
MOST = 400 << 20
PROCESSES = 4


class Part(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def huge_pages():
    """Bytes that lie in huge pages now. The kernel gives small ones where it has no huge one left."""
    with open("/proc/self/smaps_rollup") as lines:
        return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("AnonHugePages"))


def fill():
    """Gives huge pages to pipes until there are no more descriptors, or its share is used up."""
    held = 0
    try:
        while held < MOST // PROCESSES:
            _, writer = os.pipe()
            for _ in range(16):
                room = mmap.mmap(-1, 2 * HUGE)
                room.madvise(mmap.MADV_HUGEPAGE)
                start = ctypes.addressof(ctypes.c_char.from_buffer(room))
                start += -start % HUGE
                before = huge_pages()
                ctypes.memset(start, 1, HUGE)
                size = HUGE if huge_pages() > before else mmap.PAGESIZE
                part = Part(start, 1)
                given = LIBC.syscall(
                    ctypes.c_long(NUMBERS["vmsplice"]), ctypes.c_long(writer), ctypes.byref(part), ctypes.c_long(1), ctypes.c_long(0)
                )
                if given != 1:
                    return held
                # Nothing but the pipe has it now.
                LIBC.munmap(ctypes.c_void_p(start), ctypes.c_size_t(HUGE))
                held += size
    except OSError:
        pass
    return held


until_go()
for _ in range(PROCESSES - 1):
    if os.fork() == 0:
        break
held = fill()
if held < (16 << 20):
    refused("after %d bytes" % held)
wait_for_the_end(10, "pipes held %d bytes for each of %d processes for 10 seconds" % (held, PROCESSES))
