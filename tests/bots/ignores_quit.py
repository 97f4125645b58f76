"""Plays well, but takes no hint that it is time to go."""

import signal

from ugi import Rules, Session, bestmove, say, wait_for_ever

for hint in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(hint, signal.SIG_IGN)
session = Session()
rules = Rules(session)
while session.asked(quits=False) is not None:
    say(bestmove(rules.choose()))
wait_for_ever()
