"""Which of several like controls goes with a thing: told by how a page repeats itself.

Pages draw rows and cards that no tree tells of: a name, and a button that stands in the same place
beside every name. So a button goes with a thing if it is the nearest of its like, and others of its
like have something written in that same place beside them.
"""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.shown.entries import entry_of
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["goes_with", "held_with"]

FAR = 260
"""Pixels from a name down to the button of its card, at most."""
LOOSE = 10
"""Pixels by which places beside two buttons may differ and be the same."""
CLEARLY = 1.25
"""So many times farther the next of its like has to be."""
_WRITTEN = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.LINK})


def goes_with(desk: Desk, thing: Box | None, like: Sequence[Element]) -> Element | None:
    """The one of several like controls that goes with what is written at a place, if it is clear.

    Args:
        desk: What is on the screen.
        thing: Where the name of the thing stands.
        like: Controls that do the same, each to something else.
    """
    if (held := held_with(desk, thing, like)) is not None:
        return held
    alike = {e.id: e for e in like if e.box is not None and not _is_of_other(desk, e, thing)}
    if thing is None or len(alike) < 2 or len({_look(e) for e in alike.values()}) > 1:
        return None
    ranked = sorted(
        ((away, e) for e in alike.values() if (away := _away(thing, e.box)) is not None),
        key=lambda pair: pair[0],
    )
    if not ranked or (len(ranked) > 1 and ranked[1][0] < max(CLEARLY * ranked[0][0], LOOSE)):
        return None
    nearest = ranked[0][1]
    others = [e for e in alike.values() if e.id != nearest.id]
    return nearest if _repeats(desk, thing, nearest, others) else None


def held_with(desk: Desk, thing: Box | None, like: Sequence[Element]) -> Element | None:
    """The one of them in the innermost card around the thing, where each card has its own.

    Of cards side by side the next one's button may be nearer to a name than its own.
    """
    at = [e for e in desk.elements if e.box is not None and e.box == thing]
    tree, ids = lineage_of(tuple(desk.elements)), {e.id for e in like}
    for holder in tree.above(at[-1]) if at and len(ids) > 1 else ():
        if own := ids & tree.inside(holder):
            return next(e for e in like if e.id in own) if len(own) == 1 else None
    return None


def _is_of_other(desk: Desk, control: Element, thing: Box | None) -> bool:
    """Whether it is in a row or an item that says something itself, and does not hold the thing."""
    row = entry_of(desk.elements, control)
    if row is None or row.id == control.id or thing is None or within(thing, row.box):
        return False
    inside = lineage_of(tuple(desk.elements)).below(row)
    return any(
        kind_of(e) is Kind.TEXT
        and written_on(e).strip() != written_on(control).strip()
        and not within(e.box, control.box)
        and written_on(e).strip()
        for e in inside
    )


def _look(element: Element) -> tuple[Kind, int]:
    """What controls that do the same have in common: their kind, and how high they are."""
    return kind_of(element), round((element.box.height if element.box else 0) / LOOSE)


def _away(thing: Box, control: Box | None) -> float | None:
    """How far a control is from a name: along its line, or down from it; None where it is above."""
    if control is None or thing.contains(control.center):
        return None
    down = control.center.y - thing.center.y
    level = control.y - LOOSE <= thing.center.y < control.bottom + LOOSE
    if level:
        return float(abs(down) * 4 + max(0, control.x - thing.right, thing.x - control.right) / 8)
    if not 0 < down <= FAR:
        return None
    aside = max(0, control.x - thing.right, thing.x - control.right)
    return float(down + 2 * aside)


def _repeats(desk: Desk, thing: Box, control: Element, others: Sequence[Element]) -> bool:
    """Whether something is written in the same place beside another of its like."""
    assert control.box is not None
    aside, down = control.box.x - thing.x, control.box.center.y - thing.center.y
    texts = [
        e.box
        for e in part_meant(desk.elements, "")
        if e.box is not None and kind_of(e) in _WRITTEN and written_on(e).strip()
        if not within(e.box, thing)
    ]
    return any(
        abs(other.box.x - text.x - aside) <= LOOSE
        and abs(other.box.center.y - text.center.y - down) <= LOOSE
        for other in others
        if other.box is not None
        for text in texts
    )
