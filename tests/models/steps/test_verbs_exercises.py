from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.program import (
    Change,
    Choose,
    Highlight,
    Perform,
    SetValue,
)
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.highlighting import change, highlight
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.setting import set_value


def field(name: str, y: int = 10, *states: str, value: str = "", role: str = "entry") -> Element:
    return element(name, role, (100, y, 200, 20), "editable", *states, value=value)


def clicks(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


# Spinners and editors


def test_a_spinner_that_takes_no_text_is_turned_by_its_arrows() -> None:
    spinner = element("Guests", "spin button", (10, 10, 100, 20), "editable", value="3", id="s")
    world = World(element("", "section", (8, 8, 124, 24), id="around"), spinner)

    def turn(world: World, hit: Element, action: Action) -> None:
        assert isinstance(action, Click)
        if action.x < 115:
            return
        by = 1 if action.y < 20 else -1
        world.elements = [
            replace(e, value=str(int(e.value or "0") + by)) if e.id == "s" else e
            for e in world.elements
        ]

    world.on("", turn)
    world._type = lambda text: None  # type: ignore[method-assign]
    play(world, set_value(desk_of(world), SetValue("Guests", "7")))
    assert next(e.value for e in world.elements if e.id == "s") == "7"
    play(world, set_value(desk_of(world), SetValue("Guests", "5")))
    assert next(e.value for e in world.elements if e.id == "s") == "5"


def editor(text: str) -> World:
    return World(
        element("fmt-bold-symbolic", at=(10, 10, 24, 24)),
        element("fmt-underline-symbolic", at=(40, 10, 24, 24)),
        element("", "entry", (10, 50, 300, 100), "editable", "multi line", value=text),
    )


@pytest.mark.parametrize("phrase", ["everything", "all of the text", "the whole document"])
def test_everything_in_an_editor_is_selected(phrase: str) -> None:
    world = editor("The ferry leaves at nine.")
    play(world, highlight(desk_of(world), Highlight(phrase)))
    assert world.done == [Click(160, 100), Key(("ctrl", "a"))]


def test_words_in_an_editor_are_selected_by_the_keyboard() -> None:
    world = editor("The ferry leaves at nine.")
    play(world, highlight(desk_of(world), Highlight('the text "leaves at"')))
    assert world.done[1:] == [
        Key(("ctrl", "home")),
        Key(("right",), repeat=10),
        Key(("shift", "right"), repeat=9),
    ]


@pytest.mark.parametrize(("style", "at"), [("bold", 22), ("underlined", 52), ("an underline", 52)])
def test_a_style_has_its_icon(style: str, at: int) -> None:
    world = editor("The ferry leaves at nine.")
    play(world, change(desk_of(world), Change("everything", style)))
    assert clicks(world)[-1] == (at, 22)


@pytest.mark.parametrize("item", ["Soup", "Rice and Beans", "Tea"])
def test_what_is_ordered_is_added_next_to_it(item: str) -> None:
    parts: list[Element] = []
    for number, name in enumerate(("Soup", "Rice and Beans", "Tea")):
        y, row = 10 + 60 * number, f"r{number}"
        parts += [
            element("", "section", (0, y, 400, 50), id=row),
            element(name, "static", (10, y + 5, 120, 16), parent=row),
            element("-", "static", (300, y + 5, 12, 20), parent=row),
            element("+", "static", (330, y + 5, 12, 20), parent=row),
        ]
    world = World(*parts)
    play(world, perform(desk_of(world), Perform("order", f'"{item}"', (("quantity", "2"),))))
    y = 10 + 60 * ("Soup", "Rice and Beans", "Tea").index(item) + 15
    assert clicks(world) == [(336, y), (336, y)]


# Drop-downs of mere boxes


def dropdown() -> World:
    world = World(
        element("", "section", (40, 40, 120, 30), id="box"),
        element("", "entry", (40, 40, 1, 1), "editable", parent="box", value=""),
        element("Go", at=(40, 200, 60, 20)),
    )

    def opened(world: World, hit: Element, action: Action) -> None:
        for number, name in enumerate(("Oslo", "Bergen", "Moss")):
            world.elements.append(element(name, "static", (40, 80 + 20 * number, 100, 18)))

    world.on("", opened)
    return world


@pytest.mark.parametrize("phrase", ["the dropdown", "the drop-down list", "the drop down"])
def test_a_dropdown_of_mere_boxes_is_opened_and_chosen_from(phrase: str) -> None:
    world = dropdown()
    play(world, choose(desk_of(world), Choose(("Bergen",), phrase)))
    assert clicks(world) == [(100, 55), (90, 109)]


def test_an_option_that_it_does_not_have_is_told() -> None:
    world = dropdown()
    with pytest.raises(Missed, match="no option 'Paris'"):
        play(world, choose(desk_of(world), Choose(("Paris",), "the dropdown")))
