"""Closing windows: they go, they ask first, or nothing comes of it."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.frames import Window
from carrel.geometry import Box
from carrel.models.steps.program import CloseWindow
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.windows import close

EDITOR = Window(1, "Draft - Editor", Box(0, 0, 600, 400), "editor", focused=True)
QUESTION = Window(2, "Save changes?", Box(100, 100, 200, 100), "editor")
DIALOG = element("Save changes?", "dialog", (100, 100, 200, 100))


def editor() -> World:
    world = World(element("Draft - Editor", "frame", (0, 0, 600, 400)))
    world.windows = [EDITOR]
    return world


@pytest.mark.parametrize("title", [None, "Draft", "editor window"])
def test_a_window_that_goes_is_closed(title: str | None) -> None:
    world = editor()
    world.after(0.3, lambda w: w.windows.clear())
    desk = desk_of(world)
    assert play(world, close(desk, CloseWindow(title))) is None
    assert desk.doubts == []


def test_a_window_that_asks_in_another_one_is_in_no_doubt() -> None:
    world = editor()
    world.after(0.3, lambda w: w.windows.append(QUESTION))
    desk = desk_of(world)
    told = play(world, close(desk, CloseWindow("Draft")))
    assert told == "'Draft - Editor' asks something before it closes: Save changes? (editor)"
    assert desk.doubts == []


@pytest.mark.parametrize(("name", "told"), [("Save?", "Save?"), ("", "a dialog without a name")])
def test_a_window_that_asks_within_itself_is_in_no_doubt(name: str, told: str) -> None:
    world = editor()
    asked = element(name, "alert", (100, 100, 200, 100))
    world.after(0.3, lambda w: w.elements.append(asked))
    desk = desk_of(world)
    said = play(world, close(desk, CloseWindow(None)))
    assert said == f"'Draft - Editor' asks something before it closes: {told}"
    assert desk.doubts == []


def test_a_window_that_stays_is_not_closed() -> None:
    world = editor()
    with pytest.raises(Missed, match="did not close"):
        play(world, close(desk_of(world), CloseWindow(None)))


def test_a_question_from_before_is_no_answer_to_closing() -> None:
    world = editor()
    world.elements.append(DIALOG)
    world.windows.insert(0, QUESTION)
    with pytest.raises(Missed, match="did not close"):
        play(world, close(desk_of(world), CloseWindow("Draft")))
