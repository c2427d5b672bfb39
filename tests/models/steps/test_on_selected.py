"""Entries that are selected by their boxes, and what is done to them by a button above them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.afforded import by_names
from carrel.models.steps.program import Perform
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs import verb_of

SENDERS = ("GitBarn", "Renata Silva", "Travel desk", "Bank of Tyne")


def inbox(*ticked: str) -> World:
    """Folders, three buttons of which nothing but a sign is written, and messages in one part."""
    page = element("Mail", "document web", (0, 0, 800, 600), id="p")
    folders = [
        element(name, "static", (20, 120 + 30 * n, 60, 18), parent="p")
        for n, name in enumerate(("Inbox", "Sent", "Archive", "Bin"))
    ]
    listed: list[Element] = []
    for n, name in enumerate(SENDERS):
        y = 160 + 36 * n
        on = ("checkable", "checked") if name in ticked else ("checkable",)
        box = element("Select", "check box", (220, y, 16, 16), *on, parent="l", id=f"box{n}")
        subject = element(f"About {n}", "static", (480, y, 120, 18), parent="l")
        sender = element(name, "static", (280, y, 10 * len(name), 18), parent="l")
        listed += [box, sender, subject]
    bar = element("", "landmark", (210, 100, 560, 400), id="l", parent="p")
    world = World(page, *folders, element("✎ Compose", at=(20, 60, 120, 30), parent="p"), bar)
    world.elements += [*tools(bool(ticked)), *listed]
    world.on("Select", tick)
    return world


def tools(usable: bool) -> list[Element]:
    states = () if usable else ("disabled",)
    titles = (("🗄", "Archive"), ("✉", "Mark as read"))
    return [
        replace(element(sign, "push button", (220 + 40 * n, 110, 30, 24), *states), hint=title)
        for n, (sign, title) in enumerate(titles)
    ]


def tick(world: World, box: Element, _: Action) -> None:
    on = tuple(s for s in box.states if s != "checked")
    states = on if "checked" in box.states else (*on, "checked")
    world.elements = [replace(e, states=states) if e.id == box.id else e for e in world.elements]
    kept = [e for e in world.elements if not e.hint]
    world.elements = [*kept, *tools(any("checked" in e.states for e in kept))]


def selected(world: World) -> list[str]:
    return [SENDERS[int(e.id[3:])] for e in world.elements if "checked" in e.states]


def clicked(world: World) -> list[str]:
    found: list[str] = []
    for one in (done for done in world.done if isinstance(done, Click)):
        here = [e for e in world.elements if e.box and e.box.contains(_at(one, e))]
        inner = [e for e in here if e.role != "landmark" and e.role != "document web"]
        found += [e.name for e in inner]
    return found


def _at(click: Click, element_: Element) -> object:
    assert element_.box is not None
    return type(element_.box.center)(click.x, click.y)


def do(world: World, step: Perform) -> None:
    desk = desk_of(world)
    desk.step = desk.asked = step.words
    verb = verb_of(step)
    assert verb is not None
    play(world, verb(desk, step))


@pytest.mark.parametrize("verb", ["Select", "Tick", "Check", "勾选"])
def test_entries_that_are_named_are_selected_by_their_boxes(verb: str) -> None:
    world = inbox()
    assert play(world, by_names(desk_of(world), f"{verb} GitBarn and Travel desk"))
    assert selected(world) == ["GitBarn", "Travel desk"]


@pytest.mark.parametrize(
    "said",
    [
        "Select GitBarn and Travel desk and archive them",
        "Select GitBarn and Travel desk, then archive these",
    ],
)
def test_a_folder_is_no_deed_that_is_done_to_things(said: str) -> None:
    world = inbox()
    with suppress(Missed):
        # What is selected may have been, and is no harm.
        assert not play(world, by_names(desk_of(world), said))
    assert "Archive" not in clicked(world)


@pytest.mark.parametrize(
    "what", ["the messages", "the selected messages", "these messages", "them"]
)
def test_what_is_selected_is_archived_by_the_button_and_not_by_the_folder(what: str) -> None:
    world = inbox("GitBarn", "Travel desk")
    do(world, Perform("archive", what, words=f"archive {what}"))
    assert clicked(world) == ["🗄"]


def test_a_sign_of_which_nothing_is_told_stands_for_its_verb() -> None:
    world = inbox("GitBarn", "Travel desk")
    world.elements = [replace(e, hint="") for e in world.elements]
    do(world, Perform("archive", "them", words="archive them"))
    assert clicked(world) == ["🗄"]


def test_one_message_is_selected_for_it_and_no_other_may_be() -> None:
    world = inbox()
    do(world, Perform("archive", "the message from GitBarn", words="archive it"))
    assert clicked(world) == ["Select", "🗄"]
    assert selected(world) == ["GitBarn"]
    world = inbox("Renata Silva")
    with pytest.raises(Missed):
        do(world, Perform("archive", "the message from GitBarn", words="archive it"))
    assert "🗄" not in clicked(world)


def test_what_is_to_be_composed_is_no_sign_that_stands_for_a_mail() -> None:
    world = inbox("GitBarn")
    step = Perform("compose", "a mail", (("to", "nils@fjord.no"),), words="compose a mail to nils")
    with pytest.raises(Missed):
        do(world, step)
    assert clicked(world) == ["✎ Compose"]
