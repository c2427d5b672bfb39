"""What is in a bar of which no application tells: `the Offers link in the navigation bar`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.bounds import not_told
from carrel.models.steps.finding.wishes import Wish, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.phrases.place_words import placed_in
from carrel.perception.find import Match
from carrel.perception.roles import Kind, kind_of

__all__ = ["only_in_bar"]

_BAR = re.compile(
    r"(?:the|this) (?:(?:main|top|upper|page|site|left|right) )?(?:nav(?:igation)?(?: ?bar| menu)?|"
    r"menu(?: ?bar)?|tool ?bar|side ?bar|header|footer|tab bar|bar)"
    r"(?: (?:at|on) the (?:top|bottom|left|right)(?: of the page)?)?",
    re.IGNORECASE,
)
_KINDS = (Kind.LINK, Kind.BUTTON, Kind.TAB, Kind.MENU_ITEM, Kind.MENU)
BESIDE = 2
"""Controls beside it that make a bar of them."""


def only_in_bar(desk: Desk, wish: Wish) -> Match | None:
    """The only control of that name, where it stands in a row of others and the bar is not told."""
    parts = placed_in(wish.phrase)
    if parts is None or not _BAR.fullmatch(parts[0].strip()) or not_told(desk, parts[0]) is None:
        return None
    inner = wished(parts[1], (), wish.inside)
    match = resolve(desk, look_for(desk, inner)) if inner.description.name else None
    if match is None or kind_of(match.element) not in _KINDS:
        return None
    shown = part_meant(desk.elements, "")
    return match if len(_in_line(match.element, shown)) >= BESIDE else None


def _in_line(element: Element, shown: Sequence[Element]) -> list[Element]:
    """Others of its sort on the same line, or in the same column."""
    own = element.box
    others = [e for e in shown if e.id != element.id and kind_of(e) in _KINDS and e.box]
    if own is None:
        return []
    level = [e for e in others if e.box and abs(e.box.center.y - own.center.y) < own.height // 2]
    aligned = [e for e in others if e.box and abs(e.box.x - own.x) < own.height // 2]
    return level if len(level) >= len(aligned) else aligned
