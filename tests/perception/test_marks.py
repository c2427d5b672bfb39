from __future__ import annotations

import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.perception import Mark, annotate, mark_elements, table
from carrel.perception.marks import MAX_MARKS, _draw, _scaled

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


def dense_bar() -> list[Element]:
    """A tool bar, a menu and a table as dense as an office program's."""
    bar = [element(f"m{n}", Box(4 + n * 60, 0, 56, 18)) for n in range(12)]
    bar += [element(f"t{n}", Box(4 + n * 26, 20, 24, 24)) for n in range(30)]
    bar += [element(f"u{n}", Box(4 + n * 26, 46, 24, 24)) for n in range(30)]
    return bar + [element(f"c{n}", Box(n % 8 * 90, 80 + n // 8 * 18, 90, 18)) for n in range(160)]


def drawn_bar() -> Image.Image:
    """The same as it looks: texts at the left of buttons and cells, pictures on the tools."""
    image = Image.new("RGB", (SCREEN.width, SCREEN.height), (240, 240, 240))
    draw = ImageDraw.Draw(image)
    for item in dense_bar():
        box = item.box
        assert box is not None
        draw.rectangle((box.x, box.y, box.right - 1, box.bottom - 1), outline=(190, 190, 190))
        if item.name[0] in "tu":
            draw.ellipse((box.x + 5, box.y + 5, box.right - 6, box.bottom - 6), fill=(60, 90, 160))
        else:
            draw.text((box.x + 4, box.y + 3), item.name + "xt", fill=(0, 0, 0))
    return image


def hidden_share(image: Image.Image, box: Box, labels: list[Box]) -> float:
    """How much of what is drawn in a box numbers cover."""
    grey = np.asarray(image.convert("L")).astype(int)[box.y : box.bottom, box.x : box.right]
    ink = np.abs(grey - np.median(grey)) > 60
    cover = np.zeros_like(ink)
    for label in labels:
        common = label.intersect(box)
        if common is not None:
            left, top = common.x - box.x, common.y - box.y
            cover[top : top + common.height, left : left + common.width] = True
    return float((ink & cover).sum() / max(1, ink.sum()))


def overlaps(labels: list[Box]) -> int:
    return sum(1 for i, one in enumerate(labels) for other in labels[:i] if one.intersect(other))


def test_numbers_stay_legible_on_a_screen_as_dense_as_an_office_program() -> None:
    image = drawn_bar()
    marks = mark_elements(dense_bar(), SCREEN)
    labels = [spot.box for spot in _draw(image.copy(), marks, [mark.box for mark in marks])]
    assert len(labels) == len(marks) == 232
    assert overlaps(labels) == 0
    assert all(Box(0, 0, 800, 600).intersect(label) == label for label in labels)
    hidden = [hidden_share(image, mark.box, labels) for mark in marks]
    assert sum(share > 0.5 for share in hidden) <= 0.02 * len(marks)
    assert sum(hidden) / len(hidden) < 0.1


def test_a_number_that_stands_apart_has_a_line_to_its_box() -> None:
    cells = [element(f"{x}-{y}", Box(x * 12, y * 12, 12, 12)) for x in range(8) for y in range(8)]
    picture = Image.effect_noise((SCREEN.width, SCREEN.height), 200).convert("RGB")
    marks = mark_elements(cells, SCREEN)
    spots = _draw(picture, marks, [mark.box for mark in marks])
    assert overlaps([spot.box for spot in spots]) == 0
    assert any(spot.apart for spot in spots)


def test_what_was_numbered_before_keeps_its_number_and_no_other_gets_it() -> None:
    first = mark_elements(
        [element("a", Box(0, 0, 50, 20)), element("b", Box(0, 50, 50, 20))], SCREEN
    )
    known = {mark.element.id: mark.number for mark in first}
    later = [element("new", Box(0, 25, 50, 20)), element("b", Box(0, 50, 50, 20))]
    numbers = {
        mark.element.name: mark.number
        for mark in mark_elements(later, SCREEN, {"e-b": known["e-b"]}, avoid=known.values())
    }
    assert numbers == {"new": 3, "b": 2}


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


@settings(deadline=None, max_examples=25)
@given(st.lists(boxes, max_size=40))
def test_numbers_are_always_on_the_picture(found: list[Box]) -> None:
    marks = mark_elements([element("x", box) for box in found], SCREEN)
    picture = Image.new("RGB", (400, 300))
    spots = _draw(picture, marks, _scaled(marks, SCREEN, Size(400, 300)))
    assert all(Box(0, 0, 400, 300).intersect(spot.box) == spot.box for spot in spots)
