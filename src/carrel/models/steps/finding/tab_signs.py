"""The small cross on a tab, which pages often draw and do not tell of."""

from __future__ import annotations

import re

from carrel.errors import Unavailable
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import Wish, look_for, resolve, wished
from carrel.models.steps.layout.lineage import lineage_of
from carrel.perception.colours import crop, most_common
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["cross_on_tab"]

ROOM = (10, 44)
"""Pixels that are left beside the words of a tab for a cross."""
SIGN = (5, 20)
"""Pixels of a side of it."""
BORDER = 3
DIFFERS = 48
"""By how much one of its colours is another than what it stands on."""
_CLOSES = re.compile(
    r"(?:the )?(?:x|×|✕|✖|cross|close)(?: (?:icon|button|sign|mark))?|关闭(?:图标|按钮)?|叉号?",
    re.IGNORECASE,
)


def cross_on_tab(desk: Desk, wish: Wish) -> Match | None:
    """What is drawn at the end of a tab, after its words, where something to close it is meant."""
    for one in (wish.description, *wish.description.readings):
        if len(one.relations) != 1 or not _CLOSES.fullmatch(one.name) or one.rest:
            continue
        target = one.relations[0].target
        found = look_for(desk, wished(f'the "{target.name}" tab')) if target.name else None
        match = resolve(desk, found) if found is not None else None
        tab = _tab_of(desk, match.element) if match is not None else None
        sign = _drawn_after_words(desk, tab) if tab is not None else None
        if sign is not None:
            spot = Element("cross", "icon", "", box=sign, source="detector")
            return Match(spot, 1.0, sign.center, f"drawn on the tab {target.name!r}")
    return None


def _tab_of(desk: Desk, element: Element) -> Element | None:
    chain = (element, *lineage_of(desk.elements).above(element))
    return next((e for e in chain if kind_of(e) is Kind.TAB), None)


def _drawn_after_words(desk: Desk, tab: Element) -> Box | None:
    """The one small thing between the words of a tab and its end."""
    box, view = tab.box, desk.seen.view
    held = lineage_of(desk.elements).below(tab)
    words = [e.box for e in held if kind_of(e) is Kind.TEXT and written_on(e) and e.box]
    told = [e for e in held if kind_of(e) in CONTROLS and kind_of(e) is not Kind.LINK]
    if box is None or view is None or not words or told:
        return None
    left = max(word.right for word in words) + 1
    width = box.right - BORDER - left
    if not ROOM[0] <= width <= ROOM[1] or box.height <= 2 * BORDER + SIGN[0]:
        return None
    room = Box(left, box.y + BORDER, width, box.height - 2 * BORDER)
    try:
        part = crop(view.pixels, room).astype("int16")
    except Unavailable:
        return None
    ground = most_common(part.reshape(-1, 3).astype("uint8"))
    rows, columns = (abs(part - ground).max(axis=2) > DIFFERS).nonzero()
    if not len(rows):
        return None
    x, y = int(columns.min()), int(rows.min())
    wide, high = int(columns.max()) + 1 - x, int(rows.max()) + 1 - y
    if min(wide, high) < SIGN[0] or max(wide, high) > SIGN[1]:
        return None
    return Box(room.x + x, room.y + y, wide, high)
