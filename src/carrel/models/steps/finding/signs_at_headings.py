"""Signs in the line of a heading: `the minus in the corner of the General box`.

A card, a panel or a box has its small buttons at the end of its title, and mostly nobody names
them. They are told by what is drawn on them, or by being the only one there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.entry_rows import is_called
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of
from carrel.perception.symbols import is_symbol_word, same_symbol, symbol_of

__all__ = ["is_at_heading", "sign_at_heading"]

LARGEST, LEVEL = 56, 12
"""Pixels of a side of what is only a sign; and by which it may stand over or under the words."""
_SIDES = r"(?:(?:far|top|upper|bottom|lower)[- ]?)?(?:right|left)?(?:[- ]hand)? ?"
_HEAD = (
    r"(?:corner|header|head|heading|headline|title ?bar|title|caption|edge|end|side|top)"
    r"(?: (?:line|row|bar|area))?"
)
_NOUN = (
    r"(?:box|card|panel|section|widget|pane|block|tile|group|part|area|portlet|window|column|"
    r"list|table|chart)"
)
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        (
            rf"(?:the |an? )?(?P<sign>\S.*?) (?:in|on|at|from) (?:the |its )?{_SIDES}"
            rf"(?:{_HEAD})? ?of (?:the )?(?P<part>\S.*)"
        ),
        rf"(?:the |an? )?(?P<sign>\S.*?) (?:in|on|at) (?:the )?(?P<part>\S.*?)(?:['’]s)? {_HEAD}",
        (
            rf"(?:the |an? )?(?P<sign>\S.*?) (?:in|on|of|for|beside|next to) (?:the )?"
            rf"(?P<part>\S.*? {_NOUN}|[\"“][^\"”]+[\"”])"
        ),
    )
)
_SORT = re.compile(r"(?:^|[ -])(?:button|icon|sign|symbol|link|menu|image|picture|control)$")
_DOTS = re.compile(r"(?:(?:three|3)[- ]dots?|dots|kebab|ellipsis|more|overflow)", re.IGNORECASE)
_ARROW = re.compile(r"(?:small |little )?(?:arrow|chevron|caret|triangle)", re.IGNORECASE)
_WAYS = ("↑", "↓", "←", "→")
_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.IMAGE, Kind.MENU})
_TITLES = frozenset({Kind.HEADING, Kind.TEXT})


def is_at_heading(phrase: str) -> bool:
    """Whether the words are for a sign in the line of a heading, be there one or not."""
    return any(form.fullmatch(phrase.strip()) for form in _FORMS[:2])


def sign_at_heading(desk: Desk, phrase: str) -> Match | None:
    """The one sign in the line of a heading that is meant; None where it is not certain which."""
    for form in _FORMS:
        said = form.fullmatch(phrase.strip())
        if said is None:
            continue
        sign = _SORT.sub("", said["sign"].strip().strip('"“”')).strip()
        title = _title(desk, said["part"]) if _is_sign(sign) else None
        found = None if title is None else _meant(_in_line(desk, title), sign)
        if found is not None and found.box is not None:
            return Match(found, 1.0, found.box.center, "the sign in the line of that heading")
    return None


def _is_sign(sign: str) -> bool:
    """Whether it says what is drawn, or no more than that it is a button."""
    return not sign or bool(_DOTS.fullmatch(sign) or _ARROW.fullmatch(sign)) or is_symbol_word(sign)


def _title(desk: Desk, part: str) -> Element | None:
    """The one text that heads the part of that name."""
    whole = part.strip().strip("[]").strip('"“”')
    bare = re.sub(rf" {_NOUN}$", "", part.strip(), flags=re.IGNORECASE).strip('"“”')
    shown = part_meant(desk.elements, "")
    for name in dict.fromkeys((whole, bare)):
        called = [e for e in shown if kind_of(e) in _TITLES and is_called(written_on(e), name)]
        held = {e.id for e in called}
        outer = [e for e in called if e.parent not in held and e.box is not None]
        heads = [e for e in outer if kind_of(e) is Kind.HEADING] or outer
        if heads:
            return heads[0] if len(heads) == 1 else None
    return None


def _in_line(desk: Desk, title: Element) -> list[Element]:
    """The small things to press in the line of a title, in the innermost part that has some."""
    tree = lineage_of(tuple(desk.elements))
    box = title.box
    assert box is not None
    for holder in tree.above(title):
        if holder.role == "document web":
            break
        held = [e for e in tree.below(holder) if e.box is not None and e.id != title.id]
        right = [e.box.x for e in held if e.box and _is_other_title(e, title, tree)]
        edge = min(right, default=None)
        pressed = [e for e in held if kind_of(e) in _PRESSED and _is_small(e)]
        beside = [e for e in pressed if e.box and _is_level(e.box, box) and e.box.x >= box.x]
        beside = [e for e in beside if e.box and (edge is None or e.box.x < edge)]
        outer = [e for e in beside if not any(_is_part(e, other, tree) for other in beside)]
        if outer:
            return outer
    return []


def _is_other_title(element: Element, title: Element, tree: Lineage) -> bool:
    """Whether it heads what stands right of what the title heads."""
    one, two = element.box, title.box
    if one is None or two is None or kind_of(element) is not Kind.HEADING:
        return False
    return one.x > two.right and _is_level(one, two) and element.id not in tree.inside(title)


def _is_level(one: Box, title: Box) -> bool:
    return title.y - LEVEL <= one.center.y < title.bottom + LEVEL


def _is_small(element: Element) -> bool:
    box = element.box
    small = box is not None and 0 < max(box.width, box.height) <= LARGEST
    return small and not is_disabled(element)


def _is_part(element: Element, other: Element, tree: Lineage) -> bool:
    """Whether it is the picture on another one."""
    if element.id == other.id:
        return False
    return element.id in tree.inside(other) or (
        kind_of(element) in (Kind.ICON, Kind.IMAGE) and within(element.box, other.box)
    )


def _meant(signs: Sequence[Element], sign: str) -> Element | None:
    drawn = [e for e in signs if _draws(e, sign)]
    if drawn:
        return drawn[0] if len(drawn) == 1 else None
    # A sign that nobody can tell is the one that is meant, where there is no other.
    only = signs[0] if len(signs) == 1 else None
    return only if only is not None and (not sign or _is_untold(only)) else None


def _draws(element: Element, sign: str) -> bool:
    if not sign:
        return False
    name = written_on(element)
    if _ARROW.fullmatch(sign):
        return any(symbol_of(name) & symbol_of(way) for way in _WAYS)
    word = "three dots" if _DOTS.fullmatch(sign) else sign
    return same_symbol(word, name, words=True) > 0


def _is_untold(element: Element) -> bool:
    """Whether neither its name nor its sign tells what is drawn on it."""
    name = written_on(element)
    return not re.search(r"[^\W_]", name) and not symbol_of(name)
