"""Which of several equal things is meant: by number, by place, by what can be used now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from carrel.perception._names import is_same
from carrel.perception._nearness import AWAY
from carrel.perception.description import Description
from carrel.perception.labels import written_on
from carrel.perception.layout import Layout, Placed
from carrel.perception.roles import Kind, kind_of

if TYPE_CHECKING:
    from carrel.perception._search import Hit

__all__ = ["choose", "collapse"]

NEAR = 4.0
"""Pixels of difference in distance that nobody sees."""

_DIRECTED = frozenset({"right_of", "left_of", "above", "below", "next_to", "after", "before"})


def collapse(layout: Layout, hits: Sequence[Hit], *, inner: bool = False) -> list[Hit]:
    """One of those that are the same to a person: a button and the text on it.

    `inner` is whether the text is meant.
    """
    dropped: set[int] = set()
    for outer in hits:
        for within in hits:
            if outer is within or id(within) in dropped or id(outer) in dropped:
                continue
            if not _is_within(layout, outer.item, within.item):
                continue
            keep_outer = outer.item.is_control and not within.item.is_control and not inner
            dropped.add(id(within) if keep_outer else id(outer))
    return [hit for hit in hits if id(hit) not in dropped]


def _is_within(layout: Layout, outer: Placed, inner: Placed) -> bool:
    if layout.holds(outer, inner):
        return True
    common = outer.box.intersect(inner.box)
    if common is None or layout.holds(inner, outer):
        return False
    if (outer.box.area, -outer.order) < (inner.box.area, -inner.order):
        return False
    if common.area < 0.9 * inner.box.area:
        return False
    # Two names for one place, of different sources or of parts of one control.
    return common.area >= 0.5 * outer.box.area or _is_frame_of(outer, inner)


def _is_frame_of(drawn: Placed, told: Placed) -> bool:
    """Whether a shape that was only drawn is the frame around a control of the same line."""
    if drawn.element.source != "detector" or told.element.source == "detector":
        return False
    return told.box.width >= 0.8 * drawn.box.width and 3 * told.box.height >= drawn.box.height


def choose(layout: Layout, one: Description, tier: Sequence[Hit], want: str) -> list[Hit]:
    """Those that are meant: one if it can be told, several that cannot be told apart, or none."""
    hits = _front_most(layout, _of_many_lines(one, tier))
    directed = any(relation.kind in _DIRECTED for relation in one.relations)
    if one.superlative:
        hits = _superlative(layout, one.superlative, hits)
    if one.ordinal:
        return _counted(layout, one, hits, directed=directed)
    if one.relations and len(hits) > 1:
        nearest = min(hit.cost for hit in hits)
        hits = [hit for hit in hits if hit.cost <= nearest + NEAR]
    if one.any_one and Kind.FIELD in one.kinds:
        # Of those that take many lines people say "text area".
        hits = _keep(hits, lambda item: "multi line" not in item.element.states)
    return list(hits) if one.shape else _preferred(layout, hits, want)


_MANY_LINES = re.compile(
    r"\b(?:editor|text ?area|(?:editing|edit|compose|writing|typing) (?:area|pane))\b"
    r"|编辑器|编辑区|文本域",
    re.IGNORECASE,
)


def _of_many_lines(one: Description, hits: Sequence[Hit]) -> Sequence[Hit]:
    """Of an editor without a name what takes many lines: a field for one line is none."""
    if Kind.FIELD not in one.kinds or one.name or not _MANY_LINES.search(one.text):
        return hits
    return [hit for hit in hits if "single line" not in hit.item.element.states]


def _counted(layout: Layout, one: Description, hits: Sequence[Hit], *, directed: bool) -> list[Hit]:
    if not directed and one.kinds in ((Kind.ROW,), (Kind.COLUMN,)):
        return _of_tables(layout, one.ordinal, hits)
    if len(hits) < 2 and _is_kind_of_name(one):
        return []
    if len(hits) == 1 and one.ordinal in (1, -1) and _is_hidden_peer(layout, one, hits[0]):
        return []
    if directed:
        reached = [hit for hit in hits if hit.cost < AWAY]
        line = sorted(reached or hits, key=lambda hit: hit.cost)
    else:
        by_item = {id(hit.item): hit for hit in hits}
        line = [by_item[id(item)] for item in layout.reading_order([hit.item for hit in hits])]
    found, kinds = _nth(one.ordinal, line), {one.kinds[0]} if one.kinds else set()
    # Whether a field for a password is counted among fields is a matter of opinion.
    proper = _nth(one.ordinal, [hit for hit in line if hit.item.kind in kinds])
    return found if not proper or proper == found else [*found, *proper]


def _is_hidden_peer(layout: Layout, one: Description, hit: Hit) -> bool:
    """Whether the only one there is to count is hardly of the kind, and more is called the same.

    "The first" says that there are several; what nobody tells to be a control may be one of them.
    """
    if not one.name or not one.kinds or one.kinds[0] is hit.item.kind:
        return False
    return any(
        item.kind is Kind.TEXT
        and is_same(one.name, written_on(item.element))
        and item.box.intersect(hit.item.box) is None
        for item in layout.placed
    )


def _is_kind_of_name(one: Description) -> bool:
    """Whether "the last name" is meant; "the last Name" counts things that are called Name."""
    if one.exact or "第" in one.text or one.name.casefold() not in ("name", "names"):
        return False
    return re.search(r"\b[a-z0-9]+ Names?\b", one.text) is None


def _nth(ordinal: int, line: Sequence[Hit]) -> list[Hit]:
    at = ordinal - 1 if ordinal > 0 else len(line) + ordinal
    return [line[at]] if 0 <= at < len(line) else []


def _of_tables(layout: Layout, ordinal: int, hits: Sequence[Hit]) -> list[Hit]:
    """The row or column with that number of each table; headings are no row."""
    rows = [hit for hit in hits if not _is_headings(layout, hit.item)] or hits
    by_item = {id(hit.item): hit for hit in rows}
    tables: dict[str, list[Hit]] = {}
    for item in layout.reading_order([hit.item for hit in rows]):
        above = (parent.id for parent in layout.ancestors(item) if kind_of(parent) is Kind.TABLE)
        tables.setdefault(next(above, ""), []).append(by_item[id(item)])
    return [hit for line in tables.values() for hit in _nth(ordinal, line)]


def _is_headings(layout: Layout, item: Placed) -> bool:
    kinds = {inner.kind for inner in layout.inside(item)}
    return item.kind is Kind.ROW and Kind.COLUMN in kinds and Kind.CELL not in kinds


class _Test(Protocol):
    def __call__(self, item: Placed) -> bool: ...


def _keep(hits: Sequence[Hit], test: _Test) -> list[Hit]:
    """Those that pass, unless none does."""
    return [hit for hit in hits if test(hit.item)] or list(hits)


def _front_most(layout: Layout, hits: Sequence[Hit]) -> list[Hit]:
    """What is not behind a dialog or another window; of a browser, what is in the page."""
    hits = _keep(hits, lambda item: not layout.is_covered(item))
    hits = _keep(hits, layout.in_front)
    return _keep(hits, lambda item: _in_page(layout, item))


def _in_page(layout: Layout, item: Placed) -> bool:
    return any(parent.role.startswith("document") for parent in layout.ancestors(item))


def _preferred(layout: Layout, hits: Sequence[Hit], want: str) -> list[Hit]:
    if len(hits) < 2:
        return list(hits)
    hits = _keep(hits, layout.is_usable)
    hits = _but_feet(layout, hits)
    if want != "read":
        hits = _keep(hits, lambda item: item.is_control)
    if want == "type":
        hits = _keep(hits, lambda item: "editable" in item.element.states)
    best = max(hit.confidence for hit in hits)
    return [hit for hit in hits if hit.confidence >= best - 0.015]


def _but_feet(layout: Layout, hits: Sequence[Hit]) -> list[Hit]:
    """Without the headings of columns that a table says once more at its foot."""
    if any(hit.item.kind is not Kind.COLUMN for hit in hits):
        return list(hits)
    tops: dict[tuple[str, int], Hit] = {}
    for hit in sorted(hits, key=lambda one: one.item.box.y):
        tables = (e.id for e in layout.ancestors(hit.item) if kind_of(e) is Kind.TABLE)
        tops.setdefault((next(tables, ""), hit.item.box.x), hit)
    return [hit for hit in hits if any(hit is top for top in tops.values())]


_Key = Callable[[Placed], float]

_KEYS: dict[str, _Key] = {
    "top": lambda item: item.box.center.y,
    "bottom": lambda item: -item.box.center.y,
    "left": lambda item: item.box.center.x,
    "right": lambda item: -item.box.center.x,
    "largest": lambda item: -item.box.area,
    "smallest": lambda item: item.box.area,
    "widest": lambda item: -item.box.width,
    "longest": lambda item: -max(item.box.width, item.box.height),
    "shortest": lambda item: max(item.box.width, item.box.height),
    "tallest": lambda item: -item.box.height,
}


def _superlative(layout: Layout, word: str, hits: Sequence[Hit]) -> list[Hit]:
    if word in ("next", "previous"):
        return _neighbour(layout, hits, 1 if word == "next" else -1)
    if word == "middle":
        return _central(hits)
    parts = word.split()
    if len(parts) == 2:
        return _least(hits, lambda item: _KEYS[parts[0]](item) + _KEYS[parts[1]](item))
    return _least(hits, _KEYS[word])


def _least(hits: Iterable[Hit], key: _Key) -> list[Hit]:
    hits = list(hits)
    least = min((key(hit.item) for hit in hits), default=0.0)
    return [hit for hit in hits if key(hit.item) <= least + NEAR]


def _central(hits: Sequence[Hit]) -> list[Hit]:
    """The one in the middle of the others."""
    boxes = [hit.item.box for hit in hits]
    if not boxes:
        return []
    x = (min(box.x for box in boxes) + max(box.right for box in boxes)) / 2
    y = (min(box.y for box in boxes) + max(box.bottom for box in boxes)) / 2
    return _least(hits, lambda item: abs(item.box.center.x - x) + abs(item.box.center.y - y))


def _neighbour(layout: Layout, hits: Sequence[Hit], step: int) -> list[Hit]:
    """The one after or before what is selected, or has the keyboard."""
    by_item = {id(hit.item): hit for hit in hits}
    line = layout.reading_order([hit.item for hit in hits])
    for state in ("selected", "checked", "focused"):
        marked = [at for at, item in enumerate(line) if state in item.element.states]
        # Ticked boxes are no place to go on from.
        marked = [at for at in marked if line[at].kind is not Kind.CHECKBOX]
        if len(marked) == 1 and 0 <= marked[0] + step < len(line):
            return [by_item[id(line[marked[0] + step])]]
    return []
