"""Whether something is chosen or ticked, as far as anything tells."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.shown.entries import tick_box_of
from carrel.models.steps.shown.tick_boxes import box_of, tells
from carrel.models.steps.turns import Turns
from carrel.perception.find import AHEAD, Found
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, TICKED, Kind, kind_of

__all__ = ["is_chosen", "under_drawing"]

_ON = frozenset({"checked", "pressed", "selected"})
_CHOSEN = frozenset({Kind.TAB, Kind.OPTION, Kind.TREE_ITEM, Kind.RADIO})
DEEP = 3
"""How deep in a tab the words on it may be."""
LEAST = 8
"""Pixels of a side of a box that somebody can hit."""
_PANELS = ("scroll pane", "tab panel", "panel", "section")


def is_chosen(desk: Desk, element: Element, state: str) -> bool | None:
    """Whether it is so that it is ticked, or chosen among its like; None where nothing tells."""
    if state == "checked":
        element = box_of(desk, element) or element
    if state == "selected":
        if kind_of(element) is Kind.CELL and (box := tick_box_of(desk.elements, element)):
            # Of a list with boxes that is chosen which is ticked, or the row that is marked.
            return _is_on(box, "checked") or "selected" in element.states
        element = _held_by(desk, element) or element
    if tells(element):
        return _is_on(element, state)
    if _is_on(element, state):
        return True
    if kind_of(element) in TICKED:
        return False
    peers = _peers(desk, element)
    if any(_is_on(one, state) for one in peers):
        return False
    if kind_of(element) is not Kind.TAB and "selectable" in element.states:
        return False
    return _by_panel(desk, element, peers) if state == "selected" else None


def _held_by(desk: Desk, element: Element) -> Element | None:
    """The tab or the entry of the same name that a link or a text is in: that is what is chosen."""
    above, at = {e.id: e for e in desk.elements}, element
    for _ in range(DEEP):
        holder = above.get(at.parent or "")
        if holder is None or kind_of(element) in _CHOSEN:
            return None
        if kind_of(holder) in _CHOSEN:
            same = {holder.name.strip(), holder.text.strip()} & {element.name.strip(), element.text}
            return holder if same - {""} else None
        at = holder
    return None


def _is_on(element: Element, state: str) -> bool:
    if state == "checked" and "indeterminate" in element.states and kind_of(element) in TICKED:
        return False
    if state == "checked" and "checkable" in element.states and kind_of(element) is Kind.CHECKBOX:
        # That the keyboard is there, or its row is selected, is another thing.
        return not {"checked", "pressed"}.isdisjoint(element.states)
    # Of a window "active" says another thing: that it has the keyboard.
    current = "active" in element.states and kind_of(element) not in (Kind.WINDOW, Kind.DIALOG)
    return current or not _ON.isdisjoint(element.states)


def _peers(desk: Desk, element: Element) -> list[Element]:
    """Others of its kind beside it."""
    return [
        e
        for e in desk.elements
        if e.parent == element.parent and e.role == element.role and e.id != element.id
    ]


def _by_panel(desk: Desk, element: Element, peers: Sequence[Element]) -> bool | None:
    """By whose part of the page is shown: that of a tab is called as the tab is."""
    shown = [e for e in desk.elements if e.role in _PANELS and e.box is not None and e.name.strip()]
    names = {e.name.strip() for e in shown}
    if written_on(element).strip() in names:
        return True
    return False if any(written_on(one).strip() in names for one in peers) else None


def under_drawing(desk: Desk, phrase: str) -> Turns[Element | None]:
    """A box or switch that a page hides, and draws another one at its place."""
    wish = wished(phrase, (Kind.CHECKBOX,))
    page = web_page(desk.elements)
    shown = look_for(desk, wish)
    if page is None or (is_there(shown) and not _is_other(shown)):
        return None
    yield from desk.again(0, why=f"whether {phrase} is under a drawing of it", hidden=True)
    hidden = [
        e
        for e in desk.unseen
        if "checkable" in e.states and {"visible", "showing"} & set(e.states) == {"visible"}
        if e.box is not None and min(e.box.width, e.box.height) >= LEAST and within(e.box, page.box)
    ]
    # What tells which of them is meant stands around it: a row, a heading.
    ids = {e.id for e in hidden}
    listed = [e for e in desk.unseen if e.id in ids or kind_of(e) not in CONTROLS]
    found = look_for(desk, wish, listed) if hidden else None
    # Of several alike none is taken, also not the one that is nearest to the last step.
    match = found.best if found is not None and found.sure else None
    return None if match is None or match.element.id not in ids else match.element


def _is_other(found: Found) -> bool:
    """Whether all that fits as well as the best is something else, such as the buttons of a row."""
    best = found.best.confidence if found.best is not None else 0.0
    rivals = [match.element for match in found.matches if match.confidence > best - AHEAD]
    return all(kind_of(e) in (Kind.BUTTON, Kind.LINK) and not tells(e) for e in rivals)
