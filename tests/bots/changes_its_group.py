"""Leaves the process group that it leads, where nobody looks for it, and never answers."""

import os

from ugi import Session, wait_for_ever

Session().asked()
os.setpgid(0, os.getpgid(os.getppid()))
wait_for_ever()
