"""Bars of buttons and bars at a side that a page only draws, and calls nothing."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["bars_of_page", "button_bars", "heads_and_feet", "is_side_bar", "side_bars"]

ENDS = 2
"""Footers that are meant together: that of the page, and that of what it is about."""
FEWEST = 3
"""Buttons that make a bar."""
HIGH = 3
"""Lines of buttons that a bar has at most."""
EDGE = 24
"""Pixels between a bar at a side and that side."""
NARROW, TALL = 0.4, 0.5
"""How much of a page a bar at a side is wide at most, and high at least."""
_SIDE_BAR = re.compile(
    r"(?:side|nav(?:igation)?) ?(?:bar|menu|panel|pane)s?|side ?nav(?:igation)?|侧边?栏"
    r"|(?:left|right)(?:[- ]hand)?(?:[- ]side)? (?:menu|navigation)"
    r"|(?:menu|navigation) (?:on|at) the (?:left|right)|[左右][侧边]的?(?:菜单|导航)",
    re.IGNORECASE,
)
_HOLDERS = (Kind.GROUP, Kind.ANY)
_PRESSED = (Kind.BUTTON, Kind.COMBO, Kind.RADIO, Kind.CHECKBOX, Kind.SWITCH, Kind.MENU)


def bars_of_page(told: list[Element], tree: Lineage) -> list[Element]:
    """The bars of the page that is shown, told as such or not; else those that are told."""
    pages = [e for e in tree.elements if e.role == "document web"]
    inside = {e.id for page in pages for e in tree.below(page)}
    own = [e for e in told if e.id in inside]
    return own or [e for e in button_bars(tree) if e.id in inside or not pages] or told


_END = re.compile(r"(?:the |this )?(?P<end>footer|header)", re.IGNORECASE)


def heads_and_feet(phrase: str, others: list[Element], tree: Lineage) -> list[Element]:
    """What a page itself calls its header or footer, with what else may be; of many none."""
    said = _END.fullmatch(phrase.strip())
    if said is None:
        return []
    told = [e for e in tree.elements if e.role == said["end"].casefold() and e.box and e.box.area]
    told = [e for e in told if any(written_on(x) for x in tree.below(e))]
    both = {e.id: e for e in (*told, *others)}
    return list(both.values()) if told and len(both) <= ENDS else []


def button_bars(tree: Lineage) -> list[Element]:
    """What holds several buttons and nothing else, the outermost of each."""
    found = [e for e in tree.elements if kind_of(e) in _HOLDERS and _is_bar(e, tree)]
    inner = {x.id for e in found for x in tree.below(e)}
    return [e for e in found if e.id not in inner]


def _is_bar(element: Element, tree: Lineage) -> bool:
    held = tree.below(element)
    pressed = [e for e in held if kind_of(e) in _PRESSED and e.box]
    buttons = [e for e in pressed if kind_of(e) is Kind.BUTTON]
    if len(buttons) < FEWEST or element.box is None:
        return False
    on_them = {x.id for e in pressed for x in (e, *tree.below(e))}
    if any(written_on(e).strip() and e.id not in on_them for e in held):
        return False
    return element.box.height <= HIGH * max(e.box.height for e in buttons if e.box)


def is_side_bar(phrase: str) -> bool:
    """Whether words for a place mean the bar at a side."""
    return _SIDE_BAR.search(phrase) is not None


def side_bars(sheet: Box, tree: Lineage, side: str = "") -> list[Element]:
    """What stands along the left or the right of a page and holds several controls."""
    found = [e for e in tree.elements if _is_at_side(e, sheet, side) and _holds_several(e, tree)]
    inner = {x.id for e in found for x in tree.below(e)}
    return [e for e in found if e.id not in inner]


def _is_at_side(element: Element, sheet: Box, side: str) -> bool:
    box = None if element.box is None else sheet.intersect(element.box)
    if box is None or kind_of(element) is Kind.PAGE or box.height < TALL * sheet.height:
        return False
    if box.width > NARROW * sheet.width:
        return False
    left, right = box.x - sheet.x <= EDGE, sheet.right - box.right <= EDGE
    return {"left": left, "right": right}.get(side, left or right)


def _holds_several(element: Element, tree: Lineage) -> bool:
    held = [e for e in tree.below(element) if kind_of(e) in CONTROLS and e.box and e.box.area]
    return len(held) >= FEWEST
