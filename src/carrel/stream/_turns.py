"""Whose turn it is to read: the connection's own task, or a task that waits for its answer.

A task that reads its answer itself has it one turn of the event loop earlier than one that is woken
by the reader. So the reader stands aside for a moment after each thing it read. Whoever waits in
another way calls it back, so that nobody ever waits for what nobody reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import anyio

__all__ = ["Turns"]

_ASIDE_SECONDS = 0.05


class Turns:
    """The state of one connection; all of it in one event loop."""

    def __init__(self) -> None:
        self._aside: anyio.Event | None = None
        self._led = False
        self._waits = 0

    async def stand_aside(self) -> None:
        """As the reader, let others read for a moment, unless somebody needs the reader."""
        while not self._waits or self._led:
            self._aside = turn = anyio.Event()
            with anyio.move_on_after(_ASIDE_SECONDS):
                await turn.wait()
            self._aside = None
            if not self._led:
                return

    @property
    def free(self) -> bool:
        """Whether a task may read for itself now."""
        return self._aside is not None and not self._led

    @contextmanager
    def lead(self) -> Iterator[None]:
        """Read in place of the reader, where `free`."""
        self._led = True
        try:
            yield
        finally:
            self._led = False
            if self._waits:
                self._call_back()

    def wait_begins(self) -> None:
        """Somebody is about to wait for what the reader brings."""
        self._waits += 1
        if not self._led:
            self._call_back()

    def wait_ends(self) -> None:
        """It was brought, or is not waited for any more."""
        self._waits -= 1

    def _call_back(self) -> None:
        turn, self._aside = self._aside, None
        if turn is not None:
            turn.set()
