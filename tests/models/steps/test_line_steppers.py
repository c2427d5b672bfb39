"""Numbers with a button on either side: the one that was said, and never the other."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.program import SetValue
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs import verb_of


def basket(up: str = "More", down: str = "Less") -> World:
    """Three things, each with its number; the buttons of a line count."""
    page = element("Basket", "document web", (0, 0, 800, 600), id="p")
    held: list[Element] = []
    for n, (name, count) in enumerate([("Stoneware mug, moss", 2), ("Tea towel", 1), ("Pot", 3)]):
        y = 100 + 50 * n
        held += [
            element(name, "static", (40, y, 200, 20), parent="p"),
            element(down, at=(400, y - 2, 26, 24), parent="p", id=f"down{n}"),
            element(str(count), "static", (440, y, 12, 20), parent="p", id=f"n{n}"),
            element(up, at=(470, y - 2, 26, 24), parent="p", id=f"up{n}"),
        ]
    world = World(page, *held)

    def react(world: World, pressed: Element, _: Action) -> None:
        line, by = pressed.id[-1], 1 if pressed.id.startswith("up") else -1
        now = next(e for e in world.elements if e.id == f"n{line}")
        at = world.elements.index(now)
        box = now.box
        assert box is not None
        place = (box.x, box.y, box.width, box.height)
        said = str(int(now.name) + by)
        world.elements[at] = element(said, "static", place, parent="p", id=now.id)

    for name in (up, down):
        world.on(name, react)
    return world


def counts_of(world: World) -> list[str]:
    return [next(e.name for e in world.elements if e.id == f"n{n}") for n in range(3)]


def do(world: World, said: str, step: SetValue) -> None:
    desk = desk_of(world)
    desk.step = desk.asked = said
    verb = verb_of(step)
    assert verb is not None
    play(world, verb(desk, step))


@pytest.mark.parametrize(
    ("up", "down"), [("More", "Less"), ("+", "−"), ("Increase quantity", "Decrease quantity")]
)
@pytest.mark.parametrize("of", ["the tea towel", "the Tea towel"])
def test_the_number_in_a_line_is_counted_to(up: str, down: str, of: str) -> None:
    world = basket(up, down)
    do(world, "increase it", SetValue(f"the quantity of {of}", "3"))
    assert counts_of(world) == ["2", "3", "3"]


def test_a_part_of_a_name_that_one_line_has_is_enough() -> None:
    world = basket()
    do(world, "reduce it", SetValue("the quantity of the stoneware mug", "1"))
    assert counts_of(world) == ["1", "1", "3"]


@pytest.mark.parametrize(
    ("said", "of", "to"),
    [
        ("increase the quantity of the Pot to 2", "the Pot", "2"),
        ("reduce the quantity of the tea towel to 4", "the tea towel", "4"),
        ("increase the quantity of the spoon to 2", "the spoon", "2"),
    ],
)
def test_nothing_is_counted_the_other_way_or_in_another_line(said: str, of: str, to: str) -> None:
    world = basket()
    with pytest.raises(Missed):
        do(world, said, SetValue(f"the quantity of {of}", to))
    assert counts_of(world) == ["2", "1", "3"]
    assert not any(isinstance(one, Click) for one in world.done)
