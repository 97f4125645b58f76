"""Does nothing wrong: plays random legal turns in any game."""

from ugi import Rules, Session, bestmove, say

session = Session()
rules = Rules(session)
while True:
    session.asked()
    say("info depth 1 time 0")
    say(bestmove(rules.choose()))
