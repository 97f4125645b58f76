"""Pieces, boards and rules for agents: what gameEngine.py and agent.py here hand on.

The names and their arguments are those of the course; the rules are those that Agon's referee enforces. Places are
(x, y): column and row, both from 0, counted from the top left. A board is a list of rows of None or Piece.
"""

from collections import deque

DEFAULT_ROWS = 13
DEFAULT_COLS = 12
TIME_PER_PLAYER = 60
WIN_COUNT = 4

BOARD_SIZES = {"small": (13, 12), "medium": (15, 14), "large": (17, 16)}
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))


class Piece:
    """A piece: whose it is, which side is up, and along which line it flows."""

    def __init__(self, owner, side="stone", orientation=None):
        self.owner = owner
        self.side = side
        self.orientation = orientation or "horizontal"

    def copy(self):
        return Piece(self.owner, self.side, self.orientation)

    def to_dict(self):
        return {"owner": self.owner, "side": self.side, "orientation": self.orientation}

    @staticmethod
    def from_dict(d):
        if d is None:
            return None
        return Piece(d["owner"], d.get("side", "stone"), d.get("orientation", "horizontal"))

    def __repr__(self):
        return "Piece(%r, %r, %r)" % (self.owner, self.side, self.orientation)


# ---- the board ----


def opponent(p):
    return "circle" if p == "square" else "square"


def get_opponent(player):
    return opponent(player)


def empty_board(rows, cols):
    return [[None] * cols for _ in range(rows)]


def default_start_board(rows, cols):
    board = empty_board(rows, cols)
    width = cols // 2
    left = (cols - width) // 2
    for owner, top in (("square", 3), ("circle", rows - 5)):
        for y in (top, top + 1):
            for x in range(left, left + width):
                board[y][x] = Piece(owner)
    return board


def board_to_hash(board):
    """A text that is equal for equal boards."""

    def name(cell):
        return "_" if cell is None else "_".join(str(part) for part in cell.to_dict().values())

    return "||".join("|".join(name(cell) for cell in row) for row in board)


def board_to_ascii(board, rows, cols, score_cols):
    """The board as text: S, H, V are circle's stone and rivers, s, h, v square's."""

    def letter(x, y):
        cell = board[y][x]
        if cell is None:
            return "o" if x in score_cols and y in (top_score_row(), bottom_score_row(rows)) else "."
        found = "s" if cell.side == "stone" else cell.orientation[0]
        return found.upper() if cell.owner == "circle" else found

    return "\n".join("%2d %s" % (y, " ".join(letter(x, y) for x in range(cols))) for y in range(rows))


def in_bounds(x, y, rows, cols):
    return 0 <= x < cols and 0 <= y < rows


# ---- the score areas ----


def get_win_count(cols):
    return 4 if cols <= 12 else 5 if cols <= 14 else 6


