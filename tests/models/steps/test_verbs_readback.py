"""What a field holds is what was typed, or the step fails; and no secret is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Type
from carrel.frames import Element
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.program import Copy, Enter, Has, Not, Read, Submit
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.clipboard import copy
from carrel.models.steps.verbs.entering import enter, submit
from carrel.models.steps.verbs.looking import read
from carrel.models.steps.verbs.readback import agrees, can_be_read

SECRET = "{{secret:PW}}"


def field(name: str = "Name", role: str = "entry", *states: str, value: str = "") -> Element:
    return element(name, role, (100, 10, 200, 20), "editable", *states, value=value)


@pytest.mark.parametrize(
    ("wanted", "held"),
    [
        ("1.5", "15"),
        ("-5", "5"),
        ("***", ""),
        ("PassWord", "password"),
        ("a.b@c", "abc"),
        ("+4912345", "4912345"),
        ("007", "7"),
        ("2024-01-02", "20240102"),
        ("12345.67", "1234567"),
        (" ", ""),
        ("", "rest"),
    ],
)
def test_another_value_is_not_the_same(wanted: str, held: str) -> None:
    assert not agrees(held, wanted, field())


@pytest.mark.parametrize(
    ("wanted", "held"),
    [
        ("1000", "1,000"),
        ("1234567", "1.234.567"),
        ("2.5", "2.50"),
        ("5", "$5"),
        ("-5", "-5.00"),
        ("5551234", "555-1234"),
        ("4111111111111111", "4111 1111 1111 1111"),
        ("two  words", "two words"),
    ],
)
def test_numbers_may_be_grouped_the_fields_own_way(wanted: str, held: str) -> None:
    assert agrees(held, wanted, field())


def test_a_field_for_numbers_may_drop_how_they_were_grouped() -> None:
    assert agrees("5551234", "555-1234", field("Phone number"))
    assert not agrees("5551234", "555-1234", field("Reference"))


@given(st.text(max_size=40), st.text(max_size=40))
def test_only_the_same_letters_agree(one: str, other: str) -> None:
    letters = [c for c in one if c.isalpha()], [c for c in other if c.isalpha()]
    if agrees(one, other, field()):
        assert letters[0] == letters[1]


@given(st.text(min_size=1, max_size=30))
def test_nothing_is_never_what_was_typed(text: str) -> None:
    assert not agrees("", text, field())


def test_longer_texts_than_are_told_are_compared_by_what_is() -> None:
    text = "word " * 1000
    assert agrees(text[:2000], text, field())
    assert not agrees("x" * 2000, text, field())
    password = field("Password", "password text")
    assert agrees("•" * 64, "p" * 80, password)
    assert not agrees("•" * 63, "p" * 80, password)


def test_what_was_read_may_lack_a_letter() -> None:
    assert can_be_read(["$ cat notes.tx"], "cat notes.txt")
    assert not can_be_read(["Welcome"], "cat notes.txt")


# Secrets


def test_a_secret_is_typed_by_reference_once_and_need_only_be_there() -> None:
    world = World(field("Key"))
    real = "sk-very-long-and-real"

    def fill(w: World, _e: Element, action: Action) -> None:
        w.change("Key", value=real)

    world.reactions["type"] = fill
    desk = desk_of(world)
    play(world, enter(desk, Enter(SECRET, "Key")))
    assert [a for a in world.done if isinstance(a, Type)] == [Type(SECRET)]
    assert not any(real in thought for thought in world.thoughts)


def test_a_secret_that_does_not_arrive_is_told_without_what_the_field_holds() -> None:
    world = World(field("Key"))
    world.reactions["type"] = lambda w, _e, _a: w.change("Key", value="")
    with pytest.raises(Missed, match="is empty after a secret was typed"):
        play(world, enter(desk_of(world), Enter(SECRET, "Key")))


def test_no_account_tells_a_password() -> None:
    world = World(field("Password", "password text"))
    world.reactions["type"] = lambda w, _e, _a: w.change("Password", value="•••")
    with pytest.raises(Missed) as missed:
        play(world, enter(desk_of(world), Enter("hunter2-from-set", "Password")))
    told = (missed.value.account, *world.thoughts)
    assert not any("hunter2" in text or "•" in text for text in told)


def test_what_a_password_field_holds_is_neither_read_out_nor_copied_nor_compared() -> None:
    world = World(field("Password", "password text", "focused", value="hunter2"))
    desk = desk_of(world)
    assert "hunter2" not in str(play(world, read(desk, Read("the Password field", "P"))))
    with pytest.raises(Missed) as missed:
        play(world, copy(desk_of(world), Copy()))
    assert "hunter2" not in missed.value.account
    for condition in (Has("Password", "x"), Not(Has("Password", "x"))):
        told = play(world, holds(desk_of(world), condition))
        assert isinstance(told, tuple)
        assert not told[0]
        assert "hunter2" not in told[1]


# Where the keyboard is


def test_what_is_typed_where_the_keyboard_is_replaces_and_is_read_back() -> None:
    world = World(field("Name", "entry", "focused", value="old"))
    play(world, enter(desk_of(world), Enter("hello")))
    assert world.elements[0].value == "hello"


def test_an_editor_is_written_in_where_its_caret_is() -> None:
    world = World(field("Text", "text", "focused", "multi line", value="first "))
    play(world, enter(desk_of(world), Enter("second")))
    assert world.elements[0].value == "first second"


def test_where_nothing_can_be_read_something_has_to_change() -> None:
    world = World(element("Canvas", "canvas", (0, 0, 400, 300)))
    desk = desk_of(world)
    play(world, enter(desk, Enter("hello")))
    assert desk.doubts == ["what was typed cannot be read on the screen"]
    world.alive = False
    with pytest.raises(Missed, match="nothing changed"):
        play(world, enter(desk_of(world), Enter("hello")))


def test_what_can_be_read_in_the_pixels_is_not_in_doubt() -> None:
    world = World(element("Canvas", "canvas", (0, 0, 400, 300)))
    line = Element("o1", "label", "", None, world.elements[0].box, text="$ hello", source="ocr")
    world.closer_elements = [line]
    desk = desk_of(world)
    play(world, enter(desk, Enter("hello")))
    assert not desk.doubts


# Finishing


def test_of_two_buttons_that_finish_none_is_chosen() -> None:
    world = World(element("Log in"), element("Send", at=(10, 60, 80, 20)))
    with pytest.raises(Missed, match="more than one button"):
        play(world, submit(desk_of(world), Submit()))
    assert not world.done


def test_the_button_of_the_form_one_works_in_finishes_it() -> None:
    form = element("", "form", (0, 100, 300, 200), id="f")
    own = element("Send", at=(10, 260, 80, 20), parent="f")
    inside = replace(field("Message"), parent="f", box=form.box and own.box)
    world = World(element("Search"), form, inside, own)
    desk = desk_of(world)
    desk.worked = inside.box
    play(world, submit(desk, Submit()))
    assert world.done == [Click(50, 270)]


@pytest.mark.parametrize("name", ["OK", "Continue", "Got it"])
def test_nothing_that_comes_up_is_agreed_to(name: str) -> None:
    comes_up(name, expected=False)


@pytest.mark.parametrize("name", ["Close", "No thanks", "Not now", "取消"])
def test_what_comes_up_while_one_types_is_closed(name: str) -> None:
    comes_up(name, expected=True)


def comes_up(name: str, *, expected: bool) -> None:
    """Type while a question appears that swallows what is typed."""
    world = World(field("Name"))
    button = element(name, at=(300, 300, 80, 20))
    swallowing: list[bool] = [True]

    def ask(w: World, _e: Element, _a: Action) -> None:
        if swallowing:
            w.elements = [replace(w.elements[0], value=""), button]

    def close(w: World, _e: Element, _a: Action) -> None:
        swallowing.clear()
        w.elements = w.elements[:1]

    world.reactions["type"] = ask
    world.on(name, close)
    outcome: Callable[[], object] = lambda: play(world, enter(desk_of(world), Enter("Ada", "Name")))  # noqa: E731
    if expected:
        outcome()
        assert world.elements[0].value == "Ada"
        return
    with pytest.raises(Missed):
        outcome()
    assert Click(340, 310) not in world.done


def a_field_that_hands_on_the_keyboard(other: Element, *, new: bool) -> World:
    """A click on `Code`, which tells nothing of what it holds, has `other` take the keyboard."""
    code = element("Code", "entry", (100, 10, 200, 20), "editable")

    def hand_on(world: World, _element: Element, _action: Action) -> None:
        if new:
            world.elements.append(other)
        world._focus(other)

    world = World(code, *(() if new else (other,)))
    world.on("Code", hand_on)
    return world


def test_keys_that_go_into_another_field_are_told_and_fail() -> None:
    notes = element("Notes", "entry", (100, 80, 200, 20), "editable", value="", id="n")
    world = a_field_that_hands_on_the_keyboard(notes, new=False)
    with pytest.raises(Missed, match=r"went into Notes \(entry\), not into Code"):
        play(world, enter(desk_of(world), Enter("X-12", "Code")))


def test_keys_that_a_new_field_takes_for_something_else_fail() -> None:
    hour = element("Hour", "spin button", (100, 34, 60, 20), "editable", value="12", id="h")
    world = a_field_that_hands_on_the_keyboard(hour, new=True)
    world.on("type", lambda w, _e, _a: w.change("Hour", value="1212"))
    with pytest.raises(Missed, match=r"went into Hour \(spin button\), not into Code"):
        play(world, enter(desk_of(world), Enter("X-12", "Code")))


def test_a_field_that_comes_up_to_take_the_text_is_no_doubt() -> None:
    search = element("Search", "entry", (100, 200, 300, 20), "editable", value="", id="s")
    world = a_field_that_hands_on_the_keyboard(search, new=True)
    desk = desk_of(world)
    play(world, enter(desk, Enter("X-12", "Code")))
    assert [e.value for e in world.elements if e.name == "Search"] == ["X-12"]
    assert not desk.doubts
