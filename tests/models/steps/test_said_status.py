"""What rows and cards say of themselves: active, disabled, done."""

from __future__ import annotations

import pytest
from steps_world import World, element
from test_verbs_slots import page, played


def table(*statuses: str) -> World:
    parts = [element("", "table", (20, 80, 600, 120), id="table")]
    said = statuses or ("Active", "Inactive", "Disabled")
    for at, (name, status) in enumerate(zip(("Bob", "Eve", "Kim"), said, strict=True)):
        y, key = 100 + 30 * at, f"row{at}"
        parts += [
            element("", "table row", (20, y, 600, 30), parent="table", id=key),
            element(name, "table cell", (20, y, 150, 30), parent=key),
            element(status, "table cell", (170, y, 150, 30), parent=key),
        ]
    return page(*parts)


@pytest.mark.parametrize(
    "said",
    [
        "Verify that Bob is active",
        "Verify that Bob is Active",
        "Verify that Eve is not active",
        "Verify that Kim is disabled",
        "Verify that Kim is not enabled",
    ],
)
def test_a_row_says_its_status(said: str) -> None:
    assert played(table(), said).account is None


@pytest.mark.parametrize(
    "said",
    [
        "Verify that Eve is active",
        "Verify that Bob is not active",
        "Verify that Kim is enabled",
        "Verify that Bob is disabled",
        "Verify that Eve is listed as Active",
        'Verify that the row for Eve says "Active"',
    ],
)
def test_a_row_that_says_the_opposite_is_no_proof(said: str) -> None:
    assert played(table(), said).account is not None


def to_do(*ticked: str) -> World:
    parts = [element("", "list", (20, 80, 400, 120), id="list")]
    for at, name in enumerate(("Milk", "Eggs", "Bread")):
        y, key = 100 + 30 * at, f"item{at}"
        states = ("checkable", "checked") if name in ticked else ("checkable",)
        parts += [
            element("", "list item", (20, y, 400, 28), parent="list", id=key),
            element("", "check box", (24, y + 4, 16, 16), *states, parent=key, id=f"box{at}"),
            element(name, "static", (50, y, 100, 20), parent=key),
        ]
    return page(*parts)


def test_what_is_ticked_off_is_done() -> None:
    assert played(to_do("Milk"), "Verify that Milk is done").account is None


@pytest.mark.parametrize("said", ["Verify that Eggs is done", "Verify that all tasks are done"])
def test_what_is_not_ticked_off_is_not_done(said: str) -> None:
    assert played(to_do("Milk"), said).account is not None


def test_what_is_not_ticked_off_is_said_not_to_be_done() -> None:
    assert played(to_do("Milk"), "Verify that Eggs is not done").account is None
    assert played(to_do("Milk"), "Verify that Milk is not done").account is not None


@pytest.mark.parametrize(
    ("said", "so"),
    [
        ("Verify that Bob is paid", True),
        ("Verify that Bob is not paid", False),
        ("Verify that Eve is not paid", True),
        ("Verify that Eve is paid", False),
        ("Verify that Kim is not paid", False),
        ("Verify that Kim is paid", False),
        ("Verify that none of the rows is paid", False),
        ("Verify that the row of Kim does not say paid", True),
    ],
)
def test_who_does_not_say_so_has_to_say_what_is_so_instead(said: str, so: bool) -> None:
    assert (played(table("Paid", "Unpaid", "Oslo"), said).account is None) is so
