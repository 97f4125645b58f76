"""Plays random legal turns, works a little for each, and checks what it is told about the clocks; goes when that cannot be true."""

import sys
import time

from ugi import Rules, Session, bestmove, say

# Processor time that each turn takes at least.
WORK = 0.03
# Times are told in whole milliseconds.
ROUNDING = 0.001


def told(limits):
    """What `go` said, in seconds."""
    return {name: int(value) / 1000 for name, value in zip(limits[::2], limits[1::2])}


def check(true, what):
    if not true:
        sys.stderr.write("the clock is wrong: %s\n" % what)
        sys.exit(1)


def compare(before, now, own, worked, passed):
    """One turn of ours and one of the opponent's lie between the two."""
    check(before["p1inc"] == now["p1inc"] and before["p2inc"] == now["p2inc"], "the increment changed")
    other = "p2" if own == "p1" else "p1"
    most = before[own + "time"] - worked + before[own + "inc"] + ROUNDING
    check(now[own + "time"] <= most, "after a turn of at least %s s: %s, then %s" % (worked, before, now))
    most = before[other + "time"] + before[other + "inc"] + ROUNDING
    check(now[other + "time"] <= most, "the opponent got too much: %s, then %s" % (before, now))
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
    asked, turns = time.monotonic(), session.position[2:] if "moves" in session.position else []
    own = "p1" if len(turns) % 2 == 0 else "p2"
    if before is not None:
        compare(before, limits, own, worked, asked - answers[-2])
        checked += 1
        sys.stderr.write("clocks checked: %d, increments %g and %g\n" % (checked, limits["p1inc"], limits["p2inc"]))
    before, start = limits, time.process_time()
    turn = rules.choose()
    while time.process_time() - start < WORK:
        pass
    worked = time.process_time() - start
    answers.append(time.monotonic())
    say(bestmove(turn))
