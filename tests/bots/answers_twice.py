"""Answers its first question twice."""

import sys

from ugi import Session, bestmove, say

session = Session()
session.asked()
say(bestmove(sys.argv[1]) + "\n" + bestmove(sys.argv[1]))
session.asked()
