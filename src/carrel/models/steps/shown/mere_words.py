"""Words that only say what is beside or below them: the legend of a group, the `2.` of a list."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, kind_of

__all__ = ["is_legend", "is_marker"]

_MARKER = re.compile(r"\W*(?:\d{1,3}|[a-z]|[ivx]{1,4})\s*[.)]\W*|[•◦▪▸‣·*–-]", re.IGNORECASE)
_WORDS = frozenset({Kind.TEXT, Kind.HEADING, Kind.ANY})


def is_marker(element: Element) -> bool:
    """Whether it is but the number or the dot before an entry of a list."""
    return kind_of(element) in _WORDS and _MARKER.fullmatch(written_on(element)) is not None


def is_legend(tree: Lineage, element: Element) -> bool:
    """Whether it heads the choices of a group, and is the name of none of them."""
    said = written_on(element).casefold()
    if kind_of(element) not in _WORDS or not said:
        return False
    for holder in (element, *tree.above(element)[:2]):
        beside = [e for e in tree.elements if e.parent == holder.parent and e.id != holder.id]
        choices = [e for e in beside if kind_of(e) in TICKED]
        if holder.role in ("label", "caption") and len(choices) > 1:
            return all(written_on(e).casefold() != said for e in choices)
    return False
