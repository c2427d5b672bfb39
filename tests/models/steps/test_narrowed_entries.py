"""`All unread messages from Bob`: only the entries that show each word, or none at all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play
from test_verbs_slots import page, played

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.finding.narrowed import narrowing_words
from carrel.models.steps.finding.wishes import all_fitting
from carrel.models.steps.program import Perform
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.several_meant import each_meant

MAIL = (
    ("Bob Tanner", "Roof repair", "● new"),
    ("Cara Owens", "Lunch", "● new"),
    ("Bob Tanner", "Invoice 220, new", ""),
    ("Bob Tanner", "Scaffolding", "● new"),
)


def inbox(mail: tuple[tuple[str, str, str], ...] = MAIL) -> World:
    shown = [element("", "list", (0, 40, 700, 200), id="list")]
    for n, texts in enumerate(mail):
        top = 40 + 40 * n
        shown.append(element("", "list item", (0, top, 700, 38), id=f"row{n}", parent="list"))
        box = element(f"Select {n}", "check box", (4, top + 10, 14, 14), parent=f"row{n}")
        shown.append(box)
        shown += [
            element(text, "static", (40 + 200 * at, top + 10, 120, 18), parent=f"row{n}")
            for at, text in enumerate(texts)
            if text
        ]
    return page(*shown)


def rows(world: World, phrase: str) -> list[str]:
    return [e.id for e in all_fitting(desk_of(world), phrase)]


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("unread messages from Bob Tanner", ["row0", "row3"]),
        ("Bob Tanner's unread messages", ["row0", "row3"]),
        ("mail messages from Bob Tanner", ["row0", "row2", "row3"]),
    ],
)
def test_each_word_before_the_noun_is_shown_by_what_is_meant(phrase: str, found: list[str]) -> None:
    assert rows(inbox(), phrase) == found


@pytest.mark.parametrize("phrase", ["flagged messages from Bob Tanner", "urgent mails from Cara"])
def test_where_no_entry_shows_a_word_none_is_meant(phrase: str) -> None:
    with pytest.raises(Missed, match="nothing shows which"):
        rows(inbox(), phrase)


def test_a_word_of_its_own_line_counts_where_it_is_no_state() -> None:
    mail = (("Bob Tanner", "Rent", "Overdue"), ("Bob Tanner", "Gas", "Paid"))
    assert rows(inbox(mail), "overdue invoices from Bob Tanner") == ["row0"]


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("all unread messages", ("unread",)),
        ("the last message from Ann", ()),
        ("the mail messages of the team", ()),
        ("every overdue invoice", ("overdue",)),
    ],
)
def test_the_noun_and_small_words_narrow_nothing(phrase: str, words: tuple[str, ...]) -> None:
    assert narrowing_words(phrase) == words


def test_what_waits_for_a_choice_is_used_when_it_is_made() -> None:
    world = inbox()
    world.elements.append(
        element("Archive", "push button", (0, 0, 80, 24), "disabled", parent="page")
    )

    def chosen(w: World, hit: Element, _action: Action) -> None:
        w.change(hit.name, states=(*hit.states, "checked"))
        w.change("Archive", states=(*hit.states, "enabled", "sensitive"))

    world.on("Select 1", chosen)
    play(world, perform(desk := desk_of(world), Perform("archive", "the message from Cara Owens")))
    at = [(a.x, a.y) for a in world.done if isinstance(a, Click)]
    assert at == [(11, 97), (40, 12)]
    assert desk.commits


@pytest.mark.parametrize(
    ("what", "every"),
    [
        ("the unread messages from Bob Tanner", "unread messages from Bob Tanner"),
        ("the messages from Nobody Else", None),
        ("the unread message from Bob Tanner", None),
        ("the unread messages from Cara Owens", None),
        ("the flagged messages from Bob Tanner", None),
    ],
)
def test_a_plural_is_each_of_those_that_are_shown_to_be_meant(what: str, every: str | None) -> None:
    each = each_meant(desk_of(inbox()), Perform("archive", what))
    assert (each.every if each is not None else None) == every


def test_what_is_disabled_is_not_clicked() -> None:
    plain = [e for e in inbox().elements if e.role != "check box"]
    gone = element("Archive", "push button", (0, 0, 80, 24), "disabled", parent="page")
    world = World(*plain, gone)
    assert played(world, "Archive the message from Cara Owens").account is not None
    clicked = [a for a in world.done if isinstance(a, Click) and a.y < 30]
    assert clicked == []


def test_that_nobody_of_a_name_is_there_is_said() -> None:
    names = ("Inge Solberg", "Ingrid Solheim", "Marit Solberg")
    shown = [element("", "table", (0, 40, 700, 200), id="list")]
    for n, name in enumerate(names):
        top = 40 + 40 * n
        row = element("", "table row", (0, top, 700, 38), id=f"row{n}", parent="list")
        cell = element(name, "table cell", (4, top, 200, 38), parent=row.id)
        delete = element("Delete", "push button", (600, top, 60, 30), parent=row.id)
        shown += [row, cell, replace(delete, id=f"delete{n}")]
    world = page(element("New contact", at=(0, 0, 90, 24)), *shown)
    account = played(world, "Delete the contact Ingrid Solberg").account or ""
    assert "nothing on the screen says “Ingrid Solberg”" in account
    assert "Ingrid Solheim" in account
    assert not [a for a in world.done if isinstance(a, Click)]