def score_cols_for(cols):
    width = get_win_count(cols)
    first = max(0, (cols - width) // 2)
    return list(range(first, first + width))


def top_score_row():
    return 2


def bottom_score_row(rows):
    return rows - 3


def is_own_score_cell(x, y, player, rows, cols, score_cols):
    """Whether player scores here."""
    return x in score_cols and y == (top_score_row() if player == "circle" else bottom_score_row(rows))


def is_opponent_score_cell(x, y, player, rows, cols, score_cols):
    """Whether player may not go here, because the other one scores here."""
    return x in score_cols and y == (bottom_score_row(rows) if player == "circle" else top_score_row())


# ---- what a piece can do ----


def get_river_flow_destinations(board, rx, ry, sx, sy, player, rows, cols, score_cols, river_push=False):
    """Where a piece of player comes to rest that enters the river on (rx, ry) from (sx, sy). With river_push it is a
    stone on (rx, ry) that rides, as if the river of (sx, sy) lay under it."""
    found = {}
    waiting = deque([(rx, ry)])
    seen = {(rx, ry)}
    while waiting:
        x, y = waiting.popleft()
        river = board[sy][sx] if river_push and (x, y) == (rx, ry) else board[y][x]
        if river is None or river.side != "river":
            continue
        step_x, step_y = (1, 0) if river.orientation == "horizontal" else (0, 1)
        for sign in (1, -1):
            nx, ny = x + sign * step_x, y + sign * step_y
            while in_bounds(nx, ny, rows, cols):
                if is_opponent_score_cell(nx, ny, player, rows, cols, score_cols):
                    break
                cell = board[ny][nx]
                if cell is None:
                    found[(nx, ny)] = True
                elif (nx, ny) != (sx, sy):
                    if cell.side == "river" and (nx, ny) not in seen:
                        seen.add((nx, ny))
                        waiting.append((nx, ny))
                    break
                nx, ny = nx + sign * step_x, ny + sign * step_y
    return list(found)


def compute_valid_targets(board, sx, sy, player, rows, cols, score_cols):
    """{"moves": set of places, "pushes": list of (pushed piece's place, where it goes)} of the piece on (sx, sy)."""
    moves, pushes = set(), []
    piece = board[sy][sx] if in_bounds(sx, sy, rows, cols) else None
    if piece is None or piece.owner != player:
        return {"moves": moves, "pushes": pushes}
    for dx, dy in AROUND:
        tx, ty = sx + dx, sy + dy
        if not in_bounds(tx, ty, rows, cols) or is_opponent_score_cell(tx, ty, player, rows, cols, score_cols):
            continue
        target = board[ty][tx]
        if target is None:
            moves.add((tx, ty))
        elif target.side == "river":
            moves.update(get_river_flow_destinations(board, tx, ty, sx, sy, player, rows, cols, score_cols))
        elif piece.side == "river":
            flow = get_river_flow_destinations(board, tx, ty, sx, sy, target.owner, rows, cols, score_cols, True)
            pushes.extend(((tx, ty), place) for place in flow)
        else:
            px, py = tx + dx, ty + dy
            free = in_bounds(px, py, rows, cols) and board[py][px] is None
            if free and not is_opponent_score_cell(px, py, target.owner, rows, cols, score_cols):
                pushes.append(((tx, ty), (px, py)))
    return {"moves": moves, "pushes": pushes}


def generate_all_moves(board, player, rows, cols, score_cols):
    """Every legal move of player."""
    found = []
    for y in range(rows):
        for x in range(cols):
            piece = board[y][x]
            if piece is None or piece.owner != player:
                continue
            here = [x, y]
            targets = compute_valid_targets(board, x, y, player, rows, cols, score_cols)
            for to in targets["moves"]:
                found.append({"action": "move", "from": here[:], "to": list(to)})
            for to, pushed_to in targets["pushes"]:
                found.append({"action": "push", "from": here[:], "to": list(to), "pushed_to": list(pushed_to)})
            if piece.side == "stone":
                for orientation in ("horizontal", "vertical"):
                    found.append({"action": "flip", "from": here[:], "orientation": orientation})
            else:
                turned = "vertical" if piece.orientation == "horizontal" else "horizontal"
                found.append({"action": "flip", "from": here[:], "orientation": None})
                found.append({"action": "rotate", "from": here[:], "orientation": turned})
    return found


# ---- playing a move ----


def validate_and_apply_move(board, move, player, rows, cols, score_cols):
    """Plays the move on the board if it is legal: (True, what was done) or (False, what is wrong)."""
    if not isinstance(move, dict):
        return False, "move must be dict"
    play = {"move": _go, "push": _push, "flip": _flip, "rotate": _rotate}.get(move.get("action"))
    if play is None:
        return False, "unknown action"
    return play(board, move, player, rows, cols, score_cols)


def _places(move, names):
    values = [move.get(name) for name in names]
    return [(int(value[0]), int(value[1])) for value in values] if all(values) else None


def _own(board, place, player):
    piece = board[place[1]][place[0]]
    return piece if piece is not None and piece.owner == player else None


def _go(board, move, player, rows, cols, score_cols):
    places = _places(move, ("from", "to"))
    if places is None:
        return False, "move needs from & to"
    if not all(in_bounds(x, y, rows, cols) for x, y in places):
        return False, "oob"
    (fx, fy), (tx, ty) = places
    if is_opponent_score_cell(tx, ty, player, rows, cols, score_cols):
        return False, "can't go into opponent score"
    if _own(board, places[0], player) is None:
        return False, "invalid piece"
    if board[ty][tx] is not None:
        return False, "invalid move"
    if (tx, ty) not in compute_valid_targets(board, fx, fy, player, rows, cols, score_cols)["moves"]:
        return False, "invalid move location"
    board[ty][tx], board[fy][fx] = board[fy][fx], None
    return True, "moved"


def _push(board, move, player, rows, cols, score_cols):
    places = _places(move, ("from", "to", "pushed_to"))
    if places is None:
        return False, "push needs from,to,pushed_to"
    if not all(in_bounds(x, y, rows, cols) for x, y in places):
        return False, "oob"
    (fx, fy), (tx, ty), (px, py) = places
    pushed = board[ty][tx]
    if is_opponent_score_cell(px, py, pushed.owner if pushed else None, rows, cols, score_cols):
        return False, "push would enter opponent score cell"
    pusher = _own(board, places[0], player)
    if pusher is None:
        return False, "invalid piece"
    if pushed is None:
        return False, "to must be occupied"
    if board[py][px] is not None:
        return False, "pushed_to not empty"
    if pusher.side == "river" and pushed.side == "river":
        return False, "rivers cannot push rivers"
    targets = compute_valid_targets(board, fx, fy, player, rows, cols, score_cols)
    if ((tx, ty), (px, py)) not in targets["pushes"]:
        return False, "push pair invalid"
    board[py][px], board[ty][tx], board[fy][fx] = pushed, pusher, None
    if pusher.side == "river":
        pusher.side, pusher.orientation = "stone", None
    return True, "push applied"


def _flip(board, move, player, rows, cols, score_cols):
    places = _places(move, ("from",))
    if places is None:
        return False, "flip needs from"
    if not in_bounds(places[0][0], places[0][1], rows, cols):
        return False, "oob"
    piece = _own(board, places[0], player)
    if piece is None:
        return False, "invalid piece"
    if piece.side == "river":
        piece.side, piece.orientation = "stone", None
        return True, "flipped to stone"
    if move.get("orientation") not in ("horizontal", "vertical"):
        return False, "stone->river needs orientation"
    piece.side, piece.orientation = "river", move["orientation"]
    return True, "flipped to river"


def _rotate(board, move, player, rows, cols, score_cols):
    places = _places(move, ("from",))
    if places is None:
        return False, "rotate needs from"
    if not in_bounds(places[0][0], places[0][1], rows, cols):
        return False, "oob"
    piece = _own(board, places[0], player)
    if piece is None:
        return False, "invalid"
    if piece.side == "stone":
        return False, "rotate only on river"
    piece.orientation = "vertical" if piece.orientation == "horizontal" else "horizontal"
    return True, "rotated"


# ---- the end ----


def count_scoring_pieces(board, player, rows, cols, score_cols):
    """The n of the scores: stones of player in its own area."""
    y = top_score_row() if player == "circle" else bottom_score_row(rows)
    cells = [board[y][x] for x in score_cols]
    return sum(1 for cell in cells if cell is not None and cell.owner == player and cell.side == "stone")


def count_reachable_in_one(board, player, rows, cols, score_cols):
    """The m of the scores: stones that can get home, or push one home, in a move, and rivers that lie there."""

    def home(x, y):
        return is_own_score_cell(x, y, player, rows, cols, score_cols)

    count = 0
    for y in range(rows):
        for x in range(cols):
            piece = board[y][x]
            if piece is None or piece.owner != player:
                continue
            if piece.side == "river":
                count += home(x, y)
            elif not home(x, y):
                targets = compute_valid_targets(board, x, y, player, rows, cols, score_cols)
                goes = any(home(*place) for place in targets["moves"])
                count += goes or any(home(*place) for _, place in targets["pushes"])
    return count


def check_win(board, rows, cols, score_cols):
    """Who has filled its area; None if nobody."""
    for player in ("circle", "square"):
        if count_scoring_pieces(board, player, rows, cols, score_cols) >= get_win_count(cols):
            return player
    return None


def compute_final_scores(board, winner, rows, cols, score_cols, remaining_times=None):
    """{"circle": points, "square": points}; winner None is a draw, unless one of the clocks has run out."""
    if winner is None and remaining_times:
        out = [player for player in ("circle", "square") if remaining_times.get(player, 1) <= 0]
        winner = opponent(out[0]) if len(out) == 1 else None
    weight, pieces = (10.0, 12) if cols <= 12 else (8.0, 14) if cols <= 14 else (6.5, 16)

    def worth(player):
        near = count_reachable_in_one(board, player, rows, cols, score_cols)
        return count_scoring_pieces(board, player, rows, cols, score_cols) + near / pieces

    if winner in ("circle", "square"):
        lost = weight * worth(opponent(winner))
        return {winner: 100.0 - lost, opponent(winner): lost}
    difference = worth("circle") - worth("square")
    return {"circle": 30.0 + (39.0 + difference) / 4.0, "square": 30.0 + (39.0 - difference) / 4.0}


def format_time(sec):
    whole = int(max(0, sec))
    return "%02d:%02d" % (whole // 60, whole % 60)
