"""Runs engine.py as a bot of the first round: a websocket server.

    python3 main.py -p PORT [--host HOST]

Every search begins afresh: the engine is imported again, and whatever it kept in its modules is gone.
"""

import importlib
import os
import sys
import threading
import traceback

import agon_websocket
import board as boards

FILES, RANKS = "abcdefgh", "12345678"
TO_BISHOP, TO_ROOK = 0x40, 0x80
SEARCH_STACK = 64 << 20


def move_to_text(move):
    start, target = move >> 8 & 0x3F, move & 0x3F
    squares = "".join(FILES[square & 7] + RANKS[square >> 3] for square in (start, target))
    return squares + ("r" if move & TO_ROOK else "b" if move & TO_BISHOP else "")


def text_to_move(text):
    if len(text) < 4:
        return 0
    start, target = ((ord(rank) - ord("1")) * 8 + ord(file) - ord("a") & 0x3F for file, rank in (text[:2], text[2:4]))
    promotion = 0 if len(text) == 4 else TO_ROOK if text[4] == "r" else TO_BISHOP
    return start << 8 | target | promotion


def engine_folder():
    """Where engine.py is: here, or where the course's starter had its sources."""
    here = os.getcwd()
    inner = os.path.join(here, "src")
    is_inner = not os.path.exists(os.path.join(here, "engine.py")) and os.path.exists(os.path.join(inner, "engine.py"))
    return inner if is_inner else here


def die(problem):
    """Ends the process so that nobody can overlook it."""
    print(problem, file=sys.stderr, flush=True)
    sys.stdout.flush()
    os.abort()


def find_method(engine):
    """The starter kit called the function find_best_move, the course's text get_best_move."""
    for name in ("find_best_move", "get_best_move"):
        if hasattr(engine, name):
            return getattr(engine, name)
    raise AttributeError("engine.py has no function find_best_move (or get_best_move)")


class Bot:
    def __init__(self):
        self._server = agon_websocket.Server(self._handle)
        self._board = boards._start()
        self._search = None
        self._best = None
        self._own_modules = set(sys.modules)

    def run(self, host, port):
        self._server.run(host, port)

    def _handle(self, message):
        words = message.split()
        command = words[0] if words else ""
        if command == "uci":
            self._server.broadcast("uciok")
        elif command == "isready":
            self._server.broadcast("readyok")
        elif command == "ucinewgame":
            if self._search:
                self._search.join()
                self._search = None
            self._board = boards._start()
        elif command == "position":
            # Only the last move is played: the moves before it are on the board already.
            if len(words) > 3:
                self._board.do_move(text_to_move(words[-1]))
        elif command == "go":
            self._go()
        elif command == "stop":
            self._stop()
        elif command == "quit":
            sys.stdout.flush()
            os._exit(0)
        else:
            print("unknown command %r" % command[:40], file=sys.stderr)

    def _go(self):
        if self._search:
            print("go: the last search has not been stopped yet", file=sys.stderr)
            return
        threading.stack_size(SEARCH_STACK)
        self._search = threading.Thread(target=self._find_best_move, daemon=True)
        self._search.start()
        threading.stack_size(0)

    def _find_best_move(self):
        try:
            self._forget()
            engine = importlib.import_module("engine")
            self._best = int(find_method(engine)(self._board.copy()))
        except BaseException:
            die("engine.find_best_move failed:\n" + traceback.format_exc())

    def _forget(self):
        """Drops the modules of the last search that lie in the bot's folder. Others are the same for everybody."""
        folder = os.path.realpath(os.getcwd()) + os.sep
        for name in set(sys.modules) - self._own_modules:
            file = getattr(sys.modules[name], "__file__", None)
            if file and os.path.realpath(file).startswith(folder):
                del sys.modules[name]
        importlib.invalidate_caches()

    def _stop(self):
        if not self._search:
            print("stop: there is no search", file=sys.stderr)
            return
        self._search.join()
        self._search = None
        legal = self._board.get_legal_moves()
        if self._best not in legal:
            shown = " ".join(sorted(move_to_text(move) for move in legal)) or "none"
            die("the move %r is not legal; legal are: %s" % (move_to_text(self._best & 0xFFFF), shown))
        self._board.do_move(self._best)
        self._server.broadcast("bestmove " + move_to_text(self._best))


def read_options(arguments):
    host, port = "127.0.0.1", None
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if word.startswith("-p") and len(word) > 2:
            name, value = "-p", word[2:]
        elif not equals:
            value = next(words, "")
        if name in ("-p", "--port"):
            port = value
        elif name == "--host":
            host = value
    if port is None:
        print("ERROR: port is a compulsory argument")
        sys.exit(0)
    if not port.isdecimal() or int(port) > 65535:
        sys.exit("unknown port %r, expected a number from 0 to 65535" % port)
    return host, int(port)


if __name__ == "__main__":
    HOST, PORT = read_options(sys.argv[1:])
    # Before the library, as for any program; after what is ours.
    sys.path.insert(1, engine_folder())
    try:
        Bot().run(HOST, PORT)
    except OSError as problem:
        sys.exit("cannot listen on %s:%d: %s" % (HOST, PORT, problem))
