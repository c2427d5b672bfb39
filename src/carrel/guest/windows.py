"""The windows of the desktop, through its window manager (EWMH)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from anyio import move_on_after, sleep
from Xlib import X, Xatom, Xutil
from Xlib import error as xerror
from Xlib.protocol import event as xevent

from carrel.actions import (
    CloseWindow,
    FocusWindow,
    MaximizeWindow,
    MinimizeWindow,
    MoveWindow,
    ResizeWindow,
)
from carrel.errors import ActionFailed, NotFound, Unsupported
from carrel.frames import Window
from carrel.geometry import MAX_SIDE, Box
from carrel.guest.display import open_display, read_property, x_errors
from carrel.guest.manager import is_managed

if TYPE_CHECKING:
    from Xlib.display import Display
    from Xlib.xobject.drawable import Window as XWindow

__all__ = ["Windows"]

EFFECT_SECONDS = 5.0
"""How long the window manager may take to do what it was asked."""
_FOCUS_SECONDS = 0.5
_LOOK_SECONDS = 0.01

_SOURCE_PAGER: Final = 2
_REMOVE, _ADD = 0, 1
_NORTH_WEST: Final = 1
_GONE = (xerror.BadWindow, xerror.BadDrawable)

Evidence = dict[str, object]


class Windows:
    """The top-level windows of one display."""

    def __init__(self, display_name: str) -> None:
        with x_errors():
            self._display: Display = open_display(display_name)
            self._root = self._display.screen().root
            self._atoms: dict[str, int] = {}

    def list(self) -> tuple[Window, ...]:
        """Every window the window manager lists, the topmost last.

        Raises:
            Unsupported: No window manager runs that can be asked.
        """
        with x_errors():
            self._require_manager()
            active = self._active()
            seen = (self._describe(window, active) for window in self._stacking())
            return tuple(window for window in seen if window is not None)

    async def focus(self, action: FocusWindow) -> Evidence:
        """Raise a window, bring it back if it was minimised, and give it the keyboard."""
        with x_errors():
            self._find(action.window)
            self._ask(action.window, "_NET_ACTIVE_WINDOW", _SOURCE_PAGER, X.CurrentTime, 0)
            return await self._until(
                action.window, "get the keyboard", lambda w: w.focused and not w.minimized
            )

    async def move(self, action: MoveWindow) -> Evidence:
        """Move a window so that the top left corner of its frame is at a point."""
        with x_errors():
            window = self._find(action.window)
            flags = _NORTH_WEST | 1 << 8 | 1 << 9 | _SOURCE_PAGER << 12
            x, y = (value & 0xFFFFFFFF for value in (action.x, action.y))
            self._ask(action.window, "_NET_MOVERESIZE_WINDOW", flags, x, y)
            wanted, before = (action.x, action.y), self._corner(window)
            hint = "restore it first: it is maximized" if window.maximized else None
            try:
                return await self._until(
                    action.window, f"move to {wanted}", lambda w: self._corner(w) == wanted, hint
                )
            except ActionFailed as error:
                found = self._corner(self._find(action.window))
                if found in (before, None):
                    raise
                raise ActionFailed(
                    f"window {action.window:#x} moved to {found} instead of {wanted}",
                    hint="a place on the screen: the window manager keeps windows within reach",
                    context=error.context,
                ) from error

    async def resize(self, action: ResizeWindow) -> Evidence:
        """Give a window's content a new size, as near as its own steps and limits allow."""
        with x_errors():
            window = self._find(action.window)
            wide, high = self._fitting(action)
            flags = _NORTH_WEST | 1 << 10 | 1 << 11 | _SOURCE_PAGER << 12
            self._ask(
                action.window, "_NET_MOVERESIZE_WINDOW", flags, 0, 0, action.width, action.height
            )
            hint = "restore it first: it is maximized" if window.maximized else None
            return await self._until(
                action.window,
                f"take the size {action.width}x{action.height}",
                lambda w: w.box.width in wide and w.box.height in high,
                hint,
            )

    async def minimize(self, action: MinimizeWindow) -> Evidence:
        """Minimise a window."""
        with x_errors():
            self._find(action.window)
            self._ask(action.window, "WM_CHANGE_STATE", Xutil.IconicState)
            await self._until(action.window, "minimise", lambda w: w.minimized)
            # The keyboard goes elsewhere a moment later, where there is somewhere to go.
            with move_on_after(_FOCUS_SECONDS):
                while self._active() == action.window:  # noqa: ASYNC110 - nobody tells us
                    await sleep(_LOOK_SECONDS)
            return _evidence(self._find(action.window))

    async def maximize(self, action: MaximizeWindow) -> Evidence:
        """Maximise a window, or restore it."""
        with x_errors():
            self._find(action.window)
            self._ask(
                action.window,
                "_NET_WM_STATE",
                _ADD if action.on else _REMOVE,
                self._atom("_NET_WM_STATE_MAXIMIZED_VERT"),
                self._atom("_NET_WM_STATE_MAXIMIZED_HORZ"),
                _SOURCE_PAGER,
            )
            what = "maximise" if action.on else "restore"
            return await self._until(action.window, what, lambda w: w.maximized == action.on)

    async def close(self, action: CloseWindow) -> Evidence:
        """Ask a window to close, and see it gone."""
        with x_errors():
            self._find(action.window)
            self._ask(action.window, "_NET_CLOSE_WINDOW", X.CurrentTime, _SOURCE_PAGER)
            deadline = time.monotonic() + EFFECT_SECONDS
            while action.window in {window.id for window in self._stacking()}:
                if time.monotonic() > deadline:
                    raise ActionFailed(
                        f"window {action.window:#x} did not close",
                        hint="it may be asking something, or hang: look at the screen",
                    )
                await sleep(_LOOK_SECONDS)
        return {"window": action.window, "closed": True}

    def disconnect(self) -> None:
        """Let the display go."""
        with suppress(xerror.ConnectionClosedError):  # a dead display is closed, too
            self._display.close()

    # Reading

    def _require_manager(self) -> None:
        if not is_managed(self._display):
            raise Unsupported(
                "no window manager that can be asked (EWMH) runs on this display",
                hint="start one, for example: openbox",
            )

    def _stacking(self) -> Sequence[XWindow]:
        name = "_NET_CLIENT_LIST_STACKING"
        ids = self._numbers(self._root, name) or self._numbers(self._root, "_NET_CLIENT_LIST")
        return [self._display.create_resource_object("window", number) for number in ids]

    def _active(self) -> int:
        return next(iter(self._numbers(self._root, "_NET_ACTIVE_WINDOW")), 0)

    def _find(self, window_id: int) -> Window:
        for window in self.list():
            if window.id == window_id:
                return window
        raise NotFound(f"there is no window {window_id:#x}", hint="list them with: windows")

    def _describe(self, window: XWindow, active: int) -> Window | None:
        try:
            states = self._numbers(window, "_NET_WM_STATE")
            geometry = window.get_geometry()
            origin = self._root.translate_coords(window, 0, 0)
            maximized = {"_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"}
            return Window(
                id=window.id,
                title=self._title(window),
                box=Box(_clamp(origin.x), _clamp(origin.y), geometry.width, geometry.height),
                app=_app(window),
                pid=next(iter(self._numbers(window, "_NET_WM_PID")), None),
                focused=window.id == active,
                minimized=self._atom("_NET_WM_STATE_HIDDEN") in states,
                maximized={self._atom(name) for name in maximized} <= set(states),
            )
        except _GONE:
            return None

    def _title(self, window: XWindow) -> str:
        for name in ("_NET_WM_VISIBLE_NAME", "_NET_WM_NAME"):
            found = read_property(window, self._atom(name), self._atom("UTF8_STRING"))
            if found is not None:
                return bytes(found.value).decode(errors="replace")
        found = read_property(window, Xatom.WM_NAME, X.AnyPropertyType)
        if found is None:
            return ""
        return bytes(found.value).decode("latin-1")

    def _corner(self, window: Window) -> tuple[int, int] | None:
        """The top left of a window's frame; None while it is only getting one."""
        name = "_NET_FRAME_EXTENTS"
        holder = self._display.create_resource_object("window", window.id)
        left, _, top, _ = found if len(found := self._numbers(holder, name)) == 4 else (0, 0, 0, 0)
        if not found and self._atom(name) in self._numbers(self._root, "_NET_SUPPORTED"):
            return None
        return window.box.x - left, window.box.y - top

    def _fitting(self, action: ResizeWindow) -> tuple[range, range]:
        """Widths and heights that count as done: terminals take whole characters only."""
        window = self._display.create_resource_object("window", action.window)
        hints = window.get_wm_normal_hints()
        steps = (1, 1)
        if hints is not None and hints.flags & Xutil.PResizeInc:
            steps = (max(1, hints.width_inc), max(1, hints.height_inc))
        width, height = action.width, action.height
        if hints is not None and hints.flags & Xutil.PMinSize:
            width, height = max(width, hints.min_width), max(height, hints.min_height)
        if hints is not None and hints.flags & Xutil.PMaxSize:
            width, height = min(width, hints.max_width), min(height, hints.max_height)
        return (
            range(width - steps[0] + 1, width + steps[0]),
            range(height - steps[1] + 1, height + steps[1]),
        )

    def _numbers(self, window: XWindow, name: str) -> Sequence[int]:
        try:
            found = read_property(window, self._atom(name), X.AnyPropertyType)
        except _GONE:
            return []
        return [] if found is None or found.format != 32 else [int(n) for n in found.value]

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self._display.intern_atom(name)
        return self._atoms[name]

    # Acting

    def _ask(self, window_id: int, message: str, *values: int) -> None:
        data = [*values, 0, 0, 0, 0, 0][:5]
        window = self._display.create_resource_object("window", window_id)
        event = xevent.ClientMessage(
            window=window, client_type=self._atom(message), data=(32, data)
        )
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self._root.send_event(event, event_mask=mask)
        self._display.sync()

    async def _until(
        self,
        window_id: int,
        what: str,
        done: Callable[[Window], bool],
        hint: str | None = None,
    ) -> Evidence:
        """Wait until the window is as wished, and say how it is."""
        deadline = time.monotonic() + EFFECT_SECONDS
        while True:
            window = self._find(window_id)
            if done(window):
                return _evidence(window)
            if time.monotonic() > deadline:
                raise ActionFailed(
                    f"window {window_id:#x} did not {what}",
                    hint=hint or "the window manager refused, or the window allows it not",
                    context=_evidence(window),
                )
            await sleep(_LOOK_SECONDS)


def _app(window: XWindow) -> str:
    found = window.get_wm_class()
    return "" if found is None else str(found[1])


def _clamp(value: int) -> int:
    return max(-MAX_SIDE, min(MAX_SIDE, value))


def _evidence(window: Window) -> Evidence:
    box = window.box
    return {
        "window": window.id,
        "box": {"x": box.x, "y": box.y, "width": box.width, "height": box.height},
        "focused": window.focused,
        "minimized": window.minimized,
        "maximized": window.maximized,
    }
