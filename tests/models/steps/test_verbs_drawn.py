"""The hands on drawings: points, lines, boards, patterns, lists; on painted worlds."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace

import pytest
from drawn_world import PaintedWorld
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageDraw
from steps_world import World, desk_of, element, play

from carrel.actions import Click, Drag
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.items import things
from carrel.models.steps.language import read_sentence
from carrel.models.steps.noughts import best_move, winner
from carrel.models.steps.plane import axis_of, middle, on_bisector, on_perpendicular, turn
from carrel.models.steps.program import (
    Answer,
    Choose,
    Compute,
    Draw,
    ForEach,
    Imitate,
    Noughts,
    Point,
    SetValue,
    Sort,
)
from carrel.models.steps.program import Drag as DragStep
from carrel.models.steps.turns import Missed, Request, Seen
from carrel.models.steps.verbs import verb_of
from carrel.models.steps.watching import shown_in

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

    def __init__(self, points: list[tuple[int, int]], off: int = 3, joined: int = 0) -> None:
        super().__init__(PAGE, CANVAS, paint=self._draw)
        self.points, self.off, self.joined = points, off, joined
        self.made: tuple[int, int] | None = None
        self.lines: list[tuple[int, int]] = []
        self.clicked = self._mark

    def _mark(self, x: int, y: int) -> None:
        self.made = (x + self.off, y + self.off)

    def _draw(self, draw: ImageDraw.ImageDraw) -> None:
        for one, other in self.lines:
            draw.line((*self.points[one], *self.points[other]), fill="black")
        for number, (x, y) in enumerate(self.points):
            dot(draw, x, y, "blue" if number == self.joined else "black")
        if self.made is not None:
            dot(draw, *self.made, "red")
            if self.lines:
                draw.line((*self.points[self.joined], *self.made), fill="red")


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


@pytest.mark.parametrize("joined", [0, 1])
def test_a_right_angle_is_made_at_the_end_that_the_page_joins(joined: int) -> None:
    world = Sketch([(160, 150), (300, 230)], joined=joined)
    world.lines = [(0, 1)]
    run(world, Draw("a third point to make a right angle"))
    assert world.made is not None
    corner, end = world.points[joined], world.points[1 - joined]
    assert abs(turn(corner, end, world.made) - 90) <= 1.5


def test_an_angle_is_halved_from_its_corner() -> None:
    world = Sketch([(150, 260), (320, 250), (200, 130)])
    world.lines = [(0, 1), (0, 2)]
    run(world, Draw("a line that bisects the angle"))
    assert world.made is not None
    one, other = (turn(world.points[0], world.points[n], world.made) for n in (1, 2))
    assert abs(one - other) <= 1.5


def test_no_angle_is_halved_where_there_is_none() -> None:
    world = Sketch([(150, 260), (320, 250)])
    with pytest.raises(Missed, match="3 marked points"):
        run(world, Draw("a line that bisects the angle"))


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


@pytest.mark.parametrize("sides", [3, 5, 6])
def test_the_sides_of_a_figure_are_given_as_the_answer(sides: int) -> None:
    def paint(draw: ImageDraw.ImageDraw) -> None:
        at = [math.tau * n / sides + 0.2 for n in range(sides)]
        draw.polygon([(220 + 60 * math.cos(t), 190 + 60 * math.sin(t)) for t in at], fill="teal")

    buttons = [
        element(str(n), "push button", (40 * n, 400, 30, 20), parent="page") for n in range(3, 8)
    ]
    world = PaintedWorld(PAGE, CANVAS, *buttons, paint=paint)
    desk = desk_of(world)
    for step in (Compute("count", "sides of the shape", "it"),):
        verb = verb_of(step)
        assert verb is not None
        play(world, verb(desk, step))
    assert desk.names["it"] == str(sides)
    run(world, Answer(str(sides)))
    assert Click(40 * sides + 15, 410) in world.done


def test_a_button_with_another_word_for_a_figure_is_the_answer() -> None:
    buttons = [
        element(word, "push button", (20, 300 + 40 * n, 80, 20), parent="page")
        for n, word in enumerate(["Triangle", "Letter", "Number"])
    ]
    world = World(PAGE, *buttons)
    run(world, Answer("digit"))
    assert world.done == [Click(60, 390)]


# Boards


def test_the_player_never_loses_and_takes_what_wins() -> None:
    def all_games(board: tuple[str, ...], mine: bool) -> None:
        assert winner(board) != "O"
        if winner(board) or all(board):
            return
        if mine:
            at = best_move(board, "X")
            assert at is not None
            all_games((*board[:at], "X", *board[at + 1 :]), False)
            return
        for at in range(9):
            if not board[at]:
                all_games((*board[:at], "O", *board[at + 1 :]), True)

    all_games(("",) * 9, True)
    all_games(("",) * 9, False)
    assert best_move(("X", "X", "", "O", "O", "", "", "", ""), "X") == 2


class Board(PaintedWorld):
    """A board whose other player takes the first free place; marks are painted, not told."""

    def __init__(self) -> None:
        self.marks = [""] * 9
        cells = [
            element(
                "",
                "section",
                (100 + 60 * (n % 3), 100 + 60 * (n // 3), 58, 58),
                parent="page",
                id=f"c{n}",
            )
            for n in range(9)
        ]
        super().__init__(PAGE, *cells, paint=self._draw)
        self.clicked = self._move

    def _move(self, x: int, y: int) -> None:
        at = (x - 100) // 60 + 3 * ((y - 100) // 60)
        assert not self.marks[at]
        self.marks[at] = "X"
        free = [n for n in range(9) if not self.marks[n]]
        if free and not winner(tuple(self.marks)):
            self.marks[free[0]] = "O"

    def _draw(self, draw: ImageDraw.ImageDraw) -> None:
        for n, mark in enumerate(self.marks):
            x, y = 100 + 60 * (n % 3), 100 + 60 * (n // 3)
            draw.rectangle((x, y, x + 57, y + 57), outline="black")
            if mark == "X":
                draw.line((x + 10, y + 10, x + 47, y + 47), fill="black", width=5)
                draw.line((x + 10, y + 47, x + 47, y + 10), fill="black", width=5)
            elif mark:
                draw.ellipse((x + 10, y + 10, x + 47, y + 47), outline="black", width=5)


def test_a_game_is_won_on_a_board_that_is_only_painted() -> None:
    world = Board()
    assert run(world, Noughts("X")) == "X has won the game"
    assert winner(tuple(world.marks)) == "X"


# Patterns and sequences


@pytest.mark.parametrize("frame", [0, 12])
@pytest.mark.parametrize(
    "example", ["the picture on the right", "the example", "the pattern beside"]
)
def test_boxes_are_set_as_a_picture_shows(example: str, frame: int) -> None:
    wanted = [[True, False], [False, True], [True, True]]
    boxes = [
        element(
            f"b{r}{c}", "check box", (20 + 30 * c, 20 + 30 * r, 16, 16), "checkable", parent="page"
        )
        for r in range(3)
        for c in range(2)
    ]
    place = (200 - frame, 14 - frame, 60 + 2 * frame, 90 + 2 * frame)
    picture = element("", "image", place, parent="page", id="picture")

    def paint(draw: ImageDraw.ImageDraw) -> None:
        draw.rectangle((200 - frame, 14 - frame, 259 + frame, 103 + frame), fill="#222222")
        for r, row in enumerate(wanted):
            for c, on in enumerate(row):
                box = (204 + 30 * c, 18 + 30 * r, 226 + 30 * c, 40 + 30 * r)
                draw.rectangle(box, fill="white" if on else "#444444")

    world = PaintedWorld(PAGE, *boxes, picture, paint=paint)

    def flip(_: World, box: Element, __: object) -> None:
        on = "checked" in box.states
        states = tuple(s for s in box.states if s != "checked") if on else (*box.states, "checked")
        world.elements = [
            replace(e, states=states) if e.id == box.id else e for e in world.elements
        ]

    for box in boxes:
        world.on(box.name, flip)
    run(world, Imitate("the checkboxes", example))
    set_ = {e.name for e in world.elements if "checked" in e.states}
    assert set_ == {f"b{r}{c}" for r in range(3) for c in range(2) if wanted[r][c]}


def test_what_lights_up_is_told_in_its_order() -> None:
    red, lit, blue, bright = (200, 0, 0), (255, 160, 160), (0, 0, 200), (160, 160, 255)
    looks = [
        (red, blue), (lit, blue), (lit, blue), (red, blue), (red, bright), (red, blue),
        (red, bright), (red, blue), (red, blue), (lit, blue), (red, blue),
    ]  # fmt: skip
    assert shown_in(looks) == [0, 1, 1, 0]
    assert shown_in([]) == []


def test_numbers_that_are_covered_after_the_first_are_where_they_were() -> None:
    numbers = [
        element(str(n), "static", (60 + 70 * n, 120, 14, 20), parent="page") for n in (3, 1, 2)
    ]
    covered: list[int] = []

    def paint(draw: ImageDraw.ImageDraw) -> None:
        for n in (1, 2, 3):
            if covered and n not in covered:
                draw.rectangle((60 + 70 * n, 120, 80 + 70 * n, 140), fill="black")

    world = PaintedWorld(PAGE, *numbers, paint=paint)

    def cover(x: int, _y: int) -> None:
        covered.append((x - 60) // 70)
        world.elements = [PAGE]

    world.clicked = cover
    desk = desk_of(world)
    listed = play(world, things(desk, ForEach("each", (), every="the numbers", order="ascending")))
    assert listed == ("1", "2", "3")
    for item in ("1", "2", "3"):
        verb = verb_of(Point(item))
        assert verb is not None
        play(world, verb(desk, Point(item)))
    assert covered == [1, 2, 3]


@pytest.mark.parametrize(
    ("phrase", "best"),
    [
        ("the card with the greatest number", 1),
        ("the card with the lowest number", 2),
        ("the tile that hides the highest value", 1),
    ],
)
def test_cards_are_turned_over_to_find_the_best(phrase: str, best: int) -> None:
    cards = [
        element("", "section", (50 + 80 * n, 100, 60, 90), parent="row", id=f"card{n}")
        for n in range(3)
    ]
    row = element("", "section", (40, 90, 300, 110), parent="page", id="row")
    world = PaintedWorld(PAGE, row, *cards, paint=lambda _: None)

    def turned(x: int, _y: int) -> None:
        at = (x - 50) // 80
        text = element(
            str((4, 19, 2)[at]), "static", (70 + 80 * at, 130, 14, 20), parent=f"card{at}"
        )
        world.elements = [PAGE, row, *cards, text]

    world.clicked = turned
    run(world, Choose((phrase,)))
    assert world.elements[-1].parent == f"card{best}"


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


@pytest.mark.parametrize("corner", [(150, 150), (300, 220), (250, 110)])
def test_a_pixel_is_found_for_every_angle(corner: tuple[int, int]) -> None:
    area = Box(100, 100, 300, 200)
    at = on_perpendicular(corner, (220, 180), area)
    assert at is not None
    assert abs(turn(corner, (220, 180), (at.x, at.y)) - 90) < 0.6
    half = on_bisector(corner, (220, 180), (380, 290), area)
    assert half is not None
    one, other = (turn(corner, end, (half.x, half.y)) for end in ((220, 180), (380, 290)))
    assert abs(one - other) < 1


@given(st.floats(-50, 50), st.floats(5, 60), st.sets(st.integers(-9, 9), min_size=2))
def test_an_axis_is_what_its_labels_say(start: float, step: float, values: set[int]) -> None:
    axis = axis_of((value, start + value * step) for value in values)
    assert axis is not None
    assert all(abs(axis.at(value) - (start + value * step)) < 1e-6 for value in values)


def test_numbers_that_stand_anyhow_are_no_axis() -> None:
    assert axis_of([(1, 10), (2, 90), (3, 20)]) is None
    assert axis_of([(1, 10)]) is None
