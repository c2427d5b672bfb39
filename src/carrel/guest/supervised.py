"""A background process: its output read, its end seen, and started again where that is wished."""

from __future__ import annotations

import logging
import os
import selectors
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from carrel.codec import Json
from carrel.errors import CarrelError, InvalidInput
from carrel.guest.children import Child, ExitStatus, Program
from carrel.guest.restarts import Restart, Restarts
from carrel.guest.spool import Spool

__all__ = ["CHUNK", "Ending", "StartArgs", "Supervised"]

CHUNK = 64 * 1024
SPOOL_LIMIT = 8 * 1024 * 1024
MAX_ENDINGS = 32
LINGER = 1.0
"""Seconds after the end of a process that its output may still come from something it left."""

NOT_STARTED = ExitStatus(127, None)
"""As shells have it."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StartArgs(Program):
    """The arguments of the operation `process.start`.

    Attributes:
        name: Nothing else that runs has the same; what it started ends with it.
        restart: Start it again when it failed, or whenever it ended.
    """

    name: str | None = None
    restart: Restart = "never"

    def __post_init__(self) -> None:
        Program.__post_init__(self)
        if self.name is not None and not (0 < len(self.name) <= 80 and self.name.isprintable()):
            raise InvalidInput("a name has 1 to 80 printable characters")

    @property
    def supervised(self) -> bool:
        """Whether it is looked after beyond its first end."""
        return self.name is not None or self.restart != "never"


@dataclass(frozen=True, slots=True)
class Ending:
    """One end of a supervised process.

    Attributes:
        number: The first is 1.
        next: When it is started again.
    """

    number: int
    at: float
    exit: int | None
    signal: int | None
    next: float | None


@dataclass(eq=False)
class Supervised:
    """One background process and the thread that reads its output and starts it again."""

    id: str
    wish: StartArgs
    spawn: Callable[[], Child]
    child: Child
    started: float = field(default_factory=time.time)
    status: ExitStatus | None = None
    closed: bool = False
    out: Spool = field(default_factory=lambda: Spool(SPOOL_LIMIT))
    err: Spool = field(default_factory=lambda: Spool(SPOOL_LIMIT))
    endings: deque[Ending] = field(default_factory=lambda: deque(maxlen=MAX_ENDINGS))
    readers: int = 0
    reader: threading.Thread = field(init=False)
    _restarts: Restarts = field(init=False)
    _over: threading.Event = field(default_factory=threading.Event)
    _bells: set[int] = field(default_factory=set)
    _alarm: int = field(default_factory=lambda: os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC))
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _full: bool = False
    _ends: int = 0

    def __post_init__(self) -> None:
        self._restarts = Restarts(self.wish.restart)
        self.reader = threading.Thread(target=self._live, name=f"read {self.id}", daemon=True)

    def describe(self) -> dict[str, Json]:
        """What `process.list` says about it."""
        status = self.status
        last = self.endings[-1] if self.endings else None
        waits = last is not None and status is not None and not self.closed
        return {
            "id": self.id,
            "pid": self.child.pid,
            "argv": list(self.wish.words),
            "started": self.started,
            "running": status is None,
            "exit": status.code if status else None,
            "signal": status.signal if status else None,
            "stdout": self.out.end,
            "stderr": self.err.end,
            "name": self.wish.name,
            "restart": self.wish.restart,
            "restarts": self._restarts.count,
            "next": last.next if waits and last else None,
        }

    def _live(self) -> None:
        """Read and start again until it has ended for good."""
        while True:
            began = time.monotonic()
            if self.status is None:
                self._pump()
            if not self._goes_on(time.monotonic() - began):
                break
        with self._lock:
            os.close(self._alarm)
            self._alarm = -1
        self.closed = True
        self._notify()

    def _goes_on(self, lived: float) -> bool:
        """Wait until it is due and start it again; False when it is not."""
        status = self.status
        assert status is not None
        delay = None if self._over.is_set() else self._restarts.after(status.code != 0, lived)
        if self.wish.supervised:
            now = time.time()
            due = None if delay is None else now + delay
            self._ends += 1
            self.endings.append(Ending(self._ends, now, status.code, status.signal, due))
            self._notify()
        if delay is None or self._over.wait(delay):
            return False
        return self._start_again()

    def _start_again(self) -> bool:
        # Under the lock, so that whoever ends it ends the last one there is.
        with self._lock:
            if self._over.is_set():
                return False
            try:
                child = self.spawn()
            except CarrelError as error:
                logger.warning("%s is not started again: %s", self.wish.name or self.id, error)
                self.status = NOT_STARTED
                return True
            self.child.close()
            self.child, self.started, self.status = child, time.time(), None
        return True

    async def end(self, grace: float) -> None:
        """End it and all it started, and do not start it again."""
        with self._lock:
            self._over.set()
            child = self.child
        self.status = await child.terminate(grace)
        self._wake_reader()

    def _wake_reader(self) -> None:
        with self._lock:
            if self._alarm >= 0:
                os.eventfd_write(self._alarm, 1)

    def _pump(self) -> None:
        """Read until both pipes are closed, by whoever holds them or by us."""
        waiter = threading.Thread(target=self._wait, name=f"wait {self.id}", daemon=True)
        waiter.start()
        spools = {self.child.stdout: self.out, self.child.stderr: self.err}
        with selectors.DefaultSelector() as selector:
            for fd in spools:
                assert fd is not None
                selector.register(fd, selectors.EVENT_READ)
            selector.register(self._alarm, selectors.EVENT_READ)
            self._read_all(selector, spools)
        waiter.join()
        self.child.close_pipes()

    def _read_all(
        self, selector: selectors.BaseSelector, spools: Mapping[int | None, Spool]
    ) -> None:
        until = left = None
        # The alarm is never unregistered.
        while len(selector.get_map()) > 1 and left != 0:
            if until is None and self._is_left():
                # A daemon that got away must not keep its name and its pipes for ever.
                until = time.monotonic() + LINGER
            left = None if until is None else max(0.0, until - time.monotonic())
            for key, _ in selector.select(left):
                if key.fd == self._alarm:
                    os.eventfd_read(self._alarm)
                elif not self._take(key.fd, spools[key.fd]):
                    selector.unregister(key.fd)
            self._notify()

    def _is_left(self) -> bool:
        """Whether what still writes is something that should have ended with it."""
        return self.status is not None and (self.wish.supervised or self._over.is_set())

    def _take(self, fd: int, spool: Spool) -> bool:
        data = os.read(fd, CHUNK)
        try:
            spool.append(data)
        except OSError as error:
            # Better to lose output than to stop the program for want of disk space.
            if not self._full:
                logger.warning("output of %s is lost: %s", self.id, error)
            self._full = True
        return bool(data)

    def _wait(self) -> None:
        status = self.child.wait_blocking()
        if self.wish.supervised:
            # What it left running would hold its ports and its output.
            self.child.kill()
        self.status = status
        self._wake_reader()
        self._notify()

    def _notify(self) -> None:
        # Under the lock: a closed descriptor's number may already be someone else's.
        with self._lock:
            for fd in self._bells:
                os.eventfd_write(fd, 1)

    @contextmanager
    def bell(self) -> Iterator[int]:
        """A descriptor that becomes readable whenever something happened."""
        fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        with self._lock:
            self._bells.add(fd)
        try:
            yield fd
        finally:
            with self._lock:
                self._bells.discard(fd)
                os.close(fd)

    def free(self) -> None:
        """Drop its output."""
        self.child.close()
        self.out.close()
        self.err.close()
