"""Particulars of a task, each in the control that takes it, and what else such tasks ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player

LINE = ("editable", "single line")


def played(world: World, sentence: str) -> Player:
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    return player


def ticked(world: World, hit: Element, _action: Action) -> None:
    world.elements = [
        replace(e, states=tuple(s for s in e.states if s != "checked"))
        if e.role == "radio button" == hit.role
        else e
        for e in world.elements
    ]
    world.change(hit.name, states=(*hit.states, "checked"))


def page(*elements: Element) -> World:
    root = element("Page", "document web", (0, 0, 800, 600), id="page")
    world = World(root, *(replace(e, parent=e.parent or "page") for e in elements))
    for e in elements:
        if e.role in ("radio button", "check box"):
            world.on(e.name, ticked)
    return world


def field(name: str, y: int, value: str = "") -> Element:
    return element(name, "entry", (200, y, 200, 24), *LINE, value=value, id=name)


def box(name: str, y: int, role: str = "check box") -> Element:
    return element(name, role, (20, y, 120, 20), id=name)


def held(world: World) -> dict[str, str | None]:
    return {e.name: e.value for e in world.elements if e.role in ("entry", "spin button")}


def on(world: World) -> list[str]:
    return [e.name for e in world.elements if "checked" in e.states]


def clicks(world: World) -> list[str]:
    at = [(a.x, a.y) for a in world.done if isinstance(a, Click)]
    return [
        e.name
        for x, y in at
        for e in world.elements
        if e.role == "push button" and e.box and e.box.x <= x < e.box.right
        if e.box.y <= y < e.box.bottom
    ]


def trips() -> World:
    return page(
        box("Round trip", 20, "radio button"),
        box("One way", 50, "radio button"),
        field("Origin", 80),
        field("Destination", 120),
        field("Passengers", 160),
        box("Economy", 200, "radio button"),
        box("Business", 230, "radio button"),
        element("Search", at=(20, 300, 80, 24), id="go"),
    )


SAID = "Book a one-way trip from Oslo to Lisbon in business class for 3 passengers"


def test_each_particular_goes_where_it_belongs() -> None:
    world = trips()
    # Of two groups of choices each has its own.
    for name in ("One way", "Business"):
        world.on(name, lambda w, hit, _: w.change(hit.name, states=(*hit.states, "checked")))
    player = played(world, SAID)
    assert player.account is None
    assert held(world) == {"Origin": "Oslo", "Destination": "Lisbon", "Passengers": "3"}
    assert on(world) == ["One way", "Business"]
    assert clicks(world) == ["Search"]


def test_what_a_later_step_presses_is_pressed_once() -> None:
    world = trips()
    for name in ("One way", "Business"):
        world.on(name, lambda w, hit, _: w.change(hit.name, states=(*hit.states, "checked")))
    assert played(world, f"{SAID}, then click the Search button").account is None
    assert clicks(world) == ["Search"]


def test_a_particular_that_nothing_takes_is_told_and_nothing_is_sent() -> None:
    world = page(field("From", 20), field("To", 60), element("Search", at=(20, 300, 80, 24)))
    player = played(world, "Book a trip from Oslo to Lisbon in business class")
    assert player.account is not None
    assert "in" in player.account
    assert clicks(world) == []


def test_a_form_that_takes_but_some_of_it_is_not_sent() -> None:
    world = page(field("Guests", 20), box("Terrace", 60), element("Reserve", at=(20, 300, 80, 24)))
    player = played(world, "Book a table on the terrace for 5 people in the shade of 20 trees")
    assert player.account is not None
    assert clicks(world) == []


def test_a_choice_is_no_text_for_a_field() -> None:
    world = page(
        field("Guests", 20),
        field("Name", 60),
        box("Window seat", 100),
        element("Reserve", at=(20, 300, 80, 24)),
    )
    assert played(world, "Reserve a table for 4 people with a window seat").account is None
    assert held(world) == {"Guests": "4", "Name": ""}
    assert on(world) == ["Window seat"]


def test_what_a_form_makes_is_marked_by_its_box() -> None:
    world = page(field("Contact", 20), box("Urgent", 60), element("Save call", at=(20, 90, 90, 24)))
    assert played(world, "Mark the call as urgent and save it").account is None
    assert on(world) == ["Urgent"]
    assert clicks(world) == ["Save call"]


def test_a_new_entry_is_typed_into_its_field_and_added() -> None:
    world = page(field("New card title", 20), element("Add card", at=(420, 20, 80, 24), id="add"))

    def add(there: World, _hit: Element, _action: Action) -> None:
        there.elements.append(
            element(held(there)["New card title"] or "", "static", (20, 90, 99, 20))
        )

    world.on("Add card", add)
    assert played(world, "Add a new card called “Call mum”").account is None
    assert [e.name for e in world.elements if e.role == "static"] == ["Call mum"]


def test_a_note_is_written_and_the_form_left_open() -> None:
    note = element("Internal note", "entry", (20, 20, 300, 90), "editable", "multi line", value="")
    world = page(
        note, element("Save", at=(20, 200, 80, 24)), element("Cancel", at=(120, 200, 80, 24))
    )
    assert played(world, "Add the internal note “sent by courier”").account is None
    assert held(world) == {"Internal note": "sent by courier"}
    assert clicks(world) == []


@pytest.mark.parametrize(
    ("others", "pressed"),
    [
        (["Save changes"], ["Save changes"]),
        (["Save as draft"], []),
    ],
)
def test_save_is_the_only_control_that_begins_so(others: list[str], pressed: list[str]) -> None:
    world = page(*(element(n, at=(20, 60 + 40 * i, 120, 24)) for i, n in enumerate(others)))
    player = played(world, "Save")
    assert clicks(world) == pressed
    assert (player.account is None) is bool(pressed)


def test_a_range_has_two_ends() -> None:
    world = page(field("Min price", 40), field("Max price", 80), field("Max weight", 120))
    assert played(world, "Set the price range from 100 to 400").account is None
    assert held(world) == {"Min price": "100", "Max price": "400", "Max weight": ""}


def test_a_range_whose_ends_cannot_be_told_is_left_alone() -> None:
    world = page(field("Weight", 40), field("Max price", 80))
    assert played(world, "Set the price range from 100 to 400").account is not None
    assert held(world) == {"Weight": "", "Max price": ""}


def calculator() -> World:
    keys = "789÷456×123-0.=+"
    return page(
        *(
            element(key, at=(20 + 60 * (i % 4), 60 + 40 * (i // 4), 50, 30), id=f"k{key}")
            for i, key in enumerate(keys)
        ),
        element("C", at=(20, 240, 50, 30), id="clear"),
    )


@pytest.mark.parametrize(
    ("said", "keys"),
    [
        ("Work out 45 times 12 plus 60 on the calculator", "C45×12+60="),
        ("Calculate 8 divided by 4", "C8÷4="),
        ("Calculate 15 percent of 240 with the calculator", "C15×240÷100="),
    ],
)
def test_a_sum_is_keyed_into_the_calculator(said: str, keys: str) -> None:
    world = calculator()
    assert played(world, said).account is None
    assert "".join(clicks(world)) == keys


def test_without_a_calculator_none_is_claimed() -> None:
    world = page(element("Save", at=(20, 60, 80, 24)))
    player = played(world, "Work out 45 times 12 on the calculator")
    assert player.account is not None
    assert "calculator" in player.account


def orders(ask: Callable[[World, Element, Action], None]) -> World:
    rows = [("#1", "Paid"), ("#2", "Cancelled"), ("#3", "Open")]
    parts = [element("Orders", "table", (0, 100, 700, 200), id="table")]
    for n, (number, state) in enumerate(rows):
        y, row = 120 + 40 * n, f"row{n}"
        parts += [
            element("", "table row", (0, y, 700, 30), parent="table", id=row),
            element(number, "table cell", (10, y, 80, 30), parent=row, id=f"{row}a"),
            element(state, "table cell", (110, y, 80, 30), parent=row, id=f"{row}b"),
            element("", "table cell", (300, y, 100, 30), parent=row, id=f"{row}c"),
            element("Delete", at=(310, y, 80, 24), parent=f"{row}c", id=f"{row}d"),
        ]
    world = page(*parts)
    world.on("Delete", ask)
    return world


def test_rows_are_told_by_their_state_and_the_question_by_what_does_not_leave_it() -> None:
    def gone(world: World, _hit: Element, _action: Action) -> None:
        world.elements = [e for e in world.elements if not e.id.startswith(("row1", "ask"))]

    def ask(world: World, hit: Element, _action: Action) -> None:
        assert hit.id == "row1d"
        world.elements += [
            element("Delete?", "dialog", (200, 350, 300, 100), "modal", parent="page", id="ask"),
            element("Cancel", at=(210, 400, 80, 24), parent="ask", id="ask-no"),
            element("Yes, delete", at=(310, 400, 120, 24), parent="ask", id="ask-yes"),
        ]
        world.on("Yes, delete", gone)

    world = orders(ask)
    player = played(world, "Delete every order that is cancelled and confirm each deletion")
    assert player.account is None
    assert [e.id for e in world.elements if e.role == "table row"] == ["row0", "row2"]


def test_entries_are_counted_by_the_noun_over_their_list() -> None:
    items = [element(n, "list item", (20, 100 + 30 * i, 300, 28), parent="l", id=n)
             for i, n in enumerate(("Apex", "Nordic"))]  # fmt: skip
    world = page(
        element("Laptops", "heading", (20, 20, 200, 30)),
        element("", "list", (20, 90, 320, 100), id="l"),
        *items,
    )
    assert played(world, "There should be 2 laptops").account is None
    assert played(world, "There should be 3 laptops").account is not None
