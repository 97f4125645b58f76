"""Lets a child of its second thread think while it is its opponent's turn: the list of the first thread's children is empty."""

import os
import threading

from common import steal


def start(think):
    def fork():
        if os.fork() == 0:
            think()
        # The thread stays, and so does the child's place in its list.
        threading.Event().wait()

    threading.Thread(target=fork, daemon=True).start()


steal(start)
