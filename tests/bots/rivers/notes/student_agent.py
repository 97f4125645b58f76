"""Writes down what it is told, a line of JSON for each turn, and plays the moves of its script."""

import json

with open("script.json") as file:
    SCRIPT = json.load(file)


class StudentAgent:
    def __init__(self, *told):
        (self.player,) = told
        self.turn = 0

    def choose(self, *told):
        board, rows, cols, score_cols, mine, other = told
        note = {
            "player": self.player,
            "types": [type(value).__name__ for value in told],
            "rows": rows,
            "cols": cols,
            "score_cols": score_cols,
            "times": [mine, other],
            "board": [[cell.to_dict() if cell else None for cell in row] for row in board],
            "copies": sorted({str(cell.copy().orientation) for row in board for cell in row if cell}),
        }
        with open(SCRIPT["notes"], "a") as file:
            file.write(json.dumps(note) + "\n")
        board[0][0] = "the board is ours to spoil"
        self.turn += 1
        return SCRIPT[self.player][self.turn - 1]
