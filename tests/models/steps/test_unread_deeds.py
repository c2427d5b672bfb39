"""Deeds that no rule reads: done at their turn where the screen accounts for every word of them."""

from __future__ import annotations

from typing import Any

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Type
from carrel.errors import InvalidInput
from carrel.frames import Element
from carrel.models.steps import program as p
from carrel.models.steps.language import read_file, read_sentence
from carrel.models.steps.play import Player


def button(name: str, x: int, y: int, parent: str = "page", role: str = "push button") -> Element:
    return element(name, role, (x, y, 9 * len(name) + 20, 24), parent=parent)


def text(name: str, x: int, y: int, parent: str = "page") -> Element:
    return element(name, "static", (x, y, 8 * len(name), 18), parent=parent)


def field(label: str, y: int) -> list[Element]:
    key = f"field-{label}"
    return [
        text(label, 20, y, "address"),
        element(label, "entry", (220, y, 200, 22), "editable", parent="address", id=key, value=""),
    ]


def page() -> World:
    """A library: keys, two people with a button each, an address, and what ends it."""
    found = [
        element("Library", "document web", (0, 0, 800, 600), id="page"),
        element("Delivery address", "panel", (10, 5, 500, 165), parent="page", id="address"),
        text("Delivery address", 20, 10, "address"),
        *field("Full name", 50),
        *field("Street and number", 80),
        *field("Postcode and town", 110),
        *field("Comment", 140),
        button("Begin", 20, 180),
        button("AC", 120, 180),
        button("C", 180, 180),
        button("Complete renewal", 240, 180),
        button("Delete", 440, 180),
        button("Archive", 540, 180),
    ]
    for at, name in enumerate(("Kim Duarte", "Ana Ruiz")):
        row = f"row{at}"
        found += [
            element("", "table row", (20, 260 + 40 * at, 700, 34), parent="page", id=row),
            element(name, "table cell", (20, 260 + 40 * at, 200, 34), parent=row),
            button("Grant access", 300, 265 + 40 * at, row),
        ]
    world = World(*found)
    for one in found:
        if one.role == "push button":
            world.on(one.name, _shows)
        if one.role == "entry":
            world.on(one.name, _is_focused)
    return world


def _shows(world: World, hit: Element, action: Action) -> None:
    world.painted += f"{hit.name} at {hit.box};"


def _is_focused(world: World, hit: Element, action: Action) -> None:
    world.elements = [
        _with(e, "focused", e.id == hit.id) if e.role == "entry" else e for e in world.elements
    ]


def _with(one: Element, state: str, has: bool) -> Element:
    from dataclasses import replace

    states = tuple(s for s in one.states if s != state)
    return replace(one, states=(*states, state) if has else states)


def done(said: str, world: World | None = None) -> tuple[str | None, list[str]]:
    """Why a file of steps stopped, or None; and what was pressed, entries left out."""
    world = world or page()
    (program,) = read_file(said)
    player = Player(program, desk_of(world))
    play(world, player.play())
    return player.account, pressed(world)


def pressed(world: World) -> list[str]:
    found: list[str] = []
    for one in world.done:
        if isinstance(one, Click):
            here = [e for e in world.elements if e.box and _is_at(e, one)]
            hit = min(here, key=lambda e: e.box.area if e.box else 0)
            found += [hit.name] if hit.role == "push button" else []
    return found


def _is_at(one: Element, click: Click) -> bool:
    box = one.box
    return box is not None and box.x <= click.x < box.right and box.y <= click.y < box.bottom


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Clear it with AC", ["AC"]),
        ("Reset it via the C key", ["C"]),
        ("Complete the renewal", ["Complete renewal"]),
        ("Grant Kim Duarte access", ["Grant access"]),
    ],
)
def test_what_the_screen_accounts_for_is_done_when_its_turn_comes(
    said: str, names: list[str]
) -> None:
    assert done(f"Click Begin\n{said}") == (None, ["Begin", *names])


@pytest.mark.parametrize(
    "said",
    [
        "Clear it with CE",
        "Complete the extension",
        "Grant Bo Lind access",
        "Grant Kim and Ana access",  # which of two
        "Revert the renewal with AC",
    ],
)
def test_a_word_that_nothing_accounts_for_stops_there(said: str) -> None:
    account, names = done(f"Click Begin\n{said}")
    assert names == ["Begin"]
    assert account is not None


def test_why_it_stopped_says_what_was_not_understood() -> None:
    account, _ = done("Click Begin\nGrant Kim Duarte zorp")
    assert account is not None
    assert "“Grant”" in account
    assert "nothing on the screen accounts for" in account


@pytest.mark.parametrize(
    "said",
    [
        "Clik the Begin button",
        "Leave without saving",
        "Complete the renewal or the loan",
        "Complete the renewal unless it is done",
        "Complete the renewal but only for Kim",
        "Enter a short greeting with the password",
        "Fill in a funny comment there",
        "Run `ls` there",
        "Complete the renewal afterwards at {place} with it",
        "Of the buttons the last",
    ],
)
def test_what_changes_a_demand_or_describes_it_is_refused_before_anything_is_done(
    said: str,
) -> None:
    with pytest.raises(InvalidInput):
        read_file(f"Click Begin\n{said}")


@pytest.mark.parametrize("said", ["Reset it via the C key", "Grant Kim access"])
def test_an_instruction_of_which_nothing_is_understood_is_refused(said: str) -> None:
    (step,) = read_sentence(said).steps
    assert isinstance(step, p.Unclear)
    with pytest.raises(InvalidInput, match=r"f\.steps:1"):
        read_file(said, "f.steps")


def test_a_verb_that_nobody_knows_may_belong_to_what_was_said_before() -> None:
    (*_, last) = read_sentence("Click Begin and bar the Delete button").steps
    assert isinstance(last, p.Unclear)


def test_a_deed_in_a_sentence_waits_for_its_turn_too() -> None:
    world = page()
    player = Player(read_sentence("Click Begin and complete the renewal."), desk_of(world))
    play(world, player.play())
    assert player.account is None
    assert pressed(world) == ["Begin", "Complete renewal"]


def test_labels_of_several_words_take_the_texts_beside_them() -> None:
    world = page()
    account, _ = done(
        'Click Begin\nFill in the delivery address with full name "Olga Berg", street and number '
        '"Torvet 4", and postcode and town "8000 Aarhus"',
        world,
    )
    assert account is None
    assert typed(world) == ["Olga Berg", "Torvet 4", "8000 Aarhus"]


def typed(world: World) -> list[Any]:
    return [one.text for one in world.done if isinstance(one, Type)]


def test_a_text_that_is_only_described_is_never_typed() -> None:
    world = page()
    account, _ = done(
        'Click Begin\nPut "Ana" in as full name with a short greeting as comment', world
    )
    assert account is not None
    assert not [one for one in world.done if isinstance(one, Type | Key)]


@pytest.mark.parametrize("said", ["Grant Kim Duarte access"])
def test_a_word_more_anywhere_and_nothing_is_done(said: str) -> None:
    words = said.split()
    for at in range(1, len(words) + 1):
        more = " ".join((*words[:at], "zorp", *words[at:]))
        try:
            account, names = done(f"Click Begin\n{more}")
        except InvalidInput:
            continue
        assert account is not None
        assert names == ["Begin"], more
