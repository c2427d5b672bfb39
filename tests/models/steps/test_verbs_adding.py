"""Entries that a page takes by a field alone, what is edited in place, and files that are moved."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click, Key, Type
from carrel.actions import Scroll as Wheel
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.program import (
    Choose,
    Enter,
    Perform,
    Point,
    Program,
    Scroll,
    SetValue,
    Step,
)
from carrel.models.steps.verbs.month_walks import walk_calendar

LINE = ("editable", "single line")


def played(world: World, sentence: str | Step) -> Player:
    """Carry a sentence out, or a step as it is read from one."""
    program = read_sentence(sentence) if isinstance(sentence, str) else Program((sentence,))
    player = Player(program, desk_of(world))
    play(world, player.play())
    return player


def a_list(hint: str = "What is to be done?", *more: Element) -> World:
    return World(
        element("List", "document web", (0, 0, 800, 600), id="page"),
        element(hint, "entry", (20, 20, 300, 30), *LINE, parent="page", id="new"),
        *more,
    )


class Adding(World):
    """A list that takes what is in its field when Enter is pressed."""

    def _key(self, action: Key) -> None:
        field = next(e for e in self.elements if e.id == "new")
        if action.keys == ("enter",) and field.value:
            self.elements.append(element(field.value, "list item", (20, 80, 300, 20)))
            self.elements = [replace(e, value="") if e is field else e for e in self.elements]


def test_an_entry_is_added_by_the_only_field_of_a_page_and_seen_there() -> None:
    world = Adding(*a_list().elements)
    player = played(world, "Add a todo called Water plants")
    assert player.account is None
    assert not player.doubtful
    assert [e.name for e in world.elements if e.role == "list item"] == ["Water plants"]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: a_list("Search the list"), "Add a todo called Water plants"),
        (
            lambda: a_list("Street", element("Mail", "entry", (20, 60, 300, 30), *LINE)),
            "Add a todo called Water plants",
        ),
    ],
)
def test_nothing_is_typed_into_a_field_that_may_be_for_something_else(
    make: Callable[[], World], sentence: str
) -> None:
    world = make()
    assert played(world, sentence).account is not None
    assert not [a for a in world.done if isinstance(a, Type)]


def test_an_entry_that_is_not_seen_afterwards_is_in_doubt() -> None:
    world = a_list()
    player = played(world, "Add a todo called Water plants")
    assert player.account is None
    assert player.doubtful


def an_edited_cell() -> World:
    """A cell that became a field when it was double-clicked, under a field to search with."""
    return World(
        element("Table", "document web", (0, 0, 800, 600), id="page"),
        element("Search", "entry", (500, 20, 200, 30), *LINE, parent="page", id="search"),
        element(
            "",
            "entry",
            (20, 80, 200, 30),
            *LINE,
            "focused",
            value="Dhanbad",
            parent="page",
            id="in",
        ),
    )


@pytest.mark.parametrize(
    "step",
    [
        Perform("replace", 'the city "Dhanbad"', (("with", "Mumbai"),)),
        Enter("Mumbai", 'the city "Dhanbad"'),
        SetValue('"Dhanbad"', "Mumbai"),
    ],
)
def test_what_is_edited_in_place_is_replaced_there(step: Step) -> None:
    world = an_edited_cell()
    assert played(world, step).account is None
    held = {e.id: e.value for e in world.elements}
    assert (held["search"], held["in"]) == (None, "Mumbai")


def test_a_field_to_search_with_takes_nothing_that_is_to_be_replaced() -> None:
    world = an_edited_cell()
    world.elements = [e for e in world.elements if e.id != "in"]
    world.elements.append(element("Dhanbad", "static", (20, 80, 80, 18), parent="page"))
    step = Perform("replace", 'the city "Dhanbad"', (("with", "Mumbai"),))
    assert played(world, step).account is not None
    assert not [a for a in world.done if isinstance(a, Type)]


@pytest.mark.parametrize(("how", "x"), [("Click", 30), ("Double-click", 100), ("Right-click", 100)])
def test_the_words_of_a_box_to_tick_are_clicked_twice_and_not_the_box(how: str, x: int) -> None:
    world = World(
        element("List", "document web", (0, 0, 800, 600), id="page"),
        element("", "check box", (20, 20, 20, 20), "checkable", parent="page"),
        element("Water plants", "static", (50, 20, 100, 20), parent="page"),
    )
    assert played(world, f'{how} "Water plants"').account is None
    assert [a.x for a in world.done if isinstance(a, Click)] == [x]


def a_filtered_table() -> World:
    return World(
        element("Table", "document web", (0, 0, 800, 600), id="page"),
        element("", "table", (0, 0, 400, 200), id="table", parent="page"),
        *(
            part
            for x, name in ((0, "country"), (200, "year"))
            for part in (
                element("", "table cell", (x, 0, 200, 30), parent="table", id=f"cell {name}"),
                element("", "entry", (x, 4, 180, 22), *LINE, parent=f"cell {name}", id=name),
                element(name, "column header", (x, 30, 200, 30), parent="table"),
            )
        ),
    )


def test_a_column_is_filtered_by_the_field_it_has() -> None:
    world = a_filtered_table()
    assert played(world, "Filter the country column by Russia").account is None
    held = {e.id: e.value for e in world.elements}
    assert (held["country"], held["year"]) == ("Russia", None)
    assert played(world, "Filter the size column by Russia").account is not None


def test_in_a_column_with_a_drop_down_its_option_is_chosen_and_no_cell() -> None:
    world = a_filtered_table()
    world.elements = [
        replace(
            e, role="combo box", states=("enabled", "sensitive", "showing", "visible", "has popup")
        )
        if e.id == "year"
        else e
        for e in world.elements
    ]
    world.elements.append(element("1999", "table cell", (200, 80, 200, 30), parent="table"))
    played(world, "In the year column choose 1999")
    assert next((a.x, a.y) for a in world.done if isinstance(a, Click)) == (290, 15)


def a_file_manager() -> World:
    world = World(
        element("home", "frame", (0, 0, 600, 400), id="frame"),
        element("bill.txt", "icon", (40, 60, 80, 60), parent="frame"),
        element("Bills", "icon", (160, 60, 80, 60), parent="frame"),
    )
    window = Window(1, "home - Thunar", Box(0, 0, 600, 400), "Thunar", 7, focused=True)
    world.windows = [window]
    return world


def test_a_file_is_cut_by_a_click_and_the_keys_and_pasted_where_one_is() -> None:
    world = a_file_manager()
    assert played(world, "Cut bill.txt and paste it there").account is None
    done = [a for a in world.done if isinstance(a, Click | Key)]
    assert [a.keys for a in done if isinstance(a, Key)] == [("ctrl", "x"), ("ctrl", "v")]
    assert [(a.x, a.y) for a in done if isinstance(a, Click)] == [(80, 90)]


def month_of(name: str, top: int, x: int = 20) -> list[Element]:
    """A month that begins on the first day of a week, with arrows."""
    return [
        element("‹", "push button", (x, top, 20, 20), id=f"back {name}"),
        element(name, "static", (x + 30, top, 120, 20)),
        element("›", "push button", (x + 190, top, 20, 20), id=f"on {name}"),
        element("", "table", (x, top + 30, 210, 150), id=f"table {name}"),
        *(
            element(
                str(day),
                "table cell",
                (x + 30 * ((day - 1) % 7), top + 30 + 30 * ((day - 1) // 7), 30, 30),
                parent=f"table {name}",
                id=f"{name} {day}",
            )
            for day in range(1, 31)
        ),
    ]


@pytest.mark.parametrize(("field", "y"), [(20, 155), (320, 455)])
def test_of_two_calendars_the_one_under_the_field_is_used(field: int, y: int) -> None:
    world = World(
        element("", "entry", (20, field, 150, 24), *LINE, id="field"),
        *month_of("June 2026", 50),
        *month_of("June 2026 ", 350),
    )
    desk = desk_of(world)
    desk.worked = Box(20, field, 150, 24)
    play(world, walk_calendar(desk, datetime.date(2026, 6, 18)))
    assert [(a.x, a.y) for a in world.done if isinstance(a, Click)] == [(125, y)]


def a_pager(*names: str) -> World:
    return World(
        element("Table", "document web", (0, 0, 800, 600), id="page"),
        *(
            element(name, "link", (20 + 60 * n, 500, 40, 20), parent="page")
            for n, name in enumerate(("1", "2", "3", *names))
        ),
    )


def test_the_last_page_is_turned_to_by_what_leads_there_and_by_nothing_else() -> None:
    world = a_pager("Next", "Last")
    assert played(world, Point("the last page")).account is None
    assert "pressed Last" in world.painted
    world = a_pager("Next")
    assert played(world, Point("the last page")).account is not None
    assert not [a for a in world.done if isinstance(a, Click)]


def test_a_day_is_picked_in_the_calendar_that_is_shown() -> None:
    world = World(*month_of("June 2026", 50))
    assert played(world, Choose(("the 18th",))).account is None
    assert [(a.x, a.y) for a in world.done if isinstance(a, Click)] == [(125, 155)]
    world = World(element("June 2026", "static"), element("18th", "push button", (10, 60, 60, 20)))
    assert played(world, Choose(("the 18th",))).account is None


def test_what_a_field_offers_is_a_list_though_its_page_does_not_call_it_so() -> None:
    world = World(
        element("States", "entry", (20, 20, 200, 24), *LINE, "focused", value="Tex"),
        element("Texas", "static", (20, 50, 200, 20)),
        element("Texarkana", "static", (20, 70, 200, 20)),
    )
    assert played(world, Choose(("Texas",), "the list")).account is None
    assert "pressed Texas" in world.painted


def test_a_tree_is_scrolled_as_the_list_that_people_call_it() -> None:
    world = World(
        element("Demos", "frame", (0, 0, 800, 600), id="frame"),
        element("", "tree table", (0, 40, 200, 500), id="tree", parent="frame"),
        *(
            element(f"Row {n}", "table cell", (0, 40 + 20 * n, 200, 20), parent="tree")
            for n in range(5)
        ),
        element("Read me", "text", (200, 40, 600, 500), parent="frame"),
    )
    assert played(world, Scroll("down", where="the list")).account is None
    [wheel] = [a for a in world.done if isinstance(a, Wheel)]
    assert wheel.x < 200
