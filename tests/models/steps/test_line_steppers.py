"""Numbers with a button on either side: the one that was said, and never the other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.program import Point, SetValue
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs import verb_of
from carrel.models.steps.verbs.pointing import point


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


def goods() -> World:
    """Two cards, each with a number in a field and a button without a name at either side."""
    page = element("Cart", "document web", (0, 0, 800, 600), id="p")
    held: list[Element] = []
    for n, name in enumerate(("手冲咖啡壶", "Coffee beans")):
        y = 40 + 140 * n
        held += [
            element("", "section", (20, y, 560, 120), parent="p", id=f"card{n}"),
            element(name, "static", (40, y + 6, 120, 18), parent=f"card{n}"),
            element("", at=(440, y + 80, 28, 28), parent=f"card{n}", id=f"down{n}"),
            element("", "spin button", (469, y + 80, 32, 28), value="1", parent=f"card{n}"),
            element("", at=(502, y + 80, 28, 28), parent=f"card{n}", id=f"up{n}"),
        ]
    world = World(page, *held)

    def react(world: World, pressed: Element, _: Action) -> None:
        by = 1 if pressed.id.startswith("up") else -1
        world.elements = [
            replace(e, value=str(int(e.value or 0) + by))
            if e.role == "spin button" and e.parent == pressed.parent
            else e
            for e in world.elements
        ]

    world.on("", react)
    return world


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("“手冲咖啡壶”的加号", ["2", "1"]),
        ("手冲咖啡壶的减号按钮", ["0", "1"]),
        ("the plus of the Coffee beans", ["1", "2"]),
        ("the minus button next to Coffee beans", ["1", "0"]),
    ],
)
def test_a_sign_in_the_entry_of_a_thing_is_pressed_and_never_the_thing(
    said: str, values: list[str]
) -> None:
    world = goods()
    play(world, point(desk_of(world), Point(said)))
    assert [e.value for e in world.elements if e.role == "spin button"] == values


def test_a_thing_without_a_number_is_not_clicked_for_its_plus() -> None:
    world = goods()
    world.elements = [e for e in world.elements if e.role != "spin button"]
    with pytest.raises(Missed):
        play(world, point(desk_of(world), Point("“手冲咖啡壶”的加号")))
    assert not any(isinstance(one, Click) for one in world.done)
