"""Detection, colours and shapes on pictures made for it."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from carrel.geometry import Box, Size
from carrel.perception.colours import NAMES, colour_of, dominant, name_colour
from carrel.perception.detect import ClassicDetector
from carrel.perception.ocr import Line
from carrel.perception.shapes import shapes
from carrel.perception.view import View


def view_of(image: Image.Image) -> View:
    out = io.BytesIO()
    image.save(out, "png")
    return View("v", Size(*image.size), out.getvalue)


def paper(width: int = 400, height: int = 300, colour: str = "white") -> Image.Image:
    return Image.new("RGB", (width, height), colour)


@pytest.mark.parametrize("colour", ["white", "black", "#336699"])
def test_nothing_is_found_where_nothing_is(colour: str) -> None:
    assert ClassicDetector().detect(view_of(paper(colour=colour)), ()) == ()


def test_boxes_are_told_to_the_pixel() -> None:
    image = paper()
    draw = ImageDraw.Draw(image)
    draw.rectangle((40, 30, 239, 61), outline="#888")
    draw.rectangle((40, 100, 119, 131), fill="#2277cc")
    [field, button] = ClassicDetector().detect(view_of(image), ())
    assert (field.role, field.box) == ("entry", Box(40, 30, 200, 32))
    assert button.box == Box(40, 100, 80, 32)


def test_a_text_in_the_middle_makes_a_button_and_one_at_the_left_a_field() -> None:
    image = paper()
    draw = ImageDraw.Draw(image)
    for y in (30, 100):
        draw.rectangle((40, y, 239, y + 31), outline="#888")
    texts = [Box(110, 38, 60, 16), Box(48, 108, 60, 16)]
    for box in texts:
        draw.text((box.x, box.y), "Send it", fill="black")
    lines = [Line("Send it", box, 1.0) for box in texts]
    found = ClassicDetector().detect(view_of(image), lines)
    assert [e.role for e in found] == ["push button", "entry"]


def test_a_check_box_that_was_read_as_part_of_its_label_is_found() -> None:
    image = paper()
    draw = ImageDraw.Draw(image)
    draw.rectangle((40, 40, 52, 52), outline="#555")
    draw.text((58, 38), "Remember me", fill="black", font_size=15)
    whole = Line("Remember me", Box(38, 36, 140, 22), 0.98)
    [box] = ClassicDetector().detect(view_of(image), [whole])
    assert (box.role, box.box, box.states) == ("check box", Box(40, 40, 13, 13), ("enabled",))


@pytest.mark.parametrize("text", ["Q", "★", "□", "★★★"])
def test_an_icon_that_was_read_as_a_character_is_an_icon_still(text: str) -> None:
    image = paper()
    draw = ImageDraw.Draw(image)
    draw.regular_polygon((60, 60, 10), 5, fill="#333")
    [icon] = ClassicDetector().detect(view_of(image), [Line(text, Box(48, 48, 24, 24), 0.99)])
    assert icon.role == "icon"


@pytest.mark.parametrize("text", ["Good old books", "O o O o O", "口口口 田田"])
def test_letters_that_look_like_boxes_are_none(text: str) -> None:
    image = paper(500, 100)
    draw = ImageDraw.Draw(image)
    draw.text((20, 30), text, fill="black", font_size=18)
    lines = [Line(text, Box(18, 28, 300, 28), 0.99)]
    roles = {e.role for e in ClassicDetector().detect(view_of(image), lines)}
    assert "check box" not in roles


def test_a_row_of_a_table_is_no_control() -> None:
    image = paper(800)
    draw = ImageDraw.Draw(image)
    draw.rectangle((10, 30, 789, 61), outline="#ccc")
    lines = []
    for x in (20, 250, 480, 700):
        draw.text((x, 38), "cell", fill="black")
        lines.append(Line("cell", Box(x, 38, 40, 16), 1.0))
    assert ClassicDetector().detect(view_of(image), lines) == ()


def test_a_photograph_is_one_picture_and_not_a_hundred_icons() -> None:
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 256, (200, 300, 3), np.uint8)
    image = paper(500, 400)
    image.paste(Image.fromarray(noise), (100, 100))
    found = ClassicDetector().detect(view_of(image), ())
    assert len(found) <= 3
    assert any(
        e.role == "image" and e.box and e.box.contains(Box(240, 190, 20, 20).center) for e in found
    )


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 90),
    st.integers(1, 90),
    st.integers(0, 2**32 - 1),
    st.integers(1, 12),
)
def test_any_picture_gives_boxes_on_the_screen(w: int, h: int, seed: int, grain: int) -> None:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, (h // grain + 1, w // grain + 1, 3), np.uint8)
    pixels = coarse.repeat(grain, 0).repeat(grain, 1)[:h, :w]
    view = view_of(Image.fromarray(np.ascontiguousarray(pixels)))
    lines = [Line("x", Box(0, 0, w, max(1, h // 2)), 1.0)] if seed % 2 else []
    for element in ClassicDetector().detect(view, lines):
        assert element.box is not None
        assert element.box.area > 0
        assert element.box.intersect(Box(0, 0, w, h)) == element.box
        assert element.source == "detector"
        assert 0 < element.confidence < 1
    for shape in shapes(view, Box(0, 0, w, h)):
        assert shape.box.intersect(Box(0, 0, w, h)) == shape.box
        assert shape.colour.name in NAMES
    assert colour_of(view, Box(-5, -5, w + 20, h + 20)).name in NAMES


PLAIN = {
    "red": ["#ff0000", "#d9534f", "#c00", "#b22222", "#dc143c", "#cc0033"],
    "orange": ["#ffa500", "#ff8c00", "#f0ad4e", "#ff7f0e"],
    "yellow": ["#ffff00", "#ffd700", "#f7e017", "#ffeb3b"],
    "green": ["#00ff00", "#008000", "#5cb85c", "#228b22", "#2ecc71", "#006400"],
    "cyan": ["#00ffff", "#17a2b8", "#00bcd4", "#40e0d0"],
    "blue": ["#0000ff", "#007bff", "#1e90ff", "#000080", "#4169e1", "#337ab7"],
    "purple": ["#800080", "#6f42c1", "#9b59b6", "#8a2be2", "#4b0082"],
    "magenta": ["#ff00ff"],
    "pink": ["#ffc0cb", "#ff69b4", "#ffb6c1", "#e83e8c"],
    "brown": ["#a52a2a", "#8b4513", "#795548", "#6b4423"],
    "black": ["#000000", "#111111", "#1a1a1a", "#222222"],
    "grey": ["#808080", "#999999", "#666666", "#d3d3d3", "#6c757d"],
    "white": ["#ffffff", "#fafafa", "#f8f9fa"],
}


@pytest.mark.parametrize(("name", "code"), [(n, c) for n, codes in PLAIN.items() for c in codes])
def test_colours_have_the_words_people_use_for_them(name: str, code: str) -> None:
    image = Image.new("RGB", (8, 8), code)
    pixel = image.getpixel((0, 0))
    assert isinstance(pixel, tuple)
    assert name_colour(*(int(value) for value in pixel[:3])) == name


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_every_colour_has_a_name_and_its_own_number(colour: tuple[int, int, int]) -> None:
    pixels = np.full((6, 6, 3), colour, np.uint8)
    found = dominant(pixels)
    assert found.name in NAMES
    assert found.name == name_colour(*colour)
    assert found.hex == "#{:02x}{:02x}{:02x}".format(*colour)


@pytest.mark.parametrize("size", [12, 30, 80])
@pytest.mark.parametrize("sides", [3, 5, 6])
def test_the_sides_of_a_polygon_are_counted(sides: int, size: int) -> None:
    image = paper(160, 160)
    ImageDraw.Draw(image).regular_polygon((80, 80, size), sides, fill="#1122cc")
    [shape] = shapes(view_of(image), Box(0, 0, 160, 160))
    assert shape.sides == sides
    assert shape.kind == ("triangle" if sides == 3 else "polygon")


@pytest.mark.parametrize("size", [6, 15, 60])
def test_circles_are_told_from_squares(size: int) -> None:
    image = paper(300, 150)
    draw = ImageDraw.Draw(image)
    draw.ellipse((80 - size, 75 - size, 80 + size, 75 + size), fill="#c00")
    draw.rectangle((220 - size, 75 - size, 220 + size, 75 + size), fill="#c00")
    assert [s.kind for s in shapes(view_of(image), Box(0, 0, 300, 150))] == ["circle", "square"]


def test_shapes_that_touch_are_told_apart_by_their_colours() -> None:
    image = paper(200, 100)
    draw = ImageDraw.Draw(image)
    draw.rectangle((20, 20, 79, 79), fill="red")
    draw.rectangle((80, 20, 139, 79), fill="blue")
    found = shapes(view_of(image), Box(0, 0, 200, 100))
    assert [(s.kind, s.colour.name) for s in found] == [("square", "red"), ("square", "blue")]


@pytest.mark.parametrize(("at", "icons"), [(50, 0), (150, 1)])
def test_what_is_drawn_before_a_button_s_text_is_part_of_it(at: int, icons: int) -> None:
    image = paper()
    draw = ImageDraw.Draw(image)
    draw.rectangle((40, 30, 179, 61), fill="#ddd", outline="#555")
    draw.ellipse((at, 38, at + 15, 53), fill="#b03030")
    draw.text((80, 38), "New York", fill="black", font_size=14)
    texts = [Line("New York", Box(78, 36, 66, 20), 0.99)]
    found = ClassicDetector().detect(view_of(image), texts)
    assert [e.role for e in found].count("icon") == icons
    assert "push button" in [e.role for e in found]
