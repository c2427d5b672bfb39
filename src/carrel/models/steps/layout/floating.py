"""Dialogs that a page only draws: boxes that lie over the rest of it, and are called nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import dialogs_shown, modal_over
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["all_dialogs", "behind", "dialog_before", "drawn_dialogs"]

CENTRED = 0.06
"""Of the page's width: how far off its middle a dialog may be."""
SMALLEST, LARGEST = 0.01, 0.7
"""Of the page: a smaller box is a tooltip, a larger one all there is."""
BACKDROP = 0.95
"""Of the page: what is behind a dialog and darkens the rest."""
EDGE, WIDE = 4, 0.4
"""Pixels off an edge of the page; and of its width, what comes up from its bottom."""
MAIN = 0.6
"""Of the page's width: what is so wide is the page itself, and nothing that came up on it."""
ANSWERS = range(1, 4)
"""How many buttons a question has."""
_PASSING = frozenset({"alert", "notification", "info bar"})
_ASKING = frozenset(
    {Kind.BUTTON, Kind.TEXT, Kind.HEADING, Kind.IMAGE, Kind.ICON, Kind.GROUP, Kind.ANY}
)
_BOXES = (Kind.GROUP, Kind.ANY)


def all_dialogs(elements: Sequence[Element]) -> list[Element]:
    """The dialogs on the screen: those that are called so, else those that are only drawn.

    A bubble that asks something is in front of all others. A message that goes by itself is one
    only where there is no other.
    """
    if asking := _bubbles(elements):
        return asking
    called = dialogs_shown(elements)
    proper = [e for e in called if e.role not in _PASSING or "modal" in e.states]
    return proper or drawn_dialogs(elements) or called


def _bubbles(elements: Sequence[Element]) -> list[Element]:
    """Tool tips with buttons to answer by, and nothing else to use: small questions."""
    tips = [e for e in elements if e.role == "tool tip" and e.box is not None]
    tree = Lineage(elements) if tips else None
    return [e for e in tips if tree is not None and _asks(tree.below(e))]


def _asks(held: Sequence[Element]) -> bool:
    buttons = [e for e in held if kind_of(e) is Kind.BUTTON and written_on(e)]
    said = any(kind_of(e) is Kind.TEXT and written_on(e) for e in held)
    return said and len(buttons) in ANSWERS and all(kind_of(e) in _ASKING for e in held)


def drawn_dialogs(elements: Sequence[Element]) -> list[Element]:
    """Boxes in the middle of a page that cover what else is there, and can be answered."""
    page = web_page(elements)
    if page is None or page.box is None:
        return []
    tree = Lineage(elements)
    told = [e for e in tree.below(page) if e.source in ("tree", "browser") and e.box]
    found, inner = list[Element](), set[str]()
    for element in (e for e in elements if kind_of(e) in _BOXES and e.id not in inner):
        middle = _is_middle(element.box, page.box)
        if not middle and not _is_drawer(element.box, page.box):
            continue
        held = tree.below(element)
        answered = any(kind_of(e) in CONTROLS for e in held) and any(map(written_on, held))
        if not answered:
            continue
        covers, alone = _covers(element, held, told), _is_alone(element, page, tree)
        if (covers or alone) if middle else (covers and alone):
            found.append(element)
            inner |= tree.inside(element)
    # What darkens the rest of the page tells which of them is one.
    masked = [e for e in found if any(_is_alone(h, page, tree) for h in (e, *tree.above(e)))]
    return masked or found


def behind(elements: Sequence[Element]) -> frozenset[str]:
    """The ids of what a drawn dialog and its backdrop lie over."""
    return _behind(tuple(elements))


