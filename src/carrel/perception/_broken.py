"""Names that were read in two lines or three: below an icon there is little room."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception._names import same_wrapped
from carrel.perception._search import Hit
from carrel.perception.description import Description
from carrel.perception.layout import Layout, Placed
from carrel.perception.roles import Kind

__all__ = ["over_lines"]

BROKEN = 0.94
MOST_LINES = 3
APART, ASIDE = 0.7, 6
"""Of the height of a line, how far the next may be below it; and pixels between their middles."""
LOWER = 0.4
"""Of the height of a line, how far the middle of the next is below its own at least."""
_SORT = re.compile(r"^(?:file|folder|document|icon)s? |\s*(?:文件夹?|文档|图标)$", re.IGNORECASE)
_KINDS = frozenset({Kind.TEXT, Kind.ICON, Kind.IMAGE, Kind.OPTION})


def over_lines(layout: Layout, one: Description) -> list[Hit]:
    """What is written so in lines below one another, each read by itself."""
    if not one.name or one.part or one.ordinal or (one.kinds and not set(one.kinds) & _KINDS):
        return []
    name = _SORT.sub("", one.name)
    lines = [
        item for item in layout.placed if item.element.source == "ocr" and item.kind is Kind.TEXT
    ]
    return [
        Hit(_joined(block), BROKEN, 1.0, f"named {one.name!r} in {len(block)} lines")
        for first in lines
        for block in _blocks(first, lines)
        if same_wrapped(name, _text(block))
    ]


def _blocks(first: Placed, lines: Sequence[Placed]) -> Iterator[list[Placed]]:
    """A line with those below it, as far as they stand under its middle."""
    block = [first]
    while len(block) < MOST_LINES:
        below = [item for item in lines if _is_next(block[-1].box, item.box)]
        if len(below) != 1:
            return
        block.append(below[0])
        yield list(block)


def _is_next(line: Box, other: Box) -> bool:
    gap = other.y - line.bottom
    # Boxes of lines that were read lap over each other; their middles are a part of a line apart.
    lower = other.center.y - line.center.y >= LOWER * min(line.height, other.height)
    near = -APART * line.height <= gap <= APART * line.height and lower
    return near and abs(other.center.x - line.center.x) <= ASIDE


def _text(block: Sequence[Placed]) -> str:
    return "\n".join(item.element.name for item in block)


def _joined(block: Sequence[Placed]) -> Placed:
    x, y = min(item.box.x for item in block), block[0].box.y
    right = max(item.box.right for item in block)
    box = Box(x, y, right - x, block[-1].box.bottom - y)
    first: Element = block[0].element
    return replace(block[0], element=replace(first, name=_text(block), box=box), box=box)
