def find_best_move(board):
    """There is nothing on a1."""
    return 8
