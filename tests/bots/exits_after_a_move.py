"""Plays the turn of its first argument, then exits with the code of its second."""

import sys

from ugi import Session, bestmove, say

Session().asked()
say(bestmove(sys.argv[1]))
sys.exit(int(sys.argv[2]))