@lru_cache(maxsize=4)
def _behind(elements: tuple[Element, ...]) -> frozenset[str]:
    page = web_page(elements)
    if page is None:
        return frozenset()
    tree = lineage_of(elements)
    dialogs = [e for e in drawn_dialogs(elements) if _is_alone(e, page, tree)]
    if len(dialogs) != 1 or page.box is None:
        return frozenset()
    (dialog,) = dialogs
    # A list or a calendar that the dialog opened is small: the page it lies over is not.
    least, own = MAIN * page.box.width, {e.id for e in (dialog, *tree.above(dialog))}
    beside = [e for e in elements if e.parent in own | {page.id} and e.id not in own]
    wide = [e for e in beside if e.parent != dialog.id and e.box and e.box.width >= least]
    return frozenset(one for e in wide for one in tree.inside(e))


def dialog_before(elements: Sequence[Element], place: Box) -> Element | None:
    """The open dialog that what is at a place is behind; None where it can be clicked.

    Pages do not always call a dialog modal, or a dialog at all: that it lies over the place, or
    the rest is darkened, tells it as well.
    """
    here = [e for e in elements if e.box == place]
    over = [modal_over(elements, e) for e in here]
    if over and all(over):
        return over[0]
    page = web_page(elements)
    if page is None or page.box is None or (here and any("modal" in e.states for e in elements)):
        return None
    tree, at = lineage_of(tuple(elements)), place.center
    own, listed = {e.id for e in here}, list(elements)
    for dialog in all_dialogs(elements):
        if dialog.role in _PASSING or dialog.id not in tree.inside(page) or dialog.box is None:
            continue
        if own & tree.inside(dialog):
            continue
        # What the dialog has opened comes after it, and lies over it or beside it.
        later = bool(here) and listed.index(here[-1]) > listed.index(dialog)
        if later and not own & behind(elements):
            continue
        alone = any(_is_alone(e, page, tree) for e in (dialog, *tree.above(dialog)))
        if alone or "modal" in dialog.states or dialog.box.contains(at):
            return dialog
    return None


def _is_middle(box: Box | None, page: Box) -> bool:
    if box is None or not SMALLEST * page.area <= box.area <= LARGEST * page.area:
        return False
    off = abs(box.center.x - page.center.x)
    inside = page.y < box.y and box.bottom < page.bottom
    return off <= CENTRED * page.width and inside and box.width <= 0.9 * page.width


def _is_drawer(box: Box | None, page: Box) -> bool:
    """Whether it fills a side of the page, from one end of that side to the other."""
    if box is None or not SMALLEST * page.area <= box.area <= LARGEST * page.area:
        return False
    high = box.y <= page.y + EDGE and box.bottom >= page.bottom - EDGE
    wide = box.width >= WIDE * page.width
    if high:
        return box.x <= page.x + EDGE or box.right >= page.right - EDGE
    return wide and (box.y <= page.y + EDGE or box.bottom >= page.bottom - EDGE)


def _is_alone(element: Element, page: Element, tree: Lineage) -> bool:
    """Whether an empty box beside it covers all of the page, and nothing else is in that."""
    assert page.box is not None
    size = page.box.area
    return any(
        e.box is not None
        and e.id != element.id
        and e.parent == element.parent
        and (kind_of(e) in _BOXES or (kind_of(e) is Kind.BUTTON and not written_on(e)))
        and (shown := e.box.intersect(page.box)) is not None
        and shown.area >= BACKDROP * size
        and not tree.below(e)
        for e in tree.below(page)
    )


def _covers(element: Element, held: Sequence[Element], told: Sequence[Element]) -> bool:
    """Whether something that is told before it, and is no part of it, lies under it."""
    own = {element.id, *(e.id for e in held)}
    outer = element.box
    assert outer is not None
    for other in told:
        if other.id == element.id:
            continue
        box = other.box
        if other.id in own or box is None or not box.area or not written_on(other):
            continue
        common = outer.intersect(box)
        if common is not None and common.area >= 0.5 * box.area and box.area < outer.area:
            return True
        # A long text that shows on both sides of it.
        if common is not None and other.role == "static" and common.area >= 0.5 * outer.area:
            return True
    return False
