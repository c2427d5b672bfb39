"""Boxes wall to wall are parts of something, and no controls."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from test_detect import paper, view_of

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception._tiles import find_tiled
from carrel.perception.detect import ClassicDetector
from carrel.perception.ocr import Line


def table(columns: int, rows: int) -> list[Box]:
    return [Box(10 + 101 * c, 10 + 31 * r, 100, 30) for r in range(rows) for c in range(columns)]


def seen(image: Image.Image, texts: list[Box]) -> tuple[Element, ...]:
    draw = ImageDraw.Draw(image)
    for box in texts:
        draw.text((box.x, box.y), "Some text", fill="black")
    return ClassicDetector().detect(view_of(image), [Line("Some text", b, 1.0) for b in texts])


def test_cells_have_neighbours_beside_and_below() -> None:
    boxes = table(3, 3)
    assert find_tiled(boxes).cells == set(boxes)


def test_a_row_of_buttons_is_no_table() -> None:
    assert find_tiled(table(4, 1)).cells == frozenset()


def test_what_stands_apart_is_no_table() -> None:
    apart = [Box(10 + 120 * c, 10 + 50 * r, 100, 30) for r in range(3) for c in range(3)]
    found = find_tiled(apart)
    assert (found.cells, found.bands) == (frozenset(), frozenset())


def test_a_band_heads_what_is_as_wide_and_much_higher() -> None:
    head, body = Box(10, 10, 300, 30), Box(10, 41, 300, 200)
    assert find_tiled([head, body]).bands == {head}


@given(st.lists(st.tuples(*[st.integers(0, 40)] * 2, *[st.integers(1, 40)] * 2), max_size=12))
def test_only_what_was_given_is_told(sides: list[tuple[int, int, int, int]]) -> None:
    boxes = [Box(*side) for side in sides]
    found = find_tiled(boxes)
    assert found.cells | found.bands <= set(boxes)


def test_cells_of_a_drawn_table_are_no_fields() -> None:
    image = paper(500, 300)
    draw = ImageDraw.Draw(image)
    for row in range(4):
        for column in range(3):
            x, y = 20 + 140 * column, 20 + 40 * row
            draw.rectangle((x, y, x + 140, y + 40), outline="#888")
    texts = [Box(28 + 140 * c, 32 + 40 * r, 60, 16) for r in range(4) for c in range(3)]
    assert [e.role for e in seen(image, texts) if e.role in ("entry", "push button")] == []


def test_the_head_of_a_card_is_no_field() -> None:
    image = paper(500, 300)
    draw = ImageDraw.Draw(image)
    draw.rectangle((20, 20, 420, 60), outline="#888")
    draw.rectangle((20, 60, 420, 260), outline="#888")
    found = seen(image, [Box(32, 32, 60, 16)])
    assert [e.role for e in found if e.box and e.box.height < 60] == []


def test_two_lines_are_no_field_for_one() -> None:
    image = paper(500, 300)
    ImageDraw.Draw(image).rectangle((20, 20, 320, 80), outline="#888")
    found = seen(image, [Box(30, 28, 60, 14), Box(30, 56, 60, 14)])
    assert [e.role for e in found if e.role == "entry"] == []
