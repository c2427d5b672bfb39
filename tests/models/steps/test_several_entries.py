"""Entries that are told each by itself and selected together, and what is done with them."""

from __future__ import annotations

import contextlib

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.afforded import by_names
from carrel.models.steps.program import Choose, Perform
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs import verb_of

SENDERS = ("Aisha Khan", "GitBarn", "Travel desk")


def inbox() -> World:
    parts: list[Element] = [
        element("Mail", "document web", (0, 0, 800, 600), id="p"),
        element("Archive", at=(20, 20, 70, 20), parent="p", id="archive"),
        element("Archive", "static", (20, 60, 60, 18), parent="p", id="folder"),
    ]
    for at, sender in enumerate(SENDERS):
        y, row = 120 + 40 * at, f"r{at}"
        parts += [
            element("", "table row", (100, y, 600, 30), parent="p", id=row),
            element("Select", "check box", (110, y + 5, 20, 20), "checkable", parent=row),
            element(sender, "static", (150, y + 5, 120, 20), parent=row),
            element(f"Subject {at}", "static", (300, y + 5, 120, 20), parent=row),
        ]
    world = World(*parts)
    world.on("Select", tick)
    return world


def tick(world: World, hit: Element, _act: object) -> None:
    world.elements = [
        element(e.name, e.role, (e.box.x, e.box.y, 20, 20), "checkable", "checked", parent=e.parent)
        if e.box == hit.box and e.box is not None
        else e
        for e in world.elements
    ]


def selected(world: World) -> list[str]:
    ticked = {e.parent for e in world.elements if "checked" in e.states}
    return [e.name for e in world.elements if e.parent in ticked and e.name in SENDERS]


def select(world: World, said: str) -> None:
    step = Choose(("the messages",), source=said.partition("from ")[2], words=said)
    verb = verb_of(step)
    assert verb is not None
    play(world, verb(desk_of(world), step))


def test_each_entry_that_is_told_is_selected_by_its_box() -> None:
    world = inbox()
    select(world, "Select the messages from GitBarn and Travel desk")
    assert selected(world) == ["GitBarn", "Travel desk"]


def test_where_one_of_them_is_not_there_none_is_touched() -> None:
    world = inbox()
    with pytest.raises(Missed):
        select(world, "Select the messages from GitBarn and Nobody")
    assert selected(world) == []
    assert not any(isinstance(act, Click) for act in world.done)


def test_what_is_done_with_them_is_done_by_the_control_for_what_is_ticked() -> None:
    world = inbox()
    select(world, "Select the messages from GitBarn and Travel desk")
    step = Perform("archive", "the messages", words="archive them")
    verb = verb_of(step)
    assert verb is not None
    play(world, verb(desk_of(world), step))
    last = [act for act in world.done if isinstance(act, Click)][-1]
    assert (last.x, last.y) == (55, 30)


def test_a_verb_is_no_text_of_the_same_letters() -> None:
    world = inbox()
    world.elements = [e for e in world.elements if e.id != "archive"]
    said = "Open GitBarn and archive it"
    with contextlib.suppress(Missed):
        play(world, by_names(desk_of(world), said))
    assert not any(isinstance(act, Click) and act.y < 100 for act in world.done)
