"""Arrows of a calendar that have no words: told by where they stand beside the month."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import within

__all__ = ["framing_arrow", "silent_arrow"]

LEAST, MOST = 6, 56
"""Pixels of a side of an arrow that somebody can hit, and of what is more than one."""
LEVEL = 8
"""Pixels that the middle of an arrow may be above or below that of the month."""
_WORDED = re.compile(r"[^\W\d_]")
_NUMBERED = re.compile(r"\d")


def silent_arrow(
    near: Sequence[Element], told: re.Pattern[str], *, on: bool, years: bool = False
) -> Element | None:
    """What goes to the month or year before or after, in the line of what tells the month.

    Before the month stands what leads back, and after it what leads on; of two the outer one goes
    by years. Where both stand at one side, the first leads back.
    """
    heads = [e for e in near if e.box and told.search(e.name or e.text or e.value or "")]
    # The month is written over the days, and nothing above it can be told from it.
    head = min(heads, key=lambda e: e.box.area if e.box else 0, default=None)
    if head is None or head.box is None:
        return None
    signs = _signs(near, head)
    before = [e for e in signs if e.box and e.box.center.x < head.box.center.x]
    after = [e for e in signs if e.box and e.box.center.x > head.box.center.x]
    if before and after:
        side = after if on else list(reversed(before))
        inner, outer = side[0], side[-1]
        if len(side) > 2 or len(before) != len(after):
            return None
        if years:
            return outer if outer is not inner else None
        return inner
    alone = before or after
    if len(alone) != 2 or years:
        return None
    return alone[1 if on else 0]


_FRAMED = re.compile(r"[<‹◀«◄]\s*[^<>‹›]+?\s*[>›▶»►]")
END = 10
"""Pixels at each end of a text that an arrow there takes."""


def framing_arrow(near: Sequence[Element], told: re.Pattern[str], *, on: bool) -> Element | None:
    """An arrow that is read together with the month or the year between them: `< May >`."""
    for element in near:
        said = (element.name or element.text).strip()
        if element.box is None or not _FRAMED.fullmatch(said) or not told.search(said):
            continue
        box = element.box
        x = box.right - END if on else box.x
        return replace(element, box=Box(x, box.y, END, box.height))
    return None


def _signs(near: Sequence[Element], head: Element) -> list[Element]:
    """Small things without words in one line with the month, each place once, from the left."""
    assert head.box is not None
    level = head.box.center.y
    small = [
        e
        for e in near
        if e.box is not None and abs(e.box.center.y - level) <= LEVEL
        if min(e.box.width, e.box.height) >= LEAST and max(e.box.width, e.box.height) <= MOST
        if not _is_worded(e) and not within(e.box, head.box)
    ]
    small.sort(key=lambda e: -e.box.area if e.box else 0)
    kept: list[Element] = []
    for element in small:
        if not any(within(element.box, other.box) for other in kept):
            kept.append(element)
    # What holds words is no sign: the month or the year, each in a box of its own.
    holders = [e for e in near if e.box and _is_worded(e)]
    bare = [e for e in kept if not any(within(w.box, e.box) for w in holders)]
    return sorted(bare, key=lambda e: e.box.x if e.box else 0)


def _is_worded(element: Element) -> bool:
    said = element.name or element.value or ""
    return bool(_WORDED.search(said) or _NUMBERED.search(said)) and not said.endswith("-symbolic")
