"""Controls whose name has the very words that were said, in another order: `list: bullet`."""

from __future__ import annotations

import re

from carrel.perception._names import words_of
from carrel.perception._search import Hit
from carrel.perception.description import Description
from carrel.perception.layout import Layout, Placed
from carrel.perception.roles import CONTROLS, fits

__all__ = ["in_other_order"]

ANY_ORDER = 0.86
LEAST = 0.8
"""How well it has to be of the kind that was said."""
_PLAIN = re.compile(r"[^\W\d_]+")
_ORDERED = frozenset(
    (
        *("to", "from", "of", "in", "into", "on", "onto", "at", "as", "by", "for", "with"),
        *("without", "than", "over", "under", "before", "after", "until", "not", "no", "but"),
        *("or", "vs", "per", "via", "if", "out", "off", "up", "down", "left", "right"),
    )
)
"""Words that say something else when what stands around them is turned about."""


def in_other_order(layout: Layout, one: Description) -> list[Hit]:
    """The one control that is called by all these words and no others, if there is but one."""
    if one.exact or one.ordinal or one.superlative or one.denied or one.relations or one.states:
        return []
    said = _words(one.name)
    if len(said) < 2:
        return []
    found = [
        item
        for item in layout.placed
        if item.kind in CONTROLS and _words(item.element.name) == said and _is_kind(item, one)
    ]
    if len(found) != 1:
        return []
    return [Hit(found[0], ANY_ORDER, 1.0, "called by the same words")]


def _words(name: str) -> list[str]:
    """The words of a name in no order; none where their order counts, or a number is among them."""
    words = [word for part in words_of(name) for word in re.findall(r"[^\W_]+", part)]
    plain = all(_PLAIN.fullmatch(word) and word.isascii() for word in words)
    return sorted(words) if plain and not _ORDERED.intersection(words) else []


def _is_kind(item: Placed, one: Description) -> bool:
    return not one.kinds or any(fits(item.element, kind) >= LEAST for kind in one.kinds)
