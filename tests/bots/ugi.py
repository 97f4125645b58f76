"""What the bots here share: the civil part of UGI, so that each file shows only what its bot does wrong."""

import json
import os
import random
import re
import subprocess
import sys
import time


def say(text):
    """Sends lines. One write, so that they arrive together."""
    os.write(1, (text + "\n").encode())


def words(line):
    """The words of a line; one in double quotes may hold blanks."""
    unescape = lambda text: re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)
    return [unescape(quoted) if quoted else plain for quoted, plain in re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', line)]


def bestmove(turn):
    """The answer to a `go`."""
    return 'bestmove "%s"' % turn.replace("\\", "\\\\").replace('"', '\\"')


class Session:
    """A talk with the referee: what it told us so far."""

    def __init__(self):
        self.options = {}
        self.position = []

    def asked(self, quits=True):
        """Answers until the next `go`, and gives the limits in it. Ends the program when the referee says so."""
        for line in sys.stdin:
            heard = words(line)
            if heard[0] == "ugi":
                say("ugiok")
            elif heard[0] == "setoption":
                self.options[heard[2]] = heard[4]
            elif heard[0] == "isready":
                say("readyok")
            elif heard[0] == "position":
                self.position = heard[1:]
            elif heard[0] == "go":
                return heard[1:]
            elif heard[0] == "quit" and quits:
                sys.exit(0)
        if quits:
            sys.exit(0)
        return None


class Rules:
    """The rules, by asking `agon probe`. Choices among legal turns follow from a seed."""

    def __init__(self, session, seed=1):
        self.session = session
        self.random = random.Random(seed)
        self.probe = None

    def choose(self):
        """A legal turn in the position that the referee last sent."""
        return self.random.choice(self.legal())

    def legal(self):
        """All legal turns in that position."""
        position, question = self.session.position, {}
        if position[0] == "fen":
            question["position"] = position[1]
        if "moves" in position:
            question["moves"] = position[position.index("moves") + 1 :]
        question["variant"] = self.session.options["Variant"]
        question["rules"] = self.session.options["Rules"]
        answer = self.ask(question)
        assert answer["error"] is None, answer["error"]
        return answer["legal"]

    def ask(self, question):
        if self.probe is None:
            # In a sandbox there is no environment; then the first argument says where agon is.
            command = [os.environ.get("AGON") or sys.argv[1], "probe", self.session.options["Game"]]
            self.probe = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.probe.stdin.write(json.dumps(question) + "\n")
        self.probe.stdin.flush()
        return json.loads(self.probe.stdout.readline())


def wait_for_ever():
    """Until somebody kills us."""
    while True:
        time.sleep(1000)
