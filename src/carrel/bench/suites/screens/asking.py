"""Descriptions put to the rules of `carrel.perception.find`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from carrel.bench.suites.screens.score import Mark
from carrel.bench.suites.screens.templates import Told
from carrel.frames import Element
from carrel.geometry import Box, Point, Size
from carrel.perception.find import Found, find
from carrel.perception.view import View

__all__ = ["UNSURE", "locate_marks"]

SLACK = 2
UNSURE = "not sure: "
"""How the reason begins of an answer that is no answer: it said so, and nothing was clicked."""


def locate_marks(
    source: str, elements: Sequence[Element], told: Sequence[Told], view: View, size: Size
) -> Iterator[Mark]:
    """One mark for each description: right, wrong, or not sure."""
    for item in told:
        kind = f"{item.template} {item.language}"
        found = find(elements, item.text, view=view, size=size)
        best = found.best
        sure = best is not None and found.sure
        point = best.point if best is not None else None
        hit = point is not None and any(_near(point, box) for box in item.targets)
        why = "" if sure and hit else _why(found, sure=sure, hit=hit)
        box = item.targets[0]
        yield Mark("locate", source, kind, item.text, sure and hit, why, box, point)


def _near(point: Point, box: Box) -> bool:
    x, y = box.x - SLACK, box.y - SLACK
    return Box(x, y, box.width + 2 * SLACK, box.height + 2 * SLACK).contains(point)


def _why(found: Found, *, sure: bool, hit: bool) -> str:
    best = found.best
    if sure and best is not None:
        element = best.element
        name = element.name or element.text
        return f"took {element.role} {name[:50]!r} at {best.point.x},{best.point.y}: {best.why}"
    leaning = "rightly leaning; " if hit else ""
    return f"{UNSURE}{leaning}{found.account()}"
