"""Drawn things: what they are, and how people speak of them."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from drawn import view_of
from PIL import Image, ImageDraw

from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.perception.colours import hue_name, web_colour
from carrel.perception.figures import Figure, figures
from carrel.perception.find import every, find
from carrel.perception.layout import layout_of
from carrel.perception.view import View

SIZE = Size(500, 400)
Paint = Callable[[ImageDraw.ImageDraw], None]


def painted(paint: Paint) -> View:
    image = Image.new("RGB", (SIZE.width * 4, SIZE.height * 4), "white")
    draw = ImageDraw.Draw(image)
    paint(draw)
    return view_of(image.resize((SIZE.width, SIZE.height), Image.Resampling.BOX))


def fine(*numbers: float) -> tuple[float, ...]:
    return tuple(4 * number for number in numbers)


CANVAS = Element("c", "canvas", box=Box(20, 20, 460, 300), parent="p")
PAGE = Element("p", "document web", "Page", box=Box(0, 0, 500, 400))


def seen(view: View, *elements: Element) -> tuple[Figure, ...]:
    return figures(layout_of((PAGE, *elements), SIZE), view)


def polygon(draw: ImageDraw.ImageDraw, sides: int, at: tuple[int, int], radius: int, **how) -> None:  # type: ignore[no-untyped-def]
    corners = [
        (
            at[0] + radius * math.cos(math.tau * n / sides + 0.3),
            at[1] + radius * math.sin(math.tau * n / sides + 0.3),
        )
        for n in range(sides)
    ]
    draw.polygon([tuple(fine(x, y)) for x, y in corners], **how)


@pytest.mark.parametrize("sides", [3, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("radius", [30, 60])
def test_the_sides_of_a_polygon_are_counted(sides: int, radius: int) -> None:
    def paint(draw: ImageDraw.ImageDraw) -> None:
        polygon(draw, sides, (200, 150), radius, fill="navy")
        polygon(draw, sides, (200, 150), radius - 5, fill="white")

    view = painted(paint)
    (found,) = seen(view, CANVAS)
    assert found.sides == sides


@pytest.mark.parametrize("radius", [8, 14, 30, 70, 110])
@pytest.mark.parametrize("fill", ["red", None])
def test_a_circle_is_no_polygon(radius: int, fill: str | None) -> None:
    box = fine(200 - radius, 170 - radius, 200 + radius, 170 + radius)
    view = painted(lambda draw: draw.ellipse(box, fill=fill, outline="black", width=6))
    (found,) = seen(view, CANVAS)
    assert found.kind == "circle"
    assert (found.inside is None) == (fill is not None)


def test_an_outline_has_the_colour_of_its_line_and_what_shows_through() -> None:
    view = painted(lambda draw: draw.rectangle(fine(60, 60, 160, 120), outline="black", width=8))
    (found,) = seen(view, CANVAS)
    assert (found.kind, found.colour.name, found.inside and found.inside.name) == (
        "rectangle", "black", "white"
    )  # fmt: skip


def test_dots_are_seen_on_the_lines_that_join_them() -> None:
    def paint(draw: ImageDraw.ImageDraw) -> None:
        draw.line(fine(100, 200, 220, 100), fill="black", width=4)
        draw.line(fine(100, 200, 260, 220), fill="black", width=4)
        for x, y, colour in ((100, 200, "green"), (220, 100, "black"), (260, 220, "black")):
            draw.ellipse(fine(x - 4, y - 4, x + 4, y + 4), fill=colour)

    dots = [f for f in seen(painted(paint), CANVAS) if f.kind == "circle"]
    centres = sorted((f.box.x + f.box.width / 2, f.box.y + f.box.height / 2) for f in dots)
    for (x, y), wanted in zip(centres, [(100, 200), (220, 100), (260, 220)], strict=True):
        assert math.dist((x, y), wanted) <= 1


def shop(draw: ImageDraw.ImageDraw) -> None:
    draw.ellipse(fine(40, 40, 60, 60), fill="red")
    draw.ellipse(fine(100, 40, 140, 80), fill="red")
    draw.rectangle(fine(200, 40, 240, 80), fill="blue")
    draw.rectangle(fine(300, 40, 320, 60), fill="#00ff00")
    draw.polygon([tuple(fine(x, y)) for x, y in ((60, 200), (40, 240), (80, 240))], fill="blue")
    draw.rectangle(fine(200, 180, 420, 300), outline="black", width=8)


@pytest.mark.parametrize(
    ("phrase", "count"),
    [
        ("red circles", 2), ("small items", 2), ("blue shapes", 2), ("large red things", 1),
        ("triangles", 1), ("squares", 2), ("green boxes", 1), ("yellow figures", 0),
        ("small green squares", 1), ("shades of blue", 2), ("tints of red", 2),
    ],
)  # fmt: skip
def test_drawn_things_are_counted_by_kind_colour_and_size(phrase: str, count: int) -> None:
    assert len(every((PAGE, CANVAS), phrase, view=painted(shop), size=SIZE)) == count


@pytest.mark.parametrize(
    ("phrase", "at"),
    [
        ("the small red circle", (50, 50)), ("the larger circle", (120, 60)),
        ("the lime square", (310, 50)), ("the blue triangle", (60, 220)),
        ("the small green item", (310, 50)), ("the big red dot", None),
        ("a red item", (50, 50)), ("any blue shape", (220, 60)), ("the red circle", None),
    ],
)  # fmt: skip
def test_one_drawn_thing_is_found_or_none_is_guessed(
    phrase: str, at: tuple[int, int] | None
) -> None:
    found = find((PAGE, CANVAS), phrase, view=painted(shop), size=SIZE)
    assert found.sure == (at is not None)
    if at is not None and found.best is not None:
        assert math.dist((found.best.point.x, found.best.point.y), at) <= 12


@pytest.mark.parametrize("phrase", ["the box", "the black box", "the box at the bottom"])
def test_what_others_are_put_into_is_the_outline(phrase: str) -> None:
    found = find((PAGE, CANVAS), phrase, view=painted(shop), size=SIZE, want="hold")
    assert found.sure
    assert found.best is not None
    assert found.best.point.x > 280
    assert found.best.point.y > 200


def test_a_shape_the_tree_tells_of_is_measured_in_the_pixels() -> None:
    told = Element("t", "image", box=Box(298, 38, 24, 24), parent="p")
    (figure,) = [f for f in seen(painted(shop), told) if f.item.element.id == "t"]
    assert (figure.kind, figure.colour.name) == ("square", "green")


@pytest.mark.parametrize(("phrase", "count"), [("letters", 2), ("digits", 1), ("Ts", 1), ("4s", 1)])
def test_single_characters_are_things_of_a_drawing(phrase: str, count: int) -> None:
    texts = [
        Element(f"e{n}", "static", said, box=Box(40 + 60 * n, 100, 12, 20), parent="p")
        for n, said in enumerate(["T", "t", "4", "Total"])
    ]

    def paint(draw: ImageDraw.ImageDraw) -> None:
        for n in range(4):
            draw.rectangle(fine(44 + 60 * n, 104, 48 + 60 * n, 116), fill="black")

    assert len(every((PAGE, *texts), phrase, view=painted(paint), size=SIZE)) == count


def test_a_white_canvas_on_a_dark_page_is_no_figure() -> None:
    small = Element("c", "canvas", box=Box(100, 100, 120, 90), parent="p")

    def paint(draw: ImageDraw.ImageDraw) -> None:
        draw.rectangle(fine(0, 0, 500, 400), fill="#444444")
        draw.rectangle(fine(100, 100, 220, 190), fill="white")
        draw.ellipse(fine(130, 120, 170, 160), fill="red")

    assert [f.kind for f in seen(painted(paint), small)] == ["circle"]


def test_a_button_is_no_figure() -> None:
    button = Element("b", "push button", "Go", box=Box(200, 40, 41, 41), parent="p")
    view = painted(shop)
    assert not any(f.box == button.box for f in seen(view, CANVAS, button))


def test_a_shade_belongs_to_its_hue_however_light_or_dark() -> None:
    assert {hue_name(*rgb) for rgb in ((250, 220, 220), (60, 10, 10), (255, 0, 0))} == {"red"}
    assert hue_name(120, 121, 119) == "grey"
    assert web_colour("teal") == (0, 128, 128)
    assert web_colour("nonsense") is None
