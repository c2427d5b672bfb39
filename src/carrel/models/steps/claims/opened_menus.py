"""What a button has opened: pages often call neither the menu nor its entries one."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.lineage import lineage_of
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["offered_in_menu"]

DEEP = 2
"""How far above the button what holds its menu is, at most."""
_OFFERED = frozenset({Kind.LINK, Kind.MENU_ITEM, Kind.OPTION, Kind.BUTTON})


def offered_in_menu(desk: Desk, phrase: str) -> list[str]:
    """What stands beside the open button that was taken for a menu; empty where it is none."""
    if Kind.MENU not in wished(phrase).description.kinds:
        return []
    match = resolve(desk, look_for(desk, wished(phrase), want="read"))
    opener = match.element if match is not None else None
    if opener is None or not {"expanded", "has popup"} <= set(opener.states):
        return []
    tree = lineage_of(desk.elements)
    for holder in tree.above(opener)[:DEEP]:
        own = tree.inside(opener)
        beside = [e for e in tree.below(holder) if e.id not in own]
        if told := [written_on(e) for e in beside if _is_offered(e)]:
            return told
    return []


def _is_offered(element: Element) -> bool:
    return kind_of(element) in _OFFERED and bool(written_on(element)) and element.box is not None
