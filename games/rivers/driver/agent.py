"""Stands in for the course's agent.py, for agents that import a base class or helpers from it.

The names and their arguments are those of the course; the rules are those that Agon's referee enforces.
"""

import copy
import random
from abc import ABC, abstractmethod

from agon_rivers import *  # noqa: F401,F403
from agon_rivers import (
    compute_valid_targets,
    generate_all_moves,
    get_opponent,
    get_river_flow_destinations,
    is_own_score_cell,
    validate_and_apply_move,
)

agent_river_flow = get_river_flow_destinations
agent_compute_valid_moves = compute_valid_targets


def agent_apply_move(board, move, player, rows, cols, score_cols):
    """Plays the move on the board: (True, what was done) or (False, what is wrong)."""
    return validate_and_apply_move(board, move, player, rows, cols, score_cols)


class BaseAgent(ABC):
    """What agents are made from."""

    def __init__(self, player):
        self.player = player
        self.opponent = get_opponent(player)

    @abstractmethod
    def choose(self, board, rows, cols, score_cols, current_player_time, opponent_time):
        """The move to play, as a dictionary."""

    def generate_all_moves(self, board, rows, cols, score_cols):
        return generate_all_moves(board, self.player, rows, cols, score_cols)

    def evaluate_board(self, board, rows, cols, score_cols):
        """A rough value of the board: stones at home count most, then how far the stones have come."""
        value = 0.0
        for y in range(rows):
            for x in range(cols):
                piece = board[y][x]
                if piece is None or piece.side != "stone":
                    continue
                way = rows - y if piece.owner == "circle" else y
                home = is_own_score_cell(x, y, piece.owner, rows, cols, score_cols)
                worth = 1.0 + 0.1 * way + (10.0 if home else 0.0)
                value += worth if piece.owner == self.player else -worth
        return value

    def simulate_move(self, board, move, rows, cols, score_cols):
        """(True, the board after the move) or (False, what is wrong)."""
        after = copy.deepcopy(board)
        legal, message = agent_apply_move(after, move, self.player, rows, cols, score_cols)
        return (True, after) if legal else (False, message)


class RandomAgent(BaseAgent):
    """Plays any legal move."""

    def choose(self, board, rows, cols, score_cols, current_player_time, opponent_time):
        moves = self.generate_all_moves(board, rows, cols, score_cols)
        return random.choice(moves) if moves else None


def get_agent(player, strategy):
    """An agent by the name of its strategy: random, student or student_cpp."""
    name = strategy.lower()
    if name == "random":
        return RandomAgent(player)
    if name == "student_cpp":
        try:
            from student_agent_cpp import StudentAgent

            return StudentAgent(player)
        except ImportError:
            name = "student"
    if name == "student":
        from student_agent import StudentAgent

        return StudentAgent(player)
    raise ValueError("unknown strategy %r, expected random, student or student_cpp" % strategy)


def __getattr__(name):
    # The course's file offers the student's class too. Looked up only when asked for: that file may import this one.
    if name == "StudentAgent":
        from student_agent import StudentAgent

        return StudentAgent
    raise AttributeError("module 'agent' has no attribute %r" % name)
