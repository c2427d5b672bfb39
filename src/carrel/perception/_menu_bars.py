"""Bars of menus that nobody tells of: along the top of a window, one title beside the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.perception.ocr import Line, Word

__all__ = ["apart", "without_bars", "without_twins"]

NEAR = 16
"""Pixels below the top of a window in which its bar begins."""
WIDE = 0.9
"""Share of a window's width that its bar has at least."""
GAP = 0.6
"""Share of its height that is between two titles at least."""
FEWEST = 3
_ENDS = re.compile(r"file|game|session|help|文件|游戏|帮助", re.IGNORECASE)
"""One of them is the first or the last title of nearly every bar."""


def without_bars(
    seen: Sequence[Element], lines: Sequence[Line], windows: Sequence[Window]
) -> tuple[list[Element], list[Line]]:
    """What was taken for fields without those that are bars, and the lines with titles apart."""
    bars = [e for e in seen if e.role == "entry" and e.box and _is_bar(e.box, lines, windows)]
    if not bars:
        return list(seen), list(lines)
    kept = [e for e in seen if e not in bars]
    boxes = [e.box for e in bars if e.box is not None]
    titles = [
        part
        for line in lines
        for part in (apart(line) if any(box.contains(line.box.center) for box in boxes) else [line])
    ]
    return kept, titles


def without_twins(elements: Sequence[Element]) -> list[Element]:
    """The elements without menus that an application tells of once more, outside of its bar."""
    titles: dict[str, list[Element]] = {}
    for element in elements:
        if element.role == "menu" and element.parent is not None:
            titles.setdefault(element.parent, []).append(element)
    bars = {e.id for e in elements if e.role == "menu bar"} & titles.keys()
    told = {tuple(e.name for e in titles[bar]) for bar in bars if len(titles[bar]) >= FEWEST}
    twins = {
        menu.id
        for parent, menus in titles.items()
        if parent not in bars and tuple(e.name for e in menus) in told
        for menu in menus
    }
    kept: list[Element] = []
    for element in elements:
        # Parents come before their children.
        if element.parent in twins:
            twins.add(element.id)
        elif element.id not in twins:
            kept.append(element)
    return kept


def _is_bar(box: Box, lines: Sequence[Line], windows: Sequence[Window]) -> bool:
    along = any(
        0 <= box.y - window.box.y + 2 <= NEAR and box.width >= WIDE * window.box.width
        for window in windows
    )
    if not along:
        return False
    held = sorted((line for line in lines if box.contains(line.box.center)), key=lambda n: n.box.x)
    titles = [part.text.strip() for line in held for part in apart(line)]
    if len(titles) < FEWEST:
        return False
    return any(_ENDS.fullmatch(title) for title in (titles[0], titles[-1]))


def apart(line: Line) -> list[Line]:
    """The parts of a line that stand as far from one another as titles do."""
    if len(line.words) < 2:
        return [line]
    return [
        replace(line, text=" ".join(word.text for word in group), box=_around(group), words=group)
        for group in _groups(line)
    ]


def _groups(line: Line) -> Iterator[tuple[Word, ...]]:
    group = [line.words[0]]
    for word in line.words[1:]:
        if word.box.x - group[-1].box.right >= GAP * min(word.box.height, group[-1].box.height):
            yield tuple(group)
            group = []
        group.append(word)
    yield tuple(group)


def _around(words: Sequence[Word]) -> Box:
    left, right = min(w.box.x for w in words), max(w.box.right for w in words)
    top, bottom = min(w.box.y for w in words), max(w.box.bottom for w in words)
    return Box(left, top, right - left, bottom - top)
