"""Sends a turn that has blanks in it without quotes."""

import sys

from ugi import Session, say

session = Session()
session.asked()
say("bestmove " + sys.argv[1])
session.asked()
