from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Type
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
from carrel.models.steps.verbs.commanding import files_in, which_file
from carrel.models.steps.verbs.guessing import hint_in
from carrel.models.steps.verbs.highlighting import change, highlight
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.setting import set_value
from carrel.models.steps.verbs.telling import answers_in


def field(name: str, y: int = 10, *states: str, value: str = "", role: str = "entry") -> Element:
    return element(name, role, (100, y, 200, 20), "editable", *states, value=value)


def clicks(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


# Guessing


def secret(number: int) -> World:
    world = World(
        field("Your guess"),
        element("Try it out", "static", (10, 60, 200, 20), id="told"),
        element("Submit", at=(10, 90, 60, 20)),
    )

    def judge(world: World, hit: Element, action: Action) -> None:
        said = int(next(e.value or "0" for e in world.elements if e.name == "Your guess"))
        told = "Too low!" if said < number else "Too high!" if said > number else "Correct!"
        world.elements = [
            replace(e, name=f"{told} ({said})") if e.id == "told" else e for e in world.elements
        ]

    world.on("Submit", judge)
    return world


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0-9"), (9, "0 and 9"), (37, "1 and 50"), (-3, "-10 and 10")]
)
def test_a_number_is_found_by_what_the_screen_says_to_each_guess(number: int, said: str) -> None:
    world = secret(number)
    step = Perform("guess", "the number", (("between", said),))
    assert play(world, perform(desk_of(world), step)) == f"the number is {number}"


def test_guessing_stops_where_nothing_is_told() -> None:
    world = World(field("Your guess"), element("Submit", at=(10, 90, 60, 20)))
    with pytest.raises(Missed, match="higher or lower"):
        play(world, perform(desk_of(world), Perform("guess", "the number")))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("The number is higher than 4", "up"),
        ("Too small.", "up"),
        ("My number is less than 7", "down"),
        ("That is too big", "down"),
        ("You got it!", "right"),
        ("Not correct, try again", None),
        ("Waiting for you", None),
    ],
)
def test_hints_are_understood(text: str, hint: str | None) -> None:
    assert hint_in(text) == hint


# Telling which is which


def rows(*numbers: int) -> World:
    parts: list[Element] = []
    for at, number in enumerate(numbers):
        y = 10 + 40 * at
        parts += [
            element("Odd", at=(10, y, 50, 24)),
            element(str(number), "static", (80, y, 40, 24)),
            element("Even", at=(140, y, 50, 24)),
        ]
    return World(*parts)


@pytest.mark.parametrize("said", ["odd or even", "even or odd", "either odd or even"])
def test_each_number_gets_its_answer(said: str) -> None:
    world = rows(8, -3, 10)
    play(world, perform(desk_of(world), Perform("mark", "the numbers", (("as", said),))))
    assert clicks(world) == [(165, 22), (35, 62), (165, 102)]


def test_only_answers_that_can_be_worked_out_are_told() -> None:
    assert answers_in(Perform("mark", "the words", (("as", "nice or ugly"),))) is None
    assert answers_in(Perform("mark", "the mail", (("as", "important"),))) is None


def test_numbers_without_answers_are_told() -> None:
    world = World(element("8", "static", (80, 10, 40, 24)))
    with pytest.raises(Missed, match="no number has odd and even"):
        play(
            world, perform(desk_of(world), Perform("mark", "the numbers", (("as", "odd or even"),)))
        )


# Commands

FILES = ["notes.txt", "ship.gif", "harbour", "sea.GIF", ".hidden"]


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("a file ending with the extension .txt", "notes.txt"),
        ("a file of the type gif", "ship.gif"),
        ("any file with the extension gif", "ship.gif"),
        ("a file without an extension", "harbour"),
        ("the file that has no file extension", "harbour"),
        ("the file named ship.gif", "ship.gif"),
        ("the file called nothing.txt", None),
        ("a file that is pretty", None),
    ],
)
def test_the_file_that_is_meant_is_chosen(phrase: str, name: str | None) -> None:
    assert which_file(FILES, phrase) == name


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_listing_can_be_read(listing: str, phrase: str) -> None:
    which_file(files_in(listing), phrase)


def test_a_file_is_deleted_by_the_commands_of_a_terminal() -> None:
    world = World(element("me$", "static", (10, 10, 30, 12)))
    typed: list[str] = []

    def answer(world: World, hit: Element, action: Action) -> None:
        typed.append(next(a.text for a in reversed(world.done) if isinstance(a, Type)))
        y = 30 * len(world.elements)
        said = "ship.gif notes.txt" if typed[-1] == "ls" else ""
        world.elements.append(element(said, "static", (10, y, 300, 12), id=f"out{y}"))
        world.elements.append(element("me$", "static", (10, y + 15, 30, 12), id=f"prompt{y}"))

    world.on("key", answer)
    step = Perform("delete", "a file with the extension txt", place="the terminal")
    play(world, perform(desk_of(world), step))
    assert typed == ["ls", "rm notes.txt"]


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
