"""Steps whose words fit no name: carried out by the one thing that accounts for all of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.afforded.sayings import Saying, read_saying
from carrel.models.steps.afforded.settling import offer_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player


def page() -> World:
    """A form for a ticket, settings of mails, and a table of goods."""
    found = [
        element("Help desk", "document web", (0, 0, 800, 600), id="p"),
        element("Classes", "heading", (20, 5, 200, 20), parent="p"),
        element("Assignee", "label", (20, 40, 80, 20), parent="p"),
        element("", "combo box", (110, 40, 150, 24), "has popup", parent="p", id="who"),
        element("Level", "label", (20, 80, 80, 20), parent="p"),
        element("", "combo box", (110, 80, 150, 24), "has popup", parent="p", id="level"),
        element("Note for the driver", "entry", (20, 120, 200, 24), "editable", parent="p", id="n"),
        box("Email me about overdue notices", 160, "overdue"),
        box("Email me about new titles", 190, "titles"),
        element("Bills by email", "radio button", (20, 220, 120, 20), "checkable", parent="p"),
        element("Bills by post", "radio button", (160, 220, 120, 20), "checkable", parent="p"),
    ]
    for at, words in enumerate(("Helmet yellow", "Helmet white", "Gloves yellow")):
        row = f"row{at}"
        found += [
            element("", "table row", (20, 300 + 40 * at, 600, 30), parent="p", id=row),
            element(words, "table cell", (20, 300 + 40 * at, 200, 30), parent=row, id=f"cell{at}"),
        ]
    world = World(*found)
    world.hidden = [
        *options("who", 110, 40, "Nobody", "Sven Holm", "Ana Ruiz"),
        *options("level", 110, 80, "All", "Beginner", "Advanced"),
    ]
    return world


def box(name: str, y: int, key: str) -> Element:
    return element(name, "check box", (20, y, 250, 20), "checkable", parent="p", id=key)


def options(combo: str, x: int, y: int, *names: str) -> list[Element]:
    listed = element("", "list box", (x, y, 150, 24), parent=combo, id=f"{combo}-list")
    items = [
        element(name, "list item", (x, y, 150, 24), "selectable", parent=listed.id)
        for name in names
    ]
    return [listed, *items]


def toggling(world: World) -> Callable[[World, Element, Action], None]:
    def toggle(now: World, hit: Element, _: Action) -> None:
        states = tuple(s for s in hit.states if s != "checked")
        now.change(hit.name, states=states if "checked" in hit.states else (*states, "checked"))

    for each in world.elements:
        if each.role in ("check box", "radio button"):
            world.on(each.name, toggle)
    return toggle


def run(world: World, said: str) -> tuple[Player, list[Click]]:
    player = Player(read_sentence(said), desk_of(world))
    play(world, player.play())
    return player, [one for one in world.done if isinstance(one, Click)]


def is_ticked(world: World, name: str) -> bool:
    return any("checked" in e.states for e in world.elements if e.name == name)


@pytest.mark.parametrize(
    ("said", "ticked"),
    [
        ("switch on the emails about overdue notices", "Email me about overdue notices"),
        ("enable emails for new titles", "Email me about new titles"),
    ],
)
def test_a_box_is_told_by_words_of_its_name(said: str, ticked: str) -> None:
    world = page()
    toggling(world)
    player, _ = run(world, said)
    assert player.account is None
    assert [e.name for e in world.elements if "checked" in e.states] == [ticked]


def test_words_that_two_boxes_have_tell_neither() -> None:
    world = page()
    toggling(world)
    player, _ = run(world, "switch on the emails about things")
    assert player.account is not None
    assert not [e for e in world.elements if "checked" in e.states]


def test_the_row_that_has_all_the_words_is_clicked() -> None:
    world = page()
    player, clicks = run(world, "click the row of the yellow helmet")
    assert player.account is None
    assert [click.y for click in clicks] == [315]


def test_a_row_with_a_word_left_over_is_not_clicked() -> None:
    world = page()
    player, clicks = run(world, "click the row of the red helmet")
    assert player.account is not None
    assert not clicks


@pytest.mark.parametrize(
    ("said", "control", "value"),
    [
        ("assign it to Sven Holm using the Assignee list", "who", "Sven Holm"),
        ("only show classes for the Advanced level", "level", "Advanced"),
    ],
)
def test_an_entry_of_a_list_is_told_with_what_the_list_is_called(
    said: str, control: str, value: str
) -> None:
    offer = offer_meant(desk_seeing(page()), read(said))
    assert offer is not None
    assert (offer.control.id, offer.value, offer.how) == (control, value, "set")


def test_an_entry_that_no_list_is_seen_to_have_goes_to_the_list_that_is_named() -> None:
    world = page()
    world.hidden = []
    offer = offer_meant(desk_seeing(world), read("assign it to Sven Holm using the Assignee list"))
    assert offer is not None
    assert (offer.control.id, offer.value) == ("who", "Sven Holm")


@pytest.mark.parametrize(
    "said",
    [
        "assign it to Sven Holm using the Owner list",
        "only show lessons for the Advanced level",
        "set the assignee and the level",
    ],
)
def test_a_word_left_over_and_nothing_is_set(said: str) -> None:
    saying = read_saying(said)
    assert saying is None or offer_meant(desk_seeing(page()), saying) is None


@pytest.mark.parametrize(
    "said",
    [
        "choose neither Advanced nor Beginner as the level",
        "把负责人改为 Sven Holm",
        "",
    ],
)
def test_what_says_more_is_not_held_against_the_screen(said: str) -> None:
    assert read_saying(said) is None


def test_what_the_screen_does_not_tell_stops_with_what_was_not_understood() -> None:
    player, clicks = run(page(), "assign it to Sven Holm using the Owner list")
    assert "is a step of its own" in (player.account or "")
    assert not clicks


def read(said: str) -> Saying:
    saying = read_saying(said)
    assert saying is not None
    return saying


def desk_seeing(world: World) -> Desk:
    desk = desk_of(world)
    desk.unseen = (*world.elements, *world.hidden)
    return desk
