"""Plays well, but writes a megabyte to stderr before every turn."""

import sys

from ugi import Rules, Session, bestmove, say

session = Session()
rules = Rules(session)
turn = 0
while True:
    session.asked()
    turn += 1
    sys.stderr.write("turn %d\n" % turn + ("x" * 63 + "\n") * 16384)
    sys.stderr.flush()
    say(bestmove(rules.choose()))
