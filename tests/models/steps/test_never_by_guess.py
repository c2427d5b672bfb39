"""What nobody asked for is not done, and what was not seen is not called so."""

from __future__ import annotations

import pytest
from steps_world import SIZE, World, element

from carrel.actions import Click, Drag, Key, Type
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player


def carry_out(world: World, words: str) -> tuple[str | None, list[object]]:
    """Why it stopped, or None; and what was done to the screen."""
    desk = Desk(SIZE)
    desk.take(world.seen())
    player = Player(read_sentence(words), desk)
    turns = player.play()
    try:
        request = next(turns)
        for _ in range(400):
            request = turns.send(world.answer(request))
        pytest.fail(f"no end: {words}")
    except StopIteration:
        pass
    return player.account, [a for a in world.done if isinstance(a, Click | Drag | Key | Type)]


def menu() -> Element:
    return element("File", "menu", (10, 10, 60, 20))


def field(name: str, top: int = 60) -> Element:
    states = ("editable", "focusable", "single line")
    return element(name, "entry", (100, top, 120, 20), *states, value="")


@pytest.mark.parametrize(
    "words",
    [
        "Verify that the Save button is disabled",
        "Verify that the Terms checkbox is not checked",
        "Ensure the email field is not empty",
        'Verify that the Total field does not contain "5"',
    ],
)
def test_of_a_thing_that_is_not_there_nothing_is_said(words: str) -> None:
    account, _ = carry_out(World(menu()), words)
    assert account is not None
    assert "no " in account


@pytest.mark.parametrize(
    "words",
    [
        "If the Trial checkbox is not checked, click Delete",
        "Unless the Safe mode switch is on, click Delete",
    ],
)
def test_what_depends_on_a_thing_that_is_not_there_is_not_done(words: str) -> None:
    delete = element("Delete", "push button", (10, 60, 60, 20))
    assert carry_out(World(menu(), delete), words)[1] == []


def test_what_is_written_in_pixels_alone_is_shown() -> None:
    world = World(menu())
    box = Box(10, 60, 160, 20)
    seen = Element("o1", "label", "", None, box, text="Error: disk full", source="ocr")
    world.closer_elements = [seen]
    account, _ = carry_out(world, 'Verify that "Error: disk full" is not shown')
    assert account is not None


@pytest.mark.parametrize(
    "words", ["Delete all emails from Bob", "Click all the blue links", "勾选所有复选框"]
)
def test_all_of_nothing_is_not_done(words: str) -> None:
    account, done = carry_out(World(menu()), words)
    assert account is not None
    assert done == []


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("Click Search", "Add to cart"),
        ("Click Log in", "Create account"),
        ("Click Save", "Send"),
        ("Press OK", "Add"),
    ],
)
def test_the_only_button_is_not_another_one(words: str, there: str) -> None:
    button = element(there, "push button", (100, 100, 80, 20))
    account, done = carry_out(World(field("Name"), button), words)
    assert account is not None
    assert done == []


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("Delete Report.pdf", "Delete account"),
        ("Remove Alice", "Remove all"),
        ("Delete the old note", "Discard draft"),
        ("Reply to Ann", "Reply all"),
    ],
)
def test_a_control_for_more_than_was_asked_is_not_pressed(words: str, there: str) -> None:
    names = [element(n, "label", (10, 200 + 30 * i, 90, 20)) for i, n in enumerate(_THINGS)]
    button = element(there, "push button", (300, 100, 120, 20))
    _, done = carry_out(World(*names, button), words)
    assert not [action for action in done if isinstance(action, Click) and action.x > 290]


_THINGS = ("Report.pdf", "Alice", "the old note", "Ann")


@pytest.mark.parametrize(
    ("words", "text"),
    [("ok", "Bookmarks"), ("1 item", "21 items in your cart"), ("art", "Start")],
)
def test_a_part_of_a_word_is_not_the_word(words: str, text: str) -> None:
    world = World(element(text, "label", (10, 10, 180, 20)))
    account, _ = carry_out(world, f'Verify that "{words}" is shown')
    assert account is not None
    world = World(element(f"There: {words}!", "label", (10, 10, 180, 20)))
    assert carry_out(world, f'Verify that "{words}" is shown')[0] is None


def test_a_count_of_nothing_is_no_answer() -> None:
    world = World(element("0"), element("3", at=(10, 60, 80, 20)))
    words = "Press the button that says how many sides the shape has"
    failed, pressed = carry_out(world, words)
    assert failed is not None
    assert not pressed
