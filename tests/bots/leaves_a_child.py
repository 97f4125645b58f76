"""Starts a child that outlives it, plays the turn of its argument, and goes. The child holds all its pipes open."""

import subprocess
import sys

from ugi import Session, bestmove, say

Session().asked()
subprocess.Popen(["sleep", "1000"])
say(bestmove(sys.argv[1]))
