"""What is said of windows is held against the windows: of which program, how many, titled how."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.frames import Window
from carrel.geometry import Box
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.language import read_sentence
from carrel.models.steps.program import Check

TEXT = Window(1, "~/Documents/party.txt - Mousepad", Box(0, 0, 400, 300), "Mousepad", 11)
SUM = Window(2, "galculator", Box(420, 0, 200, 300), "Galculator", 12, focused=True)
PANEL = Window(4, "tint2", Box(0, 570, 800, 30), "Tint2")


def so(claim: str, *windows: Window) -> tuple[bool, str]:
    world = World(
        element("party", "frame", (0, 0, 400, 300)),
        element("Nobody else.", "label", (10, 40, 100, 16)),
        element("0", "label", (430, 20, 20, 16)),
    )
    world.windows = [PANEL, *windows]
    (step,) = read_sentence(claim).steps
    assert isinstance(step, Check)
    desk = desk_of(world)
    desk.step = claim
    held, told = play(world, holds(desk, step.condition, closer=True))  # type: ignore[misc]
    return held, told


@pytest.mark.parametrize(
    "claim",
    [
        "Verify that the mousepad window is open",
        "Make sure mousepad is still open",
        "Verify that mousepad is running",
        "Check that two windows are open",
        "Verify that there is only one mousepad window",
        "Verify that there is one calculator window",
        'Check that the title of the mousepad window contains "party"',
        'Check that the mousepad window\'s title says "party.txt"',
        'Verify that mousepad shows "Nobody else."',
        "Verify that no gedit window is open",
        "Verify that gedit is not running any more",
    ],
)
def test_what_is_so_of_windows(claim: str) -> None:
    assert so(claim, TEXT, SUM)[0]


@pytest.mark.parametrize(
    "claim",
    [
        "Verify that no mousepad window is open any more",
        "Verify that the galculator window is closed",
        "Verify that mousepad is not running any more",
        "Verify that no windows are open",
        "Check that three windows are open",
        'Check that the title of the galculator window contains "party"',
        'Verify that galculator shows "Nobody else."',
    ],
)
def test_what_is_not_so_of_windows_is_told(claim: str) -> None:
    held, told = so(claim, TEXT, SUM)
    assert not held
    assert told


@pytest.mark.parametrize(
    "claim",
    ["Verify that no mousepad window is open any more", "Verify that mousepad is closed"],
)
def test_a_program_without_a_window_is_known_to_be_gone(claim: str) -> None:
    assert so(claim, SUM)[0]


def test_the_panel_of_the_desktop_is_no_window() -> None:
    assert so("Verify that no windows are open")[0]


def test_what_need_not_be_a_name_is_not_held_against_titles() -> None:
    held, told = so("Verify that no error window is shown", TEXT, SUM)
    assert not held
    assert "cannot tell" in told
