"""A Breakthrough bot that plays any legal move. It speaks UGI on stdin and stdout."""

import random
import sys

WHITE, BLACK, EMPTY = "w", "b", "."


class Position:
    """Who stands where, and who is to move. A square is a pair of file and rank, both counted from 0: a1 is (0, 0)."""

    def __init__(self, size=8):
        self.size = size
        self.turn = WHITE
        self.board = {(file, rank): EMPTY for file in range(size) for rank in range(size)}
        for file in range(size):
            for rank in (0, 1):
                self.board[file, rank] = WHITE
                self.board[file, size - 1 - rank] = BLACK

    @classmethod
    def from_text(cls, text):
        """Reads `ROW/ROW/… TURN`, the rows from the top."""
        rows, turn = text.split(" ")
        rows = rows.split("/")
        position = cls(len(rows))
        position.turn = turn
        for rank, row in enumerate(reversed(rows)):
            for file, man in enumerate(row):
                position.board[file, rank] = man
        return position

    def legal_moves(self):
        """All moves, as pairs of squares. There is always one, unless the game is over."""
        forward = 1 if self.turn == WHITE else -1
        moves = []
        for (file, rank), man in self.board.items():
            if man != self.turn:
                continue
            for side_step in (-1, 0, 1):
                target = (file + side_step, rank + forward)
                there = self.board.get(target)  # None beside the board
                # A man captures diagonally only, and never its own side's men.
                if there == EMPTY or side_step != 0 and there not in (None, self.turn):
                    moves.append(((file, rank), target))
        return moves

    def play(self, move):
        start, target = move
        self.board[start] = EMPTY
        self.board[target] = self.turn
        self.turn = BLACK if self.turn == WHITE else WHITE


def choose(position):
    """Your idea goes here: bring a man to the far row before the opponent does."""
    return random.choice(position.legal_moves())


def square_name(square):
    file, rank = square
    return "abcdefgh"[file] + str(rank + 1)


def move_text(move):
    return square_name(move[0]) + square_name(move[1])


def read_move(text):
    square = lambda name: ("abcdefgh".index(name[0]), int(name[1]) - 1)
    return square(text[:2]), square(text[2:])


def read_position(line, size):
    """Reads `position startpos moves c2d3 …` or `position fen "…" moves …`."""
    setup, _, moves = line.partition(" moves")
    # A text with a blank in it comes in double quotes.
    position = Position.from_text(setup.split('"')[1]) if " fen " in setup else Position(size)
    for text in moves.split():
        position.play(read_move(text))
    return position


def main():
    size = 8
    position = Position(size)
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "ugi":
            print("id name breakthrough-python\nugiok", flush=True)
        elif words[:4] == ["setoption", "name", "Variant", "value"]:
            size = int(words[4].split("x")[0])  # 8x8 or 6x6
        elif command == "isready":
            print("readyok", flush=True)
        elif command == "position":
            position = read_position(line, size)
        elif command == "go":
            print("bestmove " + move_text(choose(position)), flush=True)
        elif command == "quit":
            break
        # Other options, the beginning of a game: nothing to do.


if __name__ == "__main__":
    main()
