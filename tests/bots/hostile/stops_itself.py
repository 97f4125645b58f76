"""Stops itself with a signal that cannot be ignored, and so never answers."""

import os
import signal

from common import until_go

until_go()
os.kill(os.getpid(), signal.SIGSTOP)
