"""What programs leave out of their tables, and tell of drop-downs that are closed."""

from __future__ import annotations

from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.perception.merging import merge

SIZE = Size(800, 600)


def told(key: str, role: str, name: str, box: Box, parent: str | None, *states: str) -> Element:
    return Element(key, role, name, box=box, parent=parent, states=("showing", *states))


def merged(*elements: Element) -> tuple[Element, ...]:
    return merge({"tree": elements}, SIZE)


def cells(*lines: tuple[str, ...]) -> list[Element]:
    return [
        told(f"c{y}{x}", "table cell", name, Box(10 + 100 * x, 40 + 20 * y, 100, 20), "table")
        for y, line in enumerate(lines)
        for x, name in enumerate(line)
    ]


def test_cells_of_a_table_without_rows_get_them() -> None:
    table = told("table", "table", "", Box(10, 20, 300, 200), None)
    seen = merged(table, *cells(("Ann", "Paid"), ("Ben", "Open")))
    rows = [e for e in seen if e.role == "table row"]
    assert [row.box for row in rows] == [Box(10, 40, 200, 20), Box(10, 60, 200, 20)]
    held = {e.name: e.parent for e in seen if e.role == "table cell"}
    assert held["Ann"] == held["Paid"] == rows[0].id
    assert held["Ben"] == held["Open"] == rows[1].id
    assert rows[0].parent == "table"


def test_a_table_that_tells_of_its_rows_gets_no_others() -> None:
    table = told("table", "table", "", Box(10, 20, 300, 200), None)
    row = told("row", "table row", "", Box(10, 100, 300, 20), "table")
    seen = merged(table, row, *cells(("Ann", "Paid")))
    assert [e.id for e in seen if e.role == "table row"] == ["row"]


def test_a_list_of_one_column_gets_no_rows() -> None:
    table = told("table", "table", "", Box(10, 20, 300, 200), None)
    assert not [e for e in merged(table, *cells(("Ann",), ("Ben",))) if e.role == "table row"]


def days(x: int, y: int) -> list[Element]:
    return [
        told(f"d{n}", "list item", name, Box(x, y + 20 * n, 600, 20), "drop", "selectable")
        for n, name in enumerate(("Sunday", "Monday", "Tuesday"))
    ]


def test_the_list_of_a_closed_drop_down_hides_nothing() -> None:
    drop = told("drop", "combo box", "Sunday", Box(400, 300, 120, 24), None)
    label = told("label", "label", "Locale", Box(20, 25, 80, 14), None)
    seen = merged(label, drop, *days(0, 0))
    assert {e.name for e in seen} == {"Locale", "Sunday"}
    assert [e.role for e in seen if e.name == "Sunday"] == ["combo box"]


def test_the_list_under_an_open_drop_down_stays() -> None:
    drop = told("drop", "combo box", "Sunday", Box(0, 0, 120, 24), None)
    assert "Monday" in {e.name for e in merged(drop, *days(0, 24))}


def test_a_field_has_no_name_from_its_group() -> None:
    group = told("group", "panel", "Controls", Box(10, 10, 300, 200), None)
    label = told("label", "label", "Height:", Box(20, 40, 80, 20), "group")
    field = told("field", "spin button", "Controls", Box(110, 40, 60, 20), "group")
    seen = {e.id: e.name for e in merged(group, label, field)}
    assert seen["field"] == ""
    assert seen["label"] == "Height:"
