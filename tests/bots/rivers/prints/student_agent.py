"""Prints, reads its stdin, starts a program that prints, and leaves a thread behind; its moves are legal."""

import os
import random
import sys
import threading
import time

from agent import BaseAgent, get_opponent, in_bounds
from gameEngine import Piece, check_win, generate_all_moves

print("imported", os.path.basename(os.getcwd()) != "", sys.stdin.read() == "")
threading.Thread(target=lambda: time.sleep(3600)).start()


class StudentAgent(BaseAgent):
    def __init__(self, player):
        super().__init__(player)
        self.random = random.Random(player)
        os.system("echo a child speaks")

    def choose(self, board, rows, cols, score_cols, current_player_time, opponent_time):
        assert self.opponent == get_opponent(self.player) and in_bounds(0, 0, rows, cols)
        assert all(isinstance(cell, Piece) for row in board for cell in row if cell)
        assert check_win(board, rows, cols, score_cols) is None
        print('{"move": {"action": "flip"}} 😀 \u0007')
        os.write(1, b"to the descriptor\n")
        sys.stdout.write("no line end")
        return self.random.choice(generate_all_moves(board, self.player, rows, cols, score_cols))
