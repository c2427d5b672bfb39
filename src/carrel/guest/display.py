"""A connection to the X server, with its failures in Carrel's words."""

from __future__ import annotations

import logging
import os
import select
import socket
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from Xlib import error as xerror
from Xlib.protocol import display as protocol
from Xlib.protocol import event
from Xlib.support import connect

from carrel.errors import MachineLost, TimedOut, Unavailable

if TYPE_CHECKING:
    from Xlib.display import Display
    from Xlib.protocol.request import GetProperty
    from Xlib.protocol.rq import ReplyRequest
    from Xlib.xobject.drawable import Window

__all__ = [
    "ANSWER_SECONDS",
    "answer",
    "close_display",
    "open_display",
    "read_property",
    "receive",
    "receive_for",
    "send_queue",
    "x_errors",
]

ANSWER_SECONDS = 10.0
"""How long the X server may take for one answer."""

_READ_SIZE = 64 << 10
_LOOKS = 60 if len(os.sched_getaffinity(0)) > 1 else 0
"""About a tenth of a millisecond; on a sole processor it is the server's turn at once."""
# In units of four bytes; the server sends no more than there is.
_WHOLE = 1 << 22
# No request has this number, and so none is singled out while everything is read.
_NOBODY = 1 << 16

log = logging.getLogger(__name__)

Reply = TypeVar("Reply", bound="ReplyRequest")

# python-xlib fills tables shared by all connections while one is being opened.
_opening = threading.Lock()
_ANY_HOST: Any = 65535


def _take_cookies_for_any_host() -> None:
    """Have python-xlib know what every other client does: a copied machine has another name."""
    from Xlib import xauth

    if getattr(xauth.Xauthority, "takes_any", False):
        return

    class Authority(xauth.Xauthority):
        takes_any = True

        def get_best_auth(self, family: Any, address: bytes, *rest: Any) -> tuple[bytes, bytes]:
            try:
                return super().get_best_auth(family, address, *rest)
            except xerror.XNoAuthError:
                return super().get_best_auth(_ANY_HOST, b"", *rest)

    xauth.Xauthority = Authority  # type: ignore[misc]


def open_display(name: str) -> Display:
    """Connect to an X server.

    Args:
        name: The display, for example `:0`.

    Raises:
        Unavailable: The name is malformed, nothing listens there, or the server refuses us.
        MachineLost: The server went away during the handshake.
    """
    from Xlib.display import Display

    try:
        with _probe(name), _opening, x_errors():
            _take_cookies_for_any_host()
            _fresh_tables()
            display = Display(name)
            _keep_tables(display)
    except xerror.DisplayNameError:
        raise Unavailable(
            f"{name!r} is not the name of a display", hint="write it as :0 or host:0"
        ) from None
    except (xerror.DisplayConnectionError, OSError, OverflowError) as error:
        reason = getattr(error, "msg", None) or error
        raise Unavailable(
            f"cannot connect to display {name}: {_text(reason)}",
            hint="check that the X server runs and that XAUTHORITY names its cookie file",
        ) from None
    display.set_error_handler(_log_error)
    return display


def close_display(display: Display) -> None:
    """Let a display go; one whose server is gone is closed already."""
    with suppress(xerror.ConnectionClosedError):
        display.close()


class x_errors:  # noqa: N801 - used as a function is
    """Turn the death of the X server into `MachineLost`; errors of single requests pass."""

    def __enter__(self) -> None:
        """Nothing is needed."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Raise what the caller is to see."""
        if isinstance(error, xerror.ConnectionClosedError | ConnectionError):
            cause = {"cause": str(error)}
            raise MachineLost("the display server is gone", context=cause) from error


def read_property(window: Window, name: int, kind: int) -> GetProperty | None:
    """A property of a window, whole as it was at one moment; None where it has none.

    python-xlib's `get_full_property` asks twice for what is longer than forty bytes, and puts the
    beginning of one value before the end of the next.
    """
    return window.get_property(name, kind, 0, _WHOLE)


