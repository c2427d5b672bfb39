"""A cell that is told by its row and by its column, in Chinese."""

from __future__ import annotations

import pytest

from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.perception.find import find

SIZE = Size(900, 400)
_SHOWN = ("enabled", "sensitive", "showing", "visible")
TIMES = ("会议室", "13:00", "14:00", "15:00")
ROOMS = ("凌云厅", "沧海厅", "望江厅")


def table() -> list[Element]:
    found = [Element("table", "table", "", None, Box(20, 20, 600, 200), _SHOWN)]
    for n, time in enumerate(TIMES):
        box = Box(20 + 150 * n, 20, 150, 40)
        found.append(Element(f"head{n}", "column header", time, None, box, _SHOWN, "table"))
    for at, room in enumerate(ROOMS):
        # Rows of a page often have a pixel in common.
        y = 60 + 49 * at
        found.append(Element(f"r{at}", "table row", "", None, Box(20, y, 600, 50), _SHOWN, "table"))
        for n in range(len(TIMES)):
            cell, box = f"c{at}{n}", Box(20 + 150 * n, y, 150, 50)
            said = "空闲" if n else room
            found.append(Element(cell, "table cell", said, None, box, _SHOWN, f"r{at}"))
            if n:
                inner = Box(box.x + 20, y + 8, 100, 34)
                found.append(Element(f"b{at}{n}", "push button", said, None, inner, _SHOWN, cell))
    return found


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("凌云厅那一行 14:00 一列的“空闲”", "b02"),
        ("沧海厅那一行 14:00 一列的“空闲”", "b12"),
        ("望江厅那一行13:00那一列的“空闲”", "b21"),
        ("15:00那一列沧海厅那一行的“空闲”", "b13"),
    ],
)
def test_a_row_and_a_column_tell_the_cell_where_they_cross(phrase: str, meant: str) -> None:
    found = find(table(), phrase, view=Box(0, 0, 900, 400), size=SIZE)
    assert found.sure
    assert found.best is not None
    assert found.best.element.id in (meant, meant.replace("b", "c"))
