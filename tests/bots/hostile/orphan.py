"""Leaves a daemon that has cut all ties, ignores signals, and would leave a mark outside later."""

import os
import signal
import time

from common import TOLD, refused, until_go

until_go()
if os.fork() == 0:
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    for descriptor in range(3):
        os.close(descriptor)
    time.sleep(2)
    for folder in TOLD["canaries"]:
        try:
            open(os.path.join(folder, TOLD["token"] + "-orphan"), "w").close()
        except OSError:
            pass
    time.sleep(600)
    os._exit(0)
refused("and left a daemon")
