"""The lines of text that stand under, over or beside a thing: what “the text under X” may be."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, wished
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception.describe import Description
from carrel.perception.find import AHEAD
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of
from carrel.perception.tracks import tracks

__all__ = ["lines_beside", "says_beside"]

KNOWN = 0.6
"""How sure it has to be what the lines stand beside."""
REACH = 160
"""Pixels between a thing and a line that is said to be under or over it."""
MARGIN = 40
"""Pixels that such a line may stand out at its sides."""
TOUCH = 6
"""Pixels by which they may overlap."""
GAP = 24
"""Pixels between two texts of one line; what is farther apart is another column."""
_WHERE = ("below", "above", "right_of", "left_of", "next_to")


def says_beside(desk: Desk, phrase: str) -> tuple[str, ...]:
    """The lines that may be meant by a text without a name, told by where it stands."""
    one = wished(phrase).description
    if one.name or one.ordinal or one.kinds not in ((Kind.TEXT,), (Kind.HEADING,)):
        return ()
    return lines_beside(desk, one)


def lines_beside(desk: Desk, one: Description) -> tuple[str, ...]:
    """The lines that stand as the one relation of a description says."""
    told = [relation for relation in one.relations if relation.kind in _WHERE]
    if len(told) != 1 or len(one.relations) != 1 or told[0].negated:
        return ()
    anchor = _anchor(desk, told[0].target.text)
    if anchor is None:
        return ()
    leaves = [e for e in _leaves(desk) if e.box and _lies(e.box, told[0].kind, anchor)]
    return tuple(_lines(leaves))


def _anchor(desk: Desk, phrase: str) -> Box | None:
    """Where the thing is; the two ends of one range are one thing."""
    found = look_for(desk, wished(phrase), want="read")
    if found.best is None or found.best.confidence < KNOWN:
        return None
    least = found.best.confidence - AHEAD
    fitting = [m.element for m in found.matches if m.confidence > least]
    bars = tracks(desk.elements)
    # A slider reaches as far as its handle goes.
    boxes = [bars.get(e.id) or e.box for e in fitting if e.box is not None]
    boxes = [box for box in boxes if box is not None]
    if len(boxes) == 1:
        return boxes[0]
    sliders = all(kind_of(e) is Kind.SLIDER for e in fitting)
    level = all(abs(box.center.y - boxes[0].center.y) < box.height for box in boxes)
    return around(boxes) if boxes and sliders and level else None


def _leaves(desk: Desk) -> list[Element]:
    """Texts of the page, each once: not what only holds another."""
    shown = [e for e in part_meant(desk.elements, "") if e.box and kind_of(e) is Kind.TEXT]
    holding = {e.parent for e in shown}
    return [e for e in shown if e.id not in holding and written_on(e).strip()]


def _lies(box: Box, where: str, anchor: Box) -> bool:
    if where in ("below", "above"):
        over = box.x < anchor.right + MARGIN and box.right > anchor.x - MARGIN
        gap = box.y - anchor.bottom if where == "below" else anchor.y - box.bottom
        return over and -TOUCH <= gap <= REACH
    level = anchor.y - TOUCH <= box.center.y < anchor.bottom + TOUCH
    right, left = box.x >= anchor.right - TOUCH, box.right <= anchor.x + TOUCH
    return level and {"right_of": right, "left_of": left}.get(where, right or left)


def _lines(leaves: Sequence[Element]) -> list[str]:
    """The texts, those of one line together as well as each alone."""
    rows: list[list[Element]] = []
    for leaf in sorted(leaves, key=lambda e: (e.box.y, e.box.x) if e.box else (0, 0)):
        row = next((r for r in rows if _continues(r, leaf)), None)
        if row is None:
            rows.append([leaf])
        else:
            row.append(leaf)
    told = [" ".join(" ".join(written_on(e) for e in _in_order(row)).split()) for row in rows]
    return [*told, *(written_on(e).strip() for row in rows if len(row) > 1 for e in row)]


def _in_order(row: Sequence[Element]) -> list[Element]:
    return sorted(row, key=lambda e: e.box.x if e.box else 0)


def _continues(row: Sequence[Element], leaf: Element) -> bool:
    own = leaf.box
    boxes = [e.box for e in row if e.box is not None]
    if own is None or not boxes:
        return False
    level = all(abs(box.center.y - own.center.y) < min(box.height, own.height) / 2 for box in boxes)
    near = any(
        -TOUCH <= own.x - box.right <= GAP or -TOUCH <= box.x - own.right <= GAP for box in boxes
    )
    return level and near
