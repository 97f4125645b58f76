"""Writes a line that is too long, but ends."""

import sys

from ugi import Session

session = Session()
session.asked()
sys.stdout.write("info string " + "x" * 100_000 + "\n")
sys.stdout.flush()
session.asked()
