"""Forms filled by all that is said of a deed, in whatever order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, element
from test_verbs_slots import box, clicks, field, held, on, page, played

from carrel.models.steps.finding.worded_options import option_said


def transfer() -> World:
    return page(
        field("Amount (€)", 80),
        field("Recipient", 120),
        field("Reference", 160),
        element("Send money", at=(20, 300, 100, 24)),
    )


@pytest.mark.parametrize(
    "said",
    [
        'Transfer 85.50 euros to Nadia Haddad with the reference "Tickets".',
        'Transfer 85.50 euros with "Tickets" as the reference to Nadia Haddad.',
        'Transfer 85.50 euros to Nadia Haddad with a reference of "Tickets".',
    ],
)
def test_every_word_goes_into_its_field_in_any_order(said: str) -> None:
    world = transfer()
    assert played(world, said).account is None
    assert held(world) == {
        "Amount (€)": "85.50",
        "Recipient": "Nadia Haddad",
        "Reference": "Tickets",
    }
    assert clicks(world) == ["Send money"]


@pytest.mark.parametrize(
    "said",
    [
        'Transfer 85.50 euros to Nadia Haddad with the reference "Tickets" at a rate of 5.',
        "Transfer 85.50 euros to Nadia Haddad from the Savings account.",
    ],
)
def test_a_word_that_no_field_takes_leaves_the_form_alone(said: str) -> None:
    world = transfer()
    assert played(world, said).account is not None
    assert clicks(world) == []


def grid() -> World:
    heads = [element(name, "static", (200 + 100 * at, 40, 60, 20)) for at, name in enumerate(_TOLD)]
    lines = [element(name, "static", (20, 80 + 40 * at, 90, 20)) for at, name in enumerate(_ASKED)]
    choices = [
        replace(
            element("", "radio button", (220 + 100 * x, 80 + 40 * y, 20, 20)), id=f"{asked}-{told}"
        )
        for y, asked in enumerate(_ASKED)
        for x, told in enumerate(_TOLD)
    ]
    world = page(*heads, *lines, *choices)
    world.on("", lambda w, hit, _: _tick(w, hit.id))
    return world


_ASKED, _TOLD = ("Taste", "Price", "Queue"), ("Bad", "Fair", "Great")


def _tick(world: World, key: str) -> None:
    world.elements = [
        replace(e, states=(*e.states, "checked")) if e.id == key else e for e in world.elements
    ]


def test_a_grid_of_choices_is_answered_where_line_and_column_meet() -> None:
    world = grid()
    assert played(world, "Rate Taste as Great, Price as Bad and Queue as Fair.").account is None
    ticked = [e.id for e in world.elements if "checked" in e.states]
    assert sorted(ticked) == ["Price-Bad", "Queue-Fair", "Taste-Great"]


def test_an_answer_that_a_grid_does_not_have_is_refused() -> None:
    world = grid()
    assert played(world, "Rate Taste as Great and Price as Superb.").account is not None
    assert not [e for e in world.elements if "checked" in e.states]


def test_several_choices_tell_one_thing() -> None:
    world = page(
        box("Small", 20, "check box"),
        box("Large", 50, "check box"),
        box("Oat milk", 80, "check box"),
    )
    assert played(world, "Choose a large tea with oat milk").account is None
    assert on(world) == ["Large", "Oat milk"]


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("the Savings account", "Savings"),
        ("the joint account", "Joint account"),
        ("the Premium account", ""),
        ("no Savings account", ""),
        ("the second Savings account", ""),
    ],
)
def test_an_option_is_told_by_its_words_and_a_noun_for_its_kind(text: str, option: str) -> None:
    assert option_said(["Current account", "Savings", "Joint account"], text) == option


def flights() -> World:
    return page(
        element("Find a flight", "heading", (20, 20, 200, 30)),
        field("From", 80),
        field("To", 120),
        box("Direct flights only", 160),
        box("Flexible dates", 190),
        element("Search flights", at=(20, 300, 100, 24)),
    )


@pytest.mark.parametrize(
    ("said", "ticked"),
    [
        ("Search for direct flights from Vienna to Oslo.", ["Direct flights only"]),
        ("Search for flights from Vienna to Oslo.", []),
    ],
)
def test_a_box_for_a_word_of_the_thing_is_ticked_before_it_is_sent(
    said: str, ticked: list[str]
) -> None:
    world = flights()
    assert played(world, said).account is None
    assert on(world) == ticked
    assert held(world) == {"From": "Vienna", "To": "Oslo"}
    assert clicks(world) == ["Search flights"]


def tickets() -> World:
    """A table with a drop-down in every row, of which the heading labels the first."""
    found = [element("Assigned to", "table column header", (500, 40, 100, 20))]
    for at, name in enumerate(("Cannot log in", "Printer is broken")):
        row = f"row-{at}"
        found += [
            element("", "table row", (20, 70 + 40 * at, 600, 36), parent="page", id=row),
            element(name, "table cell", (20, 70 + 40 * at, 200, 36), parent=row, id=f"cell-{at}"),
            element("", "combo box", (500, 74 + 40 * at, 100, 24), parent=row, id=f"who-{at}"),
        ]
    return page(*found, element("Apply", at=(20, 300, 100, 24)))


def test_a_drop_down_of_one_row_is_not_taken_for_what_no_row_tells() -> None:
    world = tickets()
    world.hidden = [
        element(name, "menu item", (500, 74, 100, 20), parent=f"who-{row}", id=f"{name}-{row}")
        for row in (0, 1)
        for name in ("Nobody", "Priya")
    ]
    assert played(world, "Assign the ticket about the broken door to Priya").account is not None
    assert not clicks(world)
