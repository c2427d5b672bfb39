"""Nothing behind an open dialog is clicked to look for something; its question is answered."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player

DIALOG = (250, 200, 300, 200)
GO, STAY = (310, 372), (460, 372)


def mail(buttons: tuple[str, str], role: str, *states: str, question: str) -> World:
    """A mail with a button that asks, in a dialog that is called one, or is only drawn."""
    page = [
        element("Mail", "document web", (0, 0, 800, 600), id="p"),
        element("", "section", (0, 0, 800, 600), parent="p", id="rest"),
        element("Invoice from Ann", "static", (20, 290, 760, 24), parent="rest"),
        element("Delete message", at=(20, 40, 120, 24), parent="rest"),
    ]
    dialog = [
        element("", "section", (0, 0, 800, 600), parent="p", id="dark"),
        element("", role, DIALOG, *states, parent="p", id="d"),
        element(question, "heading", (270, 220, 260, 24), parent="d"),
        element(buttons[0], at=(260, 360, 100, 24), parent="d", id="go"),
        element(buttons[1], at=(410, 360, 100, 24), parent="d", id="stay"),
    ]

    def asks(world: World, element: Element, action: Action) -> None:
        world.elements = [*page, *dialog]

    def goes(world: World, element: Element, action: Action) -> None:
        world.elements = page[:2]

    world = World(*page)
    world.on("Delete message", asks)
    for name in buttons:
        world.on(name, goes)
    return world


def played(world: World, said: str) -> tuple[Player, list[tuple[int, int]]]:
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    play(world, player.play(), desk)
    return player, [(a.x, a.y) for a in world.done if isinstance(a, Click)]


@pytest.mark.parametrize("kind", [("dialog", "modal"), ("dialog",), ("section",)])
@pytest.mark.parametrize("said", ["confirm each deletion", "confirm the deletion", "confirm"])
def test_the_question_of_the_dialog_tells_which_button_goes_on(
    kind: tuple[str, ...], said: str
) -> None:
    world = mail(("Delete", "Keep"), *kind, question="Delete this message?")
    player, clicks = played(world, f"Click Delete message, then {said}")
    assert player.account is None
    assert clicks == [(80, 52), GO]


@pytest.mark.parametrize("kind", [("dialog", "modal"), ("dialog",), ("section",)])
def test_nothing_behind_a_dialog_is_opened_to_look_for_a_control(kind: tuple[str, ...]) -> None:
    world = mail(("Erase", "Keep"), *kind, question="What shall become of it?")
    player, clicks = played(world, "Click Delete message, then confirm each deletion")
    assert player.account is not None
    assert clicks == [(80, 52)]


def test_two_buttons_that_the_question_names_are_not_chosen_from() -> None:
    world = mail(("Delete", "Keep"), "dialog", "modal", question="Delete it or keep it?")
    player, clicks = played(world, "Click Delete message, then confirm the deletion")
    assert player.account is not None
    assert clicks == [(80, 52)]
