"""Programs that tell little of themselves: lists without rows, drawn displays and menus."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.program import (
    Choose,
    Condition,
    Has,
    Is,
    Not,
    Shows,
    Tick,
    Within,
)
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.readback import is_mixed
from carrel.models.steps.verbs.ticking import tick
from carrel.perception._stand_ins import with_boxes_in_cells


def so(world: World, condition: Condition) -> bool:
    desk = desk_of(world)
    told = play(world, holds(desk, condition, closer=True), desk)
    return told[0] is True  # type: ignore[index]


class Shop:
    """A table of cells without rows, of which the first of each line is ticked by a click."""

    def __init__(self, *ticked: str) -> None:
        self.names, self.ticked = ("Milk", "Bread", "Eggs"), set(ticked)
        self.world = World()
        self.draw()

    def draw(self) -> None:
        cells = [element("", "table", (0, 0, 300, 90), id="t")]
        for row, name in enumerate(self.names):
            y = 30 * row
            on = ("checked",) if name in self.ticked else ()
            box = element("", "table cell", (0, y, 40, 28), "checkable", *on, id=f"b{row}")
            said = element(name, "table cell", (42, y, 80, 28), "selectable", id=f"n{row}")
            cells += [replace(box, parent="t"), replace(said, parent="t")]
        self.world.elements = with_boxes_in_cells(cells)
        self.world.on("", self.click)

    def click(self, world: World, what: Element, action: Action) -> None:
        if isinstance(action, Click) and action.x < 40:
            self.ticked ^= {self.names[action.y // 30]}
            self.draw()


def test_the_box_on_the_line_of_a_name_is_ticked_and_read_back() -> None:
    shop = Shop("Bread")
    desk = desk_of(shop.world)
    play(shop.world, tick(desk, Tick(("Milk", "Eggs"))), desk)
    assert shop.ticked == {"Milk", "Bread", "Eggs"}
    assert desk.doubts == []


def test_whether_a_line_is_ticked_is_told_by_its_box() -> None:
    world = Shop("Bread").world
    assert so(world, Is("Bread", "checked"))
    assert so(world, Not(Is("Eggs", "checked")))
    assert not so(world, Not(Is("Bread", "checked")))
    assert so(world, Is("Bread", "selected"))
    assert so(world, Not(Is("Milk", "selected")))


def test_of_a_name_without_a_box_nothing_is_said() -> None:
    world = World(element("Eggs", "table cell", (40, 0, 80, 28), "selectable"))
    assert not so(world, Is("Eggs", "checked"))
    assert not so(world, Not(Is("Eggs", "checked")))


def a_list(*more: Element) -> World:
    return World(
        *more,
        element("", "table", (0, 100, 300, 90), id="t"),
        element("Book dentist", "table cell", (0, 100, 300, 28), parent="t"),
        element("Call Ann", "table cell", (0, 130, 300, 28), parent="t"),
    )


def test_a_list_is_known_by_what_it_is_said_to_hold() -> None:
    world = a_list(element("Tasks", "page tab", (0, 0, 60, 20), "selected"))
    assert so(world, Within("the task list", Shows('"Book dentist"')))


def test_a_list_of_which_nothing_speaks_is_not_taken_for_another() -> None:
    world = a_list(element("Tasks", "page tab", (0, 0, 60, 20), "selected"))
    assert not so(world, Within("the archive list", Shows('"Book dentist"')))
    both = a_list(
        element("Open", "page tab", (0, 0, 60, 20), "selected"),
        element("Archive", "page tab", (70, 0, 60, 20)),
    )
    assert not so(both, Within("the archive list", Shows('"Book dentist"')))


def test_a_display_that_is_only_drawn_shows_what_was_read_of_it() -> None:
    display = Element("d", "drawing area", "Result", box=Box(0, 0, 400, 80), text="= 56")
    world = World(display, element("5", at=(0, 100, 40, 40)))
    assert so(world, Has("the result", "56", "equals"))
    assert not so(world, Has("the result", "5", "equals"))


def test_the_result_of_a_sum_that_is_kept_as_a_line_comes_after_the_sign() -> None:
    world = World(element("Result", "text", (0, 0, 300, 30), "editable", value="9×6 = 54"))
    assert so(world, Has("the result", "54", "equals"))
    assert not so(world, Has("the result", "9", "equals"))


def test_a_file_is_read_though_only_its_path_is_said() -> None:
    world = World()
    world.files = {"/home/ann/two.txt": "one\ntwo\n"}
    assert so(world, Has("/home/ann/two.txt", "two", "contains"))
    assert not so(world, Not(Has("/home/ann/three.txt", "two", "contains")))


def test_a_window_may_have_small_words_in_its_title() -> None:
    world = World()
    world.windows = [Window(1, "Tip of the Day: 1/225", Box(0, 0, 200, 100), "soffice")]
    assert so(world, Shows('the "Tip of the Day" window'))
    assert not so(world, Shows('the "Tip of the Week" window'))


def test_what_is_written_in_a_program_is_its_one_large_field() -> None:
    note = element("", "text", (100, 40, 600, 400), "editable", "multi line", value="Pack the bags")
    world = World(note, element("", "text", (0, 0, 90, 24), "editable", value="x"))
    assert so(world, Has("the page text", "Pack the bags", "contains"))
    assert not so(world, Has("the note", "Unpack", "contains"))


class Drawn:
    """A window with a bar of menus of which nothing is told."""

    def __init__(self) -> None:
        self.world, self.taken = World(), ""
        self.world.windows = [Window(1, "Shell", Box(0, 0, 600, 500), "Toplevel", focused=True)]
        self.bar = [self.text("Run", 10), self.text("File", 60), self.text("Help", 110)]
        self.items = [self.text("Check Alt+X", 10, 40), self.text("Run Module F5", 10, 60)]
        self.world.closer_elements = list(self.bar)
        self.world.elements = []

    def text(self, name: str, x: int, y: int = 10) -> Element:
        box = Box(x, y, 8 * len(name), 16)
        return Element(f"o{x}{y}", "label", name, box=box, source="ocr", text=name)

    def act(self, action: Action) -> None:
        if isinstance(action, Click):
            if action.y < 30:
                self.world.closer_elements = [*self.bar, *self.items]
                self.world.painted = "menu"
            else:
                self.taken = "Run Module" if action.y > 58 else "Check"
                self.world.painted = self.taken


def test_a_menu_of_which_nothing_is_told_is_followed_by_its_pixels() -> None:
    drawn = Drawn()
    before = drawn.world._act

    def act(action: Action) -> object:
        drawn.act(action)
        return before(action)

    drawn.world._act = act  # type: ignore[method-assign, assignment]
    desk = desk_of(drawn.world)
    play(drawn.world, choose(desk, Choose(("Run Module",), "the Run menu")), desk)
    assert drawn.taken == "Run Module"


@pytest.mark.parametrize(
    ("held", "before", "wanted", "mixed"),
    [
        ("bobalice", "alice", "bob", True),
        ("bob", "alice", "bob", False),
        ("bob", "", "bob", False),
        ("malice", "alice", "malice", False),
    ],
)
def test_what_stands_beside_the_old_text_has_not_replaced_it(
    held: str, before: str, wanted: str, mixed: bool
) -> None:
    assert is_mixed(held, before, wanted) is mixed
