"""Lets a child think while it is its opponent's turn."""

import os

from common import steal


def start(think):
    if os.fork() == 0:
        think()


steal(start)
