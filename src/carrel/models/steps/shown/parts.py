"""The part of the screen that the work goes on in: a row, a form, a dialog; never all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.perception.roles import Kind, kind_of

__all__ = ["in_part", "part_boxes"]

_LISTS = (Kind.LIST, Kind.TABLE, Kind.TREE)
_FORMS = ("form", "dialog", "alert")
MOST = 0.5
"""Of the screen: what is larger is no part of it."""
ROW = 160
"""Pixels that an entry of a list may be high, be it ever so small a thing one works on in it."""


def part_boxes(desk: Desk, *, rows: bool = False) -> Iterator[Box]:
    """What holds the place of the last step, the smallest first: its row, then the form around.

    Args:
        desk: It says where the last step worked.
        rows: Not the form: what is elsewhere in a list belongs to another entry of it.
    """
    worked = desk.worked
    if worked is None:
        return
    most = MOST * desk.size.width * desk.size.height
    own = _own_window(desk.elements, worked)
    around = [e for e in own if e.box is not None and within(worked, e.box)]
    for element in sorted(around, key=lambda e: e.box.area if e.box else 0):
        assert element.box is not None
        form = element.role in _FORMS or "modal" in element.states
        if rows and (form or kind_of(element) in _LISTS):
            return
        small = element.box.height <= max(ROW, 4 * worked.height)
        if form or (element.box.area <= most and (small or not rows)):
            yield element.box
        if form:
            return


def _own_window(elements: Sequence[Element], worked: Box) -> Sequence[Element]:
    """What is in the window of the thing that is worked on: the bubbles of a browser are not."""
    above = {e.id: e.parent for e in elements}

    def top(element: Element) -> str:
        at, seen = element.id, set[str]()
        while (holder := above.get(at)) in above and at not in seen:
            seen.add(at)
            at = holder or at
        return at

    tops = {top(e) for e in elements if e.box == worked and e.parent is not None}
    return [e for e in elements if top(e) in tops] if len(tops) == 1 else elements


def in_part(desk: Desk, among: Sequence[Element], *, rows: bool = False) -> list[Element]:
    """Those in the smallest part that holds the place of the last step and any of them."""
    for part in part_boxes(desk, rows=rows):
        held = [e for e in among if within(e.box, part)]
        if held:
            return held
    return []
