"""Answers with bytes that mean nothing."""

import os

from ugi import Session

session = Session()
session.asked()
os.write(1, bytes(range(1, 10)) + b"\x1b[2J\x7f\n")
session.asked()
