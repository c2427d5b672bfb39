"""What is done to one of several: the row that says it, its number, and no field for a tick."""

from __future__ import annotations

from contextlib import suppress

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.program import Perform, Tick
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.ticking import tick


def row(name: str, y: int, *, box: bool = False) -> list[Element]:
    held = [
        element("", "table row", (400, y, 300, 30), parent="table", id=f"row-{name}"),
        element(name, "table cell", (430, y, 100, 30), parent=f"row-{name}", id=f"cell-{name}"),
        element(name, "static", (435, y + 5, 60, 18), parent=f"cell-{name}"),
    ]
    if box:
        at = (405, y + 5, 15, 15)
        return [*held, element("", "check box", at, parent=f"row-{name}")]
    return [*held, element("Remove", at=(600, y + 3, 80, 24), parent=f"row-{name}")]


def table(*rows: list[Element]) -> list[Element]:
    held = element("", "table", (400, 100, 300, 200), id="table")
    return [held, *(part for one in rows for part in one)]


def places(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


def test_what_is_removed_is_in_its_row_and_not_level_with_its_name_elsewhere() -> None:
    shop = [
        element("Mug", "static", (20, 148, 40, 18)),
        element("Tea", "static", (20, 110, 40, 18)),
    ]
    world = World(*shop, *table(row("Tea", 140), row("Mug", 180), row("Jam", 220)))
    play(world, perform(desk_of(world), Perform("remove", "the mug")))
    assert places(world) == [(640, 195)]


def test_a_row_is_told_by_its_number_and_what_one_calls_it() -> None:
    world = World(*table(row("Ann", 140, box=True), row("Ben", 180, box=True)))
    # A box in this world keeps its state: only where the click goes is asked.
    with suppress(Missed):
        play(world, tick(desk_of(world), Tick(("the second person",))))
    assert places(world) == [(412, 192)]


def test_a_field_is_not_ticked() -> None:
    label = element("Search", "label", (20, 20, 60, 20), id="label")
    field = element(
        "Search", "entry", (90, 20, 200, 20), "editable", value="", parent="label", id="field"
    )
    world = World(label, field)
    with pytest.raises(Missed):
        play(world, tick(desk_of(world), Tick(("the first entry",))))
    assert places(world) == []
