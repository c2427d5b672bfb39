"""What is held together with a name: the parts of its own card, and of no other one.

A page tells of a card as of boxes in boxes: the name in one, a number with its minus and plus in
another. They are of one thing as far up as nothing else is held that has words and controls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, is_disabled, kind_of

__all__ = ["QUANTITY_OF", "card_parts", "number_counting"]

QUANTITY_OF = re.compile(
    r"(?:the )?(?:quantity|number|amount|count) (?:of|for) (?:the )?(?P<of>.+)"
    r"|(?:the )?(?P<whose>.+?)(?:['’]s)? (?:quantity|qty)"
    r"|(?:购物车[里中](?:面)?的?)?(?P<named>.+?)的?(?:购买)?(?:数量|个数|份数|件数)",
    re.IGNORECASE,
)
"""The quantity of something, by whatever word."""
_FIELDS = (Kind.SPINNER, Kind.FIELD)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_WRITTEN = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.LINK})
_ENDS = frozenset({Kind.PAGE, Kind.WINDOW, Kind.DIALOG})
SAME = 3
"""Pixels by which names of like things begin elsewhere, at most."""


def card_parts(desk: Desk, name: str) -> Iterator[tuple[Element, ...]]:
    """What is held together with the one thing that is written so, the smallest part first.

    Args:
        desk: Where that is.
        name: What is written there, to the letter.
    """
    wanted = fold(name.strip().strip('"“”[]'))
    shown = part_meant(desk.elements, "")
    written = [
        e for e in shown if kind_of(e) in _WRITTEN and e.box and fold(written_on(e)) == wanted
    ]
    tree = lineage_of(tuple(desk.elements))
    holders = {above.id for e in written for above in tree.above(e)}
    inner = [e for e in written if e.id not in holders]
    if not wanted or len(inner) != 1:
        return
    thing, branch = inner[0], {inner[0].id}
    for holder in tree.above(thing):
        if kind_of(holder) in _ENDS:
            return
        parts = tuple(tree.below(holder))
        beside = [e for e in parts if e.parent == holder.id and e.id not in branch]
        if any(_is_another(tree, e) for e in beside) or _is_flat(thing, parts, beside):
            return
        yield parts
        branch = {holder.id}


def number_counting(desk: Desk, phrase: str) -> Element | None:
    """The number field in the card of a thing, where it has no other name: the quantity of X."""
    said = QUANTITY_OF.fullmatch(phrase.strip())
    if said is None or is_there(look_for(desk, wished(phrase, _FIELDS), want="type")):
        return None
    return _number_with(desk, next(filter(None, said.groups())))


def _number_with(desk: Desk, name: str) -> Element | None:
    """The one number that can be set in the card of a thing; None where it has not just one."""
    for held in card_parts(desk, name):
        numbers = [e for e in held if kind_of(e) is Kind.SPINNER and e.box is not None]
        if numbers:
            return numbers[0] if len(numbers) == 1 and not is_disabled(numbers[0]) else None
    return None


def _is_another(tree: Lineage, part: Element) -> bool:
    """Whether it has words and something to use: a card of its own."""
    own = (part, *tree.below(part))
    words = any(kind_of(e) in _WRITTEN and _WORDS.search(written_on(e)) for e in own)
    return words and any(kind_of(e) in CONTROLS and kind_of(e) not in _WRITTEN for e in own)


def _is_flat(thing: Element, parts: Sequence[Element], beside: Sequence[Element]) -> bool:
    """Whether names of like things stand under one another with all of their parts."""
    assert thing.box is not None
    if thing not in parts or not any(kind_of(e) in CONTROLS for e in beside):
        return False
    x, y = thing.box.x, thing.box.y
    return any(
        kind_of(e) in _WRITTEN and e.box is not None and _WORDS.search(written_on(e)) is not None
        for e in beside
        if e.box is not None and abs(e.box.x - x) <= SAME and e.box.y != y
    )
