"""Tables that are only drawn: a strip of headings side by side, with lines in their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box

__all__ = ["with_tables"]

TOUCH = 4
"""Pixels between two headings of one strip, or by which they lie over one another."""
LEVEL = 2
"""Pixels by which the edges of headings differ."""
HEADS = 3
"""So many stand side by side at least; two may be buttons."""
NEAR = 1.5
"""How far the next line is at most, as so many of a heading's height."""
_DRAWN = ("push button", "entry")


def with_tables(elements: Sequence[Element]) -> list[Element]:
    """The same, with the headings, rows and cells of drawn tables as such.

    A bevelled heading looks like a button, or like a field that holds its name; but no buttons
    stand without a gap over a room that is as wide as all of them, or over lines in their columns.
    """
    found = list(elements)
    for strip in _strips(elements):
        area = _area(strip, elements)
        lines = _lines(strip, area.box.bottom if area and area.box else None, elements)
        if area is None and not any(len(line) > 1 for line in lines):
            continue
        heads = {e.id: _as_head(e, f"{strip[0].id}-table") for e in strip}
        gone = {e.id for line in lines for e in line} | ({area.id} if area else set())
        found = [heads.get(e.id, e) for e in found if e.id not in gone]
        found += _table(strip, lines, area)
    return found


def _as_head(element: Element, table: str) -> Element:
    name = _said(element)
    return replace(element, role="column header", name=name, value=None, parent=table)


def _strips(elements: Sequence[Element]) -> Iterator[list[Element]]:
    """Boxes with a text each that touch one another at one level."""
    drawn = [e for e in elements if e.source == "detector" and e.role in _DRAWN and _said(e)]
    left = sorted((e for e in drawn if e.box), key=lambda e: e.box.x if e.box else 0)
    while left:
        strip = [left.pop(0)]
        for other in list(left):
            if _touches(strip[-1].box, other.box):
                strip.append(other)
                left.remove(other)
        if len(strip) >= HEADS:
            yield strip


def _touches(one: Box | None, other: Box | None) -> bool:
    if one is None or other is None or abs(other.x - one.right) > TOUCH:
        return False
    return abs(other.y - one.y) <= LEVEL and abs(other.height - one.height) <= LEVEL


def _area(strip: Sequence[Element], elements: Sequence[Element]) -> Element | None:
    """The room below a strip that is as wide as all of it, where one is drawn."""
    first, last = strip[0].box, strip[-1].box
    for element in elements:
        box = element.box
        if element.source != "detector" or box is None or first is None or last is None:
            continue
        wide = abs(box.x - first.x) <= TOUCH and abs(box.right - last.right) <= TOUCH
        if wide and abs(box.y - first.bottom) <= TOUCH and box.height > first.height:
            return element
    return None


def _lines(
    strip: Sequence[Element], bottom: int | None, elements: Sequence[Element]
) -> list[list[Element]]:
    """The texts below a strip, line by line, as long as they stand in its columns."""
    first, last = strip[0].box, strip[-1].box
    assert first is not None
    assert last is not None
    below = [e for e in elements if e.source == "ocr" and e.box and e.box.y >= first.bottom - TOUCH]
    below = [e for e in below if e.box and first.x <= e.box.center.x < last.right]
    lines: list[list[Element]] = []
    end = first.bottom
    for text in sorted(below, key=lambda e: e.box.center.y if e.box else 0):
        box = text.box
        assert box is not None
        if (bottom is None and box.y - end > NEAR * first.height) or not _column(strip, text):
            break
        if bottom is not None and box.center.y > bottom:
            break
        upper = lines[-1][0].box if lines else None
        if upper is not None and upper.y <= box.center.y < upper.bottom:
            lines[-1].append(text)
        else:
            lines.append([text])
        end = max(end, box.bottom)
    return lines


def _column(strip: Sequence[Element], text: Element) -> int:
    """The number of the column that a text stands in, from 1; 0 for none."""
    for number, head in enumerate(strip, 1):
        if head.box is None or text.box is None or text.box.width > head.box.width + 2 * TOUCH:
            continue
        if head.box.x <= text.box.center.x < head.box.right:
            return number
    return 0


def _table(
    strip: Sequence[Element], lines: Sequence[Sequence[Element]], area: Element | None
) -> Iterator[Element]:
    """The table, its rows, and its cells."""
    first, last = strip[0].box, strip[-1].box
    assert first is not None
    assert last is not None
    end = max((t.box.bottom for line in lines for t in line if t.box), default=first.bottom)
    bottom = area.box.bottom if area is not None and area.box is not None else end
    across = Box(first.x, first.y, last.right - first.x, bottom - first.y)
    table = replace(
        strip[0], id=f"{strip[0].id}-table", role="table", name="", value=None, text="", box=across
    )
    yield table
    for number, line in enumerate(lines, 1):
        boxes = [text.box for text in line if text.box is not None]
        top, height = (
            min(b.y for b in boxes),
            max(b.bottom for b in boxes) - min(b.y for b in boxes),
        )
        row = f"{table.id}-{number}"
        box = Box(across.x, top, across.width, height)
        yield replace(table, id=row, role="table row", box=box, parent=table.id)
        for column, head in enumerate(strip, 1):
            inside = [text for text in line if _column(strip, text) == column]
            said = " ".join(map(_said, sorted(inside, key=lambda t: t.box.x if t.box else 0)))
            if inside and head.box is not None:
                at = Box(head.box.x, top, head.box.width, height)
                cell = f"{row}-{column}"
                yield replace(
                    table, id=cell, role="table cell", name=said, text=said, box=at, parent=row
                )
                yield from (replace(text, parent=cell) for text in inside)


def _said(element: Element) -> str:
    return (element.name or element.text or element.value or "").strip()