def answer(display: Display, request: Reply, seconds: float = ANSWER_SECONDS) -> Reply:
    """Wait for the answer to a request made with `defer=True`, but not for ever.

    No later request may have an answer, and the connection must be this thread's alone meanwhile.

    Raises:
        TimedOut: The server is alive but silent, as when it is stopped.
    """
    send_queue(display)
    # Whether the answer is there only private fields tell.
    while request._data is None and request._error is None:  # noqa: SLF001
        waiting = select.poll()
        waiting.register(display.display.socket, select.POLLIN)
        if not waiting.poll(seconds * 1000):
            raise TimedOut(f"the display server did not answer for {seconds:g} seconds")
        receive(display)
    request.reply()
    return request


def send_queue(display: Display) -> None:
    """Send every request made so far.

    As `flush` does, but without asking first whether the socket has room, and without reading.
    """
    base = display.display
    for request, has_answer in base.request_queue:
        base.data_send += getattr(request, "_binary")  # noqa: B009 - the one way to its bytes
        if has_answer:
            base.sent_requests.append(request)
    del base.request_queue[:]
    try:
        base.socket.sendall(base.data_send)
    except OSError as error:
        base.close_internal(f"server: {error}")
        raise
    base.data_send = b""


def receive(display: Display) -> None:
    """Wait for something from the server and take it: answers, errors and events."""
    base = display.display
    base.data_recv = bytes(base.data_recv) + _read(base)
    base.parse_response(_NOBODY)


def _read(base: protocol.Display) -> bytes:
    missing = base.recv_packet_len - len(base.data_recv)
    try:
        data = _take(base.socket, max(missing, _READ_SIZE))
        if not data:
            raise ConnectionResetError("closed by the server")
    except OSError as error:
        base.close_internal(f"server: {error}")
        raise
    return data


def _take(connection: socket.socket, size: int) -> bytes:
    """What comes next, looked for a little without sleeping.

    The server mostly answers within these looks; where a sleeping processor is dear to wake, as
    in a virtual machine, a click takes an eighth longer without them.
    """
    for _ in range(_LOOKS):
        try:
            return connection.recv(size, socket.MSG_DONTWAIT)
        except BlockingIOError:
            continue
    return connection.recv(size)


def receive_for(display: Display, request: Reply, size: int) -> None:
    """As `receive`, quicker where exactly the answer to this request comes, of that size."""
    base = display.display
    data = _read(base)
    sole = len(data) == size and data[0] == 1 and not base.data_recv
    if sole and base.sent_requests == [request]:
        base.sent_requests.clear()
        request._parse_response(data)  # noqa: SLF001 - as python-xlib does
        return
    base.data_recv = bytes(base.data_recv) + data
    base.parse_response(_NOBODY)


def _probe(name: str) -> socket.socket:
    """A bare connection to what listens there; raises OSError where nothing does.

    Where nothing listens, python-xlib leaks sockets and then tries TCP on this computer. Close it
    only when connected in earnest: a server may reset, or end, when its last caller hangs up.
    """
    _, _, host, number, _ = connect.get_display(name)
    if host and host != "unix":
        return socket.create_connection((host, 6000 + number), ANSWER_SECONDS)
    path = f"/tmp/.X11-unix/X{number}"  # noqa: S108  (where X servers listen)
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        probe.settimeout(ANSWER_SECONDS)
        probe.connect(path if Path(path).exists() else f"\0{path}")
    except OSError:
        probe.close()
        raise
    return probe


def _fresh_tables() -> None:
    # Extension numbers differ between servers, yet python-xlib keeps one table for all: after
    # talking to one server it cannot even open another.
    base = protocol.Display
    base.extension_major_opcodes = {}
    base.error_classes = xerror.xerror_class.copy()
    base.event_classes = dict(event.event_class)


def _keep_tables(display: Display) -> None:
    # From the class to the connection, for the next one replaces those of the class.
    base = display.display
    base.extension_major_opcodes = base.extension_major_opcodes
    base.event_classes = base.event_classes
    # Its RandR errors are no X errors, and one such answer would break the connection.
    base.error_classes = {
        code: kind if issubclass(kind, xerror.XError) else xerror.XError
        for code, kind in base.error_classes.items()
    }


def _log_error(error: xerror.XError, request: object) -> None:
    log.debug("the display server answered %s", error)


def _text(reason: object) -> str:
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
