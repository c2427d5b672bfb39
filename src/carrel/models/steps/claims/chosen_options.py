"""Which of a group of choices is taken: the one radio button that is on."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.reading import fold
from carrel.perception.labels import labels, written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["chosen_in_group"]

HIGH = 3
"""How far above its name a group may be."""


def chosen_in_group(elements: Sequence[Element], name: Element) -> str:
    """What is chosen among the radio buttons of the group that a text names; empty for others."""
    if kind_of(name) not in (Kind.TEXT, Kind.GROUP, Kind.HEADING):
        return ""
    tree = Lineage(elements)
    said = fold(written_on(name))
    for holder in (name, *tree.above(name)[:HIGH]):
        inside = tree.below(holder)
        radios = [e for e in inside if kind_of(e) is Kind.RADIO]
        if not radios:
            continue
        if fold(holder.name) != said:
            return ""
        known = labels(tuple(elements))
        on = [e for e in radios if "checked" in e.states]
        named = [e.name or (written_on(known[e.id]) if e.id in known else "") for e in on]
        return named[0].strip() if len(named) == 1 and len(radios) > 1 else ""
    return ""
