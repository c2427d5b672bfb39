"""A picture without a name at the end of a row: there it is told by where it is."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.extents import Extent, extent_of, members
from carrel.models.steps.turns import Missed
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, is_disabled, kind_of
from carrel.perception.symbols import is_symbol_word

__all__ = ["sign_at_end_of_row"]

LARGEST = 56
"""Pixels of a side of what is only a picture."""
_AT_END = re.compile(
    r"(?:the )?(?P<sign>[\w× -]+?)(?: (?:icon|button|sign|symbol|image))? "
    r"(?:at|on) (?:the )?(?:(?:right|far) )*(?:end|right|edge|right-hand side) of (?P<row>.+)"
    r"|(?P<row_zh>.+?[行条项])(?:的)?(?:末尾?|最后面?|最右边|右边|右侧|尾部)的?(?P<sign_zh>\w+?)(?:图标|按钮)?",
    re.IGNORECASE,
)
_PICTURES = frozenset({Kind.IMAGE, Kind.ICON, Kind.BUTTON, Kind.LINK})
_ANY = re.compile(r"icon|image|picture|symbol|button|图标|按钮", re.IGNORECASE)


def sign_at_end_of_row(desk: Desk, phrase: str) -> Match | None:
    """What a row has as its last thing, where that is one picture which nobody calls anything."""
    said = _AT_END.fullmatch(phrase.strip().strip("[]"))
    if said is None:
        return None
    sign = (said["sign"] or said["sign_zh"]).strip()
    if not is_symbol_word(sign) and not _ANY.fullmatch(sign):
        return None
    row = _row(desk, (said["row"] or said["row_zh"]).strip("[]"))
    last = _last_of(desk, row) if row is not None else None
    if last is None or last.box is None:
        return None
    return Match(last, 1.0, last.box.center, "the one picture at the end of that row")


def _row(desk: Desk, phrase: str) -> Extent | None:
    try:
        return extent_of(desk, phrase)
    except Missed:
        return None


def _last_of(desk: Desk, row: Extent) -> Element | None:
    """The picture that is further right than anything else in the row."""
    held = [e for e in members(desk.elements, row) if e.box is not None and e.box.area]
    small = [e for e in held if kind_of(e) in _PICTURES and _is_small(e) and not is_disabled(e)]
    told = [e for e in held if written_on(e).strip() and kind_of(e) is not Kind.ROW]
    told += [e for e in held if kind_of(e) in CONTROLS and e not in small]
    words = max((e.box.right for e in told if e.box and not _is_around(e, small)), default=0)
    bare = [e for e in small if not written_on(e).strip() and e.box and e.box.x >= words]
    # A picture on a button is told once more, in the same place.
    outer = [e for e in bare if not any(_is_on(e, other) for other in bare if other is not e)]
    last = max(outer, key=lambda e: e.box.x if e.box else 0, default=None)
    beside = [e for e in outer if last is not None and e is not last and e.parent == last.parent]
    return None if beside else last


def _is_around(element: Element, small: list[Element]) -> bool:
    return any(within(one.box, element.box) for one in small)


def _is_small(element: Element) -> bool:
    return element.box is not None and max(element.box.width, element.box.height) <= LARGEST


def _is_on(picture: Element, other: Element) -> bool:
    """Whether it is drawn on another, or the same, of which only one is wanted."""
    one, two = picture.box, other.box
    if one is None or two is None or one.intersect(two) is None:
        return False
    larger = (two.area, other.id) > (one.area, picture.id)
    return larger and two.contains(one.center)
