"""The owner's side of an X selection: a thread that hands text out to whoever asks."""

from __future__ import annotations

import logging
import os
import select
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from Xlib import X, Xatom
from Xlib import error as xerror
from Xlib.protocol import event as xevent
from Xlib.protocol import rq

from carrel.errors import ActionFailed, CarrelError, MachineLost, TimedOut
from carrel.guest.display import close_display, open_display, read_property, x_errors

if TYPE_CHECKING:
    from Xlib.display import Display
    from Xlib.xobject.drawable import Window

__all__ = ["SelectionAtoms", "SelectionOwner", "next_event"]

log = logging.getLogger(__name__)

OWN_SECONDS = 5.0
PIECE = 200_000
"""Bytes per property: below the 256 KiB that a request may have without extensions."""
STALE_SECONDS = 60.0
"""A requester that stopped taking pieces for so long is forgotten."""


class SelectionAtoms:
    """The names used in a transfer."""

    def __init__(self, display: Display) -> None:
        self.clipboard = display.intern_atom("CLIPBOARD")
        self.transfer = display.intern_atom("_CARREL_TRANSFER")
        self.targets = display.intern_atom("TARGETS")
        self.timestamp = display.intern_atom("TIMESTAMP")
        self.multiple = display.intern_atom("MULTIPLE")
        self.pair = display.intern_atom("ATOM_PAIR")
        self.incr = display.intern_atom("INCR")
        self.utf8 = display.intern_atom("UTF8_STRING")
        self.plain = display.intern_atom("text/plain;charset=utf-8")
        self.files = display.intern_atom("text/uri-list")
        self.texts = (self.utf8, self.plain, Xatom.STRING)


def next_event(display: Display, deadline: float, wake: int | None = None) -> rq.Event | None:
    """The next event; None after `deadline` (monotonic) or when `wake` can be read."""
    while not display.pending_events():
        left = max(0.0, deadline - time.monotonic())
        ready = _readable([display.fileno(), *([] if wake is None else [wake])], left)
        if not ready or wake in ready:
            return None
    return display.next_event()


def _readable(files: list[int], seconds: float) -> list[int]:
    # Not select(): it cannot take the high numbers of a program with many open files.
    poll = select.poll()
    for file in files:
        poll.register(file, select.POLLIN)
    return [file for file, _ in poll.poll(seconds * 1000)]


@dataclass(slots=True)
class _Transfer:
    """One text on its way to one requester, in pieces."""

    data: bytes
    target: int
    sent: int = 0
    touched: float = field(default_factory=time.monotonic)


