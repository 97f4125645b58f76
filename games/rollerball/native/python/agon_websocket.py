"""A small websocket server: text messages in, text messages out to everybody.

It has no thread of its own, so that a bot's threads are those of its engine.
"""

import base64
import hashlib
import selectors
import socket
import struct
import sys

LONGEST_REQUEST = 16 << 10
LONGEST_MESSAGE = 1 << 20
MOST_CONNECTIONS = 64
# Who does not read for so long is given up.
SECONDS_TO_READ = 2

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class _Connection:
    def __init__(self, sock):
        self.socket = sock
        self.open = False
        self.unread = b""
        self.message = None


class Server:
    """Calls `handle` with one message at a time, whichever connection it came from. Nothing else happens while it runs."""

    def __init__(self, handle):
        self._handle = handle
        self._connections = []
        self._selector = selectors.DefaultSelector()

    def run(self, host, port):
        """Serves until the process ends."""
        listener = socket.create_server((host, port))
        self._selector.register(listener, selectors.EVENT_READ)
        print("listening on %s:%d" % listener.getsockname()[:2], flush=True)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is listener:
                    self._welcome(listener)
                elif key.data in self._connections:
                    self._listen_to(key.data)

    def broadcast(self, text):
        """Sends a text to every open connection."""
        frame = _frame(TEXT, text.encode())
        for connection in list(self._connections):
            if connection.open:
                try:
                    connection.socket.sendall(frame)
                except OSError:
                    self._leave(connection)

    def _welcome(self, listener):
        sock, _ = listener.accept()
        if len(self._connections) >= MOST_CONNECTIONS:
            sock.close()
            return
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(SECONDS_TO_READ)
        connection = _Connection(sock)
        self._connections.append(connection)
        self._selector.register(sock, selectors.EVENT_READ, connection)

    def _leave(self, connection):
        if connection in self._connections:
            self._connections.remove(connection)
            self._selector.unregister(connection.socket)
            connection.socket.close()

    def _listen_to(self, connection):
        try:
            block = connection.socket.recv(4096)
            if not block:
                raise OSError("the other end is gone")
            connection.unread += block
            if not connection.open:
                self._shake_hands(connection)
            while connection.open and connection in self._connections:
                found = _next_frame(connection.unread)
                if not found:
                    break
                last, opcode, payload, size = found
                connection.unread = connection.unread[size:]
                self._take(connection, last, opcode, payload)
        except OSError:
            self._leave(connection)
        except ValueError as problem:
            print("a connection was closed: %s" % problem, file=sys.stderr)
            self._leave(connection)

    def _shake_hands(self, connection):
        request, end, rest = connection.unread.partition(b"\r\n\r\n")
        if not end:
            if len(request) > LONGEST_REQUEST:
                raise ValueError("a request of more than %d bytes" % LONGEST_REQUEST)
            return
        answer = _handshake(request.decode("latin-1").split("\r\n"))
        if not answer:
            connection.socket.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            self._leave(connection)
            return
        connection.socket.sendall(answer)
        connection.open, connection.unread = True, rest

    def _take(self, connection, last, opcode, payload):
        if opcode == PONG:
            return
        if opcode in (CLOSE, PING):
            connection.socket.sendall(_frame(CLOSE if opcode == CLOSE else PONG, payload))
            if opcode == CLOSE:
                self._leave(connection)
            return
        if opcode > BINARY or (opcode == 0) != (connection.message is not None):
            raise ValueError("a frame out of place")
        message = (connection.message or b"") + payload
        if len(message) > LONGEST_MESSAGE:
            raise ValueError("a message of more than %d bytes" % LONGEST_MESSAGE)
        connection.message = None if last else message
        if last:
            self._handle(message.decode(errors="replace"))


def _handshake(lines):
    """The answer to a client's opening request, or None if it asks for no websocket."""
    pairs = (line.partition(":") for line in lines[1:])
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    key = headers.get("sec-websocket-key")
    if not key or not lines[0].startswith("GET ") or headers.get("upgrade", "").lower() != "websocket":
        return None
    # The constant is that of RFC 6455, section 1.3.
    digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode("latin-1")).digest()
    accept = base64.b64encode(digest).decode()
    answer = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"]
    return "\r\n".join(answer + ["Sec-WebSocket-Accept: " + accept, "", ""]).encode()


def _next_frame(unread):
    """Whether it is the last of its message, the opcode, the payload and the size of the first frame; None if it has not come yet."""
    if len(unread) < 2:
        return None
    first, second = unread[:2]
    opcode, last, length = first & 0x0F, bool(first & 0x80), second & 0x7F
    if first & 0x70 or not second & 0x80:
        raise ValueError("a frame that no client may send")
    if opcode >= CLOSE and (length > 125 or not last):
        raise ValueError("a control frame that is too long")
    extra = {126: 2, 127: 8}.get(length, 0)
    header = 2 + extra + 4
    if len(unread) < header:
        return None
    if extra:
        length = int.from_bytes(unread[2 : 2 + extra], "big")
    if length > LONGEST_MESSAGE:
        raise ValueError("a frame of more than %d bytes" % LONGEST_MESSAGE)
    size = header + length
    if len(unread) < size:
        return None
    mask = unread[header - 4 : header]
    payload = bytes(byte ^ mask[i % 4] for i, byte in enumerate(unread[header:size]))
    return last, opcode, payload, size


def _frame(opcode, payload):
    length = len(payload)
    if length < 126:
        head = struct.pack(">BB", 0x80 | opcode, length)
    elif length < 1 << 16:
        head = struct.pack(">BBH", 0x80 | opcode, 126, length)
    else:
        head = struct.pack(">BBQ", 0x80 | opcode, 127, length)
    return head + payload
