"""Places that are not things but follow from things: middles, centres, coordinates."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.claims.conditions import read_number
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import all_fitting
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.plane import Axis, Spot, axis_of, middle
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.figures import Figure, figures
from carrel.perception.labels import written_on
from carrel.perception.layout import layout_of
from carrel.perception.roles import Kind, kind_of

__all__ = ["centre", "drawn", "is_spot", "mark", "marks", "settle", "spot_of"]

_MIDDLE = re.compile(
    r"(?:on |at )?(?:the )?(?:exact |very |precise )*(?:mid-?points?|middle(?: point)?|"
    r"half-?way(?: point| mark)?|cent(?:er|re)(?: point)?|(?:point )?half-?way)"
    r"(?: that (?:is|lies))? (?P<how>between|of) (?P<what>.+)|"
    r"(?P<zh>.+?)(?:的?中点|的?中心点?|的?圆心)",
    re.IGNORECASE,
)
_GRID = re.compile(
    r"(?:on |at )?(?:the )?(?:(?:grid|graph|cartesian|plot|map) )?(?:coordinates?|point|position|"
    r"location|spot|dot|intersection)?(?: (?:at|with(?: the)? coordinates?|of))? ?"
    r"\(\s*(?P<x>[-−]?\d+(?:\.\d+)?)\s*[,;，]\s*(?P<y>[-−]?\d+(?:\.\d+)?)\s*\)"
    r"(?: (?:on|of|in) (?:the )?(?:grid|graph|coordinate (?:grid|system|plane)|plane|axes|chart|"
    r"plot))?",
    re.IGNORECASE,
)
_ON_GRID = re.compile(
    r"grid|graph|cartesian|coordinate|plot|plane|axes|chart|[-−]|坐标", re.IGNORECASE
)
ROW = 6
"""Pixels by which the labels of one axis may be out of line."""
NEAR = 0.4
"""Steps of the grid within which a mark is the one that is meant."""
FAR_OFF = 16
"""Pixels that a mark may be drawn off the pointer."""


def is_spot(phrase: str) -> bool:
    """Whether a phrase may name such a place."""
    text = phrase.strip()
    if _GRID.fullmatch(text):
        return _ON_GRID.search(text) is not None
    return _MIDDLE.fullmatch(text) is not None


def spot_of(desk: Desk, phrase: str) -> Turns[Spot | None]:
    """The place; None where what it follows from is not drawn.

    Raises:
        Missed: What it follows from is not there.
    """
    text = phrase.strip()
    if found := _GRID.fullmatch(text):
        x, y = (float(found[side].replace("−", "-")) for side in ("x", "y"))
        return _on_grid(desk, x, y)
    found = _MIDDLE.fullmatch(text)
    if found is None:
        return None
    what = found["what"] or found["zh"]
    several = [centre(e.box) for e in all_fitting(desk, _plural(what)) if e.box is not None]
    if len(several) == 2:
        return middle(several)
    if (found["how"] or "").casefold() == "between" and " and " in what:
        first, second = what.split(" and ", 1)
        one, other = (yield from ground(desk, first)), (yield from ground(desk, second))
        return middle([centre(e.element.box) for e in (one, other) if e.element.box is not None])
    if (found["how"] or "").casefold() == "between":
        raise Missed(f"a middle is between two; {len(several)} fit {what!r}")
    match = yield from ground(desk, what)
    return centre(match.element.box) if match.element.box is not None else None


def _plural(what: str) -> str:
    return re.sub(r"^(?:the )?(?:two|both)(?: of)?(?: the)? ", "", what, flags=re.IGNORECASE)


def centre(box: Box) -> Spot:
    """The middle of a box, between pixels where it lies there."""
    return (box.x + box.width / 2, box.y + box.height / 2)


# Grids


def _on_grid(desk: Desk, x: float, y: float) -> Spot:
    across, along = _axes(desk)
    if across is None or along is None:
        raise Missed("no axis with numbers to be seen, across and along")
    at = (across.at(x), along.at(y))
    marks = [centre(figure.box) for figure in drawn(desk) if figure.size <= FAR_OFF]
    near = [m for m in marks if _steps(m, at, across, along) <= NEAR]
    return min(near, key=lambda m: _steps(m, at, across, along), default=at)


def _steps(one: Spot, other: Spot, across: Axis, along: Axis) -> float:
    return max(abs(one[0] - other[0]) / abs(across.step), abs(one[1] - other[1]) / abs(along.step))


def _axes(desk: Desk) -> tuple[Axis | None, Axis | None]:
    """The axes that numbers stand along: the longest row of them, and the longest column."""
    labels = [
        (value, centre(e.box))
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.TEXT
        and e.box is not None
        and (value := read_number(_number_text(e))) is not None
    ]
    return _longest(labels, 0), _longest(labels, 1)


def _number_text(element: Element) -> str:
    text = written_on(element).strip().replace("−", "-")
    return text if re.fullmatch(r"-?\d+(?:\.\d+)?", text) else ""


def _longest(labels: Sequence[tuple[float, Spot]], side: int) -> Axis | None:
    best: tuple[int, Axis] | None = None
    for _, here in labels:
        row = {v: at[side] for v, at in labels if abs(at[1 - side] - here[1 - side]) <= ROW}
        axis = axis_of(row.items())
        if axis is not None and (best is None or len(row) > best[0]):
            best = len(row), axis
    return best[1] if best is not None else None


# Marks


def drawn(desk: Desk) -> tuple[Figure, ...]:
    """Everything that is drawn on the screen now."""
    if desk.seen.view is None:
        return ()
    listed = tuple(part_meant(desk.elements, ""))
    return figures(layout_of(listed, desk.size), desk.seen.view)


def mark(desk: Desk, at: Spot, why: str) -> Turns[Spot]:
    """Click a place; where that draws a mark beside the pointer, click again to make up for it.

    Returns:
        Where the mark is, as far as one can be seen.
    """
    before = marks(desk)
    wanted = Point(round(at[0]), round(at[1]))
    yield from desk.do(Click(wanted.x, wanted.y), why=why)
    return (yield from settle(desk, at, before))


def settle(desk: Desk, at: Spot, before: frozenset[Box]) -> Turns[Spot]:
    """See where a mark was made, and make it anew where it is beside its place."""
    made = _made(desk, before, at)
    if made is None or max(abs(made[0] - at[0]), abs(made[1] - at[1])) < 1:
        return made or at
    again = Point(round(2 * at[0] - made[0]), round(2 * at[1] - made[1]))
    told = f"the mark is at {made[0]:g},{made[1]:g}, not at {at[0]:g},{at[1]:g}"
    yield from desk.do(Click(again.x, again.y), why=told)
    return _made(desk, before, at) or at


def marks(desk: Desk) -> frozenset[Box]:
    """Where the small figures are."""
    return frozenset(figure.box for figure in drawn(desk) if figure.size <= FAR_OFF)


def _made(desk: Desk, before: frozenset[Box], at: Spot) -> Spot | None:
    """The mark that is new, near the place."""
    fresh = [centre(box) for box in marks(desk) - before]
    near = [m for m in fresh if max(abs(m[0] - at[0]), abs(m[1] - at[1])) <= FAR_OFF]
    return min(near, key=lambda m: abs(m[0] - at[0]) + abs(m[1] - at[1]), default=None)
