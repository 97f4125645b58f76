"""Answers in another encoding."""

import os

from ugi import Session

session = Session()
session.asked()
os.write(1, "bestmove \u00e91".encode("latin-1") + b"\n")
session.asked()
