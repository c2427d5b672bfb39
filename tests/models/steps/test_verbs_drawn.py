"""The hands on drawings: points, colours, lists; on painted worlds."""

from __future__ import annotations

import math
from collections.abc import Generator

import pytest
from drawn_world import PaintedWorld
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageDraw
from steps_world import World, desk_of, element, play

from carrel.actions import Click, Drag
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.layout.plane import axis_of, middle
from carrel.models.steps.program import Drag as DragStep
from carrel.models.steps.program import (
    Point,
    SetValue,
    Sort,
)
from carrel.models.steps.turns import Request, Seen
from carrel.models.steps.verbs import verb_of

PAGE = element("Page", "document web", (0, 0, 800, 600), id="page")
CANVAS = element("", "canvas", (100, 100, 300, 200), id="canvas", parent="page")


def run(world: World, step) -> object:  # type: ignore[no-untyped-def]
    desk = desk_of(world)
    verb = verb_of(step)
    assert verb is not None
    turns: Generator[Request, Seen, object] = verb(desk, step)
    return play(world, turns)


def dot(draw: ImageDraw.ImageDraw, x: float, y: float, colour: str = "black") -> None:
    draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=colour)


class Sketch(PaintedWorld):
    """Points, and one more wherever is clicked, a little beside the pointer."""

    def __init__(self, points: list[tuple[int, int]], off: int = 3) -> None:
        super().__init__(PAGE, CANVAS, paint=self._draw)
        self.points, self.off = points, off
        self.made: tuple[int, int] | None = None
        self.clicked = self._mark

    def _mark(self, x: int, y: int) -> None:
        self.made = (x + self.off, y + self.off)

    def _draw(self, draw: ImageDraw.ImageDraw) -> None:
        for x, y in self.points:
            dot(draw, x, y)
        if self.made is not None:
            dot(draw, *self.made, "red")


@pytest.mark.parametrize(
    "phrase",
    [
        "the middle of the two points",
        "the midpoint between both dots",
        "the half-way point between the dots",
    ],
)
def test_a_middle_is_marked_though_the_page_marks_beside_the_pointer(phrase: str) -> None:
    world = Sketch([(140, 140), (300, 240)])
    run(world, Point(phrase))
    assert world.made is not None
    assert math.dist(world.made, (220.5, 190.5)) <= 1.5


@pytest.mark.parametrize("phrase", ["the point (2, -1) on the grid", "grid coordinate (2,-1)"])
def test_a_coordinate_is_found_by_the_numbers_along_the_axes(phrase: str) -> None:
    labels = [
        element(str(n), "static", (245 + 40 * n, 205, 10, 10), parent="page") for n in range(-2, 3)
    ] + [
        element(str(n), "static", (225, 195 - 30 * n, 10, 10), parent="page")
        for n in (-2, -1, 1, 2)
    ]
    world = PaintedWorld(PAGE, *labels, paint=lambda draw: dot(draw, 330, 230))
    run(world, Point(phrase))
    (click,) = [action for action in world.done if isinstance(action, Click)]
    assert math.dist((click.x, click.y), (330, 230)) <= 2


# Colours


@pytest.mark.parametrize(
    ("value", "code"), [("teal", "008080"), ("#12ab34", "12AB34"), ("the colour red", "FF0000")]
)
def test_a_colour_is_written_as_the_field_has_it(value: str, code: str) -> None:
    field = element("Colour", "entry", (20, 20, 100, 20), "editable", value="AB2567", parent="page")
    world = World(PAGE, field)
    run(world, SetValue("the Colour field", value))
    assert next(e.value for e in world.elements if e.name == "Colour") == code


# Lists


class Shelf(World):
    """A list that makes room when what is dragged passes the middle of an entry."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        super().__init__()
        self._place()
        self.reactions["drag"] = self._drop

    def _place(self) -> None:
        shelf = element("", "list", (20, 20, 200, 40 * len(self.names)), parent="page", id="list")
        items = [
            e
            for n, name in enumerate(self.names)
            for e in (
                element("", "list item", (20, 20 + 40 * n, 200, 36), parent="list", id=f"i{name}"),
                element(name, "static", (30, 30 + 40 * n, 40, 14), parent=f"i{name}"),
            )
        ]
        self.elements = [PAGE, shelf, *items]

    def _drop(self, _: World, __: Element, action: object) -> None:
        assert isinstance(action, Drag)
        held = self.names[(action.path[0].y - 20) // 40]
        before = action.path[0].y
        for at in action.path:
            place = min(max((at.y - 20) // 40, 0), len(self.names) - 1)
            lower = (at.y - 20) % 40 > 18
            here = self.names.index(held)
            passed = (at.y > before and lower and place > here) or (
                at.y < before and not lower and place < here
            )
            if passed:
                self.names.remove(held)
                self.names.insert(place, held)
            before = at.y
        self._place()


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("Drag Ann to the 3rd position", "Bob Cid Ann Dot"),
        ("Move Dot to the top of the list", "Dot Ann Bob Cid"),
        ("Drag Cid to the first place", "Cid Ann Bob Dot"),
        ("Drag Ann to the bottom", "Bob Cid Dot Ann"),
        ("Drag Bob down by one position", "Ann Cid Bob Dot"),
    ],
)
def test_an_entry_is_dropped_exactly_at_its_place(words: str, order: str) -> None:
    world = Shelf(["Ann", "Bob", "Cid", "Dot"])
    (step,) = read_sentence(words).steps
    run(world, step)
    assert " ".join(world.names) == order


@pytest.mark.parametrize("names", [["9", "-3", "40", "7"], ["b", "a", "c"]])
def test_a_list_is_sorted_by_dragging_whole_entries(names: list[str]) -> None:
    world = Shelf(list(names))
    run(world, Sort("the items" if names[0] == "b" else "the numbers"))
    wanted = sorted(names, key=float) if names[0] != "b" else sorted(names)
    assert world.names == wanted


def test_a_smaller_thing_is_dropped_in_the_middle_of_the_larger() -> None:
    big = element("", "section", (100, 100, 90, 90), parent="page", id="big")
    small = element("", "section", (400, 300, 30, 30), parent="page", id="small")

    def paint(draw: ImageDraw.ImageDraw) -> None:
        draw.rectangle((100, 100, 189, 189), fill="blue")
        draw.rectangle((400, 300, 429, 329), fill="red")

    world = PaintedWorld(PAGE, big, small, paint=paint)
    run(world, DragStep("the smaller box", onto="the larger box"))
    (drag,) = [action for action in world.done if isinstance(action, Drag)]
    assert math.dist((drag.path[-1].x, drag.path[-1].y), (145, 145)) <= 2


# Geometry


SPOTS = st.tuples(st.integers(120, 380), st.integers(120, 280))


@given(SPOTS, SPOTS)
def test_a_middle_is_as_far_from_both(one: tuple[int, int], other: tuple[int, int]) -> None:
    at = middle([one, other])
    assert math.isclose(math.dist(at, one), math.dist(at, other), abs_tol=1e-9)


@given(st.floats(-50, 50), st.floats(5, 60), st.sets(st.integers(-9, 9), min_size=2))
def test_an_axis_is_what_its_labels_say(start: float, step: float, values: set[int]) -> None:
    axis = axis_of((value, start + value * step) for value in values)
    assert axis is not None
    assert all(abs(axis.at(value) - (start + value * step)) < 1e-6 for value in values)


def test_numbers_that_stand_anyhow_are_no_axis() -> None:
    assert axis_of([(1, 10), (2, 90), (3, 20)]) is None
    assert axis_of([(1, 10)]) is None
