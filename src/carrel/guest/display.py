"""A connection to the X server, with its failures in Carrel's words."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from Xlib import error as xerror

from carrel.errors import MachineLost, Unavailable

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["open_display", "x_errors"]

log = logging.getLogger(__name__)

# python-xlib fills tables shared by all connections while one is being opened.
_opening = threading.Lock()


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
        with _opening, x_errors():
            display = Display(name)
            _own_tables(display)
    except xerror.DisplayNameError:
        raise Unavailable(
            f"{name!r} is not the name of a display", hint="write it as :0 or host:0"
        ) from None
    except xerror.DisplayConnectionError as error:
        raise Unavailable(
            f"cannot connect to display {name}: {_text(error.msg)}",
            hint="check that the X server runs and that XAUTHORITY names its cookie file",
        ) from None
    display.set_error_handler(_log_error)
    return display


@contextmanager
def x_errors() -> Iterator[None]:
    """Turn the death of the X server into `MachineLost`; errors of single requests pass."""
    try:
        yield
    except (xerror.ConnectionClosedError, ConnectionError) as error:
        raise MachineLost("the display server is gone", context={"cause": str(error)}) from error


def _own_tables(display: Display) -> None:
    # Extension numbers differ between servers, yet python-xlib keeps one table for all: a second
    # connection to another server would make the first one send the wrong requests.
    base = display.display
    base.extension_major_opcodes = dict(base.extension_major_opcodes)
    base.error_classes = dict(base.error_classes)
    base.event_classes = {
        code: dict(item) if isinstance(item, dict) else item
        for code, item in base.event_classes.items()
    }


def _log_error(error: xerror.XError, request: object) -> None:
    log.debug("the display server answered %s", error)


def _text(reason: object) -> str:
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
