"""Rows of tables whose programs tell of their cells alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.roles import Kind, kind_of

__all__ = ["with_rows"]

SHARED = 0.5
"""How much of the lower of two cells must be beside the other to stand in one row."""
_NOT_OF_ROWS = frozenset({"checked", "checkable", "editable", "expandable", "expanded", "focused"})
"""States that a cell has for itself."""


def with_rows(elements: Sequence[Element]) -> list[Element]:
    """The same, with the cells side by side in rows of their own: programs often leave these out.

    Whatever is said of a row, its number, its box or its buttons is looked for in there.
    """
    tables = {e.id for e in elements if kind_of(e) in (Kind.TABLE, Kind.TREE)}
    told = {e.parent for e in elements if kind_of(e) is Kind.ROW}
    found: list[Element] = []
    rows: dict[str, Element] = {}
    cells = [e for e in elements if e.parent in tables - told and _is_cell(e)]
    for line in _lines(cells):
        made = _row(line)
        rows |= {cell.id: made for cell in line}
    begun: set[str] = set()
    for element in elements:
        row = rows.get(element.id)
        if row is not None and row.id not in begun:
            begun.add(row.id)
            found.append(row)
        found.append(element if row is None else replace(element, parent=row.id))
    return found


def _is_cell(element: Element) -> bool:
    cell = element.role == "table cell" or kind_of(element) is Kind.CELL
    return cell and element.source == "tree" and element.box is not None and element.box.area > 0


def _lines(cells: Sequence[Element]) -> list[list[Element]]:
    """Those of one table that stand side by side, where more than one does."""
    lines: list[list[Element]] = []
    for cell in sorted(cells, key=lambda c: (c.parent or "", _at(c).y, _at(c).x)):
        first = lines[-1][0] if lines else None
        if first is not None and first.parent == cell.parent and _beside(_at(first), _at(cell)):
            lines[-1].append(cell)
        else:
            lines.append([cell])
    return [line for line in lines if len(line) > 1]


def _row(cells: Sequence[Element]) -> Element:
    first, boxes = cells[0], [_at(cell) for cell in cells]
    left, top = min(b.x for b in boxes), min(b.y for b in boxes)
    right, bottom = max(b.right for b in boxes), max(b.bottom for b in boxes)
    states = tuple(state for state in first.states if state not in _NOT_OF_ROWS)
    box = Box(left, top, right - left, bottom - top)
    return Element(f"{first.id}-row", "table row", "", None, box, states, first.parent, first.app)


def _at(cell: Element) -> Box:
    assert cell.box is not None
    return cell.box


def _beside(one: Box, other: Box) -> bool:
    common = min(one.bottom, other.bottom) - max(one.y, other.y)
    return common >= SHARED * min(one.height, other.height)
