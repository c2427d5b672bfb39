"""Controls with bevels, as the oldest toolkits draw them: boxes to tick, and drop-downs."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw

from carrel.geometry import Box, Size
from carrel.perception._arrows import arrow_at_end
from carrel.perception._ticks import find_tick
from carrel.perception.detect import ClassicDetector
from carrel.perception.view import View

GREY, SHADE, LIGHT = "#d9d9d9", "#828282", "#ffffff"


def view_of(image: Image.Image) -> View:
    out = io.BytesIO()
    image.save(out, "png")
    return View("v", Size(*image.size), out.getvalue)


def sunken(draw: ImageDraw.ImageDraw, box: Box, inside: str = LIGHT) -> None:
    """What lies deeper than what is around it: shade above and at the left, light opposite."""
    right, bottom = box.right - 1, box.bottom - 1
    draw.rectangle((box.x, box.y, right, bottom), fill=inside)
    draw.line((box.x, box.y, right, box.y), fill=SHADE)
    draw.line((box.x, box.y, box.x, bottom), fill=SHADE)
    draw.line((box.x, bottom, right, bottom), fill=LIGHT)
    draw.line((right, box.y, right, bottom), fill=LIGHT)


def test_a_sunken_square_is_an_empty_box_to_tick() -> None:
    image = Image.new("RGB", (60, 60), GREY)
    box = Box(20, 20, 11, 11)
    sunken(ImageDraw.Draw(image), box)
    assert find_tick(view_of(image).pixels, box) == ("check box", "")


def test_a_plain_white_square_is_none() -> None:
    image = Image.new("RGB", (60, 60), GREY)
    ImageDraw.Draw(image).rectangle((20, 20, 30, 30), fill=LIGHT)
    assert find_tick(view_of(image).pixels, Box(20, 20, 11, 11)) is None


def a_field(*arrows: tuple[int, bool]) -> tuple[View, Box]:
    """A sunken field, with arrows at its end: how far down, and whether they point down."""
    image = Image.new("RGB", (300, 80), GREY)
    draw, box = ImageDraw.Draw(image), Box(40, 30, 160, 21)
    sunken(draw, box, GREY)
    for top, down in arrows:
        for row in range(4):
            half = 3 - row if down else row
            draw.line((208 - half, top + row, 208 + half, top + row), fill="black")
    return view_of(image), box


def test_a_field_with_an_arrow_at_its_end_is_a_drop_down() -> None:
    view, box = a_field((40, True))
    assert arrow_at_end(view.pixels, box) == Box(205, 40, 7, 4)
    roles = [e.role for e in ClassicDetector().detect(view, ()) if e.box and e.box.width > 100]
    assert roles == ["combo box"]


@pytest.mark.parametrize("arrows", [(), ((40, False),), ((34, False), (43, True))])
def test_without_an_arrow_or_with_two_it_is_none(arrows: tuple[tuple[int, bool], ...]) -> None:
    view, box = a_field(*arrows)
    assert arrow_at_end(view.pixels, box) is None


@pytest.mark.parametrize("letter", ["V", "v", "T", "Y", "▽"])
def test_a_letter_is_no_arrow(letter: str) -> None:
    image = Image.new("RGB", (300, 80), GREY)
    draw = ImageDraw.Draw(image)
    draw.text((204, 32), letter, fill="black", font_size=14)
    assert arrow_at_end(view_of(image).pixels, Box(40, 30, 160, 21)) is None
