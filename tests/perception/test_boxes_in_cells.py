"""Check boxes in the cells of a table that only says which of them are ticked."""

from __future__ import annotations

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception._stand_ins import with_boxes_in_cells


def _cell(number: int, row: int, column: int, name: str = "", *states: str) -> Element:
    box = Box(10 + 40 * column, 20 * row, 40, 20)
    return Element(
        id=f"c{number}", role="table cell", name=name, box=box, states=states, parent="t"
    )


def test_each_nameless_cell_of_a_column_with_a_tick_holds_a_box() -> None:
    cells = [
        _cell(1, 0, 0, "", "checked"),
        _cell(2, 0, 1, "Ann"),
        _cell(3, 1, 0, "", "selected", "active"),
        _cell(4, 1, 1, "Bob"),
    ]
    boxes = [e for e in with_boxes_in_cells(cells) if e.role == "check box"]
    assert [(e.parent, "checked" in e.states) for e in boxes] == [("c1", True), ("c3", False)]
    assert not {"selected", "active"} & set(boxes[1].states)


def test_a_column_of_icons_holds_none() -> None:
    cells = [_cell(1, 0, 0), _cell(2, 1, 0, "", "selected")]
    assert with_boxes_in_cells(cells) == cells


def test_a_cell_that_can_be_ticked_holds_a_box_though_none_is_ticked() -> None:
    cells = [
        _cell(1, 0, 0, "", "checkable"),
        _cell(2, 0, 1, "Ann"),
        _cell(3, 1, 0, "", "checkable", "selected"),
    ]
    found = with_boxes_in_cells(cells)
    boxes = [e for e in found if e.role == "check box"]
    assert [e.parent for e in boxes] == ["c1", "c3"]
    assert all("checkable" in e.states and "selected" not in e.states for e in boxes)
    assert not any("checkable" in e.states for e in found if e.role == "table cell")
