"""Flips and turns one stone, with every kind of number that the original takes."""


class Whole:
    """Like numpy's numbers: no int, but it can become one."""

    def __init__(self, value):
        self.value = value

    def __int__(self):
        return self.value


class Array:
    """Like numpy's arrays: nobody may ask it whether it is true."""

    def __init__(self, *values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index]

    def __bool__(self):
        raise ValueError("the truth value of an array is ambiguous")


class StudentAgent:
    def __init__(self, player):
        self.player = player
        self.turn = 0

    def choose(self, board, rows, cols, score_cols, current_player_time, opponent_time):
        self.turn += 1
        y = rows - 4 if self.player == "circle" else 3
        places = [("3", str(y)), Array(Whole(3), Whole(y)), (3.9, y + 0.2), "3%d" % y, [3, y, "more"]]
        place = places[self.turn % len(places)]
        piece = board[y][3]
        if piece.side == "stone":
            return {"action": "flip", "from": place, "to": [], "orientation": "vertical", "why": object()}
        return {"action": "flip", "from": place, "orientation": None, "pushed_to": object()}
