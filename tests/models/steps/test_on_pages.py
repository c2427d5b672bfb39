"""Steps on pages as testers word them: lines under a thing, days of a month, handles, entries."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click, Type
from carrel.frames import Element
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.program import Check
from carrel.models.steps.shown.day_cells import day_cell
from carrel.models.steps.verbs.handles import handle_meant

PAGE = element("Page", "document web", (0, 0, 800, 600), id="page")
LINE = ("editable", "single line")


def on_page(*elements: Element) -> World:
    return World(PAGE, *elements)


def text(said: str, at: tuple[int, int, int, int], parent: str = "page") -> Element:
    return element(said, "static", at, parent=parent)


def is_so(world: World, claim: str) -> bool:
    (step,) = read_sentence(claim).steps
    assert isinstance(step, Check)
    return play(world, holds(desk_of(world), step.condition))[0]


def played(world: World, sentence: str) -> Player:
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    return player


def a_table() -> World:
    return on_page(
        element("", "table", (20, 40, 600, 200), parent="page", id="table"),
        element("", "table row", (20, 40, 600, 20), parent="table", id="row"),
        element("Ann", "table cell", (20, 40, 200, 20), parent="row"),
        text("Showing 1 to 10", (20, 250, 120, 18)),
        text("of", (144, 250, 14, 18)),
        text("27 entries", (162, 250, 70, 18)),
        text("«", (500, 250, 12, 18)),
        text("Far below", (20, 540, 70, 18)),
    )


@pytest.mark.parametrize(
    ("claim", "so"),
    [
        ('Verify that the line under the table starts with "Showing 1 to 10"', True),
        ('Verify that the text below the table says "Showing 1 to 10 of 27 entries"', True),
        ('Verify that the line under the table says "Showing 2"', False),
        ('Verify that "Showing 1 to 10 of 27 entries" is shown below the table', True),
        ('Verify that "Showing 1 to 10 of 27 entries" is shown above the table', False),
        ('Verify that the line under the table says "Far below"', False),
    ],
)
def test_a_line_is_told_by_what_it_stands_under(claim: str, so: bool) -> None:
    assert is_so(a_table(), claim) is so


def a_range() -> World:
    return on_page(
        element("Price", "heading", (20, 20, 200, 20), parent="page"),
        element("Lowest price", "slider", (40, 60, 20, 20), parent="page", value="40"),
        element("Highest price", "slider", (400, 60, 20, 20), parent="page", value="280"),
        element("Guests", "slider", (40, 200, 20, 20), parent="page", value="2"),
    )


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("the right handle of the price slider", "Highest price"),
        ("the lower handle of the price range", "Lowest price"),
        ("the upper end", "Highest price"),
        ("the right handle of the guests slider", None),
        ("the right handle of the weight slider", None),
    ],
)
def test_a_handle_is_one_of_two_on_one_bar(phrase: str, name: str | None) -> None:
    handle = handle_meant(desk_of(a_range()), phrase)
    assert (handle.name if handle is not None else None) == name


def a_month() -> World:
    """March 2026, which begins on a Sunday, with the first days of April."""
    days = [("March", day) for day in range(1, 32)] + [("April", day) for day in range(1, 5)]
    cells = [
        element(
            f"{month} {day}, 2026",
            "table cell",
            (20 + 100 * (at % 7), 40 + 60 * (at // 7), 100, 60),
            parent="page",
        )
        for at, (month, day) in enumerate(days)
    ]
    return on_page(*cells)


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("Friday the 20th", "March 20, 2026"),
        ("March 20", "March 20, 2026"),
        ("the cell of March 20, 2026", "March 20, 2026"),
        ("the 3rd", "March 3, 2026"),
        ("April 3", "April 3, 2026"),
        ("Thursday the 20th", None),
        ("20", None),
    ],
)
def test_a_day_is_a_cell_of_its_month(phrase: str, name: str | None) -> None:
    match = day_cell(desk_of(a_month()), phrase)
    assert (match.element.name if match is not None else None) == name


def articles(*more: Element) -> World:
    rows: list[Element] = []
    for at, name in enumerate(("Budget (draft)", "Minutes (draft)")):
        top = 100 + 40 * at
        rows += [
            element("", "list item", (20, top, 500, 40), parent="page", id=f"item{at}"),
            text(name, (30, top + 10, 120, 20), parent=f"item{at}"),
            element(
                "Withdraw", "push button", (400, top + 5, 80, 30), parent=f"item{at}", id=f"w{at}"
            ),
        ]
    return on_page(*rows, *more)


def test_a_verb_is_done_by_the_control_of_the_entry_that_is_meant() -> None:
    world = articles()
    played(world, "Withdraw the Minutes article")
    assert [action for action in world.done if isinstance(action, Click)] == [Click(440, 160)]


def test_an_entry_that_is_not_there_presses_nothing() -> None:
    world = articles()
    assert played(world, "Withdraw the Travel article").account
    assert not [action for action in world.done if isinstance(action, Click)]


def test_a_remark_goes_into_the_field_that_is_called_after_it() -> None:
    world = on_page(
        element("Title", "entry", (20, 20, 300, 30), *LINE, parent="page"),
        element("Remarks", "entry", (20, 80, 300, 90), "editable", "multi line", parent="page"),
    )
    played(world, 'Add the remark "Hand-over is done"')
    assert [a.text for a in world.done if isinstance(a, Type)] == ["Hand-over is done"]
    assert Click(170, 125) in world.done


def test_a_choice_is_taken_though_no_text_says_what_it_is() -> None:
    world = on_page(
        element("Paris", "radio button", (20, 20, 20, 20), "checkable", parent="page"),
        element("London", "radio button", (20, 60, 20, 20), "checkable", parent="page"),
    )
    played(world, "Choose London as the location")
    assert Click(30, 70) in world.done


def test_what_counts_up_is_no_menu() -> None:
    world = on_page(
        element("", "section", (20, 20, 300, 180), parent="page", id="card"),
        element("Sencha", "heading", (30, 30, 100, 20), parent="card"),
        element("Less", "push button", (30, 60, 30, 30), parent="card"),
        element("Quantity", "entry", (60, 60, 60, 30), *LINE, parent="card", value="1"),
        element("More", "push button", (120, 60, 30, 30), parent="card"),
        element("Archive", "push button", (30, 120, 100, 30), parent="card"),
    )
    played(world, "Archive Sencha")
    assert Click(135, 75) not in world.done
