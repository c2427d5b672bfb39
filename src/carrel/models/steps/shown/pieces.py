"""Texts that a page tells in pieces: the bold 2 and the rest of `2 items left`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.shown.captions import shared_height
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["joined_texts", "whole_amount"]

APART = 10
"""Pixels between two pieces of one text at most."""


TOUCH = 3
"""Pixels between two pieces of one number at most."""
_AMOUNT = re.compile(r"[¥￥$€£]|[¥￥$€£]?[\d.,]*\d[\d.,]*[%元]?|[.,]|[元%]")


def whole_amount(elements: Iterable[Element], piece: Element) -> str | None:
    """The amount that a sign or a number begins, of which a page draws each part by itself.

    Returns:
        None where the piece begins none, or nothing touches it.
    """
    told = written_on(piece).strip()
    if kind_of(piece) is not Kind.TEXT or not _AMOUNT.fullmatch(told) or piece.box is None:
        return None
    texts = [
        e for e in elements if kind_of(e) is Kind.TEXT and e.box is not None and e is not piece
    ]
    last, found = piece, told
    while True:
        after = [e for e in texts if _touches(last, e)]
        if not after:
            return found if last is not piece else None
        last = min(after, key=lambda e: e.box.area if e.box else 0)
        texts = [e for e in texts if e.box != last.box]
        found += written_on(last).strip()


def _touches(one: Element, other: Element) -> bool:
    a, b = one.box, other.box
    if a is None or b is None or not _AMOUNT.fullmatch(written_on(other).strip()):
        return False
    return abs(b.x - a.right) <= TOUCH and shared_height(a, b) >= 0.5


def joined_texts(elements: Iterable[Element]) -> list[str]:
    """What the pieces of each line say together, where two or more stand close in one line."""
    listed = [e for e in elements if e.box is not None and written_on(e).strip()]
    holders = {e.parent for e in listed}
    leaves = [e for e in listed if kind_of(e) in (Kind.TEXT, Kind.LINK) and e.id not in holders]
    leaves.sort(key=lambda e: (e.box.x, e.box.y) if e.box else (0, 0))
    lines: list[list[Element]] = []
    for piece in leaves:
        line = next((one for one in lines if _goes_on(one[-1], piece)), None)
        if line is None:
            lines.append([piece])
        else:
            line.append(piece)
    return [" ".join(written_on(e).strip() for e in line) for line in lines if len(line) > 1]


def _goes_on(one: Element, other: Element) -> bool:
    """Whether a piece follows another one in its line."""
    a, b = one.box, other.box
    assert isinstance(a, Box)
    assert isinstance(b, Box)
    return -2 <= b.x - a.right <= APART and shared_height(a, b) >= 0.6
