"""A Rivers and Stones bot that plays any legal move, in the form that the course asked for."""

import random

DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


class StudentAgent:
    """One object plays one game."""

    def __init__(self, player):
        self.player = player  # "circle", which starts at the bottom and scores at the top, or "square"
        self.opponent = "square" if player == "circle" else "circle"

    def choose(self, board, rows, cols, score_cols, current_player_time, opponent_time):
        """Your idea goes here. `board[y][x]` is None or a piece; the times are what is left, in seconds."""
        position = Position(board, rows, cols, score_cols)
        return random.choice(position.legal_moves(self.player))


class Position:
    """A board and what may be done on it. A cell is (x, y), the column and the row, from the top left."""

    def __init__(self, board, rows, cols, score_cols):
        self.board, self.rows, self.cols, self.score_cols = board, rows, cols, score_cols

    def piece(self, cell):
        """A piece with `owner` (circle, square), `side` (stone, river) and `orientation` (horizontal, vertical), or None."""
        return self.board[cell[1]][cell[0]]

    def is_open(self, cell, player):
        """Whether the player's pieces may be there: on the board, and not in the area where the opponent scores."""
        x, y = cell
        closed_row = self.rows - 3 if player == "circle" else 2
        on_board = 0 <= x < self.cols and 0 <= y < self.rows
        return on_board and not (y == closed_row and x in self.score_cols)

    def flow(self, start, orientation, origin, player):
        """The empty cells where rivers carry a piece of the player that comes from `origin`. The first one lies on `start`."""
        found, waiting, seen = [], [(start, orientation)], {start}
        while waiting:
            (x, y), orientation = waiting.pop()
            for step in (1, -1):
                dx, dy = (step, 0) if orientation == "horizontal" else (0, step)
                cell = (x + dx, y + dy)
                while self.is_open(cell, player):
                    piece = self.piece(cell)
                    if cell == origin:
                        pass  # The piece has left it: no obstacle, but no place to stop either.
                    elif piece is None:
                        found.append(cell)
                    else:
                        if piece.side == "river" and cell not in seen:
                            seen.add(cell)  # It carries on along its own line.
                            waiting.append((cell, piece.orientation))
                        break
                    cell = (cell[0] + dx, cell[1] + dy)
        return sorted(set(found))

    def moves_of(self, cell):
        """Every legal move of the piece on `cell`."""
        mover = self.piece(cell)
        move = lambda to: {"action": "move", "from": list(cell), "to": list(to)}
        push = lambda to, end: {"action": "push", "from": list(cell), "to": list(to), "pushed_to": list(end)}
        moves = []
        for dx, dy in DIRECTIONS:
            to = (cell[0] + dx, cell[1] + dy)
            if not self.is_open(to, mover.owner):
                continue
            other = self.piece(to)
            if other is None:
                moves.append(move(to))
            elif other.side == "river":
                moves += [move(end) for end in self.flow(to, other.orientation, cell, mover.owner)]
            elif mover.side == "stone":  # It pushes a stone, anybody's, by one.
                end = (to[0] + dx, to[1] + dy)
                if self.is_open(end, other.owner) and self.piece(end) is None:
                    moves.append(push(to, end))
            else:  # A river pushes a stone along its line, and becomes a stone.
                moves += [push(to, end) for end in self.flow(to, mover.orientation, cell, other.owner)]
        if mover.side == "stone":
            moves += [{"action": "flip", "from": list(cell), "orientation": o} for o in ("horizontal", "vertical")]
        else:
            moves += [{"action": "flip", "from": list(cell)}, {"action": "rotate", "from": list(cell)}]
        return moves

    def legal_moves(self, player):
        """Every legal move of a player; there is always one. Two rivers may lead to one cell: no move is listed twice."""
        cells = [(x, y) for y in range(self.rows) for x in range(self.cols)]
        own = [cell for cell in cells if self.piece(cell) and self.piece(cell).owner == player]
        moves = [move for cell in own for move in self.moves_of(cell)]
        return list({str(move): move for move in moves}.values())
