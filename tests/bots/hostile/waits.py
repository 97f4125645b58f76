"""Never answers, with a family of children and daemons that never answer either."""

import os
import signal
import time

from common import until_go

until_go()
for distance in range(4):
    if os.fork() == 0:
        if distance % 2:
            os.setsid()
            if os.fork() != 0:
                os._exit(0)
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(3600)
        os._exit(0)
time.sleep(3600)
