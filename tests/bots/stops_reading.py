"""Answers the greeting and reads nothing after it."""

import sys

from ugi import say, wait_for_ever

for line in sys.stdin:
    if line == "ugi\n":
        say("ugiok")
    elif line == "isready\n":
        say("readyok")
        wait_for_ever()
