"""Entries that are selected “in the list of …”: in that list, or nowhere."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.models.steps.afforded import by_names, by_the_screen
from carrel.models.steps.program import Choose
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose

BOTH = "Select Doris Kaya and Gita Rao in the list of available staff"
CHOICE = Choose(("Doris Kaya", "Gita Rao"), "the list of available staff", said=BOTH[7:29])


def entries(names: str, x: int, parent: str) -> list[Element]:
    return [
        element(name, "list item", (x, 100 + 20 * n, 120, 18), "selectable", parent=parent)
        for n, name in enumerate(names.split(", "))
    ]


def shift(*lists: Element) -> World:
    """A search field, a drop-down with the same people, and the list boxes, if any."""
    world = World(
        element("Shift", "document web", (0, 0, 800, 600), id="p"),
        element("Search the list", "entry", (10, 40, 160, 24), "editable", parent="p"),
        element("Shift lead", "combo box", (10, 300, 160, 24), "has popup", id="c", parent="p"),
        *lists,
    )
    names = ("Doris Kaya", "Gita Rao", "Omar Haddad")
    world.hidden = [element("", "menu", (10, 300, 160, 9), parent="c", id="m")]
    world.hidden += [element(n, "menu item", (10, 300, 160, 9), parent="m") for n in names]
    return world


def two_lists() -> World:
    world = shift(
        element(
            "Available staff", "list box", (10, 100, 120, 80), "multiselectable", id="a", parent="p"
        ),
        *entries("Abel Moss, Doris Kaya, Gita Rao", 10, "a"),
        element(
            "Assigned staff", "list box", (300, 100, 120, 80), "multiselectable", id="b", parent="p"
        ),
        *entries("Omar Haddad", 300, "b"),
    )

    def select(w: World, e: Element, action: Action) -> None:
        assert isinstance(action, Click)
        for one in [o for o in w.elements if o.role == "list item"]:
            on = one.name == e.name or (bool(action.modifiers) and "selected" in one.states)
            states = tuple(s for s in one.states if s != "selected")
            w.change(one.name, states=(*states, "selected") if on else states)

    for name in ("Doris Kaya", "Gita Rao"):
        world.on(name, select)
    return world


def deeds(world: World) -> list[Action]:
    """What was done there, and not only looked at."""
    return [one for one in world.done if isinstance(one, Click | Key | Type)]


def test_several_are_selected_in_the_list_that_is_called_so() -> None:
    world = two_lists()
    play(world, choose(desk_of(world), CHOICE))
    assert deeds(world) == [Click(70, 129), Click(70, 149, modifiers=("ctrl",))]


def test_where_the_list_has_no_such_entry_nothing_is_done() -> None:
    world = two_lists()
    with pytest.raises(Missed):
        play(world, choose(desk_of(world), Choose(("Omar Haddad",), CHOICE.source)))
    assert not deeds(world)


def test_where_no_list_is_called_so_no_drop_down_is_set() -> None:
    world = shift()
    with pytest.raises(Missed):
        play(world, choose(desk_of(world), CHOICE))
    assert not deeds(world)


@pytest.mark.parametrize("world", [shift(), two_lists()])
@pytest.mark.parametrize("way", [by_names, by_the_screen])
@pytest.mark.parametrize("said", [BOTH, "Pick Doris Kaya from the list of available staff"])
def test_names_alone_choose_nothing_where_a_list_is_said(world: World, way, said: str) -> None:  # type: ignore[no-untyped-def]
    assert play(world, way(desk_of(world), said)) is False
    assert not deeds(world)
