"""Answers before it was asked: as soon as the game begins."""

import sys

from ugi import bestmove, say

for line in sys.stdin:
    if line == "ugi\n":
        say("ugiok")
    elif line == "isready\n":
        say("readyok\n" + bestmove(sys.argv[1]))
    elif line == "quit\n":
        break
