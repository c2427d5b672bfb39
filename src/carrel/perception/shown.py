"""What a person reads on things that applications call by more than they show.

Pages give their controls names for those who cannot see them: the heading "Salary" is called
"Salary: activate to sort", the second tab "current step: 2. Address". People say what they see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception._drop_downs import with_drop_downs
from carrel.perception._names import fold, words_of
from carrel.perception.roles import Kind, kind_of

__all__ = ["as_shown"]

LEAST = 3
"""Pixels: what is smaller is not meant to be seen."""
DOT = 4
"""Pixels of what is only there to be found by its page."""
DEEPEST = 6
"""How deep in a control the words on it may be."""
_REPLACED = frozenset({"combo box", "list box", "entry"})
_WITH_PLACE = frozenset({"entry", "combo box", "label"})
_CALLED = frozenset(
    {Kind.COLUMN, Kind.TAB, Kind.BUTTON, Kind.LINK, Kind.MENU_ITEM, Kind.MENU, Kind.OPTION}
)


def as_shown(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements, each that shows only a part of its name with that part as its text.

    The heading of a column is called by what it shows alone, and a drop-down that is made of
    several things is one.
    """
    elements = _cut_off(_without_replaced(with_drop_downs(elements)))
    texts: dict[str, list[Element]] = {}
    above = {element.id: element for element in elements}
    for element in elements:
        if kind_of(element) is Kind.TEXT and element.name.strip():
            for holder in _holders(element, above):
                texts.setdefault(holder.id, []).append(element)
    if not texts:
        return tuple(elements)
    return tuple(_named(e, texts[e.id]) if e.id in texts else e for e in elements)


def _without_replaced(elements: Sequence[Element]) -> list[Element]:
    """The elements without drop-downs, lists and fields that a page has shrunk to a line.

    Pages that draw their own keep the one they stand for, for those who cannot see.
    """
    above = {e.id: e for e in elements}
    gone = {e.id for e in elements if e.role in _REPLACED and _is_line(e)}
    gone |= {e.id for e in elements if e.role == "list box" and _is_under_field(e, above)}
    gone |= {e.id for e in elements if e.role == "list item" and _is_told_twice(e, above)}
    gone |= _over_all(elements, above)
    if not gone:
        return list(elements)
    kept: list[Element] = []
    for element in elements:
        if element.parent in gone:
            gone.add(element.id)
        elif element.id not in gone:
            kept.append(element)
    return kept


def _over_all(elements: Sequence[Element], above: Mapping[str, Element]) -> set[str]:
    """Fields of one line that are told to lie over all of what they are in, with other fields.

    What a page has hidden behind the field that it draws itself has no place of its own.
    """
    lines = [e for e in elements if e.role == "entry" and "multi line" not in e.states and e.box]
    gone: set[str] = set()
    for field in lines:
        holder = above.get(field.parent or "")
        if holder is None or holder.box != field.box or field.box is None:
            continue
        others = (e for e in elements if e.role in _WITH_PLACE and e.id != field.id and e.box)
        if any(
            field.box.contains(e.box.center) and e.box != field.box and _is_below(e, holder, above)
            for e in others
            if e.box is not None and not _is_below(e, field, above)
        ):
            gone.add(field.id)
    return gone


def _is_told_twice(option: Element, above: Mapping[str, Element]) -> bool:
    """Whether its list has no place on the screen, and the same words stand beside it in view.

    Pages that draw only some of a long list tell of it in a part that nobody sees.
    """
    holder = above.get(option.parent or "")
    if holder is None or holder.role != "section" or not option.name.strip():
        return False
    return any(
        e.role == "static" and e.name.strip() == option.name.strip() and e.box != option.box
        for e in above.values()
        if _is_below(e, holder, above) and not _is_below(e, option, above)
    )


def _is_under_field(listed: Element, above: Mapping[str, Element]) -> bool:
    """Whether the field of the drop-down that a list belongs to lies over it: it is not seen."""
    at, box = above.get(listed.parent or ""), listed.box
    for _ in range(DEEPEST):
        if at is None or at.role == "combo box":
            break
        at = above.get(at.parent or "")
    if at is None or at.role != "combo box" or box is None:
        return False
    return any(
        e.role == "entry" and e.box is not None and box.contains(e.box.center)
        for e in above.values()
        if _is_below(e, at, above) and not _is_below(e, listed, above)
    )


def _is_below(element: Element, holder: Element, above: Mapping[str, Element]) -> bool:
    at = above.get(element.parent or "")
    for _ in range(2 * DEEPEST):
        if at is None or at.id == holder.id:
            break
        at = above.get(at.parent or "")
    return at is not None and at.id == holder.id


def _cut_off(elements: Sequence[Element]) -> Sequence[Element]:
    """The elements, with what its list cuts off only as far as that can be seen."""
    lists = {e.id: e.box for e in elements if e.role == "list box" and e.box and e.box.area}
    if not lists:
        return elements
    above = {e.id: e.parent for e in elements}
    return [
        replace(e, box=cut) if kind_of(e) is Kind.OPTION and (cut := _part(e, lists, above)) else e
        for e in elements
    ]


def _part(option: Element, lists: Mapping[str, Box], above: Mapping[str, str | None]) -> Box | None:
    """What is seen of an option at the edge of its list; None where that is not known."""
    at = option.parent
    for _ in range(DEEPEST):
        if at is None or at in lists:
            break
        at = above.get(at)
    box = lists.get(at or "")
    common = option.box.intersect(box) if option.box is not None and box is not None else None
    return common if common is not None and common.height >= LEAST else None


def _is_line(element: Element) -> bool:
    """Whether nobody could see it, or write into it: a drop-down may grow with what is typed."""
    box = element.box
    if box is None or not box.area or "focused" in element.states:
        return False
    # A field in a dot may be where a page that draws a drop-down has put the keyboard.
    dot = element.role == "entry" and max(box.width, box.height) <= DOT
    grows = element.role == "combo box" and "editable" in element.states
    return min(box.width, box.height) < LEAST and not dot and not grows


def _holders(text: Element, above: dict[str, Element]) -> list[Element]:
    """The controls that a text is in."""
    found: list[Element] = []
    at = above.get(text.parent or "")
    for _ in range(DEEPEST):
        if at is None:
            break
        if at.name.strip() and not at.text and kind_of(at) in _CALLED:
            found.append(at)
        at = above.get(at.parent or "")
    return found


def _named(element: Element, texts: Sequence[Element]) -> Element:
    shown = " ".join(text.name.strip() for text in texts if _is_seen(text, element))
    if not shown or fold(shown) == fold(element.name) or not _is_part(shown, element.name):
        return element
    if kind_of(element) is Kind.COLUMN:
        return replace(element, name=shown)
    return replace(element, text=shown)


def _is_seen(text: Element, holder: Element) -> bool:
    if text.box is None or holder.box is None:
        return False
    common = text.box.intersect(holder.box)
    return common is not None and min(common.width, common.height) >= LEAST


def _is_part(shown: str, name: str) -> bool:
    """Whether a name says the very words, and others before or after them."""
    words, said = words_of(shown), words_of(name)
    return any(said[at : at + len(words)] == words for at in range(len(said) - len(words) + 1))
