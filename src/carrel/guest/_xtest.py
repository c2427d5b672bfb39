"""XTEST and the pointer's place as ready-made bytes.

python-xlib builds a request field by field and its answer likewise, and asks the kernel before each
read and write, which for a click takes longer than the X server does. These few requests are packed
at once; they share python-xlib's queue and its connection, so that all stay in order.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from Xlib import X
from Xlib.protocol import rq
from Xlib.support import lock

from carrel.errors import Unsupported
from carrel.guest.display import receive_for, send_queue

if TYPE_CHECKING:
    from Xlib import error as xerror
    from Xlib.display import Display

__all__ = ["FakeInput", "Seen"]

_FAKE_INPUT, _QUERY_POINTER = 2, 38
_INPUT = struct.Struct("=BBHBBxxIIxxxxxxxxhhxxxxxxxx")
_QUESTION = struct.Struct("=BxHI")
_ANSWER = struct.Struct("=BxHxxxxxxxxxxxxhhxxxxHxxxxxx")


class Seen(NamedTuple):
    """Where the pointer is, and which buttons and modifier keys are down."""

    x: int
    y: int
    mask: int


class _Packed(rq.Request):
    """A request without an answer; an error in it goes to the connection's handler."""

    def __init__(self, display: Display, binary: bytes) -> None:
        self._errorhandler = None
        self._binary = binary
        self._serial: int | None = None
        display.display.send_request(self, False)


class _QueryPointer(rq.ReplyRequest):
    """A request with an answer."""

    # That there is one at all is how python-xlib knows whom an answer is for.
    _reply = rq.Struct()

    def __init__(self, display: Display, binary: bytes) -> None:
        self._binary = binary
        self._serial: int | None = None
        self._data: Seen | None = None
        self._error: xerror.XError | None = None
        self._response_lock = lock.allocate_lock()
        self.sequence_number = -1
        display.display.send_request(self, True)

    def _parse_response(self, data: bytes) -> None:
        _, self.sequence_number, x, y, mask = _ANSWER.unpack_from(data)
        self._data = Seen(x, y, mask)

    def wait(self, display: Display) -> Seen:
        """Send what is queued and read until the answer is there."""
        send_queue(display)
        while self._data is None and self._error is None:
            receive_for(display, self, _ANSWER.size)
        if self._error is not None:
            raise self._error
        assert self._data is not None
        return self._data


class FakeInput:
    """The XTEST extension of one connection, which no other thread may use meanwhile.

    Nothing is sent before `look`, or a flush of the connection.

    Raises:
        Unsupported: The server has no such extension.
    """

    def __init__(self, display: Display) -> None:
        if not display.has_extension("XTEST"):
            raise Unsupported("the display server lacks the XTEST extension")
        self._display = display
        self._opcode = display.display.get_extension_major("XTEST")
        self._root = display.screen().root.id
        self._question = _QUESTION.pack(_QUERY_POINTER, _QUESTION.size // 4, self._root)

    def _queue(self, kind: int, detail: int, root: int = X.NONE, x: int = 0, y: int = 0) -> None:
        size = _INPUT.size // 4
        packed = _INPUT.pack(self._opcode, _FAKE_INPUT, size, kind, detail, 0, root, x, y)
        _Packed(self._display, packed)

    def motion(self, x: int, y: int) -> None:
        """Move the pointer to a place on the screen."""
        self._queue(X.MotionNotify, 0, self._root, x, y)

    def button(self, number: int, down: bool) -> None:
        """Press or release a physical button."""
        self._queue(X.ButtonPress if down else X.ButtonRelease, number)

    def key(self, keycode: int, down: bool) -> None:
        """Press or release a key."""
        self._queue(X.KeyPress if down else X.KeyRelease, keycode)

    def look(self) -> Seen:
        """Send what is queued and see what came of it."""
        return _QueryPointer(self._display, self._question).wait(self._display)
