"""Links that begin in one line and end in another: the middle of both may be none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.ocr import Word

__all__ = ["narrowed"]

LINE = 1.6
"""Something less than so many times as high as its text has one line of it."""


def narrowed(element: Element, lines: Sequence[Sequence[Word]]) -> Element:
    """A link that goes on at the beginning of the next line, with the box of its longest part.

    Others are given back as they are.

    Args:
        element: As its application says.
        lines: The words that were read within its box, each line by itself, from the top.
    """
    box = element.box
    if element.role != "link" or box is None or len(lines) < 2 or not element.name:
        return element
    lowest = min(word.box.height for line in lines for word in line)
    if box.height < LINE * lowest:
        return element
    parts = [_around(part) for part in _parts(_plain(element.name), lines)]
    # Lines that begin below each other are those of a block, which is a link all over.
    if len(parts) < 2 or parts[0].x - min(part.x for part in parts[1:]) < lowest:
        return element
    widest = max(parts, key=lambda part: part.width)
    return replace(element, box=widest.intersect(box) or box)


def _parts(name: str, lines: Sequence[Sequence[Word]]) -> Iterator[Sequence[Word]]:
    """The words of each line that are in the name: the last ones of the first, and so on."""
    first = _fitting(lines[0], name)
    if not first:
        return
    yield first
    left = name[len(_said(first)) :]
    for line in lines[1:]:
        count = max(
            (n for n in range(len(line) + 1) if left.startswith(_said(line[:n]))), default=0
        )
        if not left or not count:
            return
        yield line[:count]
        left = left[len(_said(line[:count])) :]


def _fitting(words: Sequence[Word], name: str) -> Sequence[Word]:
    """The most words at the end of a line with which the name begins."""
    for start in range(len(words)):
        said = _said(words[start:])
        if said and name.startswith(said):
            return words[start:]
    return ()


def _said(words: Sequence[Word]) -> str:
    return _plain("".join(word.text for word in words))


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _around(words: Sequence[Word]) -> Box:
    left, right = min(w.box.x for w in words), max(w.box.right for w in words)
    top, bottom = min(w.box.y for w in words), max(w.box.bottom for w in words)
    return Box(left, top, right - left, bottom - top)
