"""Looking at a part of the screen alone, whoever tells of what is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.extents import Extent, Several, extent_of, members
from carrel.models.steps.turns import Missed

__all__ = ["bounded", "lists_meant", "not_told"]


def lists_meant(desk: Desk, phrase: str) -> tuple[Extent, ...]:
    """All that a place may be, where several are called so; none where it is clear, or none is."""
    try:
        extent_of(desk, phrase)
    except Several as several:
        return several.each
    except Missed:
        return ()
    return ()


def not_told(desk: Desk, phrase: str) -> str | None:
    """Why nobody can say what is in a place; None where that is known."""
    try:
        extent_of(desk, phrase)
    except Missed as missed:
        return missed.account
    return None


@contextmanager
def bounded(desk: Desk, phrase: str) -> Iterator[None]:
    """See only what is in a place; it is looked for anew in every picture, as it may move.

    Where it is not there any more, nothing is to be seen.
    """
    outer = desk.scope

    def inside(elements: tuple[Element, ...]) -> tuple[Element, ...]:
        mine, desk.scope = desk.scope, outer
        try:
            listed = elements if outer is None else outer(elements)
            extent = extent_of(desk, phrase)
            return listed if extent is None else members(listed, extent)
        except Missed:
            return ()
        finally:
            desk.scope = mine

    desk.scope = inside
    try:
        yield
    finally:
        desk.scope = outer
