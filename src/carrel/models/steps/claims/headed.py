"""Entries that are counted by the noun over their list: `three laptops` under “Laptops”."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.sorts_of_value import words_of
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.shown.entries import listed_entries
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["headed_entries"]

_NOUN = re.compile(
    r"(?:the )?(?P<noun>[a-z-]+s)(?: (?:in|on) the (?:list|table|page|screen|overview))?",
    re.IGNORECASE,
)
_HEADS = (Kind.HEADING, Kind.PAGE, Kind.TABLE, Kind.LIST)


def headed_entries(desk: Desk, phrase: str) -> list[Element]:
    """The entries of the one list on a page that is headed by the noun; none where none is."""
    said = _NOUN.fullmatch(phrase.strip())
    nouns = set(words_of(said["noun"])) if said is not None else set()
    if not nouns:
        return []
    heads = [e for e in part_meant(desk.elements, "") if kind_of(e) in _HEADS]
    if not any(nouns <= set(words_of(written_on(e))) for e in heads):
        return []
    return listed_entries(desk)
