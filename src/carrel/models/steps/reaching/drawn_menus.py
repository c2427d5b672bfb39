"""Menus of programs that tell nothing: titles along the top of a window, and items with keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import look_for, loosened, resolve, wished
from carrel.models.steps.shown.front import window_in_front
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Turns
from carrel.perception.find import Match
from carrel.perception.roles import Kind, kind_of

__all__ = ["drawn_item", "drawn_title"]

NEAR, FEWEST = 40, 3
"""Pixels below the top of a window in which its bar lies; and titles that a bar has at least."""
CORNER, LEVEL = 24, 4
"""Pixels from the corner of a window to the first title; and between titles in one line."""
ONE_LINE, TWO_LINES = 34, 68
"""Pixels that an item of a menu is high at most, and that two of them are."""
_SAID = re.compile(r"(?:the |its )?(?P<name>\S.*?) menu|(?P<zh>\S+?)菜单", re.IGNORECASE)
_ENDS = re.compile(r"file|game|session|help|edit|文件|游戏|帮助|编辑", re.IGNORECASE)
_KEYS = re.compile(
    r"\s+(?:(?:ctrl|control|alt|shift|meta|cmd)\s*[+-]\s*\S{1,10}"
    r"(?:\s*[+-]\s*\S{1,10})*|f\d{1,2})$",
    re.IGNORECASE,
)


_KEYS_FIRST = re.compile(
    r"^(?:(?:ctrl|control|alt|shift|meta|cmd)\s*[+-]\s*\S{1,3}|f\d{1,2})\s+(?=\S)", re.IGNORECASE
)


def drawn_title(desk: Desk, phrase: str) -> Turns[Match | None]:
    """The title of a menu in a bar that is only drawn, of the window that has the keyboard."""
    menus = [e for e in desk.elements if e.role in ("menu bar", "menu")]
    window = yield from window_in_front(desk)
    if window is None or any(within(e.box, window.box) for e in menus):
        return None
    yield from desk.closer()
    titles = _bar(desk.elements, window) or _short_bar(desk.elements, window, phrase)
    return resolve(desk, look_for(desk, loosened(wished(phrase)), titles)) if titles else None


def _short_bar(elements: Sequence[Element], window: Window, phrase: str) -> list[Element]:
    """The titles of a bar that has but one or two of them, at the corner that it begins in.

    Only where a menu is asked for by the name that stands there alone.
    """
    said = _SAID.fullmatch(phrase.strip())
    read = [e for e in elements if _is_read(e) and within(e.box, window.box)]
    high = [e for e in read if e.box and e.box.y - window.box.y <= NEAR]
    first = min(high, key=lambda e: (e.box.y, e.box.x) if e.box else (0, 0), default=None)
    if said is None or first is None or first.box is None:
        return []
    if first.box.x - window.box.x > CORNER:
        return []
    row = [e for e in high if e.box and abs(e.box.y - first.box.y) <= LEVEL]
    name = fold((said["name"] or said["zh"]).strip("\"“”'"))
    return row if any(fold(e.name) == name for e in row) else []


def _bar(elements: Sequence[Element], window: Window) -> list[Element]:
    near = [e for e in elements if _is_read(e) and within(e.box, window.box)]
    read = [title for e in near for title in _apart(e)]
    for first in read:
        row = [e for e in read if e.box and first.box and abs(e.box.y - first.box.y) <= 4]
        high = first.box is not None and first.box.y - window.box.y <= NEAR
        if high and len(row) >= FEWEST and any(_ENDS.fullmatch(e.name.strip()) for e in row):
            return row
    return []


def _apart(line: Element) -> list[Element]:
    """The titles of a bar that were read as one line, each where its letters stand."""
    words, box = line.name.split(), line.box
    if box is None or len(words) < FEWEST or not _ENDS.fullmatch(words[0]):
        return [line]
    wide = box.width / len(line.name)
    at, found = 0, []
    for number, word in enumerate(words):
        at = line.name.index(word, at)
        place = Box(box.x + round(at * wide), box.y, max(1, round(len(word) * wide)), box.height)
        found.append(replace(line, id=f"{line.id}-{number}", name=word, text=word, box=place))
        at += len(word)
    return found


def drawn_item(desk: Desk, phrase: str, before: Sequence[Element]) -> Match | None:
    """An item of a menu that is only drawn and has just come up, whatever keys do the same."""
    known = {(e.name, e.box) for e in before}
    drawn = [e for e in desk.elements if _is_read(e) or _is_drawn(e)]
    new = [part for e in drawn if (e.name, e.box) not in known for part in _lines_of(e)]
    named = [replace(e, name=_but_keys(e.name), text="") for e in new]
    return resolve(desk, look_for(desk, loosened(wished(phrase)), named)) if named else None


def _lines_of(element: Element) -> list[Element]:
    """Two items that were taken for one shape, in every way their words may belong to the lines.

    More than two would not tell where each of them is.
    """
    words, box = element.name.split(), element.box
    if element.source != "detector" or box is None or box.height <= ONE_LINE:
        return [element]
    if box.height > TWO_LINES:
        return []
    half = box.height // 2
    upper, lower = Box(box.x, box.y, box.width, half), Box(box.x, box.y + half, box.width, half)
    return [
        replace(element, id=f"{element.id}-{at}{name}", name=name, text=name, box=part)
        for at in range(1, len(words))
        for name, part in ((" ".join(words[:at]), upper), (" ".join(words[at:]), lower))
    ]


def _is_drawn(element: Element) -> bool:
    """Whether it is a line that lies on a shape of its own, as the one the pointer is at."""
    shape = element.source == "detector" and kind_of(element) in (Kind.BUTTON, Kind.FIELD)
    return shape and element.box is not None and bool(element.name.strip())


def _but_keys(said: str) -> str:
    return _KEYS_FIRST.sub("", _KEYS.sub("", said))


def _is_read(element: Element) -> bool:
    read = element.source == "ocr" and kind_of(element) in (Kind.TEXT, Kind.HEADING)
    return read and element.box is not None and bool(element.name.strip())
