"""Boards whose parts take things under their headings, and not on them."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Drag
from carrel.frames import Element
from carrel.models.steps.program import Drag as DragStep
from carrel.models.steps.verbs.dragging import drag

LANES = ("To do", "Doing", "Review")
TOP, BODY, CARD = 100, 140, 90
"""Where the parts begin, where they take cards, and how far apart those are."""


class Board:
    """A page with three parts of cards; each has a plain text with a number over it.

    Attributes:
        cards: What is in each part.
        counts: Whether the numbers follow.
        keeps: Whether a card that was let go in a body stays there.
    """

    def __init__(self, *, counts: bool = True, keeps: bool = True) -> None:
        self.cards = {"To do": ["Plan", "Draw"], "Doing": ["Write"], "Review": list[str]()}
        self.told = {name: len(held) for name, held in self.cards.items()}
        self.counts, self.keeps = counts, keeps
        self.world = World()
        self.world.on("drag", self._drag)
        self.draw()

    def draw(self) -> None:
        rows = [
            element("Board", "document web", (0, 0, 800, 600), id="p"),
            element("", "section", (20, TOP, 760, 460), parent="p", id="board"),
        ]
        for at, name in enumerate(LANES):
            rows += self._lane(name, 20 + 250 * at)
        self.world.elements = rows

    def _lane(self, name: str, x: int) -> list[Element]:
        rows = [
            element("", "section", (x, TOP, 240, 440), parent="board", id=name),
            element("", "header", (x, TOP, 240, 32), parent=name, id=f"{name}-h"),
            element(name, "static", (x + 20, TOP + 8, 60, 16), parent=f"{name}-h"),
            element(str(self.told[name]), "static", (x + 100, TOP + 8, 8, 16), parent=f"{name}-h"),
        ]
        for at, card in enumerate(self.cards[name]):
            y = BODY + CARD * at
            key = f"{name}-{card}"
            rows += [
                element("", "article", (x + 8, y, 224, CARD - 10), parent=name, id=key),
                element(card, "static", (x + 20, y + 10, 80, 16), parent=key),
                element("today", "static", (x + 20, y + 50, 80, 16), parent=key),
            ]
        y = BODY + CARD * len(self.cards[name])
        add = f"Add a card to {name}"
        return [*rows, element(add, "push button", (x + 8, y + 60, 224, 30), parent=name)]

    def _drag(self, _world: World, _first: Element, action: Action) -> None:
        assert isinstance(action, Drag)
        start, end = action.path[0], action.path[-1]
        source, lane = LANES[(start.x - 20) // 250], LANES[(end.x - 20) // 250]
        card = self.cards[source][(start.y - BODY) // CARD]
        taken = end.y >= BODY and self.keeps
        before = {name: list(held) for name, held in self.cards.items()}
        # On its way the card is shown in every part that it passes.
        self.cards[source].remove(card)
        self.cards[lane].append(card)
        if taken and self.counts:
            self.told = {name: len(held) for name, held in self.cards.items()}
        self.draw()
        if not taken:
            self.world.after(0.3, lambda _w: self._go_back(before))

    def _go_back(self, cards: dict[str, list[str]]) -> None:
        self.cards = cards
        self.draw()


@pytest.mark.parametrize("onto", ["Review", '"Doing"', "the Doing column"])
def test_a_card_is_let_go_under_the_heading_of_the_part_it_is_dragged_to(onto: str) -> None:
    board = Board()
    desk = desk_of(board.world)
    play(board.world, drag(desk, DragStep('"Plan"', onto)))
    lane = "Review" if "Review" in onto else "Doing"
    desk.take(board.world.seen())
    assert board.cards[lane][-1] == "Plan"
    assert board.told[lane] == len(board.cards[lane])
    assert not desk.doubts


def test_a_card_that_goes_back_when_the_screen_is_still_was_not_moved() -> None:
    board = Board(keeps=False)
    desk = desk_of(board.world)
    play(board.world, drag(desk, DragStep('"Plan"', "Review")))
    assert board.cards["Review"] == []
    assert any("is seen where it was before" in why for why in desk.doubts)


def test_a_part_that_does_not_count_the_card_leaves_a_doubt() -> None:
    board = Board(counts=False)
    desk = desk_of(board.world)
    play(board.world, drag(desk, DragStep('"Plan"', "Doing")))
    assert any("still counts 1" in why for why in desk.doubts)
