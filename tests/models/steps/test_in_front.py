"""What is in front is worked in: nothing behind it is pressed, and only what came up is closed."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.verbs.interruptions import put_aside


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
