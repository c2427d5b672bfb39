"""What is in front is worked in: nothing behind it is pressed, and only what came up is closed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, CloseWindow
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.program import Perform, Point
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.interruptions import put_aside
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.pointing import point


def clicks(world: World) -> list[tuple[int, int]]:
    return [(action.x, action.y) for action in world.done if isinstance(action, Click)]


def aside(before: list[Element], came: list[Element]) -> list[tuple[int, int]]:
    """What is clicked to put aside what came."""
    world = World(*before, *came)
    play(world, put_aside(desk_of(world), before))
    return clicks(world)


def a_sheet() -> list[Element]:
    return [
        element("Untitled 1", "frame", (0, 0, 800, 600), id="w"),
        element("", "tool bar", (0, 30, 800, 30), id="bar", parent="w"),
        element("", "panel", (0, 60, 800, 30), id="panel", parent="w"),
        element("A1", "table cell", (10, 100, 80, 20), id="a1", parent="w"),
    ]


@pytest.mark.parametrize("holder", ["bar", "panel", "w"])
def test_a_button_of_a_window_is_no_interruption(holder: str) -> None:
    came = [
        element("Cancel", "push button", (200, 40, 20, 20), parent=holder),
        element("Accept", "push button", (230, 40, 20, 20), parent=holder),
    ]
    assert aside(a_sheet(), came) == []


@pytest.mark.parametrize("role", ["dialog", "alert", "notification", "info bar"])
def test_a_dialog_that_came_up_is_closed_by_its_own_button(role: str) -> None:
    came = [
        element("Tip of the day", role, (200, 200, 300, 200), id="d", parent="w"),
        element("Close", "push button", (300, 350, 60, 20), parent="d"),
    ]
    assert aside(a_sheet(), came) == [(330, 360)]


def test_a_window_that_came_up_is_closed_and_one_that_was_renamed_is_not() -> None:
    came = [
        element("News", "frame", (200, 200, 300, 200), id="n"),
        element("Close", "push button", (300, 350, 60, 20), parent="n"),
    ]
    assert aside(a_sheet(), came) == [(330, 360)]
    renamed = [element("*Untitled 1", "frame", (0, 0, 800, 600), id="w"), *a_sheet()[1:]]
    world = World(*renamed, element("Close", "push button", (300, 350, 60, 20), parent="w"))
    play(world, put_aside(desk_of(world), a_sheet()))
    assert clicks(world) == []


def test_a_banner_of_a_page_says_something_and_a_mere_button_does_not() -> None:
    page = [
        element("Shop - Browser", "frame", (0, 0, 800, 600), id="w"),
        element("Shop", "document web", (0, 60, 800, 540), id="p", parent="w"),
    ]
    close = element("Close", "push button", (300, 350, 60, 20), parent="p")
    words = element("We use cookies here", "static", (100, 350, 150, 20), parent="p")
    assert aside(page, [close]) == []
    assert aside(page, [words, close]) == [(330, 360)]


# A search


def two_windows() -> World:
    """A window with nothing to find, in front of one with tabs, a list and a menu."""
    world = World(
        element("Demo", "frame", (0, 0, 400, 600), id="behind"),
        element("", "page tab list", (0, 20, 200, 20), id="row", parent="behind"),
        element("Info", "page tab", (0, 20, 60, 20), "selected", parent="row"),
        element("Source", "page tab", (60, 20, 60, 20), parent="row"),
        element("Buttons", "list item", (0, 60, 90, 20), "expandable", parent="behind"),
        element("File", "menu", (0, 100, 60, 20), parent="behind"),
        element("Small", "frame", (450, 100, 300, 200), id="front"),
        element("Hello", "label", (460, 120, 80, 20), parent="front"),
    )
    world.windows = [
        Window(1, "Demo", Box(0, 0, 400, 600)),
        Window(2, "Small", Box(450, 100, 300, 200), focused=True),
    ]
    return world


def test_a_search_presses_nothing_in_a_window_behind() -> None:
    world = two_windows()
    with pytest.raises(Missed, match="Frobnicate"):
        play(world, point(desk_of(world), Point("the Frobnicate button")))
    assert clicks(world) == []


def test_a_search_opens_what_is_in_the_window_in_front() -> None:
    world = two_windows()
    world.windows = [replace(w, focused=not w.focused) for w in world.windows]
    with pytest.raises(Missed, match="Frobnicate"):
        play(world, point(desk_of(world), Point("the Frobnicate button")))
    assert (90, 30) in clicks(world)


def test_each_row_of_tabs_is_put_back_as_it_was() -> None:
    tabs = [
        element(name, "page tab", at, *states, parent=row)
        for name, at, states, row in (
            ("A", (0, 20, 40, 20), ("selected",), "one"),
            ("B", (40, 20, 40, 20), (), "one"),
            ("C", (0, 320, 40, 20), (), "two"),
            ("D", (40, 320, 40, 20), ("selected",), "two"),
        )
    ]
    rows = [
        element("", "page tab list", (0, top, 200, 20), id=name)
        for name, top in (("one", 20), ("two", 320))
    ]
    world = World(*rows, *tabs)
    with pytest.raises(Missed):
        play(world, point(desk_of(world), Point("the Frobnicate button")))
    assert clicks(world) == [(60, 30), (20, 30), (20, 330), (60, 330)]


# An answer


def an_alert(takes: int) -> World:
    """A dialog that goes by the press of so many; a button of the page is behind it."""
    world = World(
        element("Shop - Browser", "frame", (0, 0, 800, 600), id="w"),
        element("This page says", "alert", (200, 100, 300, 150), "modal", id="d", parent="w"),
        element("Saved", "label", (220, 120, 80, 20), parent="d"),
        element("OK", "push button", (400, 200, 60, 30), "focused", parent="d"),
    )
    pressed: list[int] = []

    def press(w: World, _hit: Element, _action: Action) -> None:
        pressed.append(1)
        if len(pressed) >= takes:
            w.elements = w.elements[:1]

    world.on("OK", press)
    return world


@pytest.mark.parametrize("takes", [1, 2])
def test_a_dialog_is_answered_until_it_is_seen_to_go(takes: int) -> None:
    world = an_alert(takes)
    desk = desk_of(world)
    play(world, point(desk, Point("OK")))
    assert clicks(world) == [(430, 215)] * takes
    assert desk.doubts == []


def test_a_dialog_that_takes_no_answer_is_told() -> None:
    world = an_alert(5)
    with pytest.raises(Missed, match="is still there"):
        play(world, point(desk_of(world), Point("OK")))
    assert len(clicks(world)) == 2


def test_a_form_that_says_what_is_wrong_is_answered_once() -> None:
    world = an_alert(5)
    wrong = element("Enter a number", "label", (220, 150, 80, 20), parent="d")
    world.on("OK", lambda w, _hit, _action: w.elements.append(wrong))
    play(world, point(desk_of(world), Point("OK")))
    assert len(clicks(world)) == 1


def test_nothing_behind_a_dialog_is_pressed() -> None:
    world = an_alert(1)
    behind = element("Buy", "push button", (20, 500, 60, 30), parent="w")
    world.elements = [replace(e, app="browser") for e in (*world.elements, behind)]
    with pytest.raises(Missed, match="behind the dialog"):
        play(world, point(desk_of(world), Point("Buy")))
    assert clicks(world) == []


def test_what_is_seen_of_a_page_behind_the_dialog_of_a_browser_is_not_pressed() -> None:
    world = World(
        element("Shop - Browser", "frame", (0, 0, 800, 600), id="w"),
        element("This page says", "dialog", (200, 100, 300, 150), "active", id="d", parent="w"),
        element("OK", "push button", (400, 200, 60, 30), parent="d"),
    )
    behind = Element("x", "push button", "Buy", None, Box(20, 500, 60, 30), source="detector")
    world.closer_elements = [behind]
    with pytest.raises(Missed, match="behind the dialog “This page says”"):
        play(world, point(desk_of(world), Point("Buy")))
    assert clicks(world) == []
    # A bubble over a page that is still told of keeps nobody from the page.
    page = element("Shop", "document web", (0, 60, 800, 540), id="p", parent="w")
    world.elements += [page, element("Buy", "push button", (20, 500, 60, 30), parent="p")]
    world.closer_elements = []
    play(world, point(desk_of(world), Point("Buy")))
    assert clicks(world) == [(50, 515)]


def test_what_is_called_so_is_closed_and_no_window_behind_it() -> None:
    world = two_windows()
    world.windows[1] = replace(world.windows[1], title="Tip of the Day: 1/225")
    world.elements.append(element("Close", "push button", (370, 5, 20, 20), parent="behind"))
    with pytest.raises(Missed, match="did not close"):
        play(world, perform(desk_of(world), Perform("close", "a tip of the day")))
    assert [a.window for a in world.done if isinstance(a, CloseWindow)] == [2]
    assert clicks(world) == []
