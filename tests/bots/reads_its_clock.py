"""Plays random legal turns, checks what it is told about the clocks, and goes when that cannot be true.

How much is charged for a turn is the referee's to say: time in which the machine stood still is not, and a bot cannot know of that.
"""

import sys
import time

from ugi import Rules, Session, bestmove, say

# Processor time that each turn takes at least, so that there is something to charge.
WORK = 0.01
# Times are told in whole milliseconds.
ROUNDING = 0.001


def told(limits):
    """What `go` said, in seconds."""
    return {name: int(value) / 1000 for name, value in zip(limits[::2], limits[1::2])}


def check(true, what):
    if not true:
        sys.stderr.write("the clock is wrong: %s\n" % what)
        sys.exit(1)


def compare(before, now, passed):
    """One turn of ours and one of the opponent's lie between the two."""
    check(before["p1inc"] == now["p1inc"] and before["p2inc"] == now["p2inc"], "the increment changed")
    for side in "p1", "p2":
        most = before[side + "time"] + before[side + "inc"] + ROUNDING
        check(now[side + "time"] <= most, "%s got too much: %s, then %s" % (side, before, now))
    # Both turns were made between our answer before the last and this question.
    total = lambda clocks: clocks["p1time"] + clocks["p2time"]
    least = total(before) + before["p1inc"] + before["p2inc"] - passed - 2 * ROUNDING
    check(total(now) >= least, "too much was taken off: %s, then %s after %s s" % (before, now, passed))


answers = [time.monotonic()]
session = Session()
rules = Rules(session)
before, checked = None, 0
while True:
    limits = told(session.asked())
    asked = time.monotonic()
    if before is not None:
        compare(before, limits, asked - answers[-2])
        checked += 1
    sys.stderr.write("clocks checked: %d, increments %g and %g, left %.3f and %.3f\n"
                     % (checked, limits["p1inc"], limits["p2inc"], limits["p1time"], limits["p2time"]))
    before, start = limits, time.process_time()
    turn = rules.choose()
    while time.process_time() - start < WORK:
        pass
    answers.append(time.monotonic())
    say(bestmove(turn))
