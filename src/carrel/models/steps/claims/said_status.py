"""The status that a row or a card says of itself: `Bob is active`, `the order is not paid`.

The words are those for controls, too; but a text cannot be chosen or switched off, and that it is
not says nothing of what it is about.
"""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.language.english.appearances import STATUS_WORDS
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.runs import run_of
from carrel.models.steps.shown.entries import entry_of
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["said_status", "says_another"]

_SAID = {
    "active": True,
    "enabled": True,
    "available": True,
    "inactive": False,
    "disabled": False,
    "unavailable": False,
    "deactivated": False,
    "suspended": False,
    "not active": False,
    "not available": False,
}
_ASKED = re.compile(r"\b(?:in)?active\b|\b(?:en|dis)abled\b|\b(?:un)?available\b", re.IGNORECASE)
_TEXTS = frozenset(
    {Kind.TEXT, Kind.CELL, Kind.ROW, Kind.HEADING, Kind.OPTION, Kind.GROUP, Kind.LINK}
)
_STATES = ("selected", "enabled")


def said_status(desk: Desk, element: Element, state: str) -> tuple[bool, str] | None:
    """Whether what a thing stands in says that it is so, and in which word.

    Returns:
        None for what can be used itself, where no such word was said, or none or two stand there.
    """
    if state not in _STATES or kind_of(element) not in _TEXTS or not _ASKED.search(desk.step):
        return None
    tree = lineage_of(tuple(desk.elements))
    words = [_plain(written_on(e)) for e in _around(desk, element, tree)]
    told = sorted({word for word in words if word in _SAID})
    return (_SAID[told[0]], told[0]) if len(told) == 1 else None


_WORD = re.compile(
    rf"(?:not |not yet |un|in)?(?:{STATUS_WORDS.pattern}|active|enabled|available|open|started|"
    r"running|waiting|failed|draft|to do|todo)",
    re.IGNORECASE,
)


def says_another(desk: Desk, element: Element, status: str) -> str:
    """Another status that the entry of something says; empty where it says none."""
    tree = lineage_of(tuple(desk.elements))
    words = [_plain(written_on(e)) for e in _around(desk, element, tree)]
    told = [word for word in words if _WORD.fullmatch(word) and word != status.casefold()]
    return told[0] if told else ""


def _around(desk: Desk, element: Element, tree: Lineage) -> list[Element]:
    """All that stands in the entry of something."""
    entry = entry_of(desk.elements, element)
    if entry is not None:
        return [entry, *tree.below(entry)]
    run = run_of(desk.elements, element) or (element,)
    return [e for part in run for e in (part, *tree.below(part))]


def _plain(text: str) -> str:
    return re.sub(r"^[^\w]+|[^\w]+$", "", " ".join(text.casefold().split()))
