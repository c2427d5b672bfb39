"""Bars of buttons that a page only draws, and calls nothing."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.lineage import Lineage
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["bars_of_page", "button_bars"]

FEWEST = 3
"""Buttons that make a bar."""
HIGH = 3
"""Lines of buttons that a bar has at most."""
_HOLDERS = (Kind.GROUP, Kind.ANY)
_PRESSED = (Kind.BUTTON, Kind.COMBO, Kind.RADIO, Kind.CHECKBOX, Kind.SWITCH, Kind.MENU)


def bars_of_page(told: list[Element], tree: Lineage) -> list[Element]:
    """The bars of the page that is shown, told as such or not; else those that are told."""
    pages = [e for e in tree.elements if e.role == "document web"]
    inside = {e.id for page in pages for e in tree.below(page)}
    own = [e for e in told if e.id in inside]
    return own or [e for e in button_bars(tree) if e.id in inside or not pages] or told


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
