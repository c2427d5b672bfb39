"""Names that fields only have from the group they are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.perception.roles import FIELDS, Kind, kind_of

__all__ = ["without_group_names"]

_NAMED = frozenset(FIELDS | {Kind.SLIDER, Kind.SPINNER, Kind.PROGRESS})
_DEEP = 4
"""How far above a field its group is, at most."""
_GROUPS = frozenset({"panel", "grouping", "filler", "check box"})


def without_group_names(elements: Sequence[Element]) -> list[Element]:
    """The same, with fields that are called as their group is without that name.

    Some programs give every field of a group its title; what stands beside each is its own.
    """
    above = {e.id: e for e in elements}
    return [replace(e, name="") if _is_lent(e, above) else e for e in elements]


def _is_lent(element: Element, above: dict[str, Element]) -> bool:
    if not element.name or kind_of(element) not in _NAMED:
        return False
    at = above.get(element.parent or "")
    for _ in range(_DEEP):
        if at is None:
            return False
        if at.role in _GROUPS and at.name == element.name:
            return True
        at = above.get(at.parent or "")
    return False
