"""Waiting for the disk: at once for what must not be lost, meanwhile for the rest."""

from __future__ import annotations

import threading
from collections.abc import Callable

__all__ = ["DURABLE", "Syncing"]

DURABLE: frozenset[str] = frozenset(("run.started", "act", "ask", "answer", "run.finished"))
"""Kinds of events that are on the disk when they have been added, with all there was before."""


class Syncing:
    """Makes what was written durable.

    `now` returns when it is. `soon` has it done by a thread, which is there only once it is needed
    and never syncs beside `now`. What goes wrong in the thread is the `failure` of every call after
    it: once a sync has failed, the kernel takes the lost pages for written.

    Args:
        sync: Makes everything durable that was written before the call.
    """

    def __init__(self, sync: Callable[[], None]) -> None:
        self._sync = sync
        self._one = threading.Lock()
        self._wake = threading.Event()
        self._closing = False
        self._thread: threading.Thread | None = None
        self.failure: OSError | None = None

    def now(self) -> None:
        """Return when everything written so far is on the disk.

        Raises:
            OSError: The disk does not take it, or did not take what was written before.
        """
        with self._one:
            if self.failure is not None:
                raise self.failure
            self._sync()

    def soon(self) -> None:
        """Do the same while the caller goes on."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
            self._thread.start()
        self._wake.set()

    def close(self) -> None:
        """End the thread, once it is done with what it is doing."""
        self._closing = True
        if self._thread is not None:
            self._wake.set()
            self._thread.join()
            self._thread = None

    def _work(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            if self._closing:
                return
            try:
                self.now()
            except OSError as error:
                self.failure = error
                return
