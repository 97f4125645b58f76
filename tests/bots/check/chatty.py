"""Plays well, but thinks aloud on stdout."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from ugi import Rules, Session, bestmove, say

session = Session()
rules = Rules(session)
while True:
    session.asked()
    say("let me see")
    say(bestmove(rules.choose()))
