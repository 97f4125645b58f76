"""Makes system calls by the doors of 32-bit programs, whose numbers mean something else."""

import ctypes
import mmap
import os
import signal

from common import LIBC, breach, refused, until_go

# mov eax, 20 (getpid); int 0x80; ret
CODE = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"

until_go()
if os.uname().machine != "x86_64":
    refused("there is no such door here")
if LIBC.syscall(ctypes.c_long(0x40000000 | 39)) != -1:
    breach("made a call with the numbers of x32")
child = os.fork()
if child == 0:
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(CODE)
    door = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    os._exit(42 if door() == os.getpid() else 0)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
if status == 42:
    breach("made a call as a 32-bit program")
refused("with status %d" % status)
