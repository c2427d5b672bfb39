"""Sorting a table or a list by what it offers for that: a column's header, or a drop-down."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.claims.conditions import read_number
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.sorts_of_value import words_of
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.reading import options_of, text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.slots import look_into
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["sort_by"]

_SORTS = re.compile(r"\b(?:sort(?:ed)?|order(?:ed)?|arrange)\b(?: by)?|排序", re.IGNORECASE)
CLICKS = 3
"""On a header: many sort by the first, turn the order by the second, and drop it by the third."""
SORTING = (0.0, 0.2, 0.4)
"""Seconds between looks at a column that is being sorted."""
SLACK = 8
"""Pixels by which a cell may stand out of its column."""


def sort_by(desk: Desk, step: Perform) -> Turns[str | None]:
    """Sort by a column, in an order where one is said.

    Raises:
        Missed: Nothing sorts by that, or it does not come into that order.
    """
    said = dict(step.details)
    by, order = said.get("by", ""), said.get("order", "")
    if not by:
        raise Missed("it is not said what to sort by")
    header = resolve(desk, look_for(desk, wished(by, (Kind.COLUMN,))))
    combo = _drop_down(desk)
    # A column of nothing is not what is sorted, where something else says that it sorts.
    empty = combo is not None and header is not None and not _cells(desk, header.element)
    if header is not None and not empty and not is_disabled(header.element):
        yield from _by_header(desk, header.element, order)
        return None
    if combo is None:
        found = look_for(desk, wished(by, (Kind.COLUMN,)))
        raise Missed(f"nothing to sort by {by} with: {found.account()}")
    yield from look_into(desk)
    yield from choose_from_combo(desk, combo, _option(desk, combo, by, order))
    return None


_UP = (
    r"ascending|asc|low(?:est)?(?: (?:to|first)|$)|cheap|a[ –-]+z|old(?:est)?|small|↑|least|"
    r"[低小旧远少早]\s*(?:到|至|→|-)\s*[高大新近多晚]|升序|正序|最[低小旧早少]|最便宜"
)
_DOWN = (
    r"descending|desc|high(?:est)?(?: (?:to|first)|$)|expensive|z[ –-]+a|new|large|↓|most|best|"
    r"[高大新近多晚]\s*(?:到|至|→|-)\s*[低小旧远少早]|降序|倒序|最[高大新晚多贵好]"
)


def _option(desk: Desk, combo: Element, by: str, order: str) -> str:
    """The one option that says the column, and the order where one is said."""
    now = same_as(desk.unseen, combo) or combo
    names = [e.name for e in options_of(now, desk.unseen)]
    about = [n for n in names if set(words_of(by)) <= set(words_of(n)) or _begins(n, by)]
    way = {"ascending": _UP, "descending": _DOWN}.get(order)
    ordered = [n for n in about if way and re.search(way, _rest(n, by), re.IGNORECASE)]
    fitting = ordered if way else about
    return fitting[0] if len(fitting) == 1 else f"{by} {order}".strip()


def _begins(name: str, by: str) -> bool:
    """Whether an option begins with the column, without a space behind it: 价格从低到高."""
    return re.match(r"[\u3400-\u9fff]", by) is not None and name.startswith(by)


def _rest(name: str, by: str) -> str:
    """What an option says beside the column: `low to high` begins with how it begins."""
    rest = re.sub(re.escape(by), "", name, count=1, flags=re.IGNORECASE).strip(" :-–(,)")
    return " ".join(rest.split()[:2])


def _drop_down(desk: Desk) -> Element | None:
    """The one that says it sorts."""
    fitting = []
    for combo in part_meant(desk.elements, ""):
        if kind_of(combo) is not Kind.COMBO or combo.box is None or is_disabled(combo):
            continue
        label = label_of(combo, desk.elements)
        said = f"{combo.name} {written_on(label) if label is not None else ''}"
        if _SORTS.search(said):
            fitting.append(combo)
    return fitting[0] if len(fitting) == 1 else None


def _by_header(desk: Desk, header: Element, order: str) -> Turns[None]:
    """Click it until the column is in order; it is read back, where it has cells."""
    for _ in range(CLICKS):
        header = same_as(desk.elements, header) or header
        assert header.box is not None
        at = header.box.center
        yield from desk.do(Click(at.x, at.y), why=f"sort by {named(header)}", last=not order)
        yield from desk.effect()
        if (yield from _comes_into_order(desk, header, order)):
            return
        if not _cells(desk, header):
            if order:
                desk.doubt(f"whether it is in {order} order is not told")
            return
        if not order:
            desk.doubt(f"the column {header.name} is not in order")
            return
    raise Missed(f"the column {header.name} does not come into {order} order")


def _comes_into_order(desk: Desk, header: Element, order: str) -> Turns[bool]:
    """Whether a column is in order, now or in a moment: a table may be drawn anew for it."""
    for pause in SORTING:
        if pause:
            yield from desk.again(pause, why="whether it is sorted")
        now = same_as(desk.elements, header) or header
        if _cells(desk, now) and _is_sorted(desk, now, order):
            return True
    return False


def _cells(desk: Desk, header: Element) -> list[str]:
    """What stands in a column, from above."""
    box = header.box
    assert box is not None
    below = [
        e
        for e in desk.elements
        if kind_of(e) is Kind.CELL and e.box is not None and e.box.y >= box.bottom - SLACK
        if box.x - SLACK <= e.box.center.x < box.right + SLACK
    ]
    below.sort(key=lambda e: e.box.y if e.box else 0)
    return [text_of(e, desk.elements) for e in below]


def _is_sorted(desk: Desk, header: Element, order: str) -> bool:
    cells = _cells(desk, header)
    numbers = [read_number(cell) for cell in cells]
    values: list[float] | list[str] = [number for number in numbers if number is not None]
    if len(values) != len(cells):
        values = [cell.casefold() for cell in cells]
    up, down = values == sorted(values), values == sorted(values, reverse=True)
    return up or down if not order else up if order == "ascending" else down
