"""A rollerball bot as a websocket server, on plain sockets, so that a test decides about every byte.

    websocket_bot.py MODE [--dialect a2|a5] [--log FILE] -p PORT

The rules come from `agon probe`. MODE is what is special about the bot: see the bottom of the file. With --log every message that it
hears is appended to FILE, a line each. Its choices are always the first legal move in the order of the alphabet.
"""

import base64
import hashlib
import json
import os
import socket
import struct
import subprocess
import sys
import threading

MODE = sys.argv[1]
ARGUMENTS = dict(zip(sys.argv[2::2], sys.argv[3::2]))
DIALECT = ARGUMENTS.get("--dialect", "a2")
BOARDS = {"board-7-3": "7-3", "board-8-4": "8-4", "board-8-2": "8-2"}


def frame(payload, opcode=1, final=True):
    """A server's frame: not masked."""
    head = bytes([(0x80 if final else 0) | opcode])
    if len(payload) < 126:
        return head + bytes([len(payload)]) + payload
    if len(payload) < 65536:
        return head + b"\x7e" + struct.pack(">H", len(payload)) + payload
    return head + b"\x7f" + struct.pack(">Q", len(payload)) + payload


class Connection:
    def __init__(self, peer):
        self.peer = peer
        self.peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.bytes = b""

    def need(self, count):
        while len(self.bytes) < count:
            more = self.peer.recv(65536)
            if not more:
                raise EOFError
            self.bytes += more
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def shake_hands(self):
        while b"\r\n\r\n" not in self.bytes:
            more = self.peer.recv(65536)
            if not more:
                raise EOFError
            self.bytes += more
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        if MODE == "no-websocket":
            self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            return
        lines = [line.split(": ", 1) for line in head.decode().split("\r\n")[1:]]
        key = next(value for name, value in lines if name.lower() == "sec-websocket-key")
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        accept = base64.b64encode(digest).decode()
        answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        self.send((answer + accept + "\r\n\r\n").encode())

    def next(self):
        """The next message: its opcode and its bytes."""
        first, second = self.need(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", self.need(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self.need(8))
        assert second & 0x80, "a client masks what it sends"
        mask = self.need(4)
        payload = bytes(byte ^ mask[i % 4] for i, byte in enumerate(self.need(length)))
        return first & 0x0F, payload

    def send(self, data):
        self.peer.sendall(data)

    def say(self, text):
        self.send(frame(text.encode()))


class Game:
    """The bot's own board, as the originals keep it: only the last move of a list is looked at."""

    def __init__(self):
        self.variant = "7-3"
        self.moves = []
        self.probe = None

    def legal(self):
        if self.probe is None:
            command = [os.environ["AGON"], "probe", "rollerball"]
            self.probe = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        question = {"moves": self.moves, "variant": self.variant, "rules": "server"}
        self.probe.stdin.write(json.dumps(question) + "\n")
        self.probe.stdin.flush()
        answer = json.loads(self.probe.stdout.readline())
        assert answer["error"] is None, answer["error"]
        return sorted(answer["legal"])


def log(text):
    if "--log" in ARGUMENTS:
        with open(ARGUMENTS["--log"], "a") as file:
            file.write(text + "\n")


def wait_for_ever():
    threading.Event().wait()


def answer(connection, game):
    """Answers with a move in the way of this mode."""
    move = game.legal()[0]
    answers = len(game.moves) // 2
    text = "bestmove " + move
    if MODE == "fragments":
        # Byte by byte, in frames that are parts of a message, with a ping between them.
        data = text.encode()
        for i, byte in enumerate(data):
            for byte in frame(bytes([byte]), opcode=0 if i else 1, final=i + 1 == len(data)):
                connection.send(bytes([byte]))
            if i == 3:
                connection.send(frame(b"are you there?", opcode=9))
    elif MODE == "coalesced":
        parts = ["info depth 1", "info score cp 12", "thinking aloud", text]
        connection.send(b"".join(frame(part.encode()) for part in parts))
    elif MODE == "lines":
        connection.say("info depth 3\n" + text + "\n")
    elif MODE == "suffixes":
        connection.say(text + "+#-"[answers % 3])
    elif MODE == "two-suffixes":
        connection.say(text + "+#")
    elif MODE == "null-move":
        connection.say("bestmove 0000")
    elif MODE == "no-move":
        connection.say("bestmove")
    elif MODE == "twice":
        connection.send(frame(text.encode()) + frame(text.encode()))
    elif MODE == "exits":
        os._exit(0)
    elif MODE == "dies" and answers == 1:
        print("assertion failed: legal_moves.contains(best_move)", file=sys.stderr, flush=True)
        os.abort()
    elif MODE == "closes":
        connection.peer.shutdown(socket.SHUT_RDWR)
        wait_for_ever()
    elif MODE == "says-goodbye":
        connection.send(frame(struct.pack(">H", 1000), opcode=8))
        wait_for_ever()
    elif MODE == "silent":
        wait_for_ever()
    elif MODE == "late":
        threading.Event().wait(1)
        connection.say(text)
    elif MODE == "garbage":
        connection.send(b"\xff\xff\xff\xff bestmove? what is a bestmove?")
    elif MODE == "masked":
        connection.send(b"\x81\x82\x00\x00\x00\x00ok")
    elif MODE == "binary":
        connection.send(frame(text.encode(), opcode=2))
    elif MODE == "no-text":
        connection.send(frame(b"bestmove \xff\xfe"))
    elif MODE == "control":
        connection.say(text + "\x07")
    elif MODE == "huge":
        connection.send(frame(b"x" * (64 * 1024 + 1)))
    elif MODE == "huge-claim":
        connection.send(b"\x81\x7f" + struct.pack(">Q", 1 << 62))
    elif MODE == "endless":
        # Pieces of a message that never ends and never grows.
        connection.send(frame(b"", opcode=1, final=False))
        while True:
            connection.send(frame(b"", opcode=0, final=False) * 8192)
    elif MODE == "chatters":
        while True:
            connection.send(frame(b"still thinking") * 1024)
    else:
        connection.say(text)
    game.moves.append(move)


def serve(connection):
    """One game."""
    game = Game()
    if MODE == "slow-handshake":
        wait_for_ever()
    connection.shake_hands()
    while True:
        opcode, payload = connection.next()
        if opcode == 10:
            log("pong " + payload.decode())
        if opcode == 8:
            return
        if opcode != 1:
            continue
        text = payload.decode()
        log(text)
        words = text.split(" ")
        if words[0] == "uci" and MODE == "no-uciok":
            wait_for_ever()
        elif words[0] == "uci":
            connection.say("uciok")
        elif words[0] == "ucinewgame":
            game.moves = []
            if DIALECT == "a5":
                game.variant = BOARDS[words[1]]
                connection.say("newgameok")
        elif words[0] == "isready" and DIALECT == "a2":
            connection.say("readyok")
        elif words[0] == "position" and text != "position startpos moves ":
            game.moves.append(words[-1])
        elif words[0] == "go" and MODE == "noise":
            # More than any pipe holds, before every answer.
            os.write(1, b"In method on_message: searching\n" * 32768)
            os.write(1, b"no line end" * 32768)
            os.write(2, b"still here\n")
            answer(connection, game)
        elif words[0] == "go" and (DIALECT == "a5" or MODE == "hybrid"):
            answer(connection, game)
        elif words[0] == "stop" and DIALECT == "a2":
            answer(connection, game)
        elif words[0] == "quit" and DIALECT == "a2":
            os._exit(0)


def main():
    if MODE == "refuses":
        print("cannot load the opening book", file=sys.stderr)
        sys.exit(3)
    if MODE == "never-listens":
        wait_for_ever()
    if MODE == "loses-its-port" and not os.path.exists(ARGUMENTS["--marker"]):
        open(ARGUMENTS["--marker"], "w").close()
        sys.exit("bind: Address already in use")
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("0.0.0.0", int(ARGUMENTS["-p"])))
    listener.listen()
    print("listening on %d" % listener.getsockname()[1], flush=True)
    while True:
        peer, _ = listener.accept()
        try:
            serve(Connection(peer))
        except (EOFError, ConnectionError):
            pass
        peer.close()


main()
