"""Cells of tables without a field of their own: opened, filled, kept, and read again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import SIZE, World, desk_of, element, play

from carrel.actions import Click, Elements, Key
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.perception.merging import merge

HEADS = ("Item", "Quantity", "Price")
X = (90, 250, 350)


class Grid:
    """A page with a table that is edited in place, beside a field to search.

    Attributes:
        clicks: How many open a cell; 0 for a table that only shows.
        headings: Whether the headings are called so, or are drawn as cells.
        numbered: Whether each row begins with its number.
        keeps: What a cell makes of what is typed.
    """

    def __init__(
        self, clicks: int = 2, *, headings: bool = False, numbered: bool = True, keeps: str = ""
    ) -> None:
        self.clicks, self.headings, self.numbered, self.keeps = clicks, headings, numbered, keeps
        self.rows = [["Paper", "5", "28"], ["Ink", "2", "180"], ["", "", ""]]
        self.open: tuple[int, int] | None = None
        self.text, self.all = "", False
        self.keys: list[tuple[str, ...]] = []
        self.world = World()
        self.world._click = self._click  # type: ignore[method-assign]
        self.world._type = self._type  # type: ignore[method-assign]
        self.world._key = self._key  # type: ignore[method-assign]
        self.draw()

    def draw(self) -> None:
        listed = [
            element("Orders", "document web", (0, 0, 800, 600), id="p"),
            element("", "table", (40, 100, 500, 120), parent="p", id="t"),
            element("", "table row", (40, 100, 500, 30), parent="t", id="h"),
        ]
        role = "column header" if self.headings else "table cell"
        if self.numbered:
            listed.append(element("", role, (40, 100, 50, 30), parent="h", id="h-n"))
        for x, name in zip(X, HEADS, strict=True):
            listed.append(element(name, role, (x, 100, 100, 30), parent="h", id=f"h-{name}"))
        for y, row in enumerate(self.rows):
            top, key = 130 + 30 * y, f"r{y}"
            listed.append(element("", "table row", (40, top, 500, 30), parent="t", id=key))
            if self.numbered:
                at = (40, top, 50, 30)
                listed.append(element(str(y + 1), "table cell", at, parent=key, id=f"{key}-n"))
            for x, text in enumerate(row):
                cell = f"{key}-{x}"
                said = "" if self.open == (y, x) else text
                at = (X[x], top, 100, 30)
                listed.append(element(said, "table cell", at, parent=key, id=cell))
                if self.open == (y, x):
                    states = ("editable", "focusable", "focused", "single line")
                    at = (X[x] + 1, top + 1, 98, 28)
                    listed.append(element("", "entry", at, *states, value=self.text, parent=cell))
        self.world.elements = list(merge({"tree": listed}, SIZE))

    def _click(self, action: Click) -> None:
        y = (action.y - 130) // 30
        x = next((n for n, left in enumerate(X) if left <= action.x < left + 100), -1)
        self.open = None
        if action.count == self.clicks and 0 <= y < 3 and x >= 0:
            self.open, self.text, self.all = (y, x), self.rows[y][x], False
        self.world._show("clicked")
        self.draw()

    def _type(self, text: str) -> None:
        self.text, self.all = text if self.all else self.text + text, False
        self.draw()

    def _key(self, action: Key) -> None:
        self.keys.append(action.keys)
        if action.keys == ("ctrl", "a"):
            self.all = True
        elif action.keys == ("enter",) and self.open is not None:
            y, x = self.open
            self.rows[y][x], self.open = self.keeps or self.text, None
        elif action.keys == ("enter",):
            self.rows.append(["", "", ""])
        elif action.keys == ("esc",):
            self.open = None
        self.draw()

    def run(self, sentence: str) -> str | None:
        player = Player(read_sentence(sentence), desk_of(self.world))
        play(self.world, player.play())
        return player.account


PAPER, EMPTY = ["Paper", "5", "28"], ["", "", ""]


@pytest.mark.parametrize("clicks", [1, 2])
@pytest.mark.parametrize("headings", [True, False])
@pytest.mark.parametrize(
    "sentence",
    [
        "change the quantity in the row of Ink to 3",
        "in the row of Ink, change the quantity to 3",
        "把“Ink”那一行的“Quantity”改为 3",
        "type 3 into the Quantity cell of row 2",
        "在第 2 行的“Quantity”里输入 3",
    ],
)
def test_a_cell_is_opened_filled_and_kept(sentence: str, headings: bool, clicks: int) -> None:
    grid = Grid(clicks, headings=headings)
    assert grid.run(sentence) is None
    assert grid.rows == [PAPER, ["Ink", "3", "180"], EMPTY]
    assert grid.open is None
    assert not {("right",), ("left",)} & set(grid.keys)


def test_an_empty_cell_is_filled_in_the_row_that_says_the_number() -> None:
    grid = Grid()
    assert grid.run("在第 3 行的“Quantity”里输入 12，在“Price”里输入 6.5，按回车键") is None
    assert grid.rows == [PAPER, ["Ink", "2", "180"], ["", "12", "6.5"]]


def test_a_heading_without_a_row_is_no_cell_to_type_into() -> None:
    grid = Grid()
    account = grid.run("在“Price”里输入 6.5")
    assert account is not None
    assert "which row" in account
    assert all(isinstance(one, Elements) for one in grid.world.done)


def test_what_a_cell_does_not_keep_fails_with_what_it_holds() -> None:
    grid = Grid(keeps="99")
    account = grid.run("change the quantity in the row of Ink to 3")
    assert account is not None
    assert "'99'" in account
    assert grid.open is None


def test_a_number_in_a_cell_that_does_not_open_is_no_slider() -> None:
    grid = Grid(0)
    account = grid.run("change the quantity in the row of Ink to 3")
    assert account is not None
    assert "does not open to be edited; it holds '2'" in account
    assert grid.keys == []
    places = {(a.x, a.y) for a in grid.world.done if isinstance(a, Click)}
    assert places == {(300, 175)}


class Stuck(Grid):
    """A cell whose editor takes the text and does not close by Enter."""

    def _key(self, action: Key) -> None:
        if action.keys != ("enter",):
            super()._key(action)


def test_an_editor_that_does_not_close_is_left_by_escape() -> None:
    grid = Stuck()
    account = grid.run("change the quantity in the row of Ink to 3")
    assert account is not None
    assert "stays open" in account
    assert grid.open is None
    assert grid.rows[1] == ["Ink", "2", "180"]


def test_a_row_that_is_counted_is_read_by_headings_drawn_as_cells() -> None:
    grid = Grid()
    assert grid.run("Verify that Ink's quantity is 2") is None
    assert grid.run("Verify that Ink's quantity is 3") is not None


class SlowGrid(Grid):
    """A table that tells of the editor of a cell only a while after it was opened."""

    def _click(self, action: Click) -> None:
        super()._click(action)
        if self.open is None:
            return
        cell = f"r{self.open[0]}-{self.open[1]}"
        told = [e for e in self.world.elements if e.role != "entry"]
        self.world.elements = [
            replace(e, states=(*e.states, "focused")) if e.id.endswith(cell) else e for e in told
        ]
        self.world.after(1.2, lambda _world: self.draw())


def test_an_editor_that_is_slow_to_show_is_not_typed_into_blindly() -> None:
    grid = SlowGrid(2)
    assert grid.run("change the quantity in the row of Ink to 3") is None
    assert grid.rows[1] == ["Ink", "3", "180"]
