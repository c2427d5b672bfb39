"""Files, the clipboard and lines of editors: what is said of them, and done to them."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from steps_world import World, desk_of, element, play

from carrel import codec
from carrel.actions import Action, GetClipboard, Key, StatFile, Type
from carrel.frames import Window
from carrel.geometry import Box
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.claims.copied import is_clipboard
from carrel.models.steps.phrases.file_words import file_said, folder_said, is_file_name
from carrel.models.steps.phrases.programs import kind_called
from carrel.models.steps.program import Choose, Condition, Has, Not, Perform
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.calculating import said_sum
from carrel.models.steps.verbs.listed_nouns import as_listed
from carrel.models.steps.verbs.shelving import shelve
from carrel.models.steps.verbs.text_lines import delete_line, go_to_line, line_said
from carrel.results import Effect, Result

HOME = "/home/agent"


class Desktop(World):
    """With a clipboard and files."""

    def __init__(self, *elements: object) -> None:
        super().__init__(*elements)  # type: ignore[arg-type]
        self.copied = ""
        self.kinds: dict[str, str] = {}

    def _act(self, action: Action) -> Result:
        if isinstance(action, GetClipboard):
            self.done.append(action)
            return Result(True, Effect.CONFIRMED, data={"text": self.copied})
        if isinstance(action, StatFile):
            self.done.append(action)
            kind = self.kinds.get(action.path)
            data: dict[str, codec.Json] = {} if kind is None else {"kind": kind}
            return Result(kind is not None, Effect.CONFIRMED if kind else Effect.REFUSED, data=data)
        return super()._act(action)


def so(world: World, condition: Condition) -> bool:
    desk = desk_of(world)
    return play(world, holds(desk, condition, closer=True), desk)[0] is True  # type: ignore[index]


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("my home folder", "~"),
        ("the Documents folder", "~/Documents"),
        ("the desktop", "~/Desktop"),
        ("/home/agent/x/", "/home/agent/x"),
        ("the big list", None),
    ],
)
def test_folders_that_every_desk_has(said: str, path: str | None) -> None:
    assert folder_said(said) == path


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("the file notes.txt", "~/notes.txt"),
        ("notes.txt in the Documents folder", "~/Documents/notes.txt"),
        ("the contents of the file notes.txt", "~/notes.txt"),
        ("notes.txt", None),
        ("the file manager", None),
        ("the file notes.txt in the list", None),
    ],
)
def test_files_in_words(said: str, path: str | None) -> None:
    assert file_said(said) == path


def test_names_of_files() -> None:
    assert is_file_name("notes.txt")
    assert not is_file_name("Save")


def test_the_clipboard_is_asked_for_what_it_holds() -> None:
    world = Desktop(element("clip", "label", (0, 0, 50, 20)))
    world.copied = "blue sky\n"
    assert is_clipboard("the contents of the clipboard")
    assert so(world, Has("the clipboard", "blue sky", "equals"))
    assert not so(world, Has("the clipboard", "green", "contains"))
    assert so(world, Not(Has("the clipboard", "green", "contains")))


def test_a_file_that_is_there_is_read_and_one_that_is_not_tells_nothing() -> None:
    world = Desktop(element("notes", "label", (0, 0, 50, 20)))
    world.files = MappingProxyType({"~/notes.txt": "buy milk\n"})
    world.kinds = {"~/notes.txt": "file"}
    assert so(world, Has("the file notes.txt", "milk", "contains"))
    assert so(world, Has("notes.txt", "milk", "contains"))
    assert so(world, Not(Has("notes.txt", "eggs", "contains")))
    assert not so(world, Not(Has("the file other.txt", "eggs", "contains")))


def test_programs_are_known_by_their_names_too() -> None:
    kind = kind_called("xterm")
    assert kind is not None
    assert kind.name == "terminal emulator"
    assert kind_called("the garden list") is None


def a_folder() -> Desktop:
    """A file manager that shows two files and a folder, all drawn."""
    world = Desktop(element("a.txt", "label", (100, 100, 60, 20)))
    world.windows = [Window(1, "agent", Box(0, 0, 600, 500), "pcmanfm", 1, focused=True)]
    world.kinds = {f"{HOME}/a.txt": "file", f"{HOME}/Old": "directory"}
    world.on("key", lambda w, _e, action: _pressed(world, action))
    return world


def _pressed(world: Desktop, action: Action) -> None:
    if not isinstance(action, Key):
        return
    if action.keys in (("ctrl", "x"), ("ctrl", "c")):
        world.copied = f"file://{HOME}/a.txt\r\n"
    if action.keys == ("ctrl", "v"):
        world.kinds[f"{HOME}/Old/a.txt"] = "file"
        world.kinds.pop(f"{HOME}/a.txt")


def test_a_file_is_moved_by_keys_and_seen_to_be_there() -> None:
    world = a_folder()
    desk = desk_of(world)
    assert play(world, shelve(desk, "a.txt", "the Old folder", moved=True), desk) is True
    assert [a.text for a in world.done if isinstance(a, Type)] == [f"{HOME}/Old", HOME]
    assert f"{HOME}/Old/a.txt" in world.kinds


def test_no_file_is_moved_where_one_of_its_name_is_already() -> None:
    world = a_folder()
    world.kinds[f"{HOME}/Old/a.txt"] = "file"
    desk = desk_of(world)
    with pytest.raises(Missed, match="already"):
        play(world, shelve(desk, "a.txt", "the Old folder", moved=True), desk)
    assert f"{HOME}/a.txt" in world.kinds


def test_what_is_selected_must_be_the_file_that_was_named() -> None:
    world = a_folder()
    world.elements = [element("b.txt", "label", (100, 100, 60, 20))]
    desk = desk_of(world)
    with pytest.raises(Missed, match="selected"):
        play(world, shelve(desk, "b.txt", "the Old folder", moved=True), desk)


@pytest.mark.parametrize(
    ("said", "number"),
    [("line 12", 12), ("the first line", 1), ("the last line", -1), ("the 3rd line", 3)],
)
def test_lines_in_words(said: str, number: int) -> None:
    assert line_said(said) == number
    assert line_said(f"{said} of the poem") is None


def an_editor(text: str) -> World:
    states = ("editable", "multi line", "focused")
    return World(element("", "text", (0, 0, 400, 300), *states, value=text))


def test_a_line_is_gone_to_by_its_letters() -> None:
    world = an_editor("ab\ncde\nf")
    desk = desk_of(world)
    assert play(world, go_to_line(desk, "line 3"), desk) is True
    keys = [a for a in world.done if isinstance(a, Key)]
    assert [(k.keys, k.repeat) for k in keys] == [(("ctrl", "home"), 1), (("right",), 7)]


def test_a_line_that_is_not_there_is_told() -> None:
    world = an_editor("ab\ncde\n")
    desk = desk_of(world)
    with pytest.raises(Missed, match="2 lines"):
        play(world, go_to_line(desk, "line 3"), desk)


def test_a_line_that_stays_is_not_deleted() -> None:
    world = an_editor("ab\ncde\nf")
    desk = desk_of(world)
    with pytest.raises(Missed, match="without line 2"):
        play(world, delete_line(desk, Perform("delete", "line 2")), desk)


def test_a_sign_before_a_number_belongs_to_the_sum() -> None:
    assert said_sum("(12+8)*3") == "(12+8)*3"
    assert said_sum("12+8") == "12+8"


def a_list_of_rooms() -> World:
    return World(
        element("Rooms", "dialog", (0, 0, 300, 200), id="d"),
        element("", "table", (0, 20, 300, 150), id="t", parent="d"),
        element("Room", "table column header", (0, 20, 300, 20), parent="t"),
        element("Blue", "table cell", (0, 40, 300, 20), parent="t"),
        element("Green", "table cell", (0, 60, 300, 20), parent="t"),
    )


def test_an_entry_may_be_told_with_the_noun_that_heads_its_list() -> None:
    desk = desk_of(a_list_of_rooms())
    assert as_listed(desk, Choose(("the Green room",), "the list")).options == ('"Green"',)
    assert as_listed(desk, Choose(("Green",), "the list of rooms")).source is None


def test_other_nouns_are_left_as_they_are() -> None:
    desk = desk_of(a_list_of_rooms())
    for step in (
        Choose(("the Green car",), "the list"),
        Choose(("the Red room",), "the list"),
        Choose(("Green",), "the list of cars"),
    ):
        assert as_listed(desk, step) == step
