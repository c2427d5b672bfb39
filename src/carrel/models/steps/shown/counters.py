"""Numbers that stand between a minus and a plus: `Break  − 5 min +`, and what each is called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.boxes import around
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["Counted", "counters_in"]

_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.IMAGE, Kind.TEXT})
_LABELS = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL})
_NUMBER = re.compile(r"(?P<n>-?\d+(?:[.,]\d+)?)\s*(?P<unit>[^\d\s/:]{0,4}[^\d/:]{0,12})")
"""A number and the unit behind it."""
_LESS, _MORE = re.compile(r"[-−–—－➖]"), re.compile(r"[+＋➕]")
_LESS_SAID = re.compile(
    r"(?:fewer|less|minus|decreas\w+|decrement|reduce|lower|down|subtract)\b.*|减少?.*",
    re.IGNORECASE,
)
_MORE_SAID = re.compile(
    r"(?:more|plus|increas\w+|increment|raise|up|add)\b.*|增加.*|加一?|加号", re.IGNORECASE
)
ASIDE = 90
"""Pixels between a number and what changes it, at most."""
REACH = 520
"""Pixels from a number to the words at its left."""
OVER = 44
"""Pixels from a number up to the words over it."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A number, what changes it, and the words that stand at it.

    Attributes:
        beside: The words at its left, in its line, nearest last; else those over it.
        unit: What is written behind the number.
    """

    number: Element
    less: Element
    more: Element
    beside: tuple[str, ...]
    value: float
    unit: str


def counters_in(page: Sequence[Element]) -> list[Counted]:
    """Every number that just one minus and one plus stand at."""
    shown = [e for e in page if e.box is not None]
    less = _outer([e for e in shown if _is_sign(e, _LESS, _LESS_SAID)])
    more = _outer([e for e in shown if _is_sign(e, _MORE, _MORE_SAID)])
    found: list[tuple[Element, Element, Element]] = []
    for number in _inner([e for e in shown if kind_of(e) is Kind.TEXT and _number(e)]):
        at = number.box
        assert at is not None
        left = [e for e in less if e.box and _is_level(e.box, at) and 0 <= _gap(e.box, at) <= ASIDE]
        right = [
            e for e in more if e.box and _is_level(e.box, at) and 0 <= _gap(at, e.box) <= ASIDE
        ]
        if left and right:
            pair = (
                max(left, key=lambda e: e.box.right if e.box else 0),
                min(right, key=lambda e: e.box.x if e.box else 0),
            )
            found.append((pair[0], number, pair[1]))
    # A minus that two numbers stand at is of neither.
    signs = [e.id for one in found for e in (one[0], one[2])]
    own = [one for one in found if signs.count(one[0].id) == 1 == signs.count(one[2].id)]
    return [_told(one, own, shown) for one in own]


def _told(
    one: tuple[Element, Element, Element],
    others: Sequence[tuple[Element, Element, Element]],
    shown: Sequence[Element],
) -> Counted:
    less, number, more = one
    place = around([e.box for e in one if e.box is not None])
    taken = {e.id for each in others for e in each}
    said = [e for e in shown if kind_of(e) in _LABELS and e.id not in taken and _words(e)]
    before = [e[2].box.right for e in others if e[2].box and _is_level(e[2].box, place)]
    start = max((x for x in before if x <= place.x), default=max(0, place.x - REACH))
    line = [e for e in said if e.box and start <= e.box.x and e.box.right <= place.x + 4]
    line = [e for e in line if e.box and place.y - 6 <= e.box.center.y < place.bottom + 6]
    if not line:
        over = [e for e in said if e.box and 0 <= place.y + 4 - e.box.bottom <= OVER]
        over = [e for e in over if e.box and e.box.x < place.right and e.box.right > place.x]
        lowest = max((e.box.bottom for e in over if e.box), default=0)
        line = [e for e in over if e.box and e.box.bottom >= lowest - 4]
    line.sort(key=lambda e: (e.box.y, e.box.x) if e.box else (0, 0))
    told = _number(number)
    assert told is not None
    value = float(told["n"].replace(",", "."))
    texts = tuple(dict.fromkeys(written_on(e).strip() for e in line))
    return Counted(number, less, more, texts, value, told["unit"].strip())


def _words(element: Element) -> bool:
    return any(map(str.isalpha, written_on(element)))


def _number(element: Element) -> re.Match[str] | None:
    return _NUMBER.fullmatch(written_on(element).strip())


def _is_sign(element: Element, sign: re.Pattern[str], said: re.Pattern[str]) -> bool:
    kind, text = kind_of(element), written_on(element).strip()
    if kind not in _PRESSED or is_disabled(element) or is_field(element):
        return False
    return sign.fullmatch(text) is not None or (
        kind is not Kind.TEXT and said.fullmatch(text) is not None
    )


def _is_level(box: Box, other: Box) -> bool:
    return abs(box.center.y - other.center.y) <= max(box.height, other.height) // 2


def _gap(left: Box, right: Box) -> int:
    return right.x - left.right


def _outer(elements: Sequence[Element]) -> list[Element]:
    """Those that lie in no other of them: the button, and not the sign on it."""
    return [e for e in elements if not any(_lies_in(e, other) for other in elements)]


def _inner(elements: Sequence[Element]) -> list[Element]:
    """Those that hold no other of them."""
    return [e for e in elements if not any(_lies_in(other, e) for other in elements)]


def _lies_in(one: Element, other: Element) -> bool:
    a, b = one.box, other.box
    return a is not None and b is not None and a != b and b.intersect(a) == a
