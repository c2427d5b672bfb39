"""Lists that come up under a field and say nothing of what they are: taken as they are seen."""

from __future__ import annotations

import pytest
from steps_world import SIZE, World, desk_of, element, play

from carrel.actions import Click, Key, Type
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.perception.merging import merge

GROUPS = ("Lighting", "Furniture", "Electrical")
LISTED = (("Lamp", "Lighting"), ("Chair", "Furniture"), ("Desk", "Furniture"), ("Lead", "Outdoor"))


class Stock:
    """A table with a filter under a heading: a click lists the groups, and letters do nothing."""

    def __init__(self) -> None:
        self.opened, self.filter = False, ""
        self.world = World()
        self.world._click = self._click  # type: ignore[method-assign]
        self.world._type = self._type  # type: ignore[method-assign]
        self.world._key = self._key  # type: ignore[method-assign]
        self.draw()

    def draw(self) -> None:
        listed = [
            element("Stock", "document web", (0, 0, 800, 600), id="p"),
            element("", "table", (40, 100, 500, 200), parent="p", id="t"),
            element("Article Group", "table row", (40, 100, 500, 54), parent="t", id="h"),
            element("Article", "column header", (40, 100, 250, 54), parent="h", id="h0"),
            element("Article", "static", (44, 104, 60, 17), parent="h0"),
            element("Group", "column header", (290, 100, 250, 54), parent="h", id="h1"),
            element("Group", "static", (294, 104, 50, 17), parent="h1"),
        ]
        states = ("editable", "focusable", "single line", *(("focused",) if self.opened else ()))
        at = (294, 122, 240, 28)
        listed.append(element("", "entry", at, *states, value=self.filter, parent="h1", id="f"))
        shown = [row for row in LISTED if self.filter in ("", row[1])]
        for y, row in enumerate(shown):
            top, key = 154 + 25 * y, f"r{y}"
            listed.append(
                element(" ".join(row), "table row", (40, top, 500, 25), parent="t", id=key)
            )
            for x, text in enumerate(row):
                cell = element(text, "table cell", (40 + 250 * x, top, 250, 25), parent=key)
                listed.append(cell)
        if self.opened:
            listed.append(element("", "section", (294, 150, 240, 77), parent="p", id="l"))
            for y, name in enumerate(GROUPS):
                top, key = 151 + 25 * y, f"o{y}"
                listed.append(element("", "section", (295, top, 238, 25), parent="l", id=key))
                at = (299, top + 4, 60, 17)
                listed.append(element(name, "static", at, parent=key, id=f"{key}-t"))
        self.world.elements = list(merge({"tree": listed}, SIZE))

    def _click(self, action: Click) -> None:
        if 294 <= action.x < 534 and 122 <= action.y < 150:
            self.opened = True
        elif self.opened and 295 <= action.x < 533 and 151 <= action.y < 226:
            self.filter, self.opened = GROUPS[(action.y - 151) // 25], False
        else:
            self.opened = False
        self.draw()

    def _type(self, text: str) -> None:
        self.world._show(text)

    def _key(self, action: Key) -> None:
        if action.keys == ("esc",):
            self.opened = False
        self.draw()

    def run(self, sentence: str) -> str | None:
        player = Player(read_sentence(sentence), desk_of(self.world))
        play(self.world, player.play())
        return player.account


@pytest.mark.parametrize("option", GROUPS)
def test_an_option_in_plain_view_is_clicked_and_nothing_is_typed(option: str) -> None:
    stock = Stock()
    assert stock.run(f"choose {option} in the filter box under Group") is None
    assert (stock.filter, stock.opened) == (option, False)
    assert not any(isinstance(a, Type) for a in stock.world.done)


def test_a_text_behind_the_list_is_no_option_of_it_and_the_list_is_closed_again() -> None:
    stock = Stock()
    account = stock.run("choose Outdoor in the filter box under Group")
    assert account is not None
    assert "'Outdoor'" in account
    assert (stock.filter, stock.opened) == ("", False)
