"""Writes lines to stdout, far more than anybody wants to read."""

import os

from common import refused, until_go

until_go()
for _ in range(4000):
    os.write(1, b"info string nothing to say\n" * 1000)
refused()
