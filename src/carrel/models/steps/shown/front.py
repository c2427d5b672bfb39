"""Which window has the keyboard, and what is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from carrel import codec
from carrel.actions import Windows
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.frames import Element, Window
from carrel.geometry import Box, Size
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.turns import Turns

__all__ = [
    "come_to_rest",
    "in_window",
    "is_panel",
    "not_behind",
    "open_windows",
    "several_windows",
    "window_in_front",
]

_FRAMES = ("frame", "window", "dialog", "alert", "file chooser")
PANEL, WIDE = 64, 0.8
"""Pixels that the panel of a desktop is high at most; and its share of the screen's width."""
RESTS, RESTING = 6, 0.25
"""How often one looks whether a window is all there, and after how many seconds each time."""
FRAME = 40
"""Pixels by which a window's box may differ from what its application says of it."""


def open_windows(desk: Desk) -> Turns[list[Window]]:
    """The windows, the topmost last."""
    results = yield from desk.do(Windows(), why="which windows are open", commits=False)
    listed = results[0].data.get("windows") if results else None
    return [
        window for item in (listed if isinstance(listed, list) else ()) if (window := _read(item))
    ]


def _read(item: Json) -> Window | None:
    try:
        return codec.decode(Window, item, where="window") if isinstance(item, Mapping) else None
    except InvalidInput:
        return None


def is_panel(window: Window, screen: Size) -> bool:
    """Whether it is a bar along an edge of the screen, and no window of a program."""
    return window.box.height <= PANEL and window.box.width > WIDE * screen.width


def window_in_front(desk: Desk) -> Turns[Window | None]:
    """The window that has the keyboard."""
    windows = yield from open_windows(desk)
    return next((window for window in windows if window.focused), None)


def come_to_rest(desk: Desk) -> Turns[None]:
    """Look at a window that has just come up until it shows the same twice, but not for ever."""
    for _ in range(RESTS):
        before = [(e.role, e.name, e.box) for e in desk.elements]
        yield from desk.again(RESTING, why="the window has just come up")
        if before == [(e.role, e.name, e.box) for e in desk.elements]:
            return


def in_window(elements: Sequence[Element], window: Window) -> tuple[Element, ...]:
    """What the application says is in a window; nothing where it does not speak."""
    roots = [e for e in elements if e.parent is None and _is_frame(e, window)]
    return tuple(e for root in roots for e in (root, *children_of(elements, root)))


def several_windows(desk: Desk) -> Turns[list[Window]]:
    """The windows that are open, where more than one tells what is in it; else none."""
    roots = [e for e in desk.elements if e.parent is None and e.role in _FRAMES]
    return (yield from open_windows(desk)) if len(roots) > 1 else []


def not_behind(elements: Sequence[Element], windows: Sequence[Window]) -> tuple[Element, ...]:
    """Without what is in another window than the one that has the keyboard."""
    front = next((window for window in windows if window.focused), None)
    if front is None:
        return tuple(elements)
    others = [window for window in windows if window.id != front.id]
    behind = [
        e
        for e in elements
        if e.parent is None and not _is_frame(e, front)
        if any(_is_frame(e, window) for window in others)
    ]
    left_out = {e.id for root in behind for e in (root, *children_of(elements, root))}
    return tuple(e for e in elements if e.id not in left_out)


def _is_frame(element: Element, window: Window) -> bool:
    if element.source not in ("tree", "browser"):
        return False
    return (bool(element.name) and element.name == window.title) or _alike(element.box, window.box)


def _alike(one: Box | None, other: Box) -> bool:
    if one is None:
        return False
    sides = ((one.x, other.x), (one.y, other.y), (one.right, other.right))
    return all(abs(a - b) <= FRAME for a, b in (*sides, (one.bottom, other.bottom)))
