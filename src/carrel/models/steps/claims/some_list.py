"""“The list” where several are called so: what is nowhere is in none of them.

A page may call its menus lists, and not what it lists. What stands in none of those that it calls
so, and is one of several texts under one another, is in the list that is meant. Of what one of
them shows nobody can tell which was meant.
"""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.bounds import lists_meant
from carrel.models.steps.finding.extents import members
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.program import Shows, Within
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["in_some_list"]

_QUOTED = re.compile(r"[\"“]([^\"”]+)[\"”]")
_WRITTEN = frozenset({Kind.TEXT, Kind.CELL, Kind.LINK, Kind.OPTION, Kind.ROW})
SAME = 3
"""Pixels by which names in one list begin elsewhere, at most."""


def in_some_list(desk: Desk, condition: Within) -> bool | None:
    """Whether the list that is meant shows a quoted text; None where that cannot be told.

    Args:
        desk: Where they are.
        condition: What is to be seen, in a list that is not told from others.
    """
    inner = condition.condition
    said = _QUOTED.fullmatch(inner.what.strip()) if isinstance(inner, Shows) else None
    lists = lists_meant(desk, condition.place)
    if said is None or not lists:
        return None
    shown = part_meant(desk.elements, "")
    written = [e for e in shown if e.box is not None and fold(said[1]) in fold(written_on(e))]
    if not written:
        return False
    held = {e.id for one in lists for e in members(desk.elements, one)}
    tree = Lineage(desk.elements)
    if any(e.id in held for e in written):
        return None
    return True if any(_is_one_of_many(e, tree) for e in written) else None


def _is_one_of_many(element: Element, tree: Lineage) -> bool:
    """Whether texts of its look stand under one another where it does."""
    box, above = element.box, tree.above(element)
    if box is None or kind_of(element) not in _WRITTEN or not above:
        return False
    around = (e for holder in above[:2] for e in tree.below(holder))
    return any(
        kind_of(e) is kind_of(element) and e.box is not None and e.id != element.id
        for e in around
        if e.box is not None and abs(e.box.x - box.x) <= SAME and e.box.height == box.height
        if e.box.y != box.y and e.parent != element.parent
    )
