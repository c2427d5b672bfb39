"""Drop-downs that are called by what they show, or by a part of their name."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action
from carrel.frames import Element
from carrel.models.steps.program import Choose, SetValue
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.partly_called import drop_down_called
from carrel.models.steps.verbs.setting import set_value

OPTIONS = ("All levels", "Silver", "Gold")


class Page:
    """A drop-down that is a field nobody can write into, over a table with a column `Levels`.

    It is called by what stands there when nothing is chosen, as its first option is.
    """

    def __init__(self, *more: Element) -> None:
        self.chosen, self.opened, self.more = "Silver", False, more
        self.world = World()
        for name in (*OPTIONS, "field"):
            self.world.on(name, self._pressed)
        self.draw()

    def draw(self) -> None:
        states = ("read only", "focusable", "single line")
        rows = [
            element("Members", "document web", (0, 0, 800, 600), id="p"),
            element(
                *("All levels", "entry", (40, 40, 200, 30), *states),
                value=None if self.chosen == "All levels" else self.chosen,
                parent="p",
                id="d",
            ),
            element("Levels", "column header", (40, 300, 100, 20), parent="p"),
            element("Silver", "table cell", (40, 330, 100, 20), parent="p"),
        ]
        if self.opened:
            rows += [
                element(name, "static", (50, 80 + 30 * at, 100, 20), parent="p", id=name)
                for at, name in enumerate(OPTIONS)
            ]
        self.world.elements = [*rows, *self.more]

    def _pressed(self, _world: World, hit: Element, _action: Action) -> None:
        if hit.id == "d":
            self.opened = not self.opened
        elif self.opened and hit.id in OPTIONS:
            self.chosen, self.opened = hit.name, False
        self.draw()


@pytest.mark.parametrize("phrase", ["the levels drop-down", 'the "Silver" drop-down'])
@pytest.mark.parametrize("option", ["All levels", "Gold"])
def test_a_drop_down_is_set_by_what_it_shows_or_by_a_part_of_its_name(
    phrase: str, option: str
) -> None:
    page = Page()
    desk = desk_of(page.world)
    play(page.world, set_value(desk, SetValue(phrase, option)))
    assert page.chosen == option
    assert not desk.doubts


@pytest.mark.parametrize("source", ["the levels drop-down", 'the "Silver" drop-down'])
@pytest.mark.parametrize("option", ['"All levels"', "Gold"])
def test_an_option_is_chosen_from_a_drop_down_that_shows_the_name(source: str, option: str) -> None:
    page = Page()
    desk = desk_of(page.world)
    play(page.world, choose(desk, Choose((option,), source)))
    assert page.chosen == option.strip('"')
    assert not page.opened
    assert not desk.doubts


def test_a_drop_down_is_no_option_of_something_else() -> None:
    title = element("Members", "heading", (40, 10, 100, 20), parent="p", id="t")
    page = Page(title)
    step = Choose(('"All levels"',), 'the "Members" heading')
    with pytest.raises(Missed, match="is a drop-down, and no option of Members"):
        play(page.world, choose(desk_of(page.world), step))
    assert page.chosen == "Silver"
    assert not page.opened


def test_of_two_drop_downs_with_the_word_none_is_taken() -> None:
    other = element(
        "Entry levels", "entry", (400, 40, 200, 30), "read only", "focusable", parent="p", id="o"
    )
    page = Page(other)
    assert drop_down_called(desk_of(page.world), "the levels drop-down") is None
    with pytest.raises(Missed):
        play(page.world, set_value(desk_of(page.world), SetValue("the levels drop-down", "Gold")))
    assert page.chosen == "Silver"


@pytest.mark.parametrize("phrase", ["Levels", "the levels field", "the eve drop-down", '"Levels"'])
def test_other_words_mean_no_drop_down(phrase: str) -> None:
    assert drop_down_called(desk_of(Page().world), phrase) is None


def test_a_drop_down_that_is_called_so_is_found_as_ever() -> None:
    assert drop_down_called(desk_of(Page().world), 'the "All levels" drop-down') is None
