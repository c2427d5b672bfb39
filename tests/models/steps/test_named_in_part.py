"""Things by their own names beside a noun, fields by a part of their labels, counters, grids."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import React, World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.finding.own_names import own_name
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.perception._names import compare


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("the recipe for Lentil soup", "Lentil soup"),
        ("seat 7A", "7A"),
        ("the Garden double room", "Garden double"),
        ('the song "Static"', "Static"),
        ("主题为“预算”的邮件", "预算"),
        ('"Static" in the chart', None),
        ('the first "Static"', None),
        ('the red "Static"', None),
        ("the Save button", None),
        ('the song "Static" next to "Noise"', None),
    ],
)
def test_a_name_is_told_from_the_noun_beside_it(phrase: str, name: str | None) -> None:
    assert own_name(phrase) == name


def played(world: World, said: str) -> tuple[list[Element], str | None]:
    """What a sentence clicks, and why it stops, if it does."""
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    shown = list(world.elements)
    play(world, player.play(), desk)
    at = [(a.x, a.y) for a in world.done if isinstance(a, Click)]
    hit = [e for x, y in at for e in shown if e.box and e.box.x <= x < e.box.right]
    return [e for e in hit if e.box], player.account


def test_what_stands_there_once_is_taken_by_its_name() -> None:
    world = World(
        element("7A", "push button", (10, 10, 30, 30)),
        element("7B", "push button", (60, 10, 30, 30)),
    )
    hits, account = played(world, "Click seat 7B")
    assert account is None
    assert [e.name for e in hits] == ["7B"]


def test_of_two_of_one_name_none_is_taken() -> None:
    world = World(
        element("7A", "static", (10, 10, 30, 30)), element("7A", "static", (200, 300, 30, 30))
    )
    hits, account = played(world, "Click seat 7A")
    assert account is not None
    assert hits == []


def test_a_field_goes_by_the_beginning_of_its_label() -> None:
    world = World(
        element("Message #general", "entry", (10, 300, 200, 30), "editable", value="", id="field"),
        element("Search people", "entry", (10, 10, 200, 30), "editable", value=""),
    )
    _, account = played(world, 'Write "Ready" in the message box')
    assert account is None
    assert next(e.value for e in world.elements if e.id == "field") == "Ready"


def test_where_two_labels_begin_alike_no_field_is_taken() -> None:
    world = World(
        element("Name of the child", "entry", (10, 10, 200, 30), "editable", value=""),
        element("Name of the school", "entry", (10, 60, 200, 30), "editable", value=""),
    )
    _, account = played(world, 'Write "Ann" in the name field')
    assert account is not None
    assert all(e.value == "" for e in world.elements)


def test_a_unit_in_a_label_is_no_part_of_the_name_and_other_brackets_are() -> None:
    assert compare("duration", "Duration (minutes)") >= 0.85
    assert compare("password", "Password (again)") < 0.8


def _counts(by: int) -> React:
    def react(world: World, _hit: Element, _action: Action) -> None:
        world.elements = [
            replace(e, name=str(int(e.name) + by)) if e.id == "number" else e
            for e in world.elements
        ]

    return react


def counter(start: int) -> World:
    world = World(
        element("Adults", "static", (10, 100, 60, 20)),
        element("Fewer adults", "push button", (120, 95, 30, 30)),
        element(str(start), "static", (170, 100, 12, 20), id="number"),
        element("More adults", "push button", (200, 95, 30, 30)),
        element("Children", "static", (10, 150, 60, 20)),
    )
    world.on("More adults", _counts(1))
    world.on("Fewer adults", _counts(-1))
    return world


@pytest.mark.parametrize(("start", "wanted"), [(1, 3), (4, 2), (2, 2)])
def test_a_number_between_a_minus_and_a_plus_is_brought_to_a_value(start: int, wanted: int) -> None:
    world = counter(start)
    _, account = played(world, f"Set the number of adults to {wanted}")
    assert account is None
    assert next(e.name for e in world.elements if e.id == "number") == str(wanted)


def test_a_number_that_does_not_move_is_told() -> None:
    world = counter(1)
    world.reactions.clear()
    _, account = played(world, "Set the number of adults to 3")
    assert account is not None
    assert "stays at 1" in account


def grid() -> World:
    """Two questions, each with the same two answers, which only their columns name."""
    heads = [
        element("Good", "static", (200, 10, 60, 20)),
        element("Bad", "static", (300, 10, 60, 20)),
    ]
    rows = []
    for at, question in enumerate(("Food", "Staff")):
        y = 50 + 40 * at
        rows += [
            element(question, "static", (10, y, 80, 20)),
            element("", "radio button", (222, y, 16, 16), id=f"{question}-good"),
            element("", "radio button", (322, y, 16, 16), id=f"{question}-bad"),
        ]
    return World(*heads, *rows)


def test_an_answer_of_a_grid_is_where_its_line_and_its_column_meet() -> None:
    world = grid()
    desk = desk_of(world)
    player = Player(read_sentence('Choose Bad for "Staff"'), desk)
    play(world, player.play(), desk)
    at = [(a.x, a.y) for a in world.done if isinstance(a, Click)]
    meant = next(e.box for e in world.elements if e.id == "Staff-bad")
    assert meant is not None
    assert at == [(meant.center.x, meant.center.y)]
