"""Whether the X server answers, found out without standing still for it."""

from __future__ import annotations

import math
import time
from contextlib import suppress

import anyio
from Xlib import error as xerror
from Xlib.protocol import request

from carrel.errors import TimedOut
from carrel.guest.display import ANSWER_SECONDS, answer, open_display, x_errors

__all__ = ["Pulse"]

_FRESH = 0.25
"""Seconds for which an answer counts: a quick run of actions asks once."""
_AT_ONCE = 0.002
"""Seconds the event loop may stand still for an answer; most take a twentieth of that."""


class Pulse:
    """A connection that is only ever asked whether anybody is there.

    A server that is stopped, or grabbed by one program, answers nobody. Whoever asks it something
    on the event loop comes here first, so that the rest of the guest goes on meanwhile.
    """

    def __init__(self, display_name: str) -> None:
        self._display = open_display(display_name)
        self._lock = anyio.Lock()
        self._felt = -math.inf

    async def check(self) -> None:
        """Return when the server answers, or did a moment ago.

        Raises:
            TimedOut: It is alive but silent for `ANSWER_SECONDS`.
            MachineLost: It is gone.
        """
        if time.monotonic() < self._felt + _FRESH:
            return
        with anyio.move_on_after(ANSWER_SECONDS), x_errors():
            async with self._lock:
                await self._ask()
            self._felt = time.monotonic()
            return
        raise TimedOut(
            f"the display server did not answer for {ANSWER_SECONDS:g} seconds",
            hint="a program may have grabbed it, or it is stopped",
        )

    async def _ask(self) -> None:
        asked = request.GetInputFocus(display=self._display.display, defer=True)
        while True:
            try:
                answer(self._display, asked, _AT_ONCE)
            except TimedOut:
                await anyio.wait_readable(self._display.fileno())
            else:
                return

    def close(self) -> None:
        """Let the display go."""
        with suppress(xerror.ConnectionClosedError):  # a dead display is closed, too
            self._display.close()
