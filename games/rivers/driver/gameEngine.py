"""Stands in for the course's gameEngine.py, for agents that import helpers from it."""

from agon_rivers import *  # noqa: F401,F403
