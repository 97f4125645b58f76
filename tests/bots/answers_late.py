"""Answers with the turn of its argument, but only after twice the time that it was given."""

import sys
import time

from ugi import Session, bestmove, say

session = Session()
while True:
    limits = session.asked()
    time.sleep(2 * int(limits[limits.index("movetime") + 1]) / 1000)
    say(bestmove(sys.argv[1]))
