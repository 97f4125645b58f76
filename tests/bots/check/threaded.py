"""Plays well, but has a second thread that waits for ever."""

import os
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from ugi import Rules, Session, bestmove, say

threading.Thread(target=threading.Event().wait, daemon=True).start()
session = Session()
rules = Rules(session)
while True:
    session.asked()
    say(bestmove(rules.choose()))
