"""Rows with a drop-down in them, whose open list lies over the rows below."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player

STATES = ("Open", "Closed", "Cancelled")


class Orders(World):
    """A table whose last column has drop-downs; an open one shows its list over the rows below."""

    def __init__(self, *states: str) -> None:
        self.states, self.open = list(states), -1
        super().__init__()
        self.on("Status", self._open)
        for state in STATES:
            self.on(state, self._take)
        self.draw()

    def draw(self) -> None:
        """Show the rows, and the list that is open."""
        made = [
            element("Orders", "document web", (0, 0, 700, 560), id="page"),
            element("", "table", (10, 10, 240, 400), parent="page", id="t"),
            element("", "table row", (10, 10, 240, 30), parent="t", id="r"),
            element("Order", "column header", (10, 10, 120, 30), parent="r", id="h0"),
            element("Status", "column header", (130, 10, 120, 30), parent="r", id="h1"),
        ]
        for at, state in enumerate(self.states):
            made += self._row(at, state)
        self.elements = made

    def _row(self, at: int, state: str) -> list[Element]:
        y, row = 40 + 30 * at, f"r{at}"
        combo = element(
            "Status", "combo box", (135, y, 100, 30), value=state, parent=f"{row}b", id=f"c{at}"
        )
        options = [
            element(one, "menu item", (135, y + 30 * n, 100, 30), parent=f"c{at}", id=f"o{at}{n}")
            for n, one in enumerate(STATES, 1)
        ]
        return [
            element("", "table row", (10, y, 240, 30), parent="t", id=row),
            element(f"A-{at}", "table cell", (10, y, 120, 30), parent=row, id=f"{row}a"),
            element("", "table cell", (130, y, 120, 30), parent=row, id=f"{row}b"),
            combo,
            *(options if self.open == at else (replace(one, box=None) for one in options)),
        ]

    def _open(self, _world: World, pressed: Element, _action: Action) -> None:
        self.open = int(pressed.id[1:])
        self.draw()

    def _take(self, _world: World, pressed: Element, _action: Action) -> None:
        self.states[int(pressed.id[1])], self.open = pressed.name, -1
        self.draw()


@pytest.mark.parametrize(
    "said",
    [
        "Change every status from Open to Cancelled",
        "for each row whose status is Open, set the status to Cancelled",
        "把每一行的“Status”从“Open”改成“Cancelled”",
    ],
)
def test_what_is_set_in_each_row_is_set_in_those_rows_alone(said: str) -> None:
    world = Orders("Open", "Closed", "Open", "Closed")
    player = Player(read_sentence(said), desk_of(world))
    play(world, player.play())
    assert player.account is None
    assert world.states == ["Cancelled", "Closed", "Cancelled", "Closed"]
