"""Dialogs, drop-downs and menus of programs that tell little or nothing of what they show."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.program import Choose, Enter, Perform, Point, Press, SetValue
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.consenting import consent
from carrel.models.steps.verbs.entering import enter
from carrel.models.steps.verbs.lone import lone_field
from carrel.models.steps.verbs.pointing import press
from carrel.models.steps.verbs.rewording import reword
from carrel.models.steps.verbs.setting import set_value
from carrel.models.steps.verbs.whereabouts import goes_into
from carrel.perception._answers import said_on_button


def drawn(role: str, said: str, at: tuple[int, int, int, int], value: str | None = None) -> Element:
    """What only the pixels tell of."""
    source = "ocr" if role == "label" else "detector"
    return Element(f"{role}{at}", role, said, value, Box(*at), text=value or said, source=source)  # type: ignore[arg-type]


def a_dialog(title: str, *held: Element) -> World:
    """A window of a program that tells nothing, over a larger one of the same."""
    world = World()
    world.closer_elements = [drawn("label", title, (200, 90, 60, 12)), *held]
    world.windows = [
        Window(1, "home", Box(0, 0, 900, 600), "Pcmanfm", pid=7),
        Window(2, title, Box(200, 110, 400, 150), "Pcmanfm", focused=True, pid=7),
    ]
    return world


def a_question(*answers: str) -> World:
    buttons = [
        drawn("push button", answer, (220 + 100 * number, 200, 80, 30))
        for number, answer in enumerate(answers)
    ]
    return a_dialog("Confirm", drawn("label", "Move it to trash?", (220, 130, 200, 16)), *buttons)


def clicks(world: World) -> list[int]:
    return [action.x for action in world.done if isinstance(action, Click)]


@pytest.mark.parametrize(("verb", "at"), [("confirm", 360), ("dismiss", 260)])
def test_a_dialog_that_tells_nothing_is_answered_by_what_its_buttons_say(
    verb: str, at: int
) -> None:
    world = a_question("No", "Yes")
    desk = desk_of(world)
    assert play(world, consent(desk, Perform(verb)), desk) is True
    assert clicks(world) == [at]


def test_a_dialog_is_never_confirmed_by_the_one_button_that_denies() -> None:
    world = a_question("No")
    desk = desk_of(world)
    with pytest.raises(Missed, match="no one button"):
        play(world, consent(desk, Perform("confirm")), desk)
    assert clicks(world) == []


def test_without_a_dialog_in_front_nothing_is_confirmed_that_way() -> None:
    world = a_question("No", "Yes")
    world.windows = world.windows[1:]
    desk = desk_of(world)
    assert play(world, consent(desk, Perform("confirm")), desk) is False


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ("XCancel", "Cancel"),
        ("企QK", "OK"),
        ("OK", "OK"),
        ("X Cancel", "Cancel"),
        ("No", "No"),
        ("Now", "Now"),
        ("Reopen", "Reopen"),
        ("Unsave", "Unsave"),
        ("Book", "Book"),
        ("Save As", "Save As"),
    ],
)
def test_the_picture_on_a_button_is_no_letter_of_its_answer(read: str, said: str) -> None:
    assert said_on_button(read) == said


def test_the_only_field_of_a_dialog_is_called_by_what_the_dialog_asks_for() -> None:
    ask = drawn("label", "Please enter a new name:", (220, 130, 200, 16))
    field = drawn("entry", "", (220, 160, 300, 24), "draft.txt")
    world = a_dialog("Rename File", ask, field)
    desk = desk_of(world)
    for phrase in ("the name", "the new name", "the name field"):
        match = play(world, lone_field(desk, phrase), desk)
        assert match is not None
        assert match.element.box == field.box  # type: ignore[attr-defined]
    assert play(world, lone_field(desk, "the size"), desk) is None
    two = a_dialog("Rename File", ask, field, drawn("entry", "", (220, 190, 300, 24), "x"))
    assert play(two, lone_field(desk_of(two), "the name"), desk_of(two)) is None


class Stuck(World):
    """A field that takes no text."""

    def _type(self, text: str) -> None:
        self._show("")


def test_a_drawn_field_that_still_says_what_it_said_has_not_taken_the_text() -> None:
    world = Stuck()
    world.closer_elements = [
        drawn("label", "Group:", (100, 100, 50, 16)),
        drawn("entry", "", (160, 98, 160, 22), "Friends"),
    ]
    desk = desk_of(world)
    with pytest.raises(Missed, match="Friends"):
        play(world, enter(desk, Enter("Family", "the Group field")), desk)


def a_drawn_drop_down() -> World:
    """A drop-down of which only the pixels tell; a click opens its list."""
    world = World()
    label = drawn("label", "Group:", (100, 100, 50, 16))
    closed = drawn("combo box", "", (160, 98, 160, 22), "Friends")
    options = [
        drawn("label", name, (165, 130 + 20 * number, 60, 16))
        for number, name in enumerate(("Family", "Friends", "Work"))
    ]
    world.closer_elements = [label, closed]

    def act(action: Action) -> object:
        if isinstance(action, Click):
            if action.y < 125:
                world.closer_elements = [label, closed, *options]
            else:
                name = options[(action.y - 130) // 20].name
                taken = drawn("combo box", "", (160, 98, 160, 22), name)
                world.closer_elements = [label, taken]
            world.painted += f"{action.y}"
        return before(action)

    before = world._act
    world._act = act  # type: ignore[method-assign, assignment]
    return world


@pytest.mark.parametrize("what", ["the Group", "the group"])
def test_a_drop_down_that_is_only_drawn_is_set_by_its_list(what: str) -> None:
    world = a_drawn_drop_down()
    desk = desk_of(world)
    play(world, set_value(desk, SetValue(what, "Work")), desk)
    assert world.closer_elements[1].value == "Work"


def test_of_a_drawn_drop_down_an_option_that_is_not_there_is_missed() -> None:
    world = a_drawn_drop_down()
    desk = desk_of(world)
    with pytest.raises(Missed):
        play(world, set_value(desk, SetValue("the Group", "Enemies")), desk)
    assert world.closer_elements[1].value == "Friends"


def test_what_is_set_in_a_menu_is_the_item_of_its_submenu() -> None:
    bar = element("", "menu bar", (0, 0, 400, 20), id="bar")
    title = element("Settings", "menu item", (0, 0, 60, 20), parent="bar")
    step = SetValue("the result format", "Hexadecimal", place="the Settings menu")
    told = goes_into(desk_of(World(bar, title)), step)
    assert told == Choose(("Settings", "the result format", "Hexadecimal"), path=True)
    assert goes_into(desk_of(World(bar)), step) == step


def test_a_thing_in_a_program_is_looked_for_in_its_window() -> None:
    desk = desk_of(World())
    step = goes_into(desk, Point("old.log in the file manager"))
    assert step == Point("old.log", place="the file manager")
    chosen = goes_into(desk, Choose(("old.log in the file manager",)))
    assert chosen == Choose(("old.log",), place="the file manager")
    for what in ("Save in the toolbar", "old.log in the list", "the link in the second row"):
        assert goes_into(desk, Point(what)) == Point(what)
    page = desk_of(World(element("Mail", "document web", (0, 0, 900, 600))))
    said = Point("Bold in the editor")
    assert goes_into(page, said) == said


def test_words_are_never_replaced_in_the_field_that_looks_for_them() -> None:
    label = element("Search for:", "label", (0, 0, 90, 20))
    search = element("", "text", (100, 0, 200, 20), "editable", "focused", value="Monday")
    world = World(label, search)
    desk = desk_of(world)
    replace = Perform("replace", '"Monday"', (("with", "Friday"), ("in", "everywhere")))
    assert play(world, reword(desk, replace), desk) is False
    assert world.elements[1].value == "Monday"


def test_keys_to_save_that_only_bring_up_a_dialog_are_in_doubt() -> None:
    world = World(element("", "text", (0, 0, 300, 200), "editable", "multi line", value="x"))
    chooser = element("Save As", "file chooser", (0, 0, 400, 300))
    world.reactions["key"] = lambda shown, _what, _action: shown.elements.append(chooser)
    desk = desk_of(world)
    play(world, press(desk, Press(("ctrl+s",), words="Save the file with Ctrl+S")), desk)
    assert any("nothing is saved" in doubt for doubt in desk.doubts)
    plain = desk_of(world)
    play(world, press(plain, Press(("ctrl+s",), words="Press Ctrl+S")), plain)
    assert not any("nothing is saved" in doubt for doubt in plain.doubts)
