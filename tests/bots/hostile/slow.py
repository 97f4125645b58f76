"""Does nothing wrong, but thinks long: the opponent of those who think on its time."""

import time

from common import TOLD, say, some_turn, until_go

while True:
    turns = until_go()
    time.sleep(TOLD["patience"])
    say('bestmove "%s"' % some_turn(turns))
