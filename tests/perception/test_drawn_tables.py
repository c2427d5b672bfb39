"""A strip of headings that is only drawn, with lines in its columns, is a table."""

from __future__ import annotations

from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.perception import Line
from carrel.perception._drawn_tables import with_tables
from carrel.perception.labels import label_of
from carrel.perception.merging import merge
from carrel.perception.ocr import Word

HEADS = ("Attendee", "Workshop", "Seats")


def heads(gap: int = 0) -> list[Element]:
    return [
        Element(
            id=f"d{n}",
            role="push button",
            text=name,
            box=Box(100 + n * (100 + gap), 50, 100, 20),
            source="detector",
        )
        for n, name in enumerate(HEADS)
    ]


def label(name: str, x: int, y: int) -> Element:
    box = Box(x, y, 8 * len(name), 16)
    return Element(id=f"t{x}-{y}", role="label", name=name, text=name, box=box, source="ocr")


def told(elements: list[Element]) -> list[tuple[str, str]]:
    return [(e.role, e.name or e.text) for e in elements]


def test_headings_over_lines_in_their_columns_are_a_table() -> None:
    lines = [label("Ann", 104, 74), label("Pottery", 204, 74), label("3", 304, 74)]
    found = with_tables([*heads(), *lines, label("Ben", 104, 94), label("Weaving", 204, 95)])
    assert [told for told in told(found) if told[0] == "column header"] == [
        ("column header", name) for name in HEADS
    ]
    rows = [e for e in found if e.role == "table row"]
    cells = [[c.name for c in found if c.parent == row.id] for row in rows]
    assert cells == [["Ann", "Pottery", "3"], ["Ben", "Weaving"]]


def test_an_empty_room_as_wide_as_its_headings_is_a_table() -> None:
    room = Element(id="d9", role="entry", box=Box(100, 70, 300, 150), source="detector")
    found = with_tables([*heads(), room])
    assert sorted(e.role for e in found) == ["column header"] * 3 + ["table"]


def test_buttons_stay_buttons() -> None:
    below = [label("Ann", 104, 74), label("Pottery", 224, 74)]
    assert with_tables([*heads(gap=10), *below]) == [*heads(gap=10), *below]
    alone = [*heads(), label("A note that goes on under all of them", 104, 74)]
    assert with_tables(alone) == alone


def test_choices_in_one_line_each_have_their_own_name() -> None:
    ticks = [
        Element(id=f"d{n}", role="radio button", box=Box(x, 20, 12, 12), source="detector")
        for n, x in enumerate((20, 110))
    ]
    words = (Word("Morning", Box(36, 17, 60, 18)), Word("Afternoon", Box(112, 17, 80, 18)))
    line = Line("Morning Afternoon", Box(34, 17, 158, 18), 0.99, words)
    found = merge({"detector": ticks}, Size(400, 300), lines=[line])
    named = [label_of(e, found) for e in found if e.role == "radio button"]
    assert [one.name for one in named if one is not None] == ["Morning", "Afternoon"]


def test_the_title_of_a_window_is_no_label_of_a_form_whose_labels_stand_in_a_column() -> None:
    fields = [
        Element(id=f"d{n}", role="entry", box=Box(290, y, 120, 20), source="detector")
        for n, y in enumerate((40, 70))
    ]
    texts = [
        label("Workshop booking", 285, 16),
        label("Attendee", 110, 42),
        label("Seats", 110, 72),
    ]
    found = (*fields, *texts)
    named = [label_of(field, found) for field in fields]
    assert [one.name for one in named if one is not None] == ["Attendee", "Seats"]
