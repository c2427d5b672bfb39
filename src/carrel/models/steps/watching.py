"""Watching: in which order things light up by themselves."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.turns import Missed, Turns

__all__ = ["in_shown_order"]

Shade = tuple[int, int, int]
PAUSE = 0.05
QUIET = 1.8
"""Seconds without a change after which nothing more is shown."""
PATIENCE = 8.0
"""Seconds in which something has to be shown at all."""
LONGEST = 60.0
STEP = 24


def in_shown_order(desk: Desk, elements: Sequence[Element]) -> Turns[list[Element]]:
    """The things in the order in which the screen shows them, each as often as it does.

    Raises:
        Missed: None of them ever changes.
    """
    looks: list[list[Shade]] = [_shades(desk, elements)]
    started = changed = time.monotonic()
    while time.monotonic() - started < LONGEST:
        yield from desk.again(PAUSE, why="what is shown")
        looks.append(_shades(desk, elements))
        now = time.monotonic()
        changed = now if _differ(looks[-1], looks[-2]) else changed
        shown = shown_in(looks)
        if now - changed >= (QUIET if shown else PATIENCE):
            break
    shown = shown_in(looks)
    if not shown:
        raise Missed("nothing is shown: none of them changed its colour")
    return [elements[at] for at in shown]


def _shades(desk: Desk, elements: Sequence[Element]) -> list[Shade]:
    """The colour of the middle of each."""
    view = desk.seen.view
    if view is None:
        raise Missed("without pictures nobody can tell what is shown")
    found: list[Shade] = []
    for element in elements:
        assert element.box is not None
        at = element.box.center
        red, green, blue = (int(value) for value in view.pixels[at.y, at.x])
        found.append((red, green, blue))
    return found


def _differ(one: Sequence[Shade], other: Sequence[Shade]) -> bool:
    return any(_far(a, b) for a, b in zip(one, other, strict=True))


def _far(one: Shade, other: Shade) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > STEP


def shown_in(looks: Sequence[Sequence[Shade]]) -> list[int]:
    """Which of them lit up, in order: what is not its usual colour, from when it begins."""
    if not looks:
        return []
    usual = [Counter(column).most_common(1)[0][0] for column in zip(*looks, strict=True)]
    lit = [[_far(now, base) for now, base in zip(look, usual, strict=True)] for look in looks]
    found: list[int] = []
    for at, look in enumerate(lit):
        before = lit[at - 1] if at else [False] * len(look)
        found += [number for number, on in enumerate(look) if on and not before[number]]
    return found
