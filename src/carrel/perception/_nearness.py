"""How things lie to each other: right of, below, in the same row, inside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from carrel.geometry import Box
from carrel.perception.description import RelationKind
from carrel.perception.labels import written_on
from carrel.perception.layout import Layout, Placed
from carrel.perception.roles import FIELDS, HOLDERS, TICKED, Kind

__all__ = ["Cost", "between", "is_clipped", "is_far", "related"]

Cost = tuple[float, Placed]
"""How far something is from lying so; the nearest is meant."""

SLACK = 6
"""Pixels by which neighbours may overlap."""

FAR = 160.0
"""Pixels above or below something, with other things between: nobody says that it is so."""

AWAY = 4000.0
"""Added to what lies in the right direction, but in another row or column."""

SHARED, LEVEL = 0.3, 0.5
"""How much of the lower or narrower of two is beside the other, at least and without doubt."""

_ROWS = frozenset({Kind.ROW, Kind.OPTION, Kind.TREE_ITEM})
_ITSELF = FIELDS | TICKED | {Kind.COLUMN, Kind.AREA, Kind.COMBO, Kind.SLIDER}


def related(
    layout: Layout, kind: RelationKind, anchor: Placed, candidates: Sequence[Placed]
) -> list[Cost]:
    """Those that lie so to the anchor, with their distances."""
    if kind == "of" and anchor.kind in _ITSELF and any(item is anchor for item in candidates):
        # The field for a name is what has that name, and so is the heading of a column.
        return [(0.0, anchor)]
    others = [item for item in candidates if item is not anchor]
    return list(_RULES[kind](layout, anchor, others))


def _right(layout: Layout, anchor: Placed, items: Iterable[Placed]) -> Iterable[Cost]:
    return _directed(anchor.box, items, lambda box: (box.x - anchor.box.right, _rows_off))


def _left(layout: Layout, anchor: Placed, items: Iterable[Placed]) -> Iterable[Cost]:
    return _directed(anchor.box, items, lambda box: (anchor.box.x - box.right, _rows_off))


def _below(layout: Layout, anchor: Placed, items: Iterable[Placed]) -> Iterable[Cost]:
    return _directed(anchor.box, items, lambda box: (box.y - anchor.box.bottom, _columns_off))


def _above(layout: Layout, anchor: Placed, items: Iterable[Placed]) -> Iterable[Cost]:
    return _directed(anchor.box, items, lambda box: (anchor.box.y - box.bottom, _columns_off))


_Off = Callable[[Box, Box], float]


def _directed(
    anchor: Box, items: Iterable[Placed], measure: Callable[[Box], tuple[int, _Off]]
) -> Iterable[Cost]:
    for item in items:
        gap, off = measure(item.box)
        if gap < -SLACK or _encloses(item.box, anchor):
            continue
        aside = off(anchor, item.box)
        yield (max(gap, 0) if aside == 0 else AWAY + max(gap, 0) + 2 * aside), item


def _rows_off(one: Box, other: Box, least: float = SHARED) -> float:
    """0 when two boxes share rows of pixels enough to stand side by side."""
    return _off(one.y, one.bottom, other.y, other.bottom, least)


def _columns_off(one: Box, other: Box, least: float = SHARED) -> float:
    return _off(one.x, one.right, other.x, other.right, least)


def _off(start: int, end: int, other_start: int, other_end: int, least: float) -> float:
    common = min(end, other_end) - max(start, other_start)
    if common >= least * min(end - start, other_end - other_start):
        return 0.0
    return max(1.0, abs((start + end) - (other_start + other_end)) / 2)


def is_clipped(kind: RelationKind, anchor: Placed, item: Placed) -> bool:
    """Whether it is beside something by less than half: what is so in full is rather meant."""
    if kind in ("above", "below"):
        return _columns_off(anchor.box, item.box, LEVEL) > 0
    return kind in ("left_of", "right_of") and _rows_off(anchor.box, item.box, LEVEL) > 0


def is_far(layout: Layout, kind: RelationKind, anchor: Placed, item: Placed) -> bool:
    """Whether something is so far above or below that what stands between is meant, if anything."""
    if kind not in ("above", "below"):
        return False
    upper, lower = (anchor.box, item.box) if kind == "below" else (item.box, anchor.box)
    if lower.y - upper.bottom <= FAR:
        return False
    left, right = max(upper.x, lower.x), min(upper.right, lower.right)
    top, bottom = upper.bottom - SLACK, lower.y + SLACK
    return any(
        other.box.y >= top
        and other.box.bottom <= bottom
        and other.box.x < right
        and other.box.right > left
        and other.kind not in HOLDERS
        and (other.is_control or bool(written_on(other.element)))
        for other in layout.placed
    )


def _encloses(outer: Box, inner: Box) -> bool:
    common = outer.intersect(inner)
    return common is not None and common.area >= 0.9 * inner.area


def _gap(one: Box, other: Box) -> tuple[int, int]:
    across = max(one.x - other.right, other.x - one.right, 0)
    down = max(one.y - other.bottom, other.y - one.bottom, 0)
    return across, down


def _next_to(layout: Layout, anchor: Placed, items: Iterable[Placed]) -> Iterable[Cost]:
    for item in items:
        if layout.holds(anchor, item) and anchor.kind is Kind.TAB:
            # What is on a tab stands beside its name, nearer than what is on the next one.
            yield 0.0, item
            continue
        if _encloses(item.box, anchor.box) or layout.holds(anchor, item):
            continue
        across, down = _gap(anchor.box, item.box)
        same_row = _rows_off(anchor.box, item.box) == 0
        # What stands in the same row is nearer than what only happens to lie below.
        yield (across if same_row else 40 + across * 1.5 + down * 2.0), item


def _inside(layout: Layout, anchor: Placed, items: Iterable[Placed]) -> Iterable[Cost]:
    if anchor.kind is Kind.COLUMN:
        return _column(layout, anchor, items)
    return _enclosed(layout, anchor, items)


def _enclosed(layout: Layout, anchor: Placed, items: Iterable[Placed]) -> Iterable[Cost]:
    by_tree = {id(item) for item in layout.inside(anchor)}
    region = _region(layout, anchor)
    holds = anchor.kind in HOLDERS and bool(by_tree)
    for item in items:
        if id(item) in by_tree:
            yield 0.0, item
            continue
        if holds and item.element.source == "tree":
            # It lies there, and the application says that it belongs elsewhere.
            continue
        common = item.box.intersect(region)
        if common is not None and common.area >= 0.8 * item.box.area and item.box != region:
            yield 0.0, item


def _region(layout: Layout, anchor: Placed) -> Box:
    """What a heading or a tab stands for: all that comes until the next one like it."""
    if anchor.kind is Kind.TAB:
        return _page_of_tab(layout, anchor)
    if anchor.kind not in (Kind.HEADING, Kind.TEXT):
        return anchor.box
    holder = next(
        (layout.by_id[e.id] for e in layout.ancestors(anchor) if _holds_more(layout, e.id, anchor)),
        None,
    )
    box = holder.box if holder is not None else Box(0, 0, 32767, 32767)
    peers = [
        item.box.y
        for item in layout.placed
        if item.element.role == anchor.element.role
        and item.box.y >= anchor.box.bottom
        and (anchor.kind is Kind.HEADING or _looks_alike(anchor, item))
    ]
    bottom = min([*peers, box.bottom])
    top = anchor.box.y
    return Box(box.x, top, box.width, max(1, bottom - top))


def _looks_alike(one: Placed, other: Placed) -> bool:
    return abs(one.box.height - other.box.height) <= 2 and abs(one.box.x - other.box.x) <= 4


def _holds_more(layout: Layout, id_: str, anchor: Placed) -> bool:
    item = layout.by_id.get(id_)
    return item is not None and item.kind in HOLDERS and item.box.height > 2 * anchor.box.height


def _page_of_tab(layout: Layout, tab: Placed) -> Box:
    for parent in layout.ancestors(tab):
        item = layout.by_id.get(parent.id)
        if item is not None and item.box.height > 3 * tab.box.height:
            return item.box
    return tab.box


def _row(layout: Layout, anchor: Placed, items: Sequence[Placed]) -> Iterable[Cost]:
    row = _row_of(layout, anchor)
    if row is not None:
        inside = {id(row), *(id(item) for item in layout.inside(row))}
        found = [(0.0, item) for item in items if id(item) in inside]
        if found or row is anchor:
            return found
    return [
        (float(_gap(anchor.box, item.box)[0]), item)
        for item in items
        if _rows_off(anchor.box, item.box) == 0
        and item.box.height <= 3 * anchor.box.height
        and not _encloses(item.box, anchor.box)
    ]


def _row_of(layout: Layout, anchor: Placed) -> Placed | None:
    if anchor.kind in _ROWS:
        return anchor
    for parent in layout.ancestors(anchor):
        item = layout.by_id.get(parent.id)
        if item is not None and item.kind in _ROWS:
            return item
    return None


def _column(layout: Layout, anchor: Placed, items: Iterable[Placed]) -> Iterable[Cost]:
    for item in items:
        middle = item.box.center.x
        if layout.heading(item) is anchor.element:
            # Fields to filter by may stand in a row over the headings.
            yield float(abs(item.box.y - anchor.box.bottom)), item
        elif anchor.box.x <= middle < anchor.box.right and item.box.y >= anchor.box.bottom - SLACK:
            yield float(item.box.y - anchor.box.bottom), item


def _belongs(layout: Layout, anchor: Placed, items: Sequence[Placed]) -> Iterable[Cost]:
    """A thing of something: around it, within it, labelled by it, in its row, or beside it."""
    around = [item for item in items if item.kind in _ROWS | HOLDERS and layout.holds(item, anchor)]
    if around:
        # The row of a name is the one in which it stands; what else fits in that row is of it, too.
        holder = min(around, key=lambda item: item.box.area)
        if holder.kind in (Kind.PAGE, Kind.WINDOW):
            # All that is shown holds it, and is of nothing in it.
            return [(0.0, holder)]
        return [(0.0, i) for i in items if i is holder or layout.holds(holder, i)]
    if anchor.kind in HOLDERS or anchor.kind in _ROWS:
        found = list(_inside(layout, anchor, items))
        if found:
            return found
    if anchor.kind is Kind.COLUMN and (found := list(_column(layout, anchor, items))):
        return found
    said = written_on(anchor.element)
    labelled = [(0.0, item) for item in items if _is_labelled(layout, item, said)]
    if labelled:
        return labelled
    row = list(_row(layout, anchor, items))
    entry = _row_of(layout, anchor)
    if entry is not None and entry is not anchor:
        # What stands level with an entry of a list, and not in it, is another's.
        inside = {id(entry), *(id(item) for item in layout.inside(entry))}
        row = [(cost if id(item) in inside else AWAY + cost, item) for cost, item in row]
    return row or [(AWAY + cost, item) for cost, item in _next_to(layout, anchor, items)]


def _is_labelled(layout: Layout, item: Placed, said: str) -> bool:
    if item.element.name.strip() and item.element.name.strip() == said:
        return True
    label = layout.label(item)
    return label is not None and written_on(label) == said


def _after(layout: Layout, anchor: Placed, items: Sequence[Placed]) -> Iterable[Cost]:
    return _in_turn(layout, anchor, items, 1)


def _before(layout: Layout, anchor: Placed, items: Sequence[Placed]) -> Iterable[Cost]:
    return _in_turn(layout, anchor, items, -1)


def _in_turn(layout: Layout, anchor: Placed, items: Sequence[Placed], step: int) -> Iterable[Cost]:
    apart = [item for item in items if not _encloses(item.box, anchor.box)]
    order = layout.reading_order([*apart, anchor])
    at = order.index(anchor)
    line = order[at + 1 :] if step > 0 else order[:at][::-1]
    return [(float(number), item) for number, item in enumerate(line)]


def _containing(layout: Layout, anchor: Placed, items: Iterable[Placed]) -> Iterable[Cost]:
    for item in items:
        # "Automatic with insurance" are two choices, however close their boxes lie.
        lies_in = item.kind not in TICKED and _encloses(item.box, anchor.box)
        if layout.holds(item, anchor) or lies_in:
            # The smallest that holds it is meant.
            yield float(item.box.area), item


_RULES: dict[RelationKind, Callable[[Layout, Placed, Sequence[Placed]], Iterable[Cost]]] = {
    "right_of": _right,
    "left_of": _left,
    "above": _above,
    "below": _below,
    "next_to": _next_to,
    "in": _inside,
    "of": _belongs,
    "row": _row,
    "column": _column,
    "after": _after,
    "before": _before,
    "containing": _containing,
}


def between(one: Placed, other: Placed, items: Iterable[Placed]) -> list[Cost]:
    """Those that lie between two others."""
    first, second = one.box, other.box
    if _rows_off(first, second) == 0:
        low, high = sorted((first.center.x, second.center.x))
        found = [i for i in items if low < i.box.center.x < high and _rows_off(first, i.box) == 0]
    else:
        low, high = sorted((first.center.y, second.center.y))
        found = [i for i in items if low < i.box.center.y < high]
        beside = [i for i in found if _columns_off(first, i.box) == 0]
        found = beside or found
    return [(0.0, item) for item in found if item is not one and item is not other]
