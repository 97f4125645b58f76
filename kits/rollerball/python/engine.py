"""A Rollerball engine that plays any legal move on the 7-3 board."""

import random


def find_best_move(board):
    """Called for every move, in a new interpreter as it were: nothing is kept from the last one. Returns the move, a number."""
    moves = list(board.get_legal_moves())
    if not moves:
        return 0

    # Your idea goes here. To look ahead, play on a copy:
    #   ahead = board.copy()
    #   ahead.do_move(moves[0])
    #   ahead.get_legal_moves(), ahead.in_check()
    return random.choice(moves)


def squares(move):
    """Where a move goes from and to, as files and ranks from 0, and what a pawn becomes: "r", "b" or ""."""
    start, target = move >> 8 & 63, move & 63
    return (start % 8, start // 8), (target % 8, target // 8), "r" if move & 0x80 else "b" if move & 0x40 else ""
