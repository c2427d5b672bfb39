"""Controls that do not say what they are: hidden in a dot, or made of nameless boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception._grid import Grid
from carrel.perception.roles import TICKED, kind_of
from carrel.perception.tracks import HANDLE, is_on

__all__ = ["drawn_by_labels", "with_boxes_in_cells", "with_sliders", "with_switches"]

_DOT = 4
"""Pixels of a side of a control that nobody could hit."""


def drawn_by_labels(elements: Sequence[Element], labels: Iterable[Element]) -> list[Element]:
    """The elements; a check box or radio button that nobody sees has the place of its label.

    It is in a dot, or where another of them is, or under the label of another.
    """
    seats: dict[str, list[Box]] = {}
    for label in labels:
        if label.role == "label" and label.box is not None and not _is_dot(label.box):
            seats.setdefault(_said(label), []).append(label.box)
    places = Counter(e.box for e in elements if kind_of(e) in TICKED and e.source == "tree")
    return [_seated(element, seats, places) for element in elements]


def _seated(element: Element, seats: dict[str, list[Box]], places: Counter[Box | None]) -> Element:
    box = element.box
    if box is None or not element.name or kind_of(element) not in TICKED:
        return element
    near = seats.get(_folded(element.name), ())
    seat = min(near, key=lambda other: _apart(box, other), default=None)
    if seat is None or (seat.contains(box.center) and not _is_dot(box)):
        return element
    others = (label for listed in seats.values() for label in listed if label != seat)
    hidden = _is_dot(box) or places[box] > 1 or any(o.contains(box.center) for o in others)
    return replace(element, box=seat) if hidden else element


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
_THICKEST = 24
"""Pixels of the thickness of a bar that takes the keyboard itself."""


def with_sliders(elements: Sequence[Element]) -> list[Element]:
    """The elements; a nameless handle on a long thin bar is a slider, or the bar is.

    Which of the two that is tells what takes the keyboard.
    """
    by_id = {element.id: element for element in elements}
    bare = [e for e in elements if _is_plain(e)]
    grid = Grid(e.box for e in bare)

    def is_slider(element: Element) -> bool:
        on = (bare[number] for number in grid.near(element.box))
        return _is_handle(element, by_id) or _is_bar(element, on)

    return [
        replace(element, role="slider") if _is_plain(element) and is_slider(element) else element
        for element in elements
    ]


def _is_plain(element: Element) -> bool:
    return element.role in _PLAIN and not element.name and not element.value


def _is_handle(element: Element, by_id: dict[str, Element]) -> bool:
    box, bar = element.box, by_id.get(element.parent or "")
    if bar is None or bar.role not in _PLAIN or box is None or bar.box is None:
        return False
    if "focusable" not in element.states or max(box.width, box.height) <= _DOT:
        return False
    return max(box.width, box.height) <= HANDLE and is_on(box, bar.box)


def _is_bar(element: Element, bare: Iterable[Element]) -> bool:
    """Whether it takes the keyboard, and something like a handle lies on it that does not."""
    bar = element.box
    if bar is None or "focusable" not in element.states or not _DOT < bar.height <= _THICKEST:
        return False
    return any(
        e.box is not None
        and e.id != element.id
        and "focusable" not in e.states
        and _THICKEST >= min(e.box.width, e.box.height) > _DOT
        and max(e.box.width, e.box.height) <= HANDLE
        and is_on(e.box, bar)
        for e in bare
    )


_PILL_HIGH = (12, 40)
_PILL_LONG = (1.4, 2.8)
"""Pixels that a switch is high, and how often that it is long."""
_KNOB = (0.45, 1.15)
"""How high its knob is, of its own height."""
_DROP = (72, 2.8)
"""Pixels that a drop-down is long at least, and how often its height."""
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
    if element.role == "toggle button" and _is_pill(element):
        return replace(element, role="switch")
    if element.role == "toggle button" and _is_drop(element):
        return replace(element, role="combo box")
    if len(knobs) != 1:
        return element
    on = _at_end(knobs[0].box, element.box) > 0
    states = (*element.states, "checkable", *(("checked",) if on else ()))
    return replace(element, role="switch", states=states)


def _is_drop(element: Element) -> bool:
    """Whether it has no name and is as long as a field: what is chosen is only drawn on it."""
    box = element.box
    if box is None or element.name or element.value or element.text or element.source != "tree":
        return False
    return box.width >= _DROP[0] and box.width > _DROP[1] * box.height and box.height <= 48


def _is_pill(element: Element) -> bool:
    """Whether it has no words and the form of a switch: what stays pressed and is drawn so."""
    box = element.box
    if box is None or element.name or element.value or element.text or element.source != "tree":
        return False
    long = _PILL_LONG[0] * box.height <= box.width <= _PILL_LONG[1] * box.height
    return long and _PILL_HIGH[0] <= box.height <= _PILL_HIGH[1]


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
    """The elements; a nameless cell that can be ticked, or of a column with a tick, has a box."""
    ticked = {
        (cell.parent, cell.box.x, cell.box.width)
        for cell in elements
        if cell.box is not None and _is_nameless_cell(cell)
        if not {"checked", "checkable"}.isdisjoint(cell.states)
    }
    found: list[Element] = []
    for element in elements:
        box = element.box
        boxed = box is not None and (element.parent, box.x, box.width) in ticked
        boxed = boxed and _is_nameless_cell(element)
        found.append(_but(element, "checkable") if boxed else element)
        if boxed:
            # The row may be selected, which says nothing of the box.
            plain = _but(element, "active", "selected", "selectable", "checkable")
            states = (*plain.states, "checkable")
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
    return element.role == "table cell" and not said


def _but(element: Element, *states: str) -> Element:
    return replace(element, states=tuple(s for s in element.states if s not in states))
