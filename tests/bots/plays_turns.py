"""Plays the turns of its arguments one after the other, legal or not."""

import sys

from ugi import Session, bestmove, say

session = Session()
for turn in sys.argv[1:]:
    session.asked()
    say(bestmove(turn))
session.asked()
