"""Claims about a number that a page tells with words: over its column, beside it, behind it."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player

COLUMNS = ("Code", "Article", "Bin", "On hand", "Minimum")


def text(name: str, x: int, y: int, width: int, parent: str = "page") -> Element:
    return element(name, "static", (x, y, width, 16), parent=parent)


def row(at: int, *cells: str) -> list[Element]:
    """A row of a table, and its cells."""
    y, key = 130 + 30 * at, f"row{at}"
    held = [
        element(said, "table cell", (20 + 150 * n, y, 150, 30), parent=key)
        for n, said in enumerate(cells)
    ]
    return [element("", "table row", (20, y, 750, 30), parent="table", id=key), *held]


def stock() -> World:
    """A table of articles, and figures over it."""
    heads = [
        element(said, "column header", (20 + 150 * n, 100, 150, 30), parent="heads")
        for n, said in enumerate(COLUMNS)
    ]
    return World(
        element("Depot 7", "document web", (0, 0, 800, 600), id="page"),
        text("Articles listed: ", 20, 60, 104),
        text("4", 124, 60, 10),
        text(" · Below minimum: ", 134, 60, 120),
        text("1", 254, 60, 10),
        element("", "table", (20, 100, 750, 180), parent="page", id="table"),
        element("", "table row", (20, 100, 750, 30), parent="table", id="heads"),
        *heads,
        *row(0, "GL-301", "Work gloves M", "C1", "64", "30"),
        *row(1, "GL-302", "Work gloves L", "C1", "18", "30"),
        *row(2, "HL-009", "Helmet yellow", "C3", "12", "10"),
        *row(3, "ST-044", "Lashing strap", "Y4", "25", "20"),
    )


def so(claim: str) -> bool:
    """Whether a claim passes on that page."""
    world = stock()
    desk = desk_of(world)
    player = Player(read_sentence(claim), desk)
    play(world, player.play(), desk)
    return player.account is None


@pytest.mark.parametrize(
    "claim",
    [
        "the number of articles listed should be 4",
        "the number of articles below minimum should be 1",
        "Work gloves L should have 18 on hand",
        "the Work gloves L row should show 18 on hand",
        "there should be 12 of the yellow helmet on hand",
        "12 yellow helmets should be on hand",
        "the Lashing strap should be in bin Y4 with 25 on hand",
        "the Lashing strap should be listed with 25 on hand and a minimum of 20",
        "the Lashing strap should be listed with a minimum of 20",
    ],
)
def test_a_figure_is_told_by_its_column_and_its_row_or_by_its_label(claim: str) -> None:
    assert so(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "the number of articles listed should be 7",
        "the number of articles below minimum should be 4",
        "Work gloves L should have 64 on hand",
        "Work gloves should have 18 on hand",
        "Work gloves L should have 30 on hand",
        "there should be 10 of the yellow helmet on hand",
        "13 yellow helmets should be on hand",
        "12 red helmets should be on hand",
        "the Lashing strap should be in bin Y4 with 20 on hand",
        "the Lashing strap should be listed with 20 on hand and a minimum of 25",
        "the Lashing strap should be in bin C3 with 25 on hand",
        "the Lashing strap should be listed with a minimum of 25",
    ],
)
def test_a_figure_of_another_row_or_column_is_none(claim: str) -> None:
    assert not so(claim)
