"""Writes a line that has no end."""

import os

from ugi import Session

Session().asked()
while True:
    os.write(1, b"bestmove " * 100)
