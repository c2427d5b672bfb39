"""The window manager of a display and the windows it lists, by EWMH."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from carrel.geometry import Box, Size
from carrel.guest.display import close_display, open_display, read_property, x_errors

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Client", "find_manager", "is_managed", "look", "wait_for_manager"]

_CHECK = "_NET_SUPPORTING_WM_CHECK"


def find_manager(name: str) -> bool:
    """Whether a window manager has announced itself on a display."""
    display = open_display(name)
    try:
        with x_errors():
            return is_managed(display)
    finally:
        close_display(display)


async def wait_for_manager(name: str) -> None:
    """Wait until a window manager has announced itself on a display; set a bound around it."""
    from Xlib import X

    display = open_display(name)
    try:
        with x_errors():
            display.screen().root.change_attributes(event_mask=X.PropertyChangeMask)
            while not is_managed(display):
                # Reading the property may already have taken the news off the socket.
                if not display.pending_events():
                    await anyio.wait_readable(display.fileno())
                while display.pending_events():
                    display.next_event()
    finally:
        close_display(display)


def is_managed(display: Display) -> bool:
    """Whether a window manager runs.

    The root names a window which names itself: a dead manager's window is gone.
    """
    window = _named_window(display, display.screen().root.id)
    return window is not None and _named_window(display, window) == window


def _named_window(display: Display, window: int) -> int | None:
    from Xlib import Xatom
    from Xlib.error import BadWindow

    atom = display.get_atom(_CHECK)
    holder = display.create_resource_object("window", window)
    try:
        found = read_property(holder, atom, Xatom.WINDOW)
    except BadWindow:
        return None
    return int(found.value[0]) if found is not None and len(found.value) else None


@dataclass(frozen=True, slots=True)
class Client:
    """The owner of a window that the manager lists, and where that window is.

    Attributes:
        shadow: How much of the box lies left of and above what the owner counts as the window;
            None where the owner does not say.
    """

    app: str
    pid: int | None
    title: str = ""
    box: Box | None = None
    shadow: tuple[int, int] | None = None


def look(name: str) -> tuple[Size, list[Client], list[Box]]:
    """The size of a display's screen, which applications have windows there, and their popups."""
    from Xlib import Xatom

    display = open_display(name)
    try:
        with x_errors():
            root = display.screen().root
            geometry = root.get_geometry()
            windows = read_property(root, display.intern_atom("_NET_CLIENT_LIST"), Xatom.WINDOW)
            found = [_client(display, int(item)) for item in (windows.value if windows else ())]
            size = Size(geometry.width, geometry.height)
            return size, [item for item in found if item.app], _popups(display)
    finally:
        close_display(display)


def _popups(display: Display) -> list[Box]:
    """Where there are windows that no manager lists: menus, and lists of choices."""
    from Xlib import X
    from Xlib.error import BadDrawable, BadWindow

    found: list[Box] = []
    for window in display.screen().root.query_tree().children:
        try:
            known = window.get_attributes()
            if not known.override_redirect or known.map_state != X.IsViewable:
                continue
            at = window.get_geometry()
        except (BadWindow, BadDrawable):  # it was closed meanwhile
            continue
        found.append(Box(at.x, at.y, at.width, at.height))
    return found


def _client(display: Display, window: int) -> Client:
    from Xlib import Xatom
    from Xlib.error import BadWindow

    holder = display.create_resource_object("window", window)
    dock = display.intern_atom("_NET_WM_WINDOW_TYPE_DOCK")
    try:
        kind = read_property(holder, display.intern_atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM)
        names = holder.get_wm_class()
        pid = read_property(holder, display.intern_atom("_NET_WM_PID"), Xatom.CARDINAL)
        title = read_property(
            holder, display.intern_atom("_NET_WM_NAME"), display.intern_atom("UTF8_STRING")
        )
        edges = read_property(holder, display.intern_atom("_GTK_FRAME_EXTENTS"), Xatom.CARDINAL)
        size = holder.get_geometry()
        corner = display.screen().root.translate_coords(holder, 0, 0)
    except BadWindow:  # it was closed meanwhile
        return Client("", None)
    if not names or (kind and dock in kind.value):
        return Client("", None)
    return Client(
        names[0],
        int(pid.value[0]) if pid else None,
        bytes(title.value).decode(errors="replace") if title else "",
        Box(corner.x, corner.y, size.width, size.height),
        (int(edges.value[0]), int(edges.value[2])) if edges and len(edges.value) == 4 else None,
    )
