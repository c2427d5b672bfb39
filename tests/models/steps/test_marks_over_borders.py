"""Boxes of a tree that are only drawn, with marks that hide that they are boxes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drawn_world import PaintedWorld
from PIL import Image, ImageDraw
from steps_world import desk_of, element, play

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.program import Tick
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.ticking import tick
from carrel.perception._ticks import find_tick, seen_beside

NAMES = ("Read", "Write", "Print", "Export")
SIDE = 14


def empty(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
    draw.rectangle((x, y, x + SIDE - 1, y + SIDE - 1), outline=(160, 160, 160), fill="white")


def mark(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
    """A thick tick of two greens, which begins on the border and ends beyond it."""
    draw.line((x, y + 3, x + 6, y + 10, x + 15, y + 1), fill=(50, 160, 20), width=4)
    draw.line((x, y + 3, x + 6, y + 8), fill=(130, 220, 110), width=2)


def block(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
    draw.rectangle((x + 2, y + 2, x + SIDE - 3, y + SIDE - 3), fill=(50, 160, 20))


class Tree:
    """Entries of which the picture tells alone whether they are ticked.

    The entries are told twice, one in the other; only empty boxes are seen to be boxes.
    """

    def __init__(self, *ticked: str) -> None:
        self.ticked = set(ticked)
        self.world = PaintedWorld(paint=self._paint)
        self.world.clicked = self._clicked
        self.draw()

    def draw(self) -> None:
        rows = [element("", "tree", (20, 40, 400, 200), id="t")]
        drawn = []
        for at, name in enumerate(NAMES):
            x, y = 40 + 20 * (at % 2), 50 + 30 * at
            rows += [
                element(name, "list item", (x - 10, y - 2, 360, 24), parent="t", id=f"o{at}"),
                element(name, "tree item", (x, y, 120, 20), parent=f"o{at}", id=f"i{at}"),
                element(name, "static", (x + 50, y + 2, 60, 16), parent=f"i{at}"),
            ]
            if name not in self.ticked:
                box = element("", "check box", (x + 5, y + 3, SIDE, SIDE), parent=f"i{at}")
                drawn.append(replace(box, source="detector"))
        self.world.elements = rows
        self.world.closer_elements = drawn

    def place(self, name: str) -> tuple[int, int]:
        at = NAMES.index(name)
        return 45 + 20 * (at % 2), 53 + 30 * at

    def _paint(self, draw: ImageDraw.ImageDraw) -> None:
        for name in NAMES:
            empty(draw, *self.place(name))
            if name in self.ticked:
                mark(draw, *self.place(name))

    def _clicked(self, x: int, y: int) -> None:
        for name in NAMES:
            box = Box(*self.place(name), SIDE, SIDE)
            if box.contains(Box(x, y, 1, 1).center):
                self.ticked ^= {name}
        self.draw()


@pytest.mark.parametrize(
    ("before", "on", "names", "after"),
    [
        ((), True, ("Write", "Export"), {"Write", "Export"}),
        (("Write",), False, ("Write",), set()),
        (("Write",), True, ("Write",), {"Write"}),
        (("Write",), False, ("Print", "Write"), set()),
    ],
)
def test_marks_that_hide_their_boxes_are_set_and_read_back(
    before: tuple[str, ...], on: bool, names: tuple[str, ...], after: set[str]
) -> None:
    tree = Tree(*before)
    desk = desk_of(tree.world)
    for name in names:
        play(tree.world, tick(desk, Tick((f'"{name}"',), on=on)))
    assert tree.ticked == after
    assert not desk.doubts


def drawn(*paints: object) -> Image.Image:
    image = Image.new("RGB", (40, 40), "white")
    for paint in paints:
        assert callable(paint)
        paint(ImageDraw.Draw(image), 10, 10)
    return image


@pytest.mark.parametrize(
    ("paints", "told"),
    [
        ((empty,), ("check box", "")),
        ((empty, mark), ("check box", "checked")),
        ((empty, block), ("check box", "indeterminate")),
        ((), None),
    ],
)
def test_a_mark_is_told_beside_the_empty_box_and_a_block_is_half_of_one(
    paints: tuple[object, ...], told: tuple[str, str] | None
) -> None:
    at = Box(10, 10, SIDE, SIDE)
    part, blank = (
        np.asarray(image)[at.y : at.bottom, at.x : at.right]
        for image in (drawn(*paints), drawn(empty))
    )
    assert seen_beside(part, blank) == told


def test_without_an_empty_one_beside_it_such_a_mark_is_not_told() -> None:
    assert find_tick(np.asarray(drawn(empty, mark)), Box(10, 10, SIDE, SIDE)) is None


def test_an_element_that_is_no_entry_has_no_box_of_others() -> None:
    tree = Tree("Write")
    title: Element = element("Rights", "heading", (300, 10, 80, 20))
    tree.world.elements.append(title)
    with pytest.raises(Missed, match="no box to tick it by can be told"):
        play(tree.world, tick(desk_of(tree.world), Tick(('"Rights"',), on=True)))


def solid(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
    draw.rectangle((x, y, x + SIDE - 1, y + SIDE - 1), fill=(20, 110, 250))


def dash(colour: str) -> object:
    def paint(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        draw.rectangle((x + 3, y + 6, x + SIDE - 4, y + 7), fill=colour)

    return paint


def small_block(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
    draw.rectangle((x + 4, y + 4, x + SIDE - 5, y + SIDE - 5), fill=(20, 110, 250))


def small_tick(colour: str) -> object:
    def paint(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        draw.line((x + 3, y + 7, x + 6, y + 10, x + 10, y + 4), fill=colour, width=2)

    return paint


@pytest.mark.parametrize(
    ("paints", "mark_told"),
    [
        ((empty,), ""),
        ((empty, small_tick("black")), "checked"),
        ((solid, small_tick("white")), "checked"),
        ((empty, small_block), "indeterminate"),
        ((empty, block), "indeterminate"),
        ((empty, dash("black")), "indeterminate"),
        ((solid, dash("white")), "indeterminate"),
    ],
)
def test_a_dash_or_a_block_is_half_a_tick(paints: tuple[object, ...], mark_told: str) -> None:
    found = find_tick(np.asarray(drawn(*paints)), Box(10, 10, SIDE, SIDE))
    assert found == ("check box", mark_told)
