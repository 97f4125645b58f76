"""A Cannon bot that plays random legal moves: make it better.

It talks in lines. The first line it reads is "PLAYER ROWS COLUMNS SECONDS"; after that, every line it reads is a
turn of the opponent, and every line it prints is a turn of its own. Stdout is the wire, so print nothing else there.
To see what your bot thinks, use print(..., file=sys.stderr).
"""

import itertools
import random
import sys

# Player 1 is Black, starts at the bottom and moves up; player 2 is White, starts at the top and moves down.
SOLDIER = {1: "S", 2: "s"}
HALL = {1: "T", 2: "t"}
EMPTY = "."
FORWARD = {1: -1, 2: 1}
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def choose(board, player):
    """Your idea goes here. This one takes any legal turn.

    To see where a turn leads, play it on copy.deepcopy(board).
    """
    return random.choice(board.turns(player))


class Board:
    """What stands on each square (x, y): x counts columns from the left, y counts rows from the top."""

    def __init__(self, rows, columns):
        self.at = {(x, y): EMPTY for y in range(rows) for x in range(columns)}
        for x in range(columns):
            soldiers, owner = (range(rows - 3, rows), 1) if x % 2 == 0 else (range(3), 2)
            for y in soldiers:
                self.at[x, y] = SOLDIER[owner]
            # Each column holds the soldiers of one side and a hall of the other, at the far end.
            self.at[x, 0 if owner == 1 else rows - 1] = HALL[3 - owner]

    def turns(self, player):
        """All legal turns of a player, as the texts that the referee understands."""
        turns = []
        for (x, y), piece in self.at.items():
            if piece == SOLDIER[player]:
                moves, shots = self.cannon_moves_and_shots(player, x, y)
                moves += self.soldier_moves(player, x, y)
                turns += [f"S {x} {y} M {to_x} {to_y}" for to_x, to_y in moves]
                turns += [f"S {x} {y} B {to_x} {to_y}" for to_x, to_y in shots]
        return turns

    def soldier_moves(self, player, x, y):
        """Where a soldier can go on its own: steps, captures to the side, retreats."""
        enemy_soldier, enemy_hall = SOLDIER[3 - player], HALL[3 - player]
        ahead = FORWARD[player]
        before = [(x - 1, y + ahead), (x, y + ahead), (x + 1, y + ahead)]
        beside = [(x - 1, y), (x + 1, y)]
        behind = [(x - 2, y - 2 * ahead), (x, y - 2 * ahead), (x + 2, y - 2 * ahead)]
        # at.get() gives None outside the board, which is none of the things that we look for.
        moves = [to for to in before if self.at.get(to) in (EMPTY, enemy_soldier, enemy_hall)]
        moves += [to for to in beside if self.at.get(to) in (enemy_soldier, enemy_hall)]
        if any(self.at.get(near) == enemy_soldier for near in before + beside):
            moves += [to for to in behind if self.at.get(to) in (EMPTY, enemy_soldier)]
        return moves

    def cannon_moves_and_shots(self, player, x, y):
        """What cannons (three soldiers in a line) can do whose rear soldier stands on (x, y)."""
        moves, shots = [], []
        for dx, dy in DIRECTIONS:
            line = [(x + i * dx, y + i * dy) for i in range(6)]
            pieces = [self.at.get(square) for square in line]
            if pieces[:3] == [SOLDIER[player]] * 3 and pieces[3] == EMPTY:
                moves.append(line[3])
                # A shot at an empty square is legal too: it is the only way to pass.
                for i in (4, 5):
                    if pieces[i] not in (None, SOLDIER[player], HALL[player]):
                        shots.append(line[i])
        return moves, shots

    def play(self, turn):
        """Plays a turn: "S x y M x2 y2" is a move, "S x y B x2 y2" a shot."""
        _, x, y, action, to_x, to_y = turn.split()
        to = int(to_x), int(to_y)
        if action == "M":
            soldier = int(x), int(y)
            self.at[to], self.at[soldier] = self.at[soldier], EMPTY
        else:
            self.at[to] = EMPTY


def main():
    # The seconds are for the whole game, and only the time between reading a line and printing one counts.
    me, rows, columns, seconds = map(int, sys.stdin.readline().split())
    board = Board(rows, columns)
    for player in itertools.cycle((1, 2)):
        if player == me:
            turn = choose(board, me)
            print(turn, flush=True)
        else:
            turn = sys.stdin.readline()
            if not turn:
                return  # The game is over.
        board.play(turn)


if __name__ == "__main__":
    main()
