"""What a list is said to be of: `the task list` is no name, where nothing is called so."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["is_evident"]

SHORT = 8
"""Words of a text that says what a program or a part of it is about."""
FEW = 10
"""Letters of such a text in Chinese."""
_HAN = re.compile(r"[\u3400-\u9fff]{2,4}")
_SAYS = frozenset({Kind.WINDOW, Kind.DIALOG, Kind.HEADING, Kind.TEXT, Kind.COLUMN, Kind.BUTTON})
_OTHERS = frozenset({Kind.TAB, Kind.RADIO, Kind.LINK, Kind.OPTION, Kind.TREE_ITEM})
"""What leads to another list that may be the one of that name."""


def is_evident(noun: str, phrase: str, tree: Lineage) -> bool:
    """Whether the screen says by itself that what it lists are such things, and no other list."""
    words = _words(noun)
    if not words or noun != noun.lower() or f'"{noun}"' in phrase or f"“{noun}”" in phrase:
        return False
    evident = False
    for element in tree.elements:
        text = written_on(element)
        said = _words(text)
        if not _in_short(noun, text) and (len(said) > SHORT or not words <= said):
            continue
        if kind_of(element) in _OTHERS and said == words and not _is_on(element):
            return False
        asks = kind_of(element) is Kind.FIELD and _in_short(noun, text)
        evident = evident or kind_of(element) in _SAYS or _is_on(element) or asks
    return evident


def _in_short(noun: str, text: str) -> bool:
    """Whether a few Chinese words, which no spaces part, have the noun among them: 搜索邮件."""
    return _HAN.fullmatch(noun) is not None and noun in text and len(text.strip()) <= FEW


def _is_on(element: Element) -> bool:
    return not {"selected", "checked", "active", "pressed"}.isdisjoint(element.states)


def _words(text: str) -> set[str]:
    found = re.findall(r"[^\W\d_]+", text.casefold())
    return {
        re.sub(r"ies$", "y", word).removesuffix("s") if len(word) > 3 else word for word in found
    }
