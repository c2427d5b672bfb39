"""Choices that lead to further ones, in the panel of one field."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player

Tree = Mapping[str, "Tree"]
PLACES: Tree = {
    "Zhejiang": {"Hangzhou": {"West Lake": {}, "Yuhang": {}}, "Ningbo": {"Haishu": {}}},
    "Jiangsu": {"Nanjing": {"Xuanwu": {}}},
}


class Cascade(World):
    """A field that takes no keys, with one more column for each choice.

    Attributes:
        keeps: What the field says after the last choice; None for the choice itself.
    """

    def __init__(self, keeps: str | None = None) -> None:
        self.keeps, self.path = keeps, list[str]()
        label = element("Region", "label", (10, 10, 60, 20))
        self.field = element("Region", "entry", (80, 10, 300, 20), "read only", value="")
        super().__init__(label, self.field)
        self.on("Region", lambda _w, _e, _a: self._open(PLACES, 0))

    def _open(self, tree: Tree, level: int) -> None:
        kept = [e for e in self.elements if e.role != "list item" or int(e.id[0]) < level]
        self.elements = kept
        for at, name in enumerate(tree):
            where = (80 + 120 * level, 40 + 30 * at, 110, 24)
            self.elements.append(element(name, "list item", where, id=f"{level}{at}"))
            self.on(name, lambda _w, e, _a: self._take(e, tree, level))

    def _take(self, taken: Element, tree: Tree, level: int) -> None:
        self.path = [*self.path[:level], taken.name]
        if tree[taken.name]:
            # The next column comes a moment later.
            self.after(0.3, lambda _w: self._open(tree[taken.name], level + 1))
            return
        said = " / ".join(self.path) if self.keeps is None else self.keeps
        self.elements = [e for e in self.elements if e.role != "list item"]
        self.elements[1] = element("Region", "entry", (80, 10, 300, 20), "read only", value=said)


def run(world: World, sentence: str) -> str | None:
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    return player.account


@pytest.mark.parametrize(
    "sentence",
    [
        'choose "Zhejiang / Hangzhou / West Lake" in Region',
        "choose Zhejiang > Hangzhou > West Lake in Region",
        "select Zhejiang > Hangzhou > West Lake from the Region field",
    ],
)
def test_each_choice_leads_to_the_next(sentence: str) -> None:
    world = Cascade()
    assert run(world, sentence) is None
    assert world.path == ["Zhejiang", "Hangzhou", "West Lake"]


def test_a_choice_that_leads_elsewhere_fails_and_says_so() -> None:
    world = Cascade()
    account = run(world, 'choose "Zhejiang / Nanjing / Xuanwu" in Region')
    assert account is not None
    assert "does not lead to Nanjing" in account
    assert world.path == ["Zhejiang"]


def test_a_field_that_says_something_else_afterwards_fails() -> None:
    account = run(Cascade("Jiangsu"), 'choose "Zhejiang / Hangzhou / Yuhang" in Region')
    assert account is not None
    assert "says 'Jiangsu'" in account


def test_an_option_with_a_stroke_in_its_name_is_no_chain() -> None:
    box = element("Answer", "combo box", (10, 10, 120, 20), id="c")
    options = [
        element(name, "menu item", (10, 40 + 30 * at, 120, 24), parent="c")
        for at, name in enumerate(("Yes/No", "Yes", "No"))
    ]
    world = World(box, *options)
    taken: list[str] = []

    def take(_world: World, pressed: Element, _action: Action) -> None:
        taken.append(pressed.name)

    for option in options:
        world.on(option.name, take)
    run(world, 'choose "Yes/No" from Answer')
    assert taken in ([], ["Yes/No"])
    assert any(isinstance(action, Click) for action in world.done)
