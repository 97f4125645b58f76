"""The board that engines written in Python are given."""

import ctypes
import os

_LIBRARY = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libboard.so"))
_ROOM = 1024


def _declare(name, result, *arguments):
    function = getattr(_LIBRARY, "agon_board_" + name)
    function.restype = result
    function.argtypes = arguments
    return function


_new = _declare("new", ctypes.c_void_p)
_copy = _declare("copy", ctypes.c_void_p, ctypes.c_void_p)
_delete = _declare("delete", None, ctypes.c_void_p)
_play = _declare("play", None, ctypes.c_void_p, ctypes.c_uint)
_in_check = _declare("in_check", ctypes.c_int, ctypes.c_void_p)
_legal = _declare("legal", ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint16), ctypes.c_int)


class Board:
    """A position. Engines get one and make others with `copy`; there is no other way."""

    __slots__ = ("_board",)

    def __new__(cls, *_arguments, **_named):
        raise TypeError("Board has no constructor: copy the board that find_best_move is given")

    @classmethod
    def _around(cls, board):
        made = object.__new__(cls)
        made._board = board
        return made

    def get_legal_moves(self):
        """The legal moves of the side to move: a set of numbers."""
        moves = (ctypes.c_uint16 * _ROOM)()
        return set(moves[: _legal(self._board, moves, _ROOM)])

    def in_check(self):
        """Whether the side to move is in check."""
        return _in_check(self._board) != 0

    def copy(self):
        """A board of its own in the same position."""
        return Board._around(_copy(self._board))

    def do_move(self, move):
        """Plays a move, legal or not."""
        _play(self._board, int(move) & 0xFFFF)

    def __del__(self):
        _delete(self._board)


def _start():
    return Board._around(_new())
