"""Programs on a desk: how they start, and what their panes and dialogs for files keep closed."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Open, Type
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.language import read_sentence, write_program
from carrel.models.steps.phrases.programs import program_named
from carrel.models.steps.program import Choose, Enter, Has, Is, Perform, Point, Wait, WindowOpen
from carrel.models.steps.program import Open as OpenStep
from carrel.models.steps.reaching.blanks import is_blank
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.titles import fitting_windows
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.entering import enter
from carrel.models.steps.verbs.launching import open_
from carrel.models.steps.verbs.looking import wait
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.pointing import point
from carrel.results import Result

PANEL = Window(1, "panel", Box(0, 570, 800, 30), "Panel")
FILES = Window(2, "desk", Box(0, 0, 600, 500), "files", focused=True)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("the image viewer ristretto", "ristretto"),
        ("计算器 gnome-calculator", "gnome-calculator"),
        ("the gedit text editor", "gedit"),
        ("文本编辑器“mousepad”", "mousepad"),
        ("the web browser", None),
        ("the files tab", None),
        ("the calculator", None),
    ],
)
def test_a_program_may_be_called_by_its_kind_and_its_name(said: str, name: str | None) -> None:
    assert program_named(said) == name


class Starting(World):
    """A screen on which something changes at once when a program starts, its window later."""

    def _act(self, action: Action) -> Result:
        if isinstance(action, Open):
            self.painted += "; a pointer that is busy"
            self.after(2.0, lambda later: later.windows.append(FILES))
        return super()._act(action)


def test_a_program_is_open_when_its_window_is_there() -> None:
    world = Starting()
    world.windows = [PANEL]
    play(world, open_(desk_of(world), OpenStep("the file manager thunar")))
    assert [action.what for action in world.done if isinstance(action, Open)] == ["thunar"]
    assert FILES in world.windows


def filed() -> World:
    world = World(
        element("desk", "frame", (0, 0, 600, 500), id="frame"),
        element("", "table", (0, 30, 150, 440), parent="frame", id="side"),
        element("Icons", "directory pane", (150, 30, 450, 440), parent="frame", id="pane"),
        element("a.txt", "icon", (340, 200, 80, 80), parent="pane"),
        element('"Sent" folder', "status bar", (150, 470, 450, 25), parent="frame"),
    )
    world.windows = [PANEL, FILES]
    return world


@pytest.mark.parametrize(
    "said", ["the empty area", "an empty space in the window", "空白处", "the background"]
)
def test_where_there_is_nothing_in_the_largest_pane_is_clicked(said: str) -> None:
    world = filed()
    play(world, point(desk_of(world), Point(said, "right")))
    click = next(action for action in world.done if isinstance(action, Click))
    assert click.button == "right"
    assert Box(150, 30, 450, 440).contains(Box(click.x, click.y, 1, 1).center)
    assert not Box(340, 200, 80, 80).contains(Box(click.x, click.y, 1, 1).center)


@pytest.mark.parametrize("said", ["the empty field", "the background colour", "空白文档"])
def test_a_thing_that_is_empty_is_no_place(said: str) -> None:
    assert not is_blank(said)


def test_what_a_status_bar_says_of_a_thing_is_not_that_thing() -> None:
    world = filed()
    with pytest.raises(Missed):
        play(world, ground(desk_of(world), "the Sent folder"))


def test_words_that_name_nothing_never_mean_the_panel_of_the_desktop() -> None:
    world = World()
    world.windows = [PANEL]
    clock = element("01:17", "label", (740, 575, 50, 20))
    world.closer_elements.append(
        Element(
            clock.id, "label", clock.name, None, clock.box, ("showing", "visible"), source="ocr"
        )
    )
    with pytest.raises(Missed):
        play(world, point(desk_of(world), Point("the text", "right")))
    assert not any(isinstance(action, Click) for action in world.done)


def chooser() -> World:
    world = World(
        element("Open File", "file chooser", (0, 0, 600, 500), id="chooser"),
        element("Home", "label", (10, 10, 80, 20), parent="chooser"),
        element("Open", "push button", (500, 460, 80, 30), parent="chooser"),
    )
    field = element(
        "",
        "text",
        (150, 10, 300, 24),
        *("editable", "focused", "single line"),
        value="",
        parent="chooser",
    )

    def pressed(w: World, _: Element, action: Action) -> None:
        if isinstance(action, Key) and action.keys == ("ctrl", "l"):
            w.elements.append(field)

    world.on("key", pressed)
    return world


@pytest.mark.parametrize("into", ["the location field", "the File name field", "文件名"])
def test_a_dialog_for_files_is_asked_for_the_field_it_keeps_closed(into: str) -> None:
    world = chooser()
    play(world, enter(desk_of(world), Enter("/home/a.txt", into)))
    assert world.elements[-1].value == "/home/a.txt"


def test_no_key_is_pressed_for_a_field_that_is_no_path() -> None:
    world = chooser()
    with pytest.raises(Missed):
        play(world, enter(desk_of(world), Enter("Ann", "the Author field")))
    assert not any(isinstance(a, Key) and a.keys == ("ctrl", "l") for a in world.done)


def test_what_a_button_does_not_name_and_nothing_shows_is_in_doubt() -> None:
    world = World(element("Insert"))
    desk = desk_of(world)
    play(world, perform(desk, Perform("insert", "a new sheet", ())))
    assert desk.doubts == ["nothing tells that insert was about a new sheet"]


def test_what_came_of_a_button_is_in_no_doubt() -> None:
    world = World(element("Insert"))
    tab = element("Sheet 2", "page tab", (9, 99, 50, 20))
    world.on("Insert", lambda w, e, a: w.elements.append(tab))
    desk = desk_of(world)
    play(world, perform(desk, Perform("insert", "a new sheet", ())))
    assert desk.doubts == []


def test_a_window_is_there_when_it_has_come_to_rest() -> None:
    world = filed()
    late = element("late.txt", "icon", (200, 300, 80, 80))
    world.after(0.2, lambda w: w.elements.append(late))
    play(world, wait(desk_of(world), Wait(until=WindowOpen("desk"))))
    assert late in world.elements
    assert world.clock >= 0.5


def moded() -> World:
    world = World(
        element("Calculator", "frame", (0, 0, 600, 500), id="frame"),
        element("", "menu bar", (0, 0, 600, 24), parent="frame", id="bar"),
        element("Mode", "menu", (0, 0, 60, 24), parent="bar", id="mode"),
    )
    items = [
        element(name, "menu item", (0, 24 + 24 * n, 120, 24), parent="mode")
        for n, name in enumerate(("Basic", "Advanced", "Advanced Options"))
    ]
    world.on("Mode", lambda w, e, a: w.elements.extend(items))
    return world


def test_an_item_of_a_menu_may_be_called_with_what_the_menu_is_of() -> None:
    world = moded()
    play(world, choose(desk_of(world), Choose(("the advanced mode",), "the Mode menu")))
    assert "pressed Advanced;" in f"{world.painted};"


def test_a_noun_that_no_menu_has_is_not_left_out() -> None:
    world = moded()
    with pytest.raises(Missed):
        play(world, choose(desk_of(world), Choose(("the advanced sorting",), "the Mode menu")))
    assert "pressed Advanced" not in world.painted


def sheeted(*items: str) -> World:
    world = World(
        element("Book", "frame", (0, 0, 600, 500), id="frame"),
        element("Sheet1", "page tab", (0, 450, 80, 24), parent="frame"),
    )
    name = element("", "text", (200, 200, 200, 24), "editable", "focused", "single line", value="")
    menu = [element(item, "menu item", (20, 300 + 24 * n, 120, 24)) for n, item in enumerate(items)]

    def clicked(w: World, _: Element, action: Action) -> None:
        if isinstance(action, Click) and action.button == "right":
            w.elements.extend(menu)

    world.on("Sheet1", clicked)
    world.on("Rename...", lambda w, e, a: w.elements.append(name))
    return world


def test_what_the_menu_of_a_thing_has_is_done_with_it() -> None:
    world = sheeted("Rename...", "Remove")
    step = Perform("rename", 'the sheet "Sheet1"', (("to", "Costs"),))
    play(world, perform(desk_of(world), step))
    assert "Costs" in [e.value for e in world.elements]


def test_a_menu_that_does_not_have_it_is_closed_again() -> None:
    world = sheeted("Insert", "Remove")
    step = Perform("rename", 'the sheet "Sheet1"', (("to", "Costs"),))
    with pytest.raises(Missed):
        play(world, perform(desk_of(world), step))
    assert any(isinstance(a, Key) and a.keys == ("esc",) for a in world.done)
    assert not any(f"pressed {name}" in world.painted for name in ("Insert", "Remove"))


def drawn(name: str, at: tuple[int, int, int, int]) -> Element:
    return Element(f"ocr-{name}", "label", name, box=Box(*at), text=name, source="ocr")


def test_a_menu_that_is_only_drawn_is_found_by_its_title() -> None:
    world = World()
    world.windows = [PANEL, FILES]
    world.closer_elements += [drawn("File", (10, 5, 30, 16)), drawn("Edit", (60, 5, 30, 16))]

    def opened(w: World, _: Element, action: Action) -> None:
        w.closer_elements.append(drawn("New File", (10, 30, 70, 16)))

    world.on("File", opened)
    play(world, choose(desk_of(world), Choose(("New File",), "File 菜单")))
    assert "pressed New File" in world.painted


def test_the_end_of_a_programs_name_is_not_what_a_window_is_called() -> None:
    notes = Window(3, "Gnote", Box(0, 0, 400, 300), "gnote", focused=True)
    assert fitting_windows([notes], "New Note") == []
    assert fitting_windows([notes], "gnote") == [notes]
    terminal = Window(4, "~", Box(0, 0, 400, 300), "UXTerm")
    assert fitting_windows([notes, terminal], "the xterm window") == [terminal]


def test_text_is_not_typed_where_a_space_would_press_a_button() -> None:
    world = World(
        element("Tip", "dialog", (0, 0, 300, 200), id="tip"),
        element("OK", "push button", (200, 150, 80, 30), "focused", parent="tip"),
    )
    with pytest.raises(Missed, match="a space would press"):
        play(world, enter(desk_of(world), Enter("Dear Sir", None)))
    assert not any(isinstance(action, Type) for action in world.done)


def test_the_first_line_on_a_button_is_its_name() -> None:
    world = World(
        element("8 × 8\n10 mines", at=(0, 0, 90, 90)),
        element("16 × 16\n40 mines", at=(100, 0, 90, 90)),
    )
    play(world, point(desk_of(world), Point('"16 × 16"')))
    assert "pressed 16 × 16" in world.painted


def test_what_is_searched_in_is_no_field_of_many_lines() -> None:
    world = World(
        element("", "text", (0, 0, 400, 300), "editable", "multi line", value="tab one"),
        element("", "text", (0, 310, 400, 24), "editable", value=""),
    )
    play(world, enter(desk_of(world), Enter("one", "the search bar")))
    assert [e.value for e in world.elements] == ["tab one", "one"]


def test_a_frame_in_a_window_may_be_a_display() -> None:
    world = World(
        element("", "frame", (0, 0, 300, 300), "active", id="window"),
        element("5", "frame", (10, 10, 280, 40), parent="window"),
        element("7", "push button", (10, 60, 40, 30), parent="window"),
        element("NORM", "label", (10, 270, 60, 20), parent="window"),
    )
    so, told = play(world, holds(desk_of(world), Has("the display", "5", "contains")))  # type: ignore[misc]
    assert so, told


def test_a_cell_tells_that_a_row_is_selected_where_there_are_no_rows() -> None:
    world = World(
        element("", "table", (0, 0, 300, 100), id="table"),
        *(
            element(name, "table cell", (0, 25 * n, 100, 24), *states, parent="table")
            for n, (name, *states) in enumerate(
                [("red", "selectable"), ("green", "selectable", "selected")]
            )
        ),
    )
    so, told = play(world, holds(desk_of(world), Is("the row green", "selected")))  # type: ignore[misc]
    assert so, told
    so, _ = play(world, holds(desk_of(world), Is("the row red", "selected")))  # type: ignore[misc]
    assert not so


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("press Ctrl+H for the replace dialog", "press the keys ctrl+h"),
        ("move the caret to the beginning of the line", "press the keys home"),
        (
            "a window whose title contains Help should be open",
            'verify that the window "Help" is open',
        ),
        ("等待标题含有“IDLE Shell”的窗口出现", 'wait until the window "IDLE Shell" is open'),
        ("open Firefox from the applications menu", "open Firefox from the applications menu"),
    ],
)
def test_what_is_said_of_programs_is_read(said: str, read: str) -> None:
    assert write_program(read_sentence(said)).strip() == read


def test_what_is_written_does_not_go_into_the_field_of_a_tool_bar() -> None:
    world = World(
        element("Letter", "frame", (0, 0, 600, 500), "active", id="frame"),
        element("", "tool bar", (0, 0, 600, 30), parent="frame", id="bar"),
        element("", "text", (10, 5, 60, 20), "editable", "single line", value="12", parent="bar"),
        element("", "drawing area", (0, 30, 600, 470), parent="frame"),
    )
    world.windows = [Window(1, "Letter", Box(0, 0, 600, 500), "writer", focused=True)]
    play(world, enter(desk_of(world), Enter("Hello world", None)))
    assert [e.value for e in world.elements if e.role == "text"] == ["12"]
    assert not any(isinstance(action, Click) for action in world.done)
