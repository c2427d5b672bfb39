"""Things told by their looks, by their kind alone, or with any of several being meant."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from carrel.frames import Element
from carrel.geometry import Box, Point, Size
from carrel.perception.find import Found, find
from carrel.perception.view import View

SCREEN = Size(400, 300)


def thing(role: str, name: str, at: tuple[int, int, int, int], *states: str) -> Element:
    return Element(f"{role}-{name}-{at}", role, name, None, Box(*at), ("enabled", *states))


def painted(*boxes: tuple[tuple[int, int, int, int], tuple[int, int, int]]) -> View:
    pixels = np.full((SCREEN.height, SCREEN.width, 3), 255, np.uint8)
    for (x, y, width, height), (red, green, blue) in boxes:
        cv2.rectangle(pixels, (x, y), (x + width - 1, y + height - 1), (blue, green, red), -1)
        cv2.rectangle(pixels, (x, y), (x + width - 1, y + height - 1), (0, 0, 0), 1)
    return View("v", SCREEN, cv2.imencode(".png", pixels)[1].tobytes)


TILES = {
    "lime": ((20, 20, 50, 50), (0, 255, 0)),
    "green": ((90, 20, 50, 50), (0, 128, 0)),
    "navy": ((20, 90, 50, 50), (0, 0, 128)),
    "white": ((90, 90, 50, 50), (255, 255, 255)),
}


def tile(words: str) -> Found:
    elements = [thing("section", "", at) for at, _ in TILES.values()]
    return find(elements, words, view=painted(*TILES.values()), size=SCREEN)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("the lime coloured box", "lime"),
        ("the lime-colored tile", "lime"),
        ("the navy block", "navy"),
        ("the blue item", "navy"),
        ("the white colored box", "white"),
        ("a green thing", "lime"),
        ("the box that is navy", "navy"),
        ("the tile of the colour navy", "navy"),
        ("the one in white", "white"),
        ("the block painted lime", "lime"),
    ],
)
def test_a_thing_is_known_by_its_colour_alone(words: str, meant: str) -> None:
    found = tile(words)
    assert found.sure, found.account()
    assert found.best is not None
    assert found.best.point == Box(*TILES[meant][0]).center


@pytest.mark.parametrize("words", ["the green box", "the green coloured block"])
def test_two_shades_of_a_colour_are_not_told_apart_by_its_plain_word(words: str) -> None:
    assert not tile(words).sure


@pytest.mark.parametrize("words", ["the colored square", "the coloured square"])
def test_coloured_is_what_is_not_grey(words: str) -> None:
    view = painted(((20, 20, 40, 40), (0, 0, 0)), ((120, 20, 40, 40), (0, 0, 255)))
    found = find([thing("canvas", "", (0, 0, 300, 200))], words, view=view, size=SCREEN)
    assert found.sure, found.account()
    assert found.best is not None
    assert abs(found.best.point.x - 140) < 4


def test_letters_are_large_by_their_height() -> None:
    letters = [
        thing("static", "i", (10, 10, 6, 22)),
        thing("static", "w", (40, 10, 16, 22)),
        thing("static", "m", (80, 10, 12, 12)),
    ]
    found = find(letters, "the small letter", view=painted(), size=SCREEN)
    assert found.sure, found.account()
    assert found.best is not None
    assert found.best.element.name == "m"


WIDGETS = [
    thing("push button", "Qx", (10, 10, 50, 20)),
    thing("radio button", "9", (10, 40, 14, 14), "checkable"),
    thing("entry", "", (10, 70, 150, 60), "editable", "multi line"),
    thing("entry", "", (10, 140, 150, 20), "editable", "single line"),
    thing("entry", "", (10, 170, 150, 20), "editable", "single line"),
]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ('a "radio" widget', 1),
        ('the "button" control', 0),
        ('a "textarea" element', 2),
        ("a text area", 2),
        ("the multi-line field", 2),
        ('a "text" widget', 3),
        ("any text input", 3),
        ("one of the text fields", 3),
    ],
)
def test_a_kind_alone_says_enough_where_any_will_do(words: str, meant: int) -> None:
    found = find(WIDGETS, words, size=SCREEN)
    assert found.sure, found.account()
    assert found.best is not None
    assert found.best.element == WIDGETS[meant]


@pytest.mark.parametrize("words", ["the text field", "the single line field", "the input"])
def test_one_of_several_is_not_guessed(words: str) -> None:
    assert not find(WIDGETS, words, size=SCREEN).sure


TWINS = [thing("link", "More", (10, y, 50, 20)) for y in (10, 50, 90)]


@pytest.mark.parametrize("words", ['a "More" link', "any More link", "any of the More links"])
def test_any_of_equals_will_do_where_it_is_said(words: str) -> None:
    found = find(TWINS, words, size=SCREEN)
    assert found.sure, found.account()
    assert found.best is not None
    assert found.best.point == Point(35, 20)


@pytest.mark.parametrize("words", ['the "More" link', "More", "the link More"])
def test_equals_stay_ambiguous_otherwise(words: str) -> None:
    assert not find(TWINS, words, size=SCREEN).sure


DIALOG = Element("d", "dialog", "Leave?", None, Box(50, 50, 200, 120), ("enabled",))
IN_DIALOG = [
    thing("push button", "Stay", (300, 200, 60, 20)),
    DIALOG,
    Element("s", "push button", "Stay", None, Box(60, 140, 60, 20), ("enabled",), "d"),
    Element("x", "push button", "Close", None, Box(220, 55, 20, 20), ("enabled",), "d"),
]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ('the button in the dialog box labelled "Stay"', "s"),
        ('the button in the dialog called "Stay"', "s"),
        ('the "x"', "x"),
        ('the button in the dialog labeled "×"', "x"),
        ("the ✕ button", "x"),
    ],
)
def test_a_name_after_a_place_belongs_to_the_thing_in_it(words: str, meant: str) -> None:
    found = find(IN_DIALOG, words, size=SCREEN)
    assert found.sure, found.account()
    assert found.best is not None
    assert found.best.element.id == meant


@pytest.mark.parametrize(
    ("words", "name"),
    [("button TWO", "TWO"), ("the button TWO", "TWO"), ("tab ONE", "ONE"), ("user @ann", "@ann")],
)
def test_a_name_after_its_kind_is_a_name_before_it_is_a_number(words: str, name: str) -> None:
    elements = [
        thing("push button", "ZERO", (10, 10, 50, 20)),
        thing("push button", "TWO", (10, 40, 50, 20)),
        thing("push button", "THREE", (10, 70, 50, 20)),
        thing("page tab", "ZERO", (110, 10, 50, 20)),
        thing("page tab", "ONE", (170, 10, 50, 20)),
        thing("static", "@ann", (200, 100, 40, 12)),
    ]
    found = find(elements, words, size=SCREEN)
    assert found.sure, found.account()
    assert found.best is not None
    assert found.best.element.name == name


@pytest.mark.parametrize("name", ["Gray", "White", "Last", "Top", "Small"])
def test_a_word_that_stands_alone_is_a_name_and_never_a_look(name: str) -> None:
    elements = [thing("menu item", other, (10, 20 * n, 80, 20)) for n, other in enumerate("AB")]
    view = painted(((10, 0, 80, 20), (128, 128, 128)))
    assert not find(elements, name, view=view, size=SCREEN).sure
    named = [*elements, thing("menu item", name, (10, 90, 80, 20))]
    found = find(named, name, view=view, size=SCREEN)
    assert found.best is not None
    assert found.best.element.name == name


@pytest.mark.parametrize("words", ["the Send button", '"Send"', "Send"])
def test_what_is_half_covered_is_clicked_where_it_is_free(words: str) -> None:
    send = thing("push button", "Send", (100, 100, 60, 24))
    later = thing("push button", "Stop", (120, 106, 60, 24))
    found = find([send, later], words, size=SCREEN)
    assert found.best is not None
    assert found.best.element == send
    assert found.best.point == Point(115, 112)
    assert later.box is not None
    assert not later.box.contains(found.best.point)
    turned = find([later, send], words, size=SCREEN)
    assert turned.best is not None
    assert turned.best.point == Point(115, 112)
    alone = find([send], words, size=SCREEN)
    assert alone.best is not None
    assert alone.best.point == Point(130, 112)
