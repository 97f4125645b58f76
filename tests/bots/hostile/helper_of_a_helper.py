"""Lets an orphan think while it is its opponent's turn: its parent is gone, so nobody in the bot's family has started it."""

import os

from common import steal


def start(think):
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            think()
        os._exit(0)
    os.waitpid(child, 0)


steal(start)
