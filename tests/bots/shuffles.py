"""Only ever draws, if it is let: takes back its last move whenever that is legal."""

from ugi import Rules, Session, bestmove, say


def back(turn):
    """The turn that undoes this one, if it is a plain move: `a1a2`, `d8-d7`, `S 1 2 M 1 3`."""
    words = turn.split()
    if len(words) == 6:
        return " ".join([words[0], words[4], words[5], words[3], words[1], words[2]])
    if "-" in turn:
        return "-".join(reversed(turn.split("-", 1)))
    return turn[2:4] + turn[:2]


session = Session()
rules = Rules(session)
last = None
while True:
    session.asked()
    legal = rules.legal()
    turn = back(last) if last is not None and back(last) in legal else rules.random.choice(legal)
    last = turn
    say(bestmove(turn))
