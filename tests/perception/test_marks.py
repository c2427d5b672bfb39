from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.perception import Mark, annotate, mark_elements, table
from carrel.perception.marks import MAX_MARKS, _Artist

SCREEN = Size(800, 600)


def element(name: str, box: Box | None, role: str = "push button", **more: object) -> Element:
    return Element(f"e-{name}", role, name, box=box, **more)  # type: ignore[arg-type]


def blank(size: Size = SCREEN, colour: tuple[int, int, int] = (255, 255, 255)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (size.width, size.height), colour).save(out, "png")
    return out.getvalue()


def test_marks_are_numbered_in_reading_order() -> None:
    marks = mark_elements(
        [
            element("low", Box(10, 400, 50, 20)),
            element("right", Box(300, 12, 50, 20)),
            element("left", Box(10, 10, 50, 20)),
        ],
        SCREEN,
    )
    assert [(mark.number, mark.element.name) for mark in marks] == [
        (1, "left"),
        (2, "right"),
        (3, "low"),
    ]


def test_the_point_is_the_middle_of_what_is_on_the_screen() -> None:
    inside, half, corner = mark_elements(
        [
            element("a", Box(100, 100, 40, 20)),
            element("b", Box(-100, 200, 140, 40)),
            element("c", Box(790, 590, 100, 100)),
        ],
        SCREEN,
    )
    assert inside.point == Box(100, 100, 40, 20).center
    assert (half.point.x, half.point.y) == (20, 220)
    assert (corner.point.x, corner.point.y) == (795, 595)


def test_what_cannot_be_pointed_at_is_not_marked() -> None:
    none = [
        element("nowhere", None),
        element("outside", Box(900, 10, 50, 50)),
        element("thin", Box(10, 10, 1, 50)),
        element("holder", Box(0, 0, 400, 300), role="panel"),
        element("window", Box(0, 0, 800, 600), role="frame", states=("focusable",)),
    ]
    assert mark_elements(none, SCREEN) == ()
    editable = element("area", Box(0, 0, 400, 300), role="panel", states=("editable",))
    assert len(mark_elements([editable], SCREEN)) == 1


def test_of_the_same_box_only_the_innermost_is_marked() -> None:
    box = Box(10, 10, 50, 20)
    outer, inner = element("outer", box, role="list item"), element("inner", box, role="link")
    (mark,) = mark_elements([outer, inner], SCREEN)
    assert mark.element.name == "inner"


def test_there_are_not_more_marks_than_can_be_read() -> None:
    many = [element(str(n), Box(n % 80 * 10, n // 80 * 10, 9, 9)) for n in range(1000)]
    assert len(mark_elements(many, SCREEN)) == MAX_MARKS


def test_the_table_tells_role_name_value_and_what_matters_of_the_states() -> None:
    marks = mark_elements(
        [
            element("Save", Box(10, 10, 50, 20), states=("enabled", "focused", "showing")),
            element("Name", Box(10, 50, 50, 20), role="text", value="a\nb", states=("editable",)),
            element("x" * 200, Box(10, 90, 50, 20)),
        ],
        SCREEN,
    )
    first, second, third = table(marks).splitlines()
    assert first == '[1] push button "Save" (focused)'
    assert second == '[2] text "Name" = "a b" (editable, disabled)'
    assert third.endswith('…"')
    assert "nothing" in table(())


def test_the_picture_is_scaled_and_boxes_are_drawn_at_the_scaled_place() -> None:
    marks = mark_elements([element("a", Box(200, 200, 200, 100))], SCREEN)
    shown = Size(400, 300)
    with Image.open(io.BytesIO(annotate(blank(), marks, SCREEN, shown))) as image:
        assert image.size == (400, 300)
        pixels = image.convert("RGB")
        assert pixels.getpixel((150, 100)) != (255, 255, 255)
        assert pixels.getpixel((150, 149)) != (255, 255, 255)
        assert pixels.getpixel((150, 125)) == (255, 255, 255)
        assert pixels.getpixel((300, 250)) == (255, 255, 255)


def test_the_original_is_not_changed() -> None:
    before = blank()
    copy = bytes(before)
    annotate(before, mark_elements([element("a", Box(1, 1, 50, 50))], SCREEN), SCREEN, SCREEN)
    assert before == copy


def test_numbers_do_not_cover_each_other_on_a_dense_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[_Artist] = []
    real = _Artist.__init__

    def note(self: _Artist, *args: object) -> None:
        real(self, *args)  # type: ignore[arg-type]
        drawn.append(self)

    monkeypatch.setattr(_Artist, "__init__", note)
    # A tool bar, a menu and a table as dense as an office program's.
    dense = [element(f"t{n}", Box(4 + n * 26, 4, 24, 24)) for n in range(30)]
    dense += [element(f"c{n}", Box(n % 8 * 90, 60 + n // 8 * 18, 90, 18)) for n in range(160)]
    marks = mark_elements(dense, SCREEN)
    annotate(blank(), marks, SCREEN, SCREEN)
    labels = drawn[0].labels
    overlaps = sum(
        1 for i, one in enumerate(labels) for other in labels[:i] if one.intersect(other)
    )
    assert len(labels) == len(marks) == 190
    assert overlaps <= 4
    assert all(Box(0, 0, 800, 600).intersect(label) == label for label in labels)


boxes = st.builds(
    Box, st.integers(-900, 900), st.integers(-900, 900), st.integers(0, 900), st.integers(0, 900)
)


@settings(deadline=None)
@given(st.lists(boxes, max_size=20))
def test_every_mark_points_onto_the_screen_and_into_its_element(found: list[Box]) -> None:
    marks: tuple[Mark, ...] = mark_elements([element("x", box) for box in found], SCREEN)
    for mark in marks:
        assert Box(0, 0, 800, 600).contains(mark.point)
        assert mark.element.box is not None
        assert mark.element.box.contains(mark.point)
    assert [mark.number for mark in marks] == list(range(1, len(marks) + 1))
