"""A Yinsh bot that plays random legal turns: make it better.

It talks in lines. The first line it reads is "PLAYER N SECONDS K"; after that, every line it reads is a turn of the
opponent, and every line it prints is a turn of its own. Stdout is the wire, so print nothing else there. To see what
your bot thinks, use print(..., file=sys.stderr).
"""

import copy
import itertools
import random
import sys

RING = {1: "A", 2: "B"}
MARKER = {1: "a", 2: "b"}
EMPTY = "."
FLIPPED = {"a": "b", "b": "a", EMPTY: EMPTY}
RINGS_TO_WIN = 3

# Steps (x, y) along the lines of the board, clockwise from straight up. The last three go the first three backwards.
DIRECTIONS = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)]

# A turn is one or more moves. A move is a tuple: ("P", point) places a ring, ("S", from, to) moves one,
# ("RS", end, end) takes a row of markers, ("X", point) a ring for it. In texts the second points have letters too:
SECOND_LETTER = {"S": "M", "RS": "RE"}


def choose(position):
    """Your idea goes here. This one takes any legal move until the turn is complete.

    It may play on the position as it likes: it is a copy.
    """
    me = position.player
    turn = []
    while position.player == me:
        moves = position.moves()
        if not moves:
            break  # The game is over.
        turn.append(random.choice(moves))
        position.play(turn[-1])
    return turn


def points_of_board(size):
    """The points of the board by name: (hexagon, position) -> (x, y). The outermost hexagon has no corners."""
    points = {(0, 0): (0, 0)}
    for hexagon in range(1, size + 1):
        for position in range(6 * hexagon):
            side, rest = divmod(position, hexagon)
            if hexagon < size or rest > 0:
                (x1, y1), (x2, y2) = DIRECTIONS[side], DIRECTIONS[(side + 1) % 6]
                x, y = x1 * (hexagon - rest) + x2 * rest, y1 * (hexagon - rest) + y2 * rest
                points[hexagon, position] = (x, y)
    return points


def line(start, end):
    """All points from one to another on the same line, both included."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    steps = max(abs(dx), abs(dy))
    return [(x + i * dx // steps, y + i * dy // steps) for i in range(steps + 1)]


class Position:
    """What stands on each point (x, y), who is to move, and which kind of move is due: "P", "S", "RS" or "X"."""

    def __init__(self, size, row):
        self.size = size  # of the hexagon; each player has as many rings
        self.row = row  # markers in a row
        self.at = {point: EMPTY for point in points_of_board(size).values()}
        self.player = 1
        self.due = "P"
        self.given = False  # Whether the row that is due was made by the opponent, so that a ring move comes after it.
        self.taken = {1: 0, 2: 0}

    def moves(self):
        """All legal moves."""
        me = self.player
        if self.due == "P":
            return [("P", point) for point in self.all_with(EMPTY)]
        if self.due == "S":
            return [("S", ring, to) for ring in self.all_with(RING[me]) for to in self.destinations(ring)]
        if self.due == "RS":
            return [("RS", start, end) for start, end in self.rows(me)]
        if self.due == "X":
            return [("X", ring) for ring in self.all_with(RING[me])]
        return []

    def all_with(self, piece):
        return [point for point, found in self.at.items() if found == piece]

    def destinations(self, ring):
        """Where a ring can go: over empty points, then over one block of markers to the point right behind it."""
        found = []
        for dx, dy in DIRECTIONS:
            (x, y), jumped = ring, False
            while True:
                x, y = x + dx, y + dy
                piece = self.at.get((x, y))
                if piece == EMPTY:
                    found.append((x, y))
                    if jumped:
                        break
                elif piece in MARKER.values():
                    jumped = True
                else:
                    break  # A ring, or the edge of the board.
        return found

    def rows(self, player):
        """The two ends of each row that a player could take. In a longer run any part of the right length will do."""
        found = []
        for x, y in self.all_with(MARKER[player]):
            for dx, dy in DIRECTIONS[:3]:
                row = [(x + i * dx, y + i * dy) for i in range(self.row)]
                if all(self.at.get(point) == MARKER[player] for point in row):
                    found.append((row[0], row[-1]))
        return found

    def play(self, move):
        me = self.player
        kind, point, *other = move
        if kind == "P":
            self.at[point] = RING[me]
            self.end_turn()
        elif kind == "S":
            self.given = False
            way = line(point, other[0])
            for crossed in way[1:-1]:
                self.at[crossed] = FLIPPED[self.at[crossed]]
            self.at[way[0]], self.at[way[-1]] = MARKER[me], RING[me]
            if self.rows(me):
                self.due = "RS"
            else:
                self.end_turn()
        elif kind == "RS":
            for marker in line(point, other[0]):
                self.at[marker] = EMPTY
            self.due = "X"
        elif kind == "X":
            self.at[point] = EMPTY
            self.taken[me] += 1
            if self.taken[me] == RINGS_TO_WIN:
                self.due = None
            elif self.rows(me):
                # With two rows from the opponent there is no ring move any more: the course's server plays it so.
                self.due, self.given = "RS", False
            elif self.given:
                self.due = "S"
            else:
                self.end_turn()

    def end_turn(self):
        placing = self.due == "P"
        self.player = 3 - self.player
        self.given = bool(self.rows(self.player))
        if placing and len(self.all_with(RING[self.player])) < self.size:
            self.due = "P"
        else:
            self.due = "RS" if self.given else "S"


def read_turn(text, points):
    """Reads a turn such as "S 4 0 M 1 3 RS 0 0 RE 4 0 X 1 3": letters and points."""
    turn = []
    words = iter(text.split())
    for letter, hexagon, position in zip(words, words, words):
        point = points[int(hexagon), int(position)]
        if letter in SECOND_LETTER.values():
            turn[-1] += (point,)
        else:
            turn.append((letter, point))
    return turn


def write_turn(turn, names):
    words = []
    for kind, *points in turn:
        for letter, point in zip((kind, SECOND_LETTER.get(kind)), points):
            words += [letter, *names[point]]
    return " ".join(map(str, words))


def main():
    # The seconds are for the whole game, and only the time between reading a line and printing one counts.
    me, size, seconds, *rest = map(int, sys.stdin.readline().split())
    row = rest[0] if rest else 5  # Old servers do not tell it.
    points = points_of_board(size)
    names = {point: name for name, point in points.items()}
    position = Position(size, row)
    for player in itertools.cycle((1, 2)):
        if player == me:
            turn = choose(copy.deepcopy(position))
            print(write_turn(turn, names), flush=True)
        else:
            text = sys.stdin.readline()
            if not text:
                return  # The game is over.
            turn = read_turn(text, points)
        for move in turn:
            position.play(move)


if __name__ == "__main__":
    main()
