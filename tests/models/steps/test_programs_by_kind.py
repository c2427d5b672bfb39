"""Windows and programs by their kind: which is meant, and how sentences name them."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import FocusWindow, Key
from carrel.frames import Window
from carrel.geometry import Box
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.phrases.programs import kind_said, program_kind
from carrel.models.steps.program import Choose, Condition, Has, Not, Shows, SwitchTo, WindowOpen
from carrel.models.steps.shown.titles import fitting_windows, window_meant, window_said
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.windows import switch

SHEET = Window(1, "Book1.gnumeric - Gnumeric", Box(0, 0, 600, 400), "Gnumeric", 11)
SHELL = Window(2, "LXTerminal", Box(0, 0, 300, 200), "Lxterminal", 12)
FILES = Window(3, "agent", Box(0, 0, 640, 480), "Pcmanfm", 13, focused=True)
PANEL = Window(4, "tint2", Box(0, 570, 800, 30), "Tint2")
OPEN = [SHEET, SHELL, PANEL, FILES]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("the terminal", "terminal emulator"),
        ("a new terminal window", "terminal emulator"),
        ("终端", "terminal emulator"),
        ("文件管理器窗口", "file manager"),
        ("the file manager", "file manager"),
        ("a text editor", "text editor"),
        ("文本编辑器", "text editor"),
        ("the calculator", "calculator"),
        ("spreadsheet program", "spreadsheet"),
        ("表格", "spreadsheet"),
        ("the web browser", "web browser"),
        ("网页浏览器", "web browser"),
    ],
)
def test_people_name_programs_by_their_kind(words: str, kind: str) -> None:
    found = kind_said(words)
    assert found is not None
    assert found.name == kind


@pytest.mark.parametrize("words", ["Save", "the editor settings", "terminal 3", "文件", ""])
def test_other_names_are_no_kind_of_program(words: str) -> None:
    assert kind_said(words) is None


def test_a_class_says_what_kind_of_program_it_is() -> None:
    kinds = [kind.name if kind else None for kind in map(program_kind, OPEN)]
    assert kinds == ["spreadsheet", "terminal emulator", None, "file manager"]


@pytest.mark.parametrize(
    ("words", "window"),
    [
        ("Gnumeric", SHEET),
        ("the Gnumeric window", SHEET),
        ("Book1.gnumeric – Gnumeric", SHEET),
        ("表格", SHEET),
        ("terminal", SHELL),
        ("the terminal window", SHELL),
        ("文件管理器窗口", FILES),
        ("pcmanfm", FILES),
    ],
)
def test_a_window_is_meant_by_title_program_or_kind(words: str, window: Window) -> None:
    assert window_meant(OPEN, words) == window


def test_no_window_is_guessed_at() -> None:
    assert fitting_windows(OPEN, "calculator") == []
    with pytest.raises(Missed, match="may be any of"):
        window_meant([SHELL, Window(9, "other", Box(400, 0, 9, 9), "XTerm", 19)], "terminal")


def test_a_dialog_over_its_window_is_the_one_in_front() -> None:
    dialog = Window(7, "Save As - Gnumeric", Box(50, 50, 200, 100), "Gnumeric", 11)
    assert window_meant([SHEET, dialog], "Gnumeric") == dialog


@pytest.mark.parametrize(
    ("phrase", "title"),
    [
        ('the "Team roster" window', '"Team roster"'),
        ("the gtk3-widget-factory window", "gtk3-widget-factory"),
        ("“关于”窗口", "“关于”"),
        ("the new window", None),
        ("the OK button in the About window", None),
        ("the dialog", None),
    ],
)
def test_a_phrase_names_a_window(phrase: str, title: str | None) -> None:
    assert window_said(phrase) == title


@pytest.mark.parametrize(
    ("condition", "so"),
    [
        (Shows("the Gnumeric window"), True),
        (Shows("the terminal"), True),
        (Shows("pcmanfm"), True),
        (WindowOpen("文件管理器"), True),
        (Shows("the calculator"), False),
        (WindowOpen("calculator"), False),
        (Not(Shows("the calculator")), True),
        (Not(Shows("the terminal")), False),
        (Not(Shows("打开终端窗口")), False),
        (Not(Shows("打开计算器窗口")), True),
        (Has("the window title", "agent", "equals"), True),
        (Has("窗口标题", "gnumeric"), False),
    ],
)
def test_windows_hold_for_conditions(condition: Condition, so: bool) -> None:
    world = World(element("agent", "frame", (0, 0, 640, 480)))
    world.windows = list(OPEN)
    assert play(world, holds(desk_of(world), condition))[0] is so  # type: ignore[index]


def test_that_a_kind_is_gone_is_not_said_beside_an_unknown_program() -> None:
    world = World(element("agent", "frame", (0, 0, 640, 480)))
    world.windows = [Window(5, "Scribbler", Box(0, 0, 300, 300), "Scribbler", 5, focused=True)]
    so, told = play(world, holds(desk_of(world), Not(Shows("the text editor"))))  # type: ignore[misc]
    assert (so, "Scribbler" in told) == (False, True)


def test_a_window_that_is_coming_up_is_waited_for() -> None:
    world = World(element("agent", "frame", (0, 0, 640, 480)))
    world.windows = [FILES]
    roster = Window(8, "Team roster", Box(0, 0, 100, 100), "Tk", 8, focused=True)
    world.after(1.0, lambda w: w.windows.__setitem__(slice(None), [roster]))
    play(world, switch(desk_of(world), SwitchTo("Team roster")))
    assert FocusWindow(8) in world.done


def menu_bar() -> World:
    """A program that calls the titles of its menu bar items, with a tool bar below."""
    world = World(
        element("", "menu bar", (0, 0, 400, 20), id="bar"),
        element("Search", "menu item", (60, 0, 50, 20), parent="bar", id="search"),
        element("Find", "push button", (10, 30, 30, 20)),
        element("Replace", "push button", (50, 30, 50, 20)),
    )

    def drop(w: World, *_: object) -> None:
        w.elements += [
            element("Find", "menu item", (60, 20, 120, 20), parent="search"),
            element("Jump", "menu item", (60, 40, 120, 20), parent="search"),
        ]

    world.on("Search", drop)
    return world


def test_an_item_is_taken_from_the_menu_and_not_from_the_tool_bar() -> None:
    world = menu_bar()
    play(world, choose(desk_of(world), Choose(("Find",), "Search 菜单")))
    clicks = [a for a in world.done if a.type == "click"]
    assert [(c.x, c.y) for c in clicks] == [(85, 10), (120, 30)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("options", [("Replace",), ("Find", "Replace")])
def test_what_a_menu_does_not_have_is_not_clicked_beside_it(options: tuple[str, ...]) -> None:
    world = menu_bar()
    said = " and ".join(options) if len(options) > 1 else ""
    with pytest.raises(Missed, match="has no"):
        play(world, choose(desk_of(world), Choose(options, "the Search menu", said=said)))
    clicks = [a for a in world.done if a.type == "click"]
    assert {(c.x, c.y) for c in clicks} == {(85, 10)}  # type: ignore[attr-defined]
    assert Key(("escape",)) in world.done


@pytest.mark.parametrize(
    ("sentence", "steps"),
    [
        ("open notes.txt in the text editor", 'open "notes.txt" with the app "text editor"'),
        ("open /home/a/x.csv with gnumeric", 'open "/home/a/x.csv" with the app "gnumeric"'),
        ("use mousepad to open /home/a/n.txt", 'open "/home/a/n.txt" with the app "mousepad"'),
        ("用 mousepad 打开 /home/a/n.txt", 'open "/home/a/n.txt" with the app "mousepad"'),
        ("打开文件管理器", "open 文件管理器"),
        ("switch back to the text editor", 'switch to "text editor"'),
        ("切换回文本编辑器", 'switch to "文本编辑器"'),
        ("close the window without saving", "close the window without saving"),
        ("close gedit without saving", 'close the window "gedit" without saving'),
        ("quit the application", "close the window"),
        (
            "wait until the file manager window appears",
            'wait until the window "file manager" is open',
        ),
        ("wait until the dialog is closed", "wait until not (the dialog is visible)"),
        ("等待对话框关闭", "wait until not (对话框 is visible)"),
        ("check that gedit is no longer open", "verify that not (gedit is visible)"),
        ("verify that gedit is closed", 'verify that not (the window "gedit" is open)'),
        (
            'if a dialog asks whether to save, click "No"',
            'if [a dialog] is visible\n    click "No"',
        ),
        ('if it asks to save, click "No"', 'if [a dialog] is visible\n    click "No"'),
        ("save the file under /home/a/m.txt", 'save the file (as: "/home/a/m.txt")'),
    ],
)
def test_sentences_about_windows_and_programs(sentence: str, steps: str) -> None:
    assert "\n".join(map(write_step, read_sentence(sentence).steps)) == steps
