"""The instruction itself, where the screen shows it: words to obey, not things to work on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from carrel.frames import Element
from carrel.geometry import Box

__all__ = ["without_notice"]

FEWEST = 4
"""Words: what is shorter may as well be a name of something."""
DEEPEST = 6
"""Elements in one another that a paragraph is made of."""
_WORD = re.compile(r"\w+")
_PLAIN = ("static", "label", "text", "paragraph", "heading", "section", "panel", "block quote")


def without_notice(elements: Sequence[Element], words: str) -> tuple[Element, ...]:
    """The elements but those that only repeat the words a person gave.

    Args:
        elements: What is on the screen.
        words: The whole instruction.
    """
    wanted = _words(words)
    if len(wanted) < FEWEST:
        return tuple(elements)
    dropped: set[str] = set()
    boxes: list[Box] = []
    for block in _blocks(elements, wanted):
        dropped.add(block.id)
        boxes += [block.box] if block.box is not None else []
    for element in elements:  # what holds others comes before them
        if element.parent in dropped:
            dropped.add(element.id)
    lines = {e.id for e in elements if e.source == "ocr" and _is_line(e, wanted, boxes)}
    return tuple(e for e in elements if e.id not in dropped and e.id not in lines)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _blocks(elements: Sequence[Element], wanted: list[str]) -> Iterable[Element]:
    """The elements that say exactly these words, and hold nothing to click."""
    inner: dict[str, list[Element]] = {}
    for element in elements:
        if element.parent is not None:
            inner.setdefault(element.parent, []).append(element)

    def says(element: Element, depth: int = 0) -> str | None:
        """All that is written in it; None where there is a control, or more than was said."""
        if element.role not in _PLAIN or depth > DEEPEST:
            return None
        below = [says(e, depth + 1) for e in inner.get(element.id, ())]
        if None in below:
            return None
        said = " ".join(filter(None, below)) if below else element.name
        return said if len(said) <= most else None

    most = 2 * sum(map(len, wanted)) + 4 * len(wanted)
    for element in elements:
        said = says(element)
        if said and _says(_words(said), wanted):
            yield element


def _says(said: list[str], wanted: list[str]) -> bool:
    # A screen that breaks a word in two still says the same letters.
    return said == wanted or "".join(said) == "".join(wanted)


def _is_line(element: Element, wanted: list[str], boxes: Sequence[Box]) -> bool:
    """Whether a line read from the pixels is one of the instruction."""
    if element.box is not None and any(box.contains(element.box.center) for box in boxes):
        return True
    said = "".join(_words(element.name or element.text))
    return len(_words(element.name or element.text)) >= FEWEST and said in "".join(wanted)
