"""Editors that tell what they hold by their parts, and text in them that is selected."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.desk import UNCHANGED
from carrel.models.steps.program import Change, Enter, Has, Highlight
from carrel.models.steps.shown.reading import content_of
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.entering import enter
from carrel.models.steps.verbs.highlighting import change, highlight


def part(role: str, value: str, parent: str, id_: str, name: str = "") -> Element:
    at = (20, 60, 200, 20)
    return element(name, role, at, "editable", value=value, parent=parent, id=id_)


def an_editor(*items: str) -> list[Element]:
    """A heading in bold, and a list, each item with a sign that nobody can write in."""
    states = ("editable", "multi line", "focused")
    rows = [
        element("", "section", (10, 50, 400, 200), *states, value="", id="ed"),
        part("paragraph", "", "ed", "p"),
        part("static", "Deci", "p", "p1"),
        part("static", "Deci", "p1", "p11", "Deci"),
        part("static", "sions", "p", "p2"),
        part("list", "", "ed", "l"),
    ]
    for number, item in enumerate(items):
        rows += [
            part("list item", item, "l", f"i{number}"),
            element("", "section", (20, 80, 16, 20), parent=f"i{number}", id=f"s{number}"),
            element("•", "static", (20, 80, 5, 16), parent=f"s{number}"),
            part("static", item, f"i{number}", f"t{number}", item),
        ]
    return rows


def test_an_editor_holds_what_all_its_parts_say() -> None:
    rows = an_editor("Hire two people", "Move to Pier 4")
    assert content_of(rows[0], rows) == "Decisions\nHire two people\nMove to Pier 4"


def test_a_list_in_an_item_is_read_after_it() -> None:
    rows = an_editor("Hire two people")
    rows += [part("list", "", "i0", "l2"), part("list item", "a cook", "l2", "i01")]
    assert content_of(rows[0], rows).split("\n") == ["Decisions", "Hire two people", "a cook"]


@pytest.mark.parametrize(
    ("typed", "so"), [("Hire two people", True), ("Hire two", True), ("Hire three", False)]
)
def test_what_was_typed_into_a_list_of_an_editor_is_seen_there(typed: str, so: bool) -> None:
    world = World(*an_editor(""))

    def write(world: World, _element: Element, _action: Action) -> None:
        world.elements = [
            replace(e, value="Hire two people") if e.id == "i0" else e for e in world.elements
        ]

    world._type = lambda text: None  # type: ignore[method-assign]
    world.on("type", write)
    if so:
        play(world, enter(desk_of(world), Enter(typed)))
    else:
        with pytest.raises(Missed, match="holds 'Decisions"):
            play(world, enter(desk_of(world), Enter(typed)))


def test_a_condition_reads_the_list_of_an_editor_too() -> None:
    world = World(*an_editor("Hire two people"))
    for text, so in (("Hire two people", True), ("Hire three people", False)):
        condition = Has("the text area", text, "contains")
        told = play(world, holds(desk_of(world), condition))
        assert isinstance(told, tuple)
        assert told[0] is so


def a_page_that_selects() -> tuple[World, list[str]]:
    """Words are seen to be selected; selecting them once more changes nothing."""
    world, bold = World(element("bold", at=(10, 10, 24, 24)), *an_editor("One")), list[str]()

    def press(action: Click) -> None:
        if action.y < 40:
            bold.append(world.painted)
            world.painted = f"bold {world.painted}"

    def key(action: Key) -> None:
        if action.keys == ("shift", "right"):
            world.painted = f"{action.repeat} selected"

    world._click = press  # type: ignore[method-assign]
    world._key = key  # type: ignore[method-assign]
    return world, bold


def test_a_selection_made_twice_is_no_doubt() -> None:
    world, bold = a_page_that_selects()
    desk = desk_of(world)
    play(world, highlight(desk, Highlight('the word "Decisions"')))
    play(world, change(desk, Change('the word "Decisions"', "bold")))
    assert bold == ["9 selected"]
    assert not desk.doubts


def test_a_selection_that_never_showed_is_in_doubt() -> None:
    world, _ = a_page_that_selects()
    world._key = lambda action: None  # type: ignore[method-assign]
    desk = desk_of(world)
    play(world, highlight(desk, Highlight('the word "Decisions"')))
    assert desk.doubts == [UNCHANGED]
    desk.doubts.clear()
    play(world, change(desk, Change('the word "Decisions"', "bold")))
    assert desk.doubts == [UNCHANGED]
