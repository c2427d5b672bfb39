"""Words within a sentence: what only speaks of a thing is not the thing."""

from __future__ import annotations

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception.roles import Kind, kind_of

__all__ = ["is_mention"]

GAP = 6
"""Pixels between two words of one sentence, at most."""
WORDS = 2
"""Words that make what stands beside it a sentence."""


def is_mention(element: Element, tree: Lineage) -> bool:
    """Whether a text is a piece of a sentence that goes on beside it.

    Args:
        element: What fits what is looked for.
        tree: All that is on the screen.
    """
    if kind_of(element) is not Kind.TEXT or element.box is None:
        return False
    own = tree.inside(element)
    for holder in tree.above(element)[:2]:
        beside = [e for e in tree.below(holder) if e.id not in own and _says_more(e)]
        if any(e.box is not None and _goes_on(element.box, e.box) for e in beside):
            return True
    return False


def _says_more(element: Element) -> bool:
    """Whether it is several words of running text."""
    words = [word for word in element.name.split() if any(map(str.isalpha, word))]
    return kind_of(element) is Kind.TEXT and len(words) >= WORDS


def _goes_on(own: Box, other: Box) -> bool:
    """Whether another text stands in the same line, next to it or around it."""
    shared = min(own.bottom, other.bottom) - max(own.y, other.y)
    if 2 * shared < own.height:
        return False
    return other.x - own.right <= GAP and own.x - other.right <= GAP
