"""The applications that were sent key strokes, and whether they have read them.

An application looks a keycode up when it *reads* the event, in the mapping of that moment. A
keycode may therefore mean something else only after everyone who was sent it has read it. The
X server cannot tell; the application can: it answers a `_NET_WM_PING` in the order it reads its
events, so the answer proves that every earlier key was read. GTK, Qt and Chromium answer.

One that does not (xterm, Tk) is watched until its process sleeps: what was sent to it has been
flushed to its socket and would have woken it. It may sleep because it waits for a reply, but while
the server makes several round trips with us it also answers everyone else; so a process that was
given no turn of the processor in that time waits for events, and has none left.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from Xlib import X, Xatom
from Xlib import error as xerror
from Xlib.ext import res
from Xlib.protocol import event as xevent

from carrel.errors import ActionFailed
from carrel.guest.display import open_display, read_property

if TYPE_CHECKING:
    from Xlib.xobject.drawable import Window

__all__ = ["Readers"]

ANSWER_SECONDS = 10.0
"""How long an application may take to read its keys before typing on is given up."""

BUSY_SECONDS = 2.0
"""How long one that cannot answer is watched; one that never sleeps most likely reads too."""

BLIND_SECONDS = 0.2
"""The pause for one that cannot be watched: it runs on another computer."""

_LOOK_SECONDS = 0.001
_QUIET_LOOKS = 3
_ROUND_TRIPS = 4

_GONE = (xerror.BadWindow, xerror.BadDrawable)


@dataclass(frozen=True, slots=True)
class _Activity:
    turns: tuple[str, ...]
    running: bool


class Readers:
    """Whoever has been sent keys since the last `settle`."""

    def __init__(self, display_name: str) -> None:
        self._display = open_display(display_name)
        self._root = self._display.screen().root
        self._protocols = self._display.intern_atom("WM_PROTOCOLS")
        self._ping = self._display.intern_atom("_NET_WM_PING")
        self._waiting: dict[int, bool] = {}
        self._last = 0.0

    def note(self) -> None:
        """Remember who has the keyboard now. Call before and after keys are sent."""
        self._last = time.monotonic()
        try:
            window = self._focus()
            if window is not None:
                top, pings = self._top(window)
                self._waiting[top.id] = pings
        except _GONE:
            return

    async def settle(self) -> None:
        """Return when all of them have read what they were sent.

        Raises:
            ActionFailed: One of them does not read its events.
        """
        try:
            for window_id, pings in list(self._waiting.items()):
                window = self._display.create_resource_object("window", window_id)
                await (self._answer(window) if pings else self._sleeps(window))
        finally:
            self._waiting.clear()

    async def keep_up(self) -> None:
        """Like `settle`, but only for those that can answer: it never pauses."""
        self._waiting = {window: True for window, pings in self._waiting.items() if pings}
        await self.settle()

    def close(self) -> None:
        """Let the display go."""
        with suppress(xerror.ConnectionClosedError):  # a dead display is closed, too
            self._display.close()

    def _focus(self) -> Window | None:
        focus = self._display.get_input_focus().focus
        if not isinstance(focus, int):
            return focus if focus.id != self._root.id else None
        return self._under_pointer() if focus == X.PointerRoot else None

    def _under_pointer(self) -> Window | None:
        window: Window | None = None
        child = self._root.query_pointer().child
        while not isinstance(child, int):
            window, child = child, child.query_pointer().child
        return window

    def _top(self, window: Window) -> tuple[Window, bool]:
        """The window, or the one above it, that says which protocols its owner speaks."""
        here = window
        while here.id != self._root.id:
            found = read_property(here, self._protocols, Xatom.ATOM)
            if found is not None:
                return here, self._ping in found.value
            here = here.query_tree().parent
        return window, False

    async def _answer(self, window: Window) -> None:
        token = random.getrandbits(31)
        # Qt answers those who watch the root itself, the others those who watch what is in it.
        watched = X.SubstructureNotifyMask | X.StructureNotifyMask
        self._root.change_attributes(event_mask=watched)
        ping = xevent.ClientMessage(
            window=window,
            client_type=self._protocols,
            data=(32, [self._ping, token, window.id, 0, 0]),
        )
        window.send_event(ping)
        self._display.flush()
        try:
            with anyio.fail_after(ANSWER_SECONDS):
                await self._until_answered(window, token)
        except TimeoutError:
            raise ActionFailed(
                f"the application with the keyboard did not read its keys for {ANSWER_SECONDS:g} s",
                hint="it hangs or is very busy: look at the screen before typing again",
                context={"window": window.id},
            ) from None
        finally:
            self._root.change_attributes(event_mask=0)
            self._display.flush()

    def _answered(self, token: int) -> bool:
        answered = False
        while self._display.pending_events():
            event = self._display.next_event()
            if isinstance(event, xevent.ClientMessage) and event.client_type == self._protocols:
                data = event.data[1]
                answered = answered or (data[0] == self._ping and data[1] == token)
        return answered

    async def _until_answered(self, window: Window, token: int) -> None:
        while not self._answered(token):
            try:
                window.get_geometry()
            except _GONE:
                return
            if not self._display.pending_events():
                with anyio.move_on_after(0.25):
                    await anyio.wait_readable(self._display.fileno())

    async def _sleeps(self, window: Window) -> None:
        pid = self._owner(window)
        before = _activity(pid) if pid else None
        if pid is None or before is None:
            await anyio.sleep(max(0.0, self._last + BLIND_SECONDS - time.monotonic()))
            return
        quiet = 0
        deadline = time.monotonic() + BUSY_SECONDS
        while quiet < _QUIET_LOOKS and time.monotonic() < deadline:
            await anyio.sleep(_LOOK_SECONDS)
            for _ in range(_ROUND_TRIPS):
                self._display.sync()
            after = _activity(pid)
            quiet = quiet + 1 if after == before and not (after and after.running) else 0
            before = after

    def _owner(self, window: Window) -> int | None:
        """The process behind a window, by the server's word; None for one on another computer."""
        if not self._display.has_extension("X-Resource"):
            return None
        spec = {"client": window.id, "mask": res.LocalClientPIDMask}
        try:
            ids = self._display.res_query_client_ids([spec]).ids
        except xerror.BadValue:
            return None
        return next((entry.value[0] for entry in ids if entry.value), None)


def _activity(pid: int) -> _Activity | None:
    """What a process has done so far; None where the kernel does not tell."""
    turns, running = [], False
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            turns.append((task / "schedstat").read_text())
            state = (task / "stat").read_text().rpartition(")")[2].split()[0]
            running = running or state in "RD"
    except OSError:
        return None
    return _Activity(tuple(turns), running)