class SelectionOwner:
    """Owns the clipboard, once asked to, until another program takes it."""

    def __init__(self, display_name: str) -> None:
        with x_errors():
            self._display = open_display(display_name)
            self._display.set_error_handler(_ignore)
            self._atoms = SelectionAtoms(self._display)
            root = self._display.screen().root
            self._window = root.create_window(
                -10, -10, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask
            )
            self._display.sync()
        self._data = b""
        self._since = X.CurrentTime
        self._transfers: dict[tuple[int, int], _Transfer] = {}
        self._wishes: list[tuple[bytes, Future[None]]] = []
        self._lock = threading.Lock()
        self._gone = False
        self._wake_reader, self._wake_writer = os.pipe()
        self._thread = threading.Thread(target=self._run, name="carrel-clipboard", daemon=True)
        self._thread.start()

    def own(self, data: bytes) -> None:
        """Become the owner of the clipboard with this text (UTF-8); blocks until it is so.

        Raises:
            ActionFailed: The server gave it to another program.
        """
        done: Future[None] = Future()
        with self._lock:
            if self._gone:
                raise MachineLost("the display server is gone")
            self._wishes.append((data, done))
        os.write(self._wake_writer, b"w")
        try:
            done.result(OWN_SECONDS)
        except TimeoutError:
            raise TimedOut(f"the display server did not answer in {OWN_SECONDS:g} s") from None

    def close(self) -> None:
        """End the thread, and with it the ownership."""
        with self._lock:
            self._gone = True
        if self._thread.is_alive():
            os.write(self._wake_writer, b"q")
        self._thread.join(OWN_SECONDS)
        if not self._thread.is_alive() and self._wake_reader >= 0:
            os.close(self._wake_reader)
            os.close(self._wake_writer)
            self._wake_reader = self._wake_writer = -1

    # The thread

    def _run(self) -> None:
        try:
            with x_errors():
                while not self._gone:
                    event = next_event(
                        self._display, time.monotonic() + STALE_SECONDS, self._wake_reader
                    )
                    if event is None:
                        self._attend()
                    else:
                        self._handle(event)
            close_display(self._display)
        except MachineLost:
            log.debug("the display server is gone; the clipboard ends with it")
        finally:
            self._fail_wishes()

    def _attend(self) -> None:
        """Do what other threads asked for, and forget requesters that died."""
        if _readable([self._wake_reader], 0):
            os.read(self._wake_reader, 64)
        oldest = time.monotonic() - STALE_SECONDS
        self._transfers = {k: t for k, t in self._transfers.items() if t.touched > oldest}
        with self._lock:
            wishes, self._wishes = self._wishes, []
        for data, done in wishes:
            try:
                with x_errors():
                    self._take(data)
            except CarrelError as error:
                done.set_exception(error)
            else:
                done.set_result(None)

    def _fail_wishes(self) -> None:
        with self._lock:
            self._gone = True
            wishes, self._wishes = self._wishes, []
        for _, done in wishes:
            done.set_exception(MachineLost("the display server is gone"))

    def _take(self, data: bytes) -> None:
        self._since = self._server_time()
        self._window.set_selection_owner(self._atoms.clipboard, self._since)
        if not self._owns():
            raise ActionFailed("another program took the clipboard first")
        self._data = data

    def _owns(self) -> bool:
        owner = self._display.get_selection_owner(self._atoms.clipboard)
        return not isinstance(owner, int) and owner.id == self._window.id

    def _server_time(self) -> int:
        """The server's clock: owners are compared by it, so the current time must be real."""
        self._window.change_property(self._atoms.transfer, Xatom.STRING, 8, b"")
        deadline = time.monotonic() + OWN_SECONDS
        while True:
            event = next_event(self._display, deadline)
            if event is None:
                raise TimedOut("the display server did not answer")
            if isinstance(event, xevent.PropertyNotify) and event.window.id == self._window.id:
                return int(event.time)
            self._handle(event)

    def _handle(self, event: rq.Event) -> None:
        if isinstance(event, xevent.SelectionRequest):
            self._answer(event)
        elif isinstance(event, xevent.PropertyNotify) and event.state == X.PropertyDelete:
            self._send_piece(event.window, event.atom)
        elif isinstance(event, xevent.SelectionClear) and not self._owns():
            # What is being handed out is kept by its transfer.
            self._data = b""

    def _answer(self, event: xevent.SelectionRequest) -> None:
        prop = event.property or event.target
        if event.target == self._atoms.multiple:
            given = self._give_multiple(event.requestor, prop)
        else:
            given = self._give(event.requestor, event.target, prop)
        notify = xevent.SelectionNotify(
            time=event.time,
            requestor=event.requestor,
            selection=event.selection,
            target=event.target,
            property=prop if given else X.NONE,
        )
        event.requestor.send_event(notify)
        self._display.flush()

    def _give_multiple(self, requestor: Window, prop: int) -> bool:
        try:
            found = read_property(requestor, prop, self._atoms.pair)
        except (xerror.BadWindow, xerror.BadAtom):
            return False
        if found is None:
            return False
        pairs = list(found.value)
        for i in range(0, len(pairs) - 1, 2):
            if not self._give(requestor, pairs[i], pairs[i + 1]):
                pairs[i + 1] = X.NONE
        requestor.change_property(prop, self._atoms.pair, 32, pairs)
        return True

    def _give(self, requestor: Window, target: int, prop: int) -> bool:
        """Put the text, or what is asked about it, into the requestor's property."""
        atoms = self._atoms
        if target == atoms.targets:
            offered = [atoms.targets, atoms.timestamp, atoms.multiple, *atoms.texts]
            requestor.change_property(prop, Xatom.ATOM, 32, offered)
        elif target == atoms.timestamp:
            requestor.change_property(prop, Xatom.INTEGER, 32, [self._since])
        elif target in atoms.texts:
            self._give_text(requestor, target, prop)
        else:
            return False
        return True

    def _give_text(self, requestor: Window, target: int, prop: int) -> None:
        data = self._data
        if target == Xatom.STRING:
            data = data.decode().encode("latin-1", errors="replace")
        if len(data) <= PIECE:
            requestor.change_property(prop, target, 8, data)
            return
        # Its deletions of the property ask for the pieces. Our own window has a mask already.
        if requestor.id != self._window.id:
            requestor.change_attributes(event_mask=X.PropertyChangeMask)
        self._transfers[requestor.id, prop] = _Transfer(data, target)
        requestor.change_property(prop, self._atoms.incr, 32, [len(data)])

    def _send_piece(self, requestor: Window, prop: int) -> None:
        transfer = self._transfers.get((requestor.id, prop))
        if transfer is None:
            return
        piece = transfer.data[transfer.sent : transfer.sent + PIECE]
        requestor.change_property(prop, transfer.target, 8, piece)
        transfer.sent += len(piece)
        transfer.touched = time.monotonic()
        if not piece:
            del self._transfers[requestor.id, prop]
            requestor.change_attributes(event_mask=0)
        self._display.flush()


def _ignore(error: xerror.XError, request: object) -> None:
    log.debug("a program asked for the clipboard and went away: %s", error)
