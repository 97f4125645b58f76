"""The bridge between the course's Python and student_agent.cpp, which compile.sh makes a library of."""

import ctypes
import json
import os

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "build", "student_agent.so")

_choose = ctypes.CDLL(LIBRARY).choose
_choose.restype = None
_choose.argtypes = [ctypes.c_char_p] + [ctypes.c_int] * 5 + [ctypes.c_double] * 2 + [ctypes.c_char_p, ctypes.c_int]


def letter(piece):
    """A cell as student_agent.cpp reads it."""
    if piece is None:
        return "."
    kind = "S" if piece.side == "stone" else "V" if piece.orientation == "vertical" else "H"
    return kind if piece.owner == "circle" else kind.lower()


class StudentAgent:
    """One object plays one game."""

    def __init__(self, player):
        self.player = player
        self.opponent = "square" if player == "circle" else "circle"

    def choose(self, board, rows, cols, score_cols, current_player_time, opponent_time):
        """Asks the library."""
        letters = "".join(letter(piece) for row in board for piece in row).encode()
        area = min(score_cols), max(score_cols)
        answer = ctypes.create_string_buffer(256)
        circle = self.player == "circle"
        _choose(letters, rows, cols, *area, circle, current_player_time, opponent_time, answer, len(answer))
        return json.loads(answer.value)
