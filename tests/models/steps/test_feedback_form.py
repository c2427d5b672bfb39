"""A form that asks for an opinion: its texts, its choices, and how it is sent or left."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Type
from carrel.frames import Element
from carrel.models.steps.program import Choose, Perform
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.performing import perform

PAGE = element("Tell us", "document web", (0, 0, 800, 600), id="page")
COMMENT = element(
    "Your comments", "entry", (20, 60, 400, 80), "editable", "multi line", parent="page", value=""
)
MAIL = element("Email address", "entry", (20, 180, 400, 24), "editable", parent="page", value="")
SEND = element("Send feedback", "push button", (20, 240, 140, 30), parent="page")


def form() -> World:
    world = World(PAGE, COMMENT, MAIL, SEND)

    def sent(world: World, _: Element, __: Action) -> None:
        world.elements = [PAGE, element("Thanks!", "static", (20, 60, 200, 20), parent="page")]

    world.on("Send feedback", sent)
    return world


def typed(world: World) -> list[str]:
    return [action.text for action in world.done if isinstance(action, Type)]


def clicks(world: World) -> int:
    return sum(isinstance(action, Click) for action in world.done)


def test_the_noun_of_a_text_is_typed_nowhere() -> None:
    world = form()
    desk = desk_of(world)
    play(world, perform(desk, Perform("leave", "a comment", (("saying", "Quick"),))), desk)
    assert typed(world) == ["Quick"]


def test_what_the_step_before_has_sent_is_not_sent_again() -> None:
    world = form()
    desk = desk_of(world)
    play(world, perform(desk, Perform("leave", "a comment", (("saying", "Quick"),))), desk)
    before = clicks(world)
    assert play(world, perform(desk, Perform("send", "the feedback")), desk)
    assert clicks(world) == before


def dialog() -> World:
    world = World(
        element("Empty the bin?", "dialog", (100, 100, 400, 200), "modal", id="d"),
        element("Close", "push button", (460, 104, 30, 20), parent="d"),
        element("Delete all", "push button", (120, 250, 100, 30), parent="d"),
        element("Cancel", "push button", (300, 250, 100, 30), parent="d"),
    )

    def gone(world: World, _: Element, __: Action) -> None:
        world.elements = [PAGE]

    for name in ("Close", "Delete all", "Cancel"):
        world.on(name, gone)
    return world


def test_a_dialog_with_a_cross_is_cancelled_by_what_says_so() -> None:
    world = dialog()
    desk = desk_of(world)
    play(world, perform(desk, Perform("cancel", "the dialog")), desk)
    assert [action.x for action in world.done if isinstance(action, Click)] == [350]


def car(*more: Element) -> World:
    return World(
        PAGE,
        element("Standard", "radio button", (20, 60, 100, 20), "checkable", parent="page"),
        element("Automatic", "radio button", (140, 60, 100, 20), "checkable", parent="page"),
        element("Insurance", "check box", (260, 60, 100, 20), "checkable", parent="page"),
        *more,
    )


def checking(world: World, name: str) -> None:
    def check(world: World, hit: Element, _: Action) -> None:
        world.change(hit.name, states=(*hit.states, "checked"))

    world.on(name, check)


def test_a_choice_with_a_box_are_both_of_them() -> None:
    world = car()
    for name in ("Automatic", "Insurance"):
        checking(world, name)
    desk = desk_of(world)
    desk.asked = "choose automatic with insurance"
    play(world, choose(desk, Choose(("automatic with insurance",))), desk)
    on = [e.name for e in world.elements if "checked" in e.states]
    assert on == ["Automatic", "Insurance"]


def test_of_a_choice_with_something_that_is_not_there_nothing_is_taken() -> None:
    world = car()
    desk = desk_of(world)
    desk.asked = "choose automatic with a roof box"
    with pytest.raises(Missed):
        play(world, choose(desk, Choose(("automatic with a roof box",))), desk)
    assert clicks(world) == 0


def test_the_only_drop_down_that_tells_nothing_is_opened_to_look() -> None:
    drop = element("Compact car", "combo box", (20, 120, 150, 30), "has popup", parent="page")
    world = car(drop)

    def opened(world: World, hit: Element, _: Action) -> None:
        world.elements = [e for e in world.elements if e.role != "list item"]
        world.elements.append(element("SUV", "list item", (20, 150, 150, 30), id="suv"))

    def taken(world: World, _: Element, __: Action) -> None:
        world.elements = [e for e in world.elements if e.role != "list item"]
        world.change("Compact car", value="SUV")

    world.on("Compact car", opened)
    world.on("SUV", taken)
    desk = desk_of(world)
    play(world, choose(desk, Choose(("SUV",))), desk)
    assert [e.value for e in world.elements if e.role == "combo box"] == ["SUV"]
