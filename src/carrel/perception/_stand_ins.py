"""Controls that do not say what they are: hidden in a dot, or made of nameless boxes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.roles import TICKED, kind_of

__all__ = ["drawn_by_labels", "with_boxes_in_cells", "with_sliders", "with_switches"]

_DOT = 4
"""Pixels of a side of a control that nobody could hit."""


def drawn_by_labels(elements: Sequence[Element], labels: Iterable[Element]) -> list[Element]:
    """The elements; a check box or radio button in a dot has the place of its label."""
    seats: dict[str, list[Box]] = {}
    for label in labels:
        if label.role == "label" and label.box is not None and not _is_dot(label.box):
            seats.setdefault(_said(label), []).append(label.box)
    return [_seated(element, seats) for element in elements]


def _seated(element: Element, seats: dict[str, list[Box]]) -> Element:
    box = element.box
    if box is None or not _is_dot(box) or not element.name or kind_of(element) not in TICKED:
        return element
    near = seats.get(_folded(element.name), ())
    seat = min(near, key=lambda other: _apart(box, other), default=None)
    return element if seat is None else replace(element, box=seat)


def _apart(one: Box, other: Box) -> int:
    here, there = one.center, other.center
    return abs(here.x - there.x) + abs(here.y - there.y)


def _is_dot(box: Box) -> bool:
    return max(box.width, box.height) <= _DOT


def _said(label: Element) -> str:
    return _folded(label.name or label.value or label.text)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


_PLAIN = frozenset({"section", "panel", "static", "unknown", "filler", "text"})
_LARGEST = 40
"""Pixels of a side of a handle."""


def with_sliders(elements: Sequence[Element]) -> list[Element]:
    """The elements; a nameless handle that takes the keyboard, on a long thin bar, is a slider."""
    by_id = {element.id: element for element in elements}
    return [
        replace(element, role="slider")
        if _is_handle(element, by_id.get(element.parent or ""))
        else element
        for element in elements
    ]


def _is_handle(element: Element, bar: Element | None) -> bool:
    box, track = element.box, bar.box if bar is not None else None
    if bar is None or box is None or track is None or element.role not in _PLAIN:
        return False
    if element.name or element.value or bar.role not in _PLAIN:
        return False
    if "focusable" not in element.states or not _DOT < max(box.width, box.height) <= _LARGEST:
        return False
    long, thick = max(track.width, track.height), min(track.width, track.height)
    across = box.width if track.height > track.width else box.height
    return long >= 4 * max(box.width, box.height) and thick <= 1.5 * across and _touch(box, track)


def _touch(one: Box, other: Box) -> bool:
    return one.intersect(other) is not None


_PILL_HIGH = (12, 40)
_PILL_LONG = (1.4, 2.8)
"""Pixels that a switch is high, and how often that it is long."""
_KNOB = (0.45, 1.15)
"""How high its knob is, of its own height."""
_SWITCHING = frozenset({"switch", "toggle"})


def with_switches(elements: Sequence[Element]) -> list[Element]:
    """The elements; a nameless pill with a knob at one end is a switch, on if that is the right."""
    by_id = {element.id: element for element in elements}
    knobs: dict[str, list[Element]] = {}
    for element in elements:
        pill = by_id.get(element.parent or "")
        if pill is not None and pill.id and _is_knob(element, pill):
            knobs.setdefault(pill.id, []).append(element)
    return [_as_switch(element, knobs.get(element.id, ())) for element in elements]


def _as_switch(element: Element, knobs: Sequence[Element]) -> Element:
    if element.role == "toggle button" and "checkable" in element.states:
        words = set(element.name.removesuffix("-symbolic").split("-"))
        drawn = element.name.endswith("-symbolic") and _SWITCHING & words
        return replace(element, role="switch", name="") if drawn else element
    if len(knobs) != 1:
        return element
    on = _at_end(knobs[0].box, element.box) > 0
    states = (*element.states, "checkable", *(("checked",) if on else ()))
    return replace(element, role="switch", states=states)


def _is_knob(element: Element, pill: Element) -> bool:
    box, track = element.box, pill.box
    if box is None or track is None or {element.role, pill.role} - _PLAIN:
        return False
    if element.name or element.value or pill.name or pill.value:
        return False
    long = _PILL_LONG[0] * track.height <= track.width <= _PILL_LONG[1] * track.height
    if not long or not _PILL_HIGH[0] <= track.height <= _PILL_HIGH[1]:
        return False
    square = abs(box.width - box.height) <= max(2, box.height // 5)
    fits = _KNOB[0] * track.height <= box.height <= _KNOB[1] * track.height
    level = abs(box.center.y - track.center.y) <= 3
    return square and fits and level and _at_end(box, track) != 0


def _at_end(knob: Box | None, track: Box | None) -> int:
    """Which end of the track it is at: -1 the left, 1 the right, 0 none."""
    if knob is None or track is None:
        return 0
    near = track.height // 3
    left, right = abs(knob.x - track.x), abs(track.right - knob.right)
    if min(left, right) > near or left == right:
        return 0
    return -1 if left < right else 1


def with_boxes_in_cells(elements: Sequence[Element]) -> list[Element]:
    """The elements; in each nameless cell of a column of which one is ticked is a check box."""
    ticked = {
        (cell.parent, cell.box.x, cell.box.width)
        for cell in elements
        if cell.box is not None and _is_nameless_cell(cell) and "checked" in cell.states
    }
    found: list[Element] = []
    for element in elements:
        found.append(element)
        box = element.box
        if box is None or not _is_nameless_cell(element):
            continue
        if (element.parent, box.x, box.width) in ticked:
            # The row may be selected, which says nothing of the box.
            kept = (s for s in element.states if s not in ("active", "selected", "selectable"))
            states = (*kept, "checkable")
            found.append(
                replace(
                    element,
                    id=f"{element.id}-box",
                    role="check box",
                    states=states,
                    parent=element.id,
                )
            )
    return found


def _is_nameless_cell(element: Element) -> bool:
    said = element.name or element.value or element.text
    return element.role == "table cell" and not said and "checkable" not in element.states
