"""What is told of boxes, tabs and files: never a denial where nothing tells."""

from __future__ import annotations

from dataclasses import replace

import pytest
from drawn_world import PaintedWorld
from PIL import ImageDraw
from steps_world import USABLE, World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.program import Choose, Condition, Has, Is, Not, SetValue, Tick
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.setting import set_value
from carrel.models.steps.verbs.ticking import tick


class Tree:
    """Entries of a page, each with a box that is only painted."""

    def __init__(self, *ticked: str) -> None:
        self.names = ("Pears", "Plums", "Figs")
        self.ticked = set(ticked)
        parts = [element("", "list", (0, 0, 300, 120), id="l")]
        for row, name in enumerate(self.names):
            y = 30 * row
            item = element("", "list item", (0, y, 300, 30), id=name)
            box = element("", "section", (10, y + 8, 13, 13), id=f"b{row}")
            text = element(name, "static", (40, y + 7, 60, 14), id=f"t{row}")
            parts += [replace(item, parent="l"), *(replace(e, parent=name) for e in (box, text))]
        self.world = PaintedWorld(*parts, paint=self.paint)
        self.world.clicked = self.click

    def paint(self, draw: ImageDraw.ImageDraw) -> None:
        for row, name in enumerate(self.names):
            y = 30 * row + 8
            draw.rectangle((10, y, 22, y + 12), outline="black", fill="white")
            if name in self.ticked:
                draw.line((13, y + 6, 15, y + 9, 19, y + 3), fill=(0, 128, 0), width=2)

    def click(self, x: int, y: int) -> None:
        if 10 <= x <= 22:
            self.ticked ^= {self.names[y // 30]}


def test_a_box_that_is_only_drawn_is_ticked_and_read_back() -> None:
    tree = Tree("Figs")
    desk = desk_of(tree.world)
    assert play(tree.world, tick(desk, Tick(("Plums", "Figs"))), desk) == "1 already on"
    assert tree.ticked == {"Plums", "Figs"}
    assert desk.doubts == []
    play(tree.world, tick(desk, Tick(("Figs",), on=False)), desk)
    assert tree.ticked == {"Plums"}


@pytest.mark.parametrize(("name", "so"), [("Plums", True), ("Figs", False)])
def test_whether_a_drawn_box_is_ticked_is_seen(name: str, so: bool) -> None:
    tree = Tree("Plums")
    assert play(tree.world, holds(desk_of(tree.world), Is(name, "checked")))[0] is so  # type: ignore[index]
    denied = play(tree.world, holds(desk_of(tree.world), Not(Is(name, "checked"))))
    assert denied[0] is not so  # type: ignore[index]


def test_a_drawn_box_that_does_not_take_a_click_is_told() -> None:
    tree = Tree()
    tree.world.clicked = lambda _x, _y: None
    with pytest.raises(Missed, match="still off"):
        play(tree.world, tick(desk_of(tree.world), Tick(("Plums",))))


def tabs(*chosen: str, panel: str = "") -> World:
    names = ("Info", "Basket", "Review")
    strip = element("", "page tab list", (0, 0, 300, 30), id="s")
    each = [
        replace(
            element(name, "page tab", (100 * n, 0, 90, 30), *(("selected",) * (name in chosen))),
            parent="s",
        )
        for n, name in enumerate(names)
    ]
    shown = [element(panel, "scroll pane", (0, 40, 300, 200))] if panel else []
    return World(strip, *each, *shown)


@pytest.mark.parametrize("condition", [Is("Basket", "selected"), Not(Is("Basket", "selected"))])
def test_of_tabs_that_tell_nothing_neither_is_said(condition: Condition) -> None:
    world = tabs()
    so, told = play(world, holds(desk_of(world), condition))  # type: ignore[misc]
    assert not so
    assert "nothing tells whether" in told


def test_a_tab_is_chosen_whose_part_of_the_page_is_shown_or_that_says_so() -> None:
    for world in (tabs(panel="Basket"), tabs("Basket")):
        assert play(world, holds(desk_of(world), Is("the Basket tab", "selected")))[0]  # type: ignore[index]
        assert play(world, holds(desk_of(world), Not(Is("the Info tab", "selected"))))[0]  # type: ignore[index]


@pytest.mark.parametrize(
    ("condition", "so"),
    [
        (Has("文件 /tmp/a.txt", "sum: 102", "equals"), True),
        (Has('the file "/tmp/a.txt"', "102"), True),
        (Has("the contents of the file /tmp/a.txt", "103"), False),
        (Not(Has("the file /tmp/a.txt", "103")), True),
        (Has("the file /tmp/none.txt", "103"), False),
        (Not(Has("the file /tmp/none.txt", "103")), False),
    ],
)
def test_what_a_file_holds_is_read_and_of_none_nothing_is_said(
    condition: Condition, so: bool
) -> None:
    world = World(element("Desk", "frame"))
    world.files = {"/tmp/a.txt": "sum: 102\n"}
    assert play(world, holds(desk_of(world), condition))[0] is so  # type: ignore[index]


def grid() -> World:
    """A row of filters over a row that is being edited, with a column of numbers."""
    head = element("", "table row", (0, 0, 400, 30), id="h")
    column = replace(element("Age", "column header", (100, 0, 80, 30), id="c"), parent="h")
    said = replace(element("Age", "static", (120, 8, 30, 14)), parent="c")
    parts = [element("", "table", (0, 0, 400, 90), id="t"), replace(head, parent="t"), column, said]
    for number, (row, value) in enumerate((("f", ""), ("e", "62"))):
        y = 30 * (number + 1)
        states = ("editable", "focusable", "single line")
        field = element("", "spin button", (110, y + 4, 60, 22), *states, value=value, id=f"n{row}")
        button = element("Filter" if row == "f" else "Save", "push button", (300, y + 5, 40, 20))
        parts += [
            replace(element("", "table row", (0, y, 400, 30), id=row), parent="t"),
            replace(element("", "table cell", (100, y, 80, 30), id=f"c{row}"), parent=row),
            replace(field, parent=f"c{row}"),
            replace(button, parent=row),
        ]
    return World(*parts)


def test_of_two_fields_of_a_column_none_is_taken_silently() -> None:
    world = grid()
    with pytest.raises(Missed):
        play(world, set_value(desk_of(world), SetValue("Age", "63")))
    assert not [a for a in world.done if isinstance(a, Click)]


def test_of_two_fields_of_a_column_that_of_the_row_one_works_in_is_meant() -> None:
    world = grid()
    desk = desk_of(world)
    desk.worked = next(e.box for e in world.elements if e.name == "Save")
    play(world, set_value(desk, SetValue("Age", "63")), desk)
    held = {e.id: e.value for e in world.elements if e.role == "spin button"}
    assert held == {"nf": "", "ne": "63"}


@pytest.mark.parametrize("on", [True, False])
def test_a_switch_that_a_page_hides_under_a_drawing_tells_how_it_is(on: bool) -> None:
    page = element("Form", "document web", (0, 0, 800, 600), id="p")
    label = element("Express", "static", (10, 100, 60, 20), parent="p")
    states = ("visible", "enabled", "sensitive", "checkable", *(("checked",) if on else ()))
    switch = Element("s", "toggle button", "Express", None, Box(100, 100, 40, 20), states, "p")
    world = World(page, label)
    world.hidden = [switch]
    desk = desk_of(world)
    ticked = Is("Express", "checked")
    assert play(world, holds(desk, ticked)) == (on, f"Express is {'' if on else 'not '}checked")
    denied = play(world, holds(desk, Not(ticked)))
    assert isinstance(denied, tuple)
    assert denied[0] is not on


def stacked() -> World:
    """Two radio buttons at one place that nobody sees, and what the page draws for them."""
    world = World(
        element("Form", "document web", (0, 0, 800, 600), id="p"),
        element("", "panel", (100, 100, 140, 38), parent="p", id="g"),
        element("Email", "radio button", (100, 100, 13, 13), "checkable", "checked", parent="g"),
        element("Post", "radio button", (100, 100, 13, 13), "checkable", parent="g"),
    )

    def take(name: str) -> None:
        for said in ("Email", "Post"):
            on = ("checked",) if said == name else ()
            world.change(said, states=(*USABLE, "checkable", *on))

    def click(action: Click) -> None:
        take("Email" if action.x < 170 else "Post")

    world._click = click  # type: ignore[method-assign]
    return world


def test_of_choices_at_one_place_the_words_that_are_drawn_are_clicked() -> None:
    world = stacked()
    world.closer_elements = [
        Element("d1", "push button", "Email", None, Box(100, 100, 70, 38), source="detector"),
        Element("d2", "push button", "Post", None, Box(170, 100, 70, 38), source="detector"),
    ]
    play(world, choose(desk_of(world), Choose(("Post",))))
    assert [e.name for e in world.elements if "checked" in e.states] == ["Post"]


def test_a_choice_at_one_place_with_another_is_not_clicked_where_nothing_draws_it() -> None:
    world = stacked()
    with pytest.raises(Missed, match="cannot be told"):
        play(world, choose(desk_of(world), Choose(("Post",))))
    assert not [a for a in world.done if isinstance(a, Click)]


def test_a_box_in_a_row_that_is_checked_to_be_ticked_is_one_to_tick() -> None:
    rows = []
    for n, name in enumerate(("Berg", "Dahl")):
        y = 100 + 40 * n
        row = element("", "table row", (0, y, 600, 40), parent="t", id=f"row{n}")
        on = ("checked",) if name == "Berg" else ()
        box = element("", "check box", (10, y + 12, 13, 13), "checkable", *on, parent=row.id)
        cell = element(name, "table cell", (60, y, 200, 40), parent=row.id)
        delete = element("Delete", "push button", (400, y + 5, 80, 30), parent=row.id, id=f"d{n}")
        rows += [row, box, cell, delete]
    world = World(element("", "table", (0, 60, 600, 200), id="t"), *rows)
    desk = desk_of(world)
    for name, so in (("Berg", True), ("Dahl", False)):
        told = play(world, holds(desk, Is(f"the box in the row for {name}", "checked")))
        denied = play(world, holds(desk, Not(Is(f"the box in the row for {name}", "checked"))))
        assert isinstance(told, tuple)
        assert isinstance(denied, tuple)
        assert (told[0], denied[0]) == (so, not so)


def hidden_boxes() -> World:
    """Rows with buttons, each with a box of one name that the page hides under a drawing."""
    rows: list[Element] = []
    hidden: list[Element] = []
    for n, name in enumerate(("Ann", "Bob", "Cid")):
        y, row = 100 + 40 * n, f"row{n}"
        rows += [
            element("", "table row", (0, y, 600, 40), parent="t", id=row),
            element("Pick", "table cell", (0, y, 45, 40), parent=row, id=f"c{n}"),
            element(name, "table cell", (60, y, 200, 40), parent=row, id=f"n{n}"),
            element("Edit", "push button", (400, y + 5, 60, 30), parent=row, id=f"e{n}"),
            element("Remove", "push button", (480, y + 5, 80, 30), parent=row, id=f"r{n}"),
        ]
        on = ("checked",) if name == "Ann" else ()
        states = ("visible", "enabled", "sensitive", "checkable", *on)
        box = Box(10, y + 12, 14, 15)
        hidden.append(Element(f"h{n}", "check box", "Pick", None, box, states, f"c{n}"))
    page = element("Team", "document web", (0, 0, 800, 600), id="p")
    world = World(page, element("", "table", (0, 60, 600, 200), parent="p", id="t"), *rows)
    world.hidden = hidden

    def click(action: Click) -> None:
        at = (action.y - 100) // 40
        one = world.hidden[at]
        on = "checked" in one.states
        flipped = tuple(s for s in one.states if s != "checked") + (() if on else ("checked",))
        world.hidden[at] = replace(one, states=flipped)
        world.painted += "; clicked"

    world._click = click  # type: ignore[method-assign]
    return world


def test_a_box_under_a_drawing_is_told_by_its_row() -> None:
    world = hidden_boxes()
    desk = desk_of(world)
    play(world, tick(desk, Tick(("the box in the row for Bob",), True)))
    assert ["checked" in e.states for e in world.hidden] == [True, True, False]
    for name, so in (("Bob", True), ("Cid", False)):
        told = play(world, holds(desk, Is(f"the box in the row for {name}", "checked")))
        assert isinstance(told, tuple)
        assert told[0] is so


def test_of_boxes_under_drawings_none_is_taken_because_the_last_step_was_near_it() -> None:
    world = hidden_boxes()
    desk = desk_of(world)
    desk.worked = Box(10, 112, 14, 15)
    with pytest.raises(Missed):
        play(world, tick(desk, Tick(("the Pick box",), True)))
    assert ["checked" in e.states for e in world.hidden] == [True, False, False]


def three_ways(*order: str) -> World:
    """A box that goes through its states in an order of its own, from half a tick on."""
    at = (10, 10, 16, 16)
    world = World(element("All rights", "check box", at, "checkable", "indeterminate"))
    now = ["indeterminate"]

    def turn(w: World, pressed: Element, _action: Action) -> None:
        now[0] = order[(order.index(now[0]) + 1) % len(order)]
        shown = (*USABLE, "checkable", *((now[0],) if now[0] else ()))
        w.change(pressed.name, states=shown)

    world.on("All rights", turn)
    return world


@pytest.mark.parametrize(
    "order", [("indeterminate", "checked", ""), ("indeterminate", "", "checked")]
)
@pytest.mark.parametrize("on", [True, False])
def test_a_box_that_is_ticked_by_half_is_brought_to_either_state(
    order: tuple[str, ...], on: bool
) -> None:
    world = three_ways(*order)
    desk = desk_of(world)
    assert play(world, tick(desk, Tick(("All rights",), on=on)), desk) is None
    assert ("checked" in world.elements[0].states) is on
    assert "indeterminate" not in world.elements[0].states


def test_a_box_that_stays_ticked_by_half_fails() -> None:
    world = World(element("All", "check box", (10, 10, 16, 16), "checkable", "indeterminate"))
    desk = desk_of(world)
    with pytest.raises(Missed, match="still half on"):
        play(world, tick(desk, Tick(("All",), on=False)), desk)


def test_a_box_that_is_ticked_by_half_is_not_ticked() -> None:
    box = element("All", "check box", (10, 10, 16, 16), "checkable", "checked", "indeterminate")
    world = World(box)
    desk = desk_of(world)
    assert play(world, holds(desk, Is("All", "checked")), desk)[0] is False  # type: ignore[index]
