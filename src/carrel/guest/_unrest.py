"""Where the screen changes by itself, so that nobody takes a clock's tick for a click's effect."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice

import anyio
from Xlib.protocol import rq

from carrel.errors import MachineLost, TimedOut
from carrel.geometry import Box
from carrel.guest._damage import Damage
from carrel.guest.display import answer, close_display, open_display, x_errors

__all__ = ["Unrest"]

_MOMENT = 0.3
"""Seconds from the first drawing on that are one moment: a window is not painted in one stroke."""
_REMEMBERED = 4.0
"""Seconds, without those of actions, for which something counts as moving."""
_STILL = 1.5
"""Seconds without any drawing after which nothing moves any more."""
_MANY = 200
_AFTERMATH = 0.5
"""Seconds after an action in which what begins to be drawn is taken for its effect."""
_AT_ONCE = 0.002
"""Seconds the event loop may stand still for an answer; most take a twentieth of that."""


class Unrest:
    """Remembers where something was drawn while nobody did anything.

    Keep `watch` running: it sleeps while nothing is drawn, and compares no pixels.
    """

    def __init__(self, display_name: str) -> None:
        self._moments: deque[tuple[float, frozenset[Box]]] = deque()
        self._acting = 0
        self._watched = 0.0
        # The server begins by calling the whole screen drawn.
        self._ours_until = time.monotonic() + _AFTERMATH
        self._display = open_display(display_name)
        with x_errors():
            if self._display.has_extension("XFIXES"):
                self._display.xfixes_query_version()
            self._damage = Damage.of(self._display)
            self._display.flush()

    def begin(self) -> None:
        """Somebody acts: what is drawn from now on may be the effect of it."""
        self._watched = self._quiet()
        self._acting += 1

    def end(self) -> None:
        """The action is over; its effect may go on for a moment."""
        self._acting -= 1
        self._ours_until = time.monotonic() + _AFTERMATH

    def places(self) -> tuple[Box, ...]:
        """Where something was drawn at three moments of late, without anybody acting."""
        self._forget()
        once: set[Box] = set()
        twice: set[Box] = set()
        again: set[Box] = set()
        for _, boxes in self._moments:
            again |= _common(boxes, twice)
            twice |= _common(boxes, once)
            once |= boxes
        return tuple(again)

    async def watch(self) -> None:
        """Look whenever something was drawn, until cancelled or the server is gone."""
        if self._damage is None:
            return
        with suppress(MachineLost), x_errors(), self._line() as line:
            while True:
                # One that came with the last answer is not on its way any more.
                if not self._display.display.event_queue:
                    await anyio.wait_readable(line)
                began = time.monotonic()
                await anyio.sleep(_MOMENT)
                for _ in range(self._display.pending_events()):
                    self._display.next_event()
                boxes = Damage.boxes_of(await self._ask(self._damage.collect(), line))
                if boxes and not self._acting and began >= self._ours_until:
                    self._forget()
                    self._moments.append((self._quiet(), boxes))

    @contextmanager
    def _line(self) -> Iterator[int]:
        """A descriptor of our own: when the display is let go, its number may be another's."""
        copy = os.dup(self._display.fileno())
        try:
            yield copy
        finally:
            os.close(copy)

    async def _ask(self, asked: rq.ReplyRequest, line: int) -> rq.ReplyRequest:
        while True:
            try:
                return answer(self._display, asked, _AT_ONCE)
            except TimedOut:
                await anyio.wait_readable(line)

    def _quiet(self) -> float:
        """Seconds until now in which nobody acted."""
        if self._acting:
            return self._watched
        return self._watched + max(0.0, time.monotonic() - self._ours_until)

    def _forget(self) -> None:
        if self._moments and self._moments[-1][0] < self._quiet() - _STILL:
            self._moments.clear()
        while self._moments and self._moments[0][0] < self._quiet() - _REMEMBERED:
            self._moments.popleft()

    def close(self) -> None:
        """Let the display go."""
        close_display(self._display)


def _common(some: Iterable[Box], others: Iterable[Box]) -> set[Box]:
    """What boxes of the one kind have in common with those of the other."""
    found = (one.intersect(other) for one in some for other in islice(others, _MANY))
    return {box for box in found if box is not None}
