"""Whose a row is by its number, and lists narrowed down by an adjective alone."""

from __future__ import annotations

import pytest
from steps_world import World, element
from test_verbs_slots import page, played

from carrel.actions import Click
from carrel.frames import Element


def issues() -> World:
    parts = [element("", "table", (20, 80, 600, 120), id="table")]
    parts += [
        element(head, "column header", (20 + 200 * at, 80, 200, 24), parent="table")
        for at, head in enumerate(("Issue", "Assignee"))
    ]
    for at, (name, who) in enumerate((("Crash", "Noor Haddad"), ("Theme", "Tomas Vik"))):
        y, key = 110 + 30 * at, f"row{at}"
        parts += [
            element("", "table row", (20, y, 600, 30), parent="table", id=key),
            element(name, "table cell", (20, y, 200, 30), parent=key),
            element(who, "table cell", (220, y, 200, 30), parent=key),
        ]
    return page(*parts)


@pytest.mark.parametrize(
    ("said", "so"),
    [
        ("Verify that Noor Haddad is the assignee of the first issue", True),
        ("Verify that Noor Haddad is the assignee of the second issue", False),
        ("Verify that Tomas Vik is the assignee of the last issue", True),
        ("Verify that the last row in the table belongs to Tomas Vik", True),
        ("Verify that the last row in the table belongs to Noor Haddad", False),
    ],
)
def test_a_row_is_numbered_by_what_its_table_is_of(said: str, so: bool) -> None:
    assert (played(issues(), said).account is None) is so


def states(*offered: str, name: str) -> list[Element]:
    at = (200, 40, 120, 24) if name == "State" else (400, 40, 120, 24)
    options = [
        element(one, "menu item", (at[0], 70 + 20 * n, 120, 20), parent=name, id=f"{name}-{one}")
        for n, one in enumerate(offered)
    ]
    return [element(name, "combo box", at, id=name), *options]


def test_only_such_are_shown_by_the_one_drop_down_that_offers_it() -> None:
    world = page(*states("Open", "Closed", name="State"), *states("Low", "High", name="Priority"))
    played(world, "Show only the closed issues")
    clicks = [action for action in world.done if isinstance(action, Click)]
    assert clicks
    assert all(200 <= click.x <= 320 for click in clicks)


def test_where_two_drop_downs_offer_it_nothing_is_clicked() -> None:
    world = page(*states("Open", "Closed", name="State"), *states("Closed", name="Shop"))
    assert played(world, "Show only the closed issues").account is not None
    assert not [action for action in world.done if isinstance(action, Click)]
