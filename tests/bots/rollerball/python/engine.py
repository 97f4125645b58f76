import random
import sys

from board import Board
from memory import remember


def look_ahead(board, depth):
    moves = board.get_legal_moves()
    if not moves:
        return -1000 if board.in_check() else 0
    if depth == 0:
        return len(moves)
    scores = []
    for move in moves:
        ahead = board.copy()
        ahead.do_move(move)
        scores.append(-look_ahead(ahead, depth - 1))
    return max(scores)


def find_best_move(board):
    print("stdout is nobody's channel")
    try:
        Board()
    except TypeError:
        print("call", remember(), file=sys.stderr)
    best, best_score = 0, -1_000_000
    for move in sorted(board.get_legal_moves()):
        ahead = board.copy()
        ahead.do_move(move)
        score = -look_ahead(ahead, 1) + random.random()
        if score > best_score:
            best, best_score = move, score
    # Not an int, but something that becomes one.
    return float(best)
