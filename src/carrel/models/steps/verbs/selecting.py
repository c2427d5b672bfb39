"""Selecting entries: by the box that each has for that, or by a click that is seen to select."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.runs import run_of
from carrel.models.steps.shown.entries import entry_of, tick_box_of
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.ticking import bring_to, is_on
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["SELECTED", "box_for", "has_box", "select"]

SELECTED = (
    *(Kind.CELL, Kind.ROW, Kind.TEXT, Kind.HEADING, Kind.ICON, Kind.IMAGE, Kind.OPTION),
    *(Kind.TREE_ITEM, Kind.GROUP),
)
"""What is selected by a click, and does nothing else by it."""
_SELECTS = re.compile(
    r"(?:(?:select|choose|tick|check|mark)(?: (?:this|the|a))?(?: \w+)?)?|选择|选中|勾选|多选",
    re.IGNORECASE,
)
"""What a box is called that selects the entry that it is in."""
NEAREST = 2
"""How far above a text what holds its line may be."""


def has_box(desk: Desk, element: Element) -> bool:
    """Whether its entry has a box by which it is selected."""
    return tick_box_of(desk.elements, element) is not None


def box_for(desk: Desk, element: Element) -> Element | None:
    """The box by which the entry of something is selected; None where none can be told."""
    own = tick_box_of(desk.elements, element) or _box_in_line(desk, element)
    return own or _box_in_run(desk, element)


def _box_in_run(desk: Desk, element: Element) -> Element | None:
    """The one box in an entry that nothing holds, where it says no more than what it is for."""
    tree = lineage_of(desk.elements)
    parts = run_of(desk.elements, element) or ()
    held = [e for part in parts for e in (part, *tree.below(part))]
    boxes = [e for e in held if kind_of(e) is Kind.CHECKBOX and e.box is not None]
    return boxes[0] if len(boxes) == 1 and _SELECTS.fullmatch(boxes[0].name.strip()) else None


def _box_in_line(desk: Desk, element: Element) -> Element | None:
    """The one box in the line of a mere text that has no other words, or says these as well."""
    words = fold(written_on(element))
    if kind_of(element) is not Kind.TEXT or not words or element.box is None:
        return None
    tree = lineage_of(desk.elements)
    for holder in tree.above(element)[:NEAREST]:
        boxes = [e for e in tree.below(holder) if kind_of(e) is Kind.CHECKBOX and e.box]
        if boxes:
            one = boxes[0]
            level = one.box is not None and element.box.y <= one.box.center.y < element.box.bottom
            mine = not one.name.strip() or words in fold(one.name)
            return one if len(boxes) == 1 and level and mine else None
    return None


def select(desk: Desk, element: Element, at: Point, why: str, *, more: bool) -> Turns[None]:
    """Select an entry, adding to what is selected already with `more`.

    Raises:
        Missed: Nothing tells that it is selected, and nothing changed.
    """
    box = box_for(desk, element)
    if box is not None:
        yield from bring_to(desk, box, True, f"the box of {why}")
        return
    entry = entry_of(desk.elements, element)
    known = is_on(element) or (entry is not None and is_on(entry))
    if known and (more or not _others(desk, element)):
        return
    desk.worked = element.box
    held = ("ctrl",) if more and _is_selectable(element, entry) else ()
    told = f"select {named(element)}, {why}"
    yield from desk.do(Click(at.x, at.y, modifiers=held), why=told, last=True)
    if _is_selected(desk, element, entry):
        return
    if desk.changed and not (yield from desk.only_lit_up()):
        if entry is None and element.box is not None and not desk.changed_at(element.box):
            # What changed is elsewhere: another thing has lost the keyboard, say.
            desk.doubt(f"nothing tells that {named(element)} is selected")
        return
    shows = yield from desk.effect()
    desk.doubts.clear()
    if not shows and not _is_selected(desk, element, entry):
        raise Missed(f"{named(element)} is not selected: nothing changed when it was clicked")


def _others(desk: Desk, element: Element) -> bool:
    """Whether others of its kind are selected, too."""
    alike = [e for e in desk.elements if e.role == element.role and e.id != element.id]
    return any("selected" in e.states for e in alike)


def _is_selectable(element: Element, entry: Element | None) -> bool:
    return any(e is not None and "selectable" in e.states for e in (element, entry))


def _is_selected(desk: Desk, element: Element, entry: Element | None) -> bool:
    """Whether it, or its entry, says that it is selected now."""
    for one in (element, entry):
        now = same_as(desk.elements, one) if one is not None else None
        if now is not None and "selected" in now.states:
            return True
    return False
