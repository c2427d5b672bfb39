"""The applications that were sent key strokes, and whether they have read them.

An application looks a keycode up when it *reads* the event, in the mapping of that moment. A
keycode may therefore mean something else only after everyone who was sent it has read it. The
X server cannot tell; the application can: it answers a `_NET_WM_PING` in the order it reads its
events, so the answer proves that every earlier key was read. GTK, Qt, Tk and Chromium answer.
One that does not (xterm) gets a pause, made longer while its process is busy.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from Xlib import X, Xatom
from Xlib import error as xerror
from Xlib.protocol import event as xevent

from carrel.errors import ActionFailed
from carrel.guest.display import open_display

if TYPE_CHECKING:
    from Xlib.xobject.drawable import Window

__all__ = ["Readers"]

ANSWER_SECONDS = 10.0
"""How long an application may take to read its keys before typing on is given up."""

PAUSE_SECONDS = 0.1
BUSY_SECONDS = 2.0
_LOOK_SECONDS = 0.01
_QUIET_LOOKS = 3

_GONE = (xerror.BadWindow, xerror.BadDrawable)


class Readers:
    """Whoever has been sent keys since the last `settle`."""

    def __init__(self, display_name: str) -> None:
        self._display = open_display(display_name)
        self._root = self._display.screen().root
        self._protocols = self._display.intern_atom("WM_PROTOCOLS")
        self._ping = self._display.intern_atom("_NET_WM_PING")
        self._pid = self._display.intern_atom("_NET_WM_PID")
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
                await (self._answer(window) if pings else self._pause(window))
        finally:
            self._waiting.clear()

    async def keep_up(self) -> None:
        """Like `settle`, but only for those that can answer: it never pauses."""
        self._waiting = {window: True for window, pings in self._waiting.items() if pings}
        await self.settle()

    def close(self) -> None:
        """Let the display go."""
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
            found = here.get_full_property(self._protocols, Xatom.ATOM)
            if found is not None:
                return here, self._ping in found.value
            here = here.query_tree().parent
        return window, False

    async def _answer(self, window: Window) -> None:
        token = random.getrandbits(31)
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask)
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

    async def _pause(self, window: Window) -> None:
        await anyio.sleep(self._last + PAUSE_SECONDS - time.monotonic())
        try:
            found = window.get_full_property(self._pid, Xatom.CARDINAL)
        except _GONE:
            return
        if found is None:
            return
        quiet = 0
        deadline = time.monotonic() + BUSY_SECONDS
        while quiet < _QUIET_LOOKS and time.monotonic() < deadline:
            quiet = 0 if _is_busy(found.value[0]) else quiet + 1
            await anyio.sleep(_LOOK_SECONDS)


def _is_busy(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] in "RD"
