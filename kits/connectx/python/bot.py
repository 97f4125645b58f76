"""An Ultimate Connect-X bot that plays any legal cell.

It is started for every turn: it reads the position from stdin, prints `row col`, and ends.
"""

import random
import sys

SIZE = 9


def read_position():
    """The grid (0 empty, 1 and 2 stones), the number of our stones, and the last stone's row and column."""
    # Twelve lines and no more: the original arena leaves stdin open, so reading to its end would take for ever there.
    lines = [sys.stdin.readline() for _ in range(12)]
    numbers = [int(word) for line in lines for word in line.split()]
    # numbers[0] is 4, the stones to connect; then come 9 and 9, the rows and columns.
    cells = numbers[3 : 3 + SIZE * SIZE]
    grid = [cells[SIZE * row : SIZE * (row + 1)] for row in range(SIZE)]
    last_player, last_row, last_column = numbers[3 + SIZE * SIZE :]
    return grid, 3 - last_player, (last_row, last_column)


def empty_cells(grid, board):
    """The empty cells of a local board. Boards are numbered 0 to 8, row by row."""
    top, left = board // 3 * 3, board % 3 * 3
    cells = [(row, column) for row in range(top, top + 3) for column in range(left, left + 3)]
    return [(row, column) for row, column in cells if grid[row][column] == 0]


def legal_moves(grid, last):
    """The cells where we may play."""
    if last == (-1, -1):
        return empty_cells(grid, 4)  # The first stone goes to the middle.
    # The place of the last stone within its local board is the number of the board where we must play.
    board = last[0] % 3 * 3 + last[1] % 3
    # If that board is full, it is the lowest-numbered one with an empty cell.
    boards = [board] + list(range(9))
    return next(cells for cells in (empty_cells(grid, board) for board in boards) if cells)


def choose(grid, me, last):
    """Your idea goes here: connect four stones with the number `me` before the opponent does."""
    return random.choice(legal_moves(grid, last))


if __name__ == "__main__":
    row, column = choose(*read_position())
    print(row, column)
