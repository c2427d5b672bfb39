"""What lies behind a window or an open menu cannot be seen, and must not be pointed at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.perception.overlays import Overlays

__all__ = ["HOLDERS", "uncovered"]

ALIKE = 0.6
"""How much the boxes of a window and of the top of a tree must have in common to be one."""
LEFT = 0.2
"""What shows less of itself than this share is hidden."""

HOLDERS = frozenset(
    {
        "alert",
        "application",
        "article",
        "block quote",
        "calendar",
        "canvas",
        "desktop frame",
        "desktop icon layer",
        "dialog",
        "directory pane",
        "document email",
        "document frame",
        "document spreadsheet",
        "document text",
        "document web",
        "filler",
        "form",
        "frame",
        "glass pane",
        "grouping",
        "image map",
        "internal frame",
        "landmark",
        "layered pane",
        "list",
        "list box",
        "menu bar",
        "page tab list",
        "panel",
        "popup menu",
        "redundant object",
        "root pane",
        "scroll pane",
        "section",
        "separator",
        "split pane",
        "status bar",
        "table",
        "table row",
        "tool bar",
        "tree",
        "tree table",
        "unknown",
        "invalid",
        "viewport",
        "window",
    }
)
"""Roles that hold others; what is written inside them is not their own text."""

_FLOATING = frozenset({"alert", "dialog", "popup menu", "tool tip"})
_OPENED = frozenset({"menu", "combo box"})
PANE = 8
"""How many times larger than a drop-down a pane is that holds its list, and shows nothing."""
_DOT = 2
"""Pixels of a side of what can show nothing."""


def uncovered(elements: Sequence[Element], windows: Sequence[Window]) -> Iterator[Element]:
    """The elements that can be seen, each with the part of its box that shows."""
    by_id = {element.id: element for element in elements}
    shown = [window for window in windows if not window.minimized]
    above = {top.id: _above(top, shown) for top in elements if top.parent is None}
    floats = [(_line(owner, by_id), box) for owner, box in _floats(elements, by_id)]
    overlays = Overlays(elements)
    for element in elements:
        line = _line(element, by_id)
        if any(item.box and max(item.box.width, item.box.height) <= _DOT for item in line[1:]):
            # Pages put what only screen readers shall say into a dot, and cut it off.
            continue
        covers = list(above.get(line[-1].id, ()))
        ids = {item.id for item in line}
        # What holds a menu is not hidden by it, and what is in it neither.
        covers += [
            box
            for owners, box in floats
            if owners[0].id not in ids and element not in owners
            if not overlays.lies_over(element, owners[0])
        ]
        seen = _rest(element, covers)
        if seen is not None:
            yield seen


def _line(element: Element, by_id: Mapping[str, Element]) -> list[Element]:
    """The element, its parent and so on to the top."""
    line = [element]
    while line[-1].parent in by_id and len(line) < 200:
        line.append(by_id[line[-1].parent or ""])
    return line


def _above(top: Element, windows: Sequence[Window]) -> tuple[Box, ...]:
    """The boxes of the windows in front of the one that a tree belongs to."""
    if top.box is None or not windows:
        return ()
    scores = [
        _alike(top.box, w.box) + 0.5 * (bool(top.name) and top.name == w.title) for w in windows
    ]
    best = max(range(len(windows)), key=lambda n: (scores[n], n))
    if scores[best] < ALIKE:
        return ()
    return tuple(window.box for window in windows[best + 1 :])


def _alike(one: Box, other: Box) -> float:
    common = one.intersect(other)
    return common.area / (one.area + other.area - common.area) if common else 0.0


def _floats(
    elements: Sequence[Element], by_id: Mapping[str, Element]
) -> Iterator[tuple[Element, Box]]:
    """What floats over everything else: dialogs, tool tips, and menus that are open."""
    inside: dict[str, list[Box]] = {}
    for element in elements:
        owner = by_id.get(element.parent or "")
        held = owner is not None and owner.role in _OPENED and element.box and element.box.area
        if held and owner and element.box and not _is_pane(element.box, owner.box):
            inside.setdefault(owner.id, []).append(element.box)
        if element.role == "list box" and element.box is not None and _in_pane(element, by_id):
            yield element, element.box
        if element.role in _FLOATING and element.parent in by_id and element.box is not None:
            yield element, element.box
    for owner_id, boxes in inside.items():
        opened, own = _around(boxes), by_id[owner_id].box
        if len(boxes) > 1 and (own is None or opened.area > 1.5 * own.area):
            # Between a drop-down and its list there may be a field that looks through it.
            listed = [box for box in boxes if own is None or not own.contains(box.center)]
            yield by_id[owner_id], _around(listed or boxes)


def _is_pane(box: Box, own: Box | None) -> bool:
    """Whether it is what a page puts over all of itself to hold a list, and not that list."""
    return own is not None and box.area > PANE * own.area and box.intersect(own) == own


def _in_pane(element: Element, by_id: Mapping[str, Element]) -> bool:
    line = _line(element, by_id)
    return any(
        owner.role in _OPENED and inner.box is not None and _is_pane(inner.box, owner.box)
        for inner, owner in pairwise(line)
    )


def _around(boxes: Sequence[Box]) -> Box:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top)


def _rest(element: Element, covers: Iterable[Box]) -> Element | None:
    """The element with what shows of it; None when that is too little to be of use."""
    if element.box is None:
        return element
    box: Box | None = element.box
    for cover in covers:
        box = box and _largest_part(box, cover)
    if box is None or box.area < LEFT * element.box.area:
        return None
    if element.role in HOLDERS or box == element.box:
        return element
    return replace(element, box=box)


def _largest_part(box: Box, cover: Box) -> Box | None:
    """The largest rectangle of a box beside what covers it."""
    common = box.intersect(cover)
    if common is None:
        return box
    parts = (
        Box(box.x, box.y, box.width, common.y - box.y),
        Box(box.x, common.bottom, box.width, box.bottom - common.bottom),
        Box(box.x, box.y, common.x - box.x, box.height),
        Box(common.right, box.y, box.right - common.right, box.height),
    )
    largest = max(parts, key=lambda part: part.area)
    return largest if largest.area else None
