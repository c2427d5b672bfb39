"""A sign behind "with" is the button that shows it: its words are never typed anywhere."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click, Type
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player


def grid(*signs: Element) -> World:
    """A filter row, a row that is edited, and what ends that."""
    return World(
        element("Clients", "document web", (0, 0, 800, 600), id="p"),
        element("Address", "entry", (20, 60, 200, 24), "editable", value="", parent="p", id="f"),
        element("Name", "entry", (20, 120, 200, 24), "editable", value="Ann", parent="p", id="n"),
        *signs,
    )


def played(world: World, said: str) -> tuple[Player, list[tuple[int, int]]]:
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    play(world, player.play(), desk)
    return player, [(a.x, a.y) for a in world.done if isinstance(a, Click)]


@pytest.mark.parametrize("said", ["save it with the tick", "save with the tick icon"])
def test_the_button_with_the_sign_is_pressed(said: str) -> None:
    world = grid(
        element("✓", at=(300, 120, 24, 24), parent="p"),
        element("✕", at=(340, 120, 24, 24), parent="p"),
    )
    player, clicks = played(world, said)
    assert player.account is None
    assert clicks == [(312, 132)]
    assert not any(isinstance(a, Type) for a in world.done)


@pytest.mark.parametrize(
    "said",
    [
        "save it with the green tick",
        "add it with the plus",
        "save it with the green check mark and the name Bob",
    ],
)
def test_without_such_a_button_nothing_is_done(said: str) -> None:
    world = grid()
    player, clicks = played(world, said)
    assert player.account is not None
    assert not clicks
    assert not any(isinstance(a, Type) for a in world.done)
