"""A switch or a box without a name of its own, in the row of the words that say what it is for."""

from __future__ import annotations

from collections.abc import Iterator

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception.labels import label_of
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["BELOW", "areas_around", "line_of", "switch_of", "things_in"]

MOST_OF_SCREEN = 0.4
"""What is larger than this share of the screen is more than one group."""
LINE, BELOW = 28, 44
"""Pixels: how high the line of a text is taken to be, and what stands right below it."""


def switch_of(desk: Desk, anchor: Element) -> Element | None:
    """The one switch or box that has no name of its own, in the row of the text that says it."""
    if kind_of(anchor) not in (Kind.TEXT, Kind.HEADING) or anchor.box is None:
        return None
    for area in (line_of(desk, anchor.box), *areas_around(desk, anchor)):
        held = [e for e in things_in(desk, area, anchor) if _switches(e)]
        if held:
            bare = len(held) == 1 and not held[0].name.strip()
            own = bare and not _is_of_another(desk, held[0], anchor)
            return held[0] if own and kind_of(held[0]) is not Kind.RADIO else None
    return None


def _switches(element: Element) -> bool:
    """Whether it is a box or a switch; browsers call a page's own switch a button that stays."""
    toggle = element.role == "toggle button" and "checkable" in element.states
    return kind_of(element) in TICKED or (toggle and not element.name.strip())


def _is_of_another(desk: Desk, switch: Element, anchor: Element) -> bool:
    """Whether other words stand beside a switch, in its own line or in a part without these."""
    label, tree = label_of(switch, desk.elements), Lineage(desk.elements)
    if label is None or label.box is None or switch.box is None or anchor.box is None:
        return False
    if label.id == anchor.id or within(label.box, anchor.box) or within(anchor.box, label.box):
        return False
    for holder in tree.above(switch):
        inside = tree.inside(holder)
        if anchor.id in inside:
            break
        if label.id in inside:
            return True
    level = switch.box.center.y
    beside = label.box.y <= level < label.box.bottom
    # What a line is about may stand over the words that explain it.
    over = 0 <= label.box.y - anchor.box.y <= BELOW and abs(label.box.x - anchor.box.x) <= LINE
    return beside and not over and not anchor.box.y - LINE <= level < anchor.box.bottom + LINE


def line_of(desk: Desk, box: Box) -> Box:
    """What stands in one line with a text, at its right."""
    top, bottom = box.center.y - LINE // 2, box.center.y + LINE // 2
    return Box(box.right, max(0, top), max(1, desk.size.width - box.right), bottom - max(0, top))


def areas_around(desk: Desk, anchor: Element) -> Iterator[Box]:
    """What may be the group: the thing itself, and what is around it, the smallest first."""
    box = anchor.box
    if box is None:
        return
    most = MOST_OF_SCREEN * desk.size.width * desk.size.height
    above, at = {e.id: e for e in desk.elements}, anchor
    seen = {box}
    yield box
    while (parent := above.get(at.parent or "")) is not None and parent.role != "document web":
        at, area = parent, parent.box
        if area is None or area in seen or not within(box, area):
            continue
        if area.area > most:
            return
        seen.add(area)
        yield area


def things_in(desk: Desk, area: Box, anchor: Element) -> list[Element]:
    """What lies in a part of the screen and can be used, but for one thing."""
    return [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and e.id != anchor.id and within(e.box, area) and not is_disabled(e)
    ]
