"""Plays well as the first side; as the second it sends nonsense."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from ugi import Rules, Session, bestmove, say

session = Session()
rules = Rules(session)
while True:
    session.asked()
    turns = session.position[session.position.index("moves") + 1 :] if "moves" in session.position else []
    say(bestmove(rules.choose() if len(turns) % 2 == 0 else "nonsense"))
