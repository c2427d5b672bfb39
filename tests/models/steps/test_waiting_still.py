"""Waiting for a page to load: until two looks in a row show the same."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action
from carrel.frames import Element
from carrel.models.steps.program import Shows, Wait
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.looking import wait


def test_a_page_that_keeps_still_has_loaded() -> None:
    world = World(element("Home"))
    play(world, wait(desk_of(world), Wait()))
    assert 0 < world.clock <= 1.5


def test_a_page_that_still_grows_is_waited_for() -> None:
    world = World(element("Loading"))

    def grow(world: World) -> None:
        if world.clock < 3:
            at = (10, 10 + 30 * len(world.elements), 80, 20)
            world.elements = [*world.elements, element(f"Row {len(world.elements)}", at=at)]
            world.after(0.4, grow)

    world.after(0.4, grow)
    play(world, wait(desk_of(world), Wait()))
    assert world.clock >= 3


def test_a_screen_that_never_keeps_still_is_told() -> None:
    world = World(element("0"))

    def count(world: World) -> None:
        world.elements = [element(f"{world.clock:.1f}")]
        world.after(0.3, count)

    world.after(0.3, count)
    with pytest.raises(Missed, match="went on changing"):
        play(world, wait(desk_of(world), Wait()))


def test_what_is_waited_for_is_also_looked_for_further_down_the_page() -> None:
    page = element("API", "document web", (0, 0, 800, 600), id="p")
    world = World(page, element("Execute", parent="p"))
    below = element("Response body", "static", (20, 900, 200, 20), parent="p", id="r")
    world.hidden = [below]

    def scrolled(now: World, _e: Element, _a: Action) -> None:
        now.hidden = []
        now.elements.append(element("Response body", "static", (20, 300, 200, 20), parent="p"))

    world.on("scroll", scrolled)
    step = Wait(until=Shows('"Response body"'))
    play(world, wait(desk_of(world), step))
    assert world.clock < 10
