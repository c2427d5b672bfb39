"""Accordions: headings one below the other, each with what it opens right under it.

Pages tell of their headings as tabs; a person who says "tab" means a real one, where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.perception.find import Match
from carrel.perception.numbers import ORDINALS
from carrel.perception.roles import Kind, kind_of

__all__ = ["accordion_heads", "covered", "head_meant"]

_HEAD = re.compile(
    r"(?:the )?(?P<which>\w+) (?:heading|header|section|panel|item|title|entry|row|bar|part)"
    r" (?:of|in) (?:the|this) accordion",
    re.IGNORECASE,
)


def accordion_heads(elements: Sequence[Element]) -> list[Element]:
    """The headings of accordions, from the top: tabs in a list that holds what they open, too."""
    lists = {e.id for e in elements if e.role == "page tab list"}
    others = {e.parent for e in elements if e.parent in lists and kind_of(e) is not Kind.TAB}
    tabs = [e for e in elements if kind_of(e) is Kind.TAB and e.parent in others and e.box]
    heads = [
        tab
        for tab in tabs
        if all(
            other is tab or (other.box and tab.box and other.box.y != tab.box.y)
            for other in tabs
            if other.parent == tab.parent
        )
    ]
    return sorted(heads, key=lambda e: e.box.y if e.box else 0)


def covered(element: Element, elements: Sequence[Element]) -> bool:
    """Whether a click on its middle would press a button in it: then it heads nothing."""
    if element.box is None:
        return False
    at = element.box.center
    inner = [e for e in elements if e.parent == element.id and kind_of(e) is Kind.BUTTON]
    return any(e.box is not None and e.box.contains(at) for e in inner)


def head_meant(elements: Sequence[Element], phrase: str) -> Match | None:
    """`the second heading of the accordion`, where there is one accordion."""
    found = _HEAD.fullmatch(phrase.strip())
    heads = accordion_heads(elements) if found is not None else []
    if found is None or len({e.parent for e in heads}) != 1:
        return None
    word = found["which"].casefold()
    at = ORDINALS.index(word) if word in ORDINALS else -1 if word == "last" else len(heads)
    if at >= len(heads):
        return None
    head = heads[at]
    assert head.box is not None
    return Match(head, 1.0, head.box.center, f"{word} of the accordion")
